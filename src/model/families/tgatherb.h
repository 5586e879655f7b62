/* model: TGATHERB, a gather of blocks inside UB.
 *
 *   block b (32 bytes) of row r of dst = the 32 bytes of src that start offset[r,b] bytes from its first one
 *
 * A last block that is not full is cut to the valid elements; the CPU simulator leaves it out. On A2/A3 the library
 * gathers 256 bytes at a time: what is left of each row takes eight offsets, row after row without a gap, and writes 256
 * bytes, of which only the first ones belong to the row. */
#ifndef PTOG_MODEL_TGATHERB_H
#define PTOG_MODEL_TGATHERB_H

#include "model/families/tile_bytes.h"

enum { PTOG_TGATHERB_DST = 0, PTOG_TGATHERB_SRC = 1, PTOG_TGATHERB_OFFSET = 2 };

#define PTOG_BLOCK_BYTES 32

enum ptog_form ptog_tgatherb_form(const struct ptog_target *target, const struct ptog_insn *insn);

/* One block. */
struct ptog_block_lane {
    int64_t row, block;  /* of dst */
    int64_t to, bytes;   /* where in dst, and how many bytes are written */
    int64_t offset_at;   /* where in the offset tile, in elements */
    bool is_valid;       /* dst has valid elements in it; else only the library writes it */
    uint64_t offset;     /* as read */
    bool reads;          /* the block is read: it lies in src, or the target reads on in UB */
};

/* How many there are, and number `i` of them in the order in which the target does them. */
int64_t ptog_tgatherb_count(const struct ptog_known_insn *known);
void ptog_tgatherb_lane(const struct ptog_known_insn *known, int64_t i, struct ptog_block_lane *lane);

/* Reads the offset of a lane and notes what is wrong with it; false when it cannot be read. */
bool ptog_tgatherb_offset(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes,
                          struct ptog_block_lane *lane);

/* Copies the block of a lane. */
void ptog_tgatherb_copy(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes,
                        const struct ptog_block_lane *lane);

#endif
