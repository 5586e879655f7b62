/* model: TGATHER, its forms. "Filled" operands have no default left in them. */
#ifndef PTOG_MODEL_TGATHER_H
#define PTOG_MODEL_TGATHER_H

#include <stdbool.h>
#include <stdint.h>

#include <ptog/target.h>

/* Replaces defaults by what they stand for; PTOG_DYN stays. */
struct ptog_tgather ptog_tgather_filled(const struct ptog_tgather *op);

/* A mask pattern keeps positions first, first+step, first+2*step, ... */
struct ptog_kept {
    int64_t first, step;
};
bool ptog_pattern_kept(enum ptog_pattern pattern, struct ptog_kept *kept);

/* How many of n positions a pattern keeps. */
int64_t ptog_kept_count(struct ptog_kept kept, int64_t n);

/* The rest wants every extent known and the operands legal. */

/* Mask, axis row: where in dst's storage the first kept element of source row r goes. */
int64_t ptog_mask_row_start(const struct ptog_target *target, const struct ptog_tgather *op, int64_t r);

/* Mask: the number of elements of dst's storage that the instruction needs. False when it does not fit in 63 bits. */
bool ptog_mask_need(const struct ptog_target *target, const struct ptog_tgather *op, int64_t *need);

/* Compare: the value stored for a match at (r, c). */
uint32_t ptog_compare_position(const struct ptog_target *target, const struct ptog_tgather *op, int64_t r, int64_t c);

/* a2a3 with 2-byte data: elements of tmp the hardware walks. */
bool ptog_tmp_need(const struct ptog_tgather *op, int64_t *need);

#endif
