/* model: the memories of a cube core: L1, L0A, L0B, L0C, the bias table and the buffer of scales. The text, and every
 * description of a tile, gives an address in one of them. The machine keeps them side by side in one range of bytes,
 * behind a hole as large as UB:
 *
 *     |  UB of a vector core  |  L1                         | L0A | L0B | L0C     | bias | scales |
 *     0                       196608                        720896 ...                             (a2a3)
 *
 * so that whatever watches the bytes of UB, of which a vector core has nothing else, watches these, and an address alone
 * tells its memory. */
#ifndef PTOG_MODEL_CUBE_MEMORIES_H
#define PTOG_MODEL_CUBE_MEMORIES_H

#include "model/insn.h"

/* "UB", "L1", "L0A", ... */
const char *ptog_memory_name(enum ptog_loc loc);

/* The bytes of a memory on a target; 0: it has no size of its own. */
uint64_t ptog_memory_bytes(const struct ptog_target *target, enum ptog_loc loc);

/* The end of the range, which is all that a cube core has, and where a memory of it starts. */
uint64_t ptog_cube_bytes(const struct ptog_target *target);
uint64_t ptog_cube_start(const struct ptog_target *target, enum ptog_loc loc);

/* The memory that holds byte `at` of the range, and the address in it. Below the memories of the cube core lies UB. */
enum ptog_loc ptog_cube_find(const struct ptog_target *target, uint64_t at, uint64_t *address);

/* From addresses of memories to those of the range: the tiles of a resolved instruction. */
void ptog_cube_place(struct ptog_known_insn *known);

/* The order of a left tile is the target's. */
void ptog_tile_settle(const struct ptog_target *target, struct ptog_tile *tile);

/* The place of the operand that an instruction writes to another core: an accumulator that goes to UB, a tile of UB that
 * goes to L1. -1: it stays on its core. */
int ptog_insn_sent(const struct ptog_insn *insn);

/* Does the instruction have a tile of the cube core; does it have one of a vector core? What it sends to another core
 * does not count. */
bool ptog_insn_uses_cube(const struct ptog_insn *insn);
bool ptog_insn_uses_ub(const struct ptog_insn *insn);

#endif
