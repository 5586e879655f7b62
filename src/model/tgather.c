/* model: TGATHER, its forms. */
#include "model/tgather.h"

#include "base/arith.h"
#include "model/tile.h"

struct ptog_tgather ptog_tgather_filled(const struct ptog_tgather *op)
{
    struct ptog_tgather filled = *op;
    struct ptog_tile *tiles[] = {&filled.dst, &filled.src, &filled.idx, &filled.tmp, &filled.k, &filled.cdst};
    for (unsigned i = 0; i < sizeof tiles / sizeof tiles[0]; i++)
        ptog_tile_fill_defaults(tiles[i]);
    return filled;
}

bool ptog_pattern_kept(enum ptog_pattern pattern, struct ptog_kept *kept)
{
    switch (pattern) {
#define PATTERN(name, first, step)                                                                                     \
    case name:                                                                                                         \
        *kept = (struct ptog_kept){first, step};                                                                       \
        return true;
#include "spec/patterns.def"
#undef PATTERN
    }
    return false;
}

int64_t ptog_kept_count(struct ptog_kept kept, int64_t n)
{
    return n > kept.first ? (n - kept.first - 1) / kept.step + 1 : 0;
}

int64_t ptog_mask_row_start(const struct ptog_target *target, const struct ptog_tgather *op, int64_t r)
{
    struct ptog_kept kept = {0, 1};
    ptog_pattern_kept(op->pattern, &kept);
    if (target->mask_8_by_row && ptog_dtype_size(op->src.dtype) == 8)
        return r * (op->src.cols / kept.step);
    return r * ptog_kept_count(kept, op->src.valid_col);
}

bool ptog_mask_need(const struct ptog_target *target, const struct ptog_tgather *op, int64_t *need)
{
    struct ptog_kept kept = {0, 1};
    ptog_pattern_kept(op->pattern, &kept);
    if (op->axis == PTOG_AXIS_COL) {
        int64_t rows = ptog_kept_count(kept, op->src.valid_row);
        *need = 0;
        return rows == 0 ||
               (ptog_mul_i64(rows - 1, op->dst.cols, need) && ptog_add_i64(*need, op->src.valid_col, need));
    }
    int64_t last = ptog_mask_row_start(target, op, op->src.valid_row - 1);
    return ptog_add_i64(last, ptog_kept_count(kept, op->src.valid_col), need);
}

uint32_t ptog_compare_position(const struct ptog_target *target, const struct ptog_tgather *op, int64_t r, int64_t c)
{
    int64_t pitch = target->compare_a5 ? (op->src.valid_col + 63) / 64 * 64 : op->src.cols;
    return (uint32_t)op->offset + (uint32_t)r * (uint32_t)pitch + (uint32_t)c;
}

bool ptog_tmp_need(const struct ptog_tgather *op, int64_t *need)
{
    return ptog_mul_i64(op->dst.valid_row - 1, op->dst.cols, need) && ptog_add_i64(*need, op->dst.valid_col, need);
}
