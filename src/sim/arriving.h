/* sim: bytes that an instruction has written and that have not arrived in UB. Only a late instruction, one that a
 * witness delays, has such bytes: it reads when its turn comes, and its results are put into UB when it ends. */
#ifndef PTOG_SIM_ARRIVING_H
#define PTOG_SIM_ARRIVING_H

#include "sim/insn.h"

struct ptog_arriving_piece {
    uint64_t at, bytes;
    size_t from; /* in `data` */
};

struct ptog_arriving {
    struct ptog_arriving_piece *pieces; /* in the order in which they arrive */
    size_t count, room;
    unsigned char *data;
    size_t used, size;
};

/* Runs a phase as if the bytes that are arriving were in UB already. What the phase writes is arriving, too, and UB
 * itself stays as it is. PTOG_OK or PTOG_NO_MEMORY. */
enum ptog_status ptog_arriving_run(struct ptog_arriving *arriving, const struct ptog_sim *sim, int phase);

/* The bytes are put into UB, in the order in which they were written; nothing is arriving any more. */
void ptog_arriving_land(struct ptog_arriving *arriving, struct ptog_memory *memory);
void ptog_arriving_free(struct ptog_arriving *arriving);

#endif
