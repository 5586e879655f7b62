/* core: where there is no machine, an instruction does what it means, at once, on a UB that is as large as its tiles
 * ask. */
#ifndef PTOG_CORE_PLAIN_H
#define PTOG_CORE_PLAIN_H

#include "core/inside.h"
#include "model/insn.h"
#include "sim/memory.h"

struct ptog_plain {
    unsigned char *ub; /* 0xAA until written */
    uint64_t ub_bytes;
};

/* UB of `ub_bytes` to begin with. PTOG_OK or PTOG_NO_MEMORY; close it in any case. */
enum ptog_status ptog_plain_open(struct ptog_plain *core, uint64_t ub_bytes);
void ptog_plain_close(struct ptog_plain *core);

/* UB itself, *bytes of it, the caller's to free. The core can only be closed afterwards. */
unsigned char *ptog_plain_take_ub(struct ptog_plain *core, uint64_t *bytes);

/* Makes UB reach to the end of a tile; what is new is 0xAA. */
enum ptog_status ptog_plain_reach(struct ptog_plain *core, const struct ptog_tile *tile);

/* The buffers of an instruction whose tiles are in reach. `reads_ub`: the source of a TGATHER reaches to the end of UB,
 * for a target that reads whatever lies there. */
struct ptog_run ptog_plain_buffers(const struct ptog_plain *core, const struct ptog_global *gm,
                                   const struct ptog_insn *insn, bool reads_ub);

/* The valid region of a placed tile, in logical row-major order, from or to packed bytes. */
void ptog_plain_peek(const struct ptog_plain *core, const struct ptog_tile *tile, void *data);
void ptog_plain_poke(struct ptog_plain *core, const struct ptog_tile *tile, const void *data);

#endif
