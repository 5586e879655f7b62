/* sim: bytes that an instruction has written and that have not arrived in UB: of a late instruction, whose reads are
 * done in order. */
#ifndef PTOG_SIM_HELD_H
#define PTOG_SIM_HELD_H

#include "sim/insn.h"

struct ptog_held_piece {
    uint64_t at, bytes;
    size_t from; /* in `data` */
};

struct ptog_held {
    struct ptog_held_piece *pieces; /* in the order in which they arrive */
    size_t count, room;
    unsigned char *data;
    size_t used, size;
};

/* Runs a phase on UB as it is under what is held, and holds what it writes to UB too; UB itself stays as it is. PTOG_OK
 * or PTOG_NO_MEMORY. */
enum ptog_status ptog_held_run(struct ptog_held *held, const struct ptog_sim *sim, int phase);

/* The bytes arrive; nothing is held any more. */
void ptog_held_arrive(struct ptog_held *held, struct ptog_memory *memory);
void ptog_held_free(struct ptog_held *held);

#endif
