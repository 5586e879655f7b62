/* verify: predicates of rules.def on the three forms of TGATHER. */
#include "model/dtype.h"
#include "model/tgather.h"
#include "model/tile.h"
#include "verify/predicates.h"

#define UNUSED_OPERAND (void)o

bool ptog_form_known(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return (unsigned)ptog_tgather_by(c->insn) <= PTOG_BY_COMPARE;
}

/* The types that 004 lists for A5. Types that a rule of their own refuses are not judged here. */
bool ptog_dtype_documented(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_dtype dtype = ptog_check_tile(c, o)->dtype;
    size_t size = ptog_dtype_size(dtype);
    if (!ptog_dtype_accepted(c, o))
        return true;
    if (c->form == PTOG_FORM_MASK)
        return size <= 4;
    return size == 2 || size == 4;
}

/* Whether the indices have a width that libraries read for the data. */
bool ptog_index_width_pairs(const struct ptog_check *c, enum ptog_operand_name o)
{
    size_t data = ptog_dtype_size(ptog_check_at(c, PTOG_AT_DST)->dtype);
    if (!ptog_dtype_accepted(c, PTOG_AT_DST) || !ptog_dtype_accepted(c, o) || data == 0 || data == 2)
        return true;
    return ptog_dtype_size(ptog_check_tile(c, o)->dtype) == (data == 1 ? 2 : 4);
}

bool ptog_index_covers_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    const struct ptog_tile *idx = ptog_check_at(c, PTOG_AT_IDX), *dst = ptog_check_at(c, PTOG_AT_DST);
    if (!ptog_tile_is_sound(idx) || !ptog_tile_is_sound(dst))
        return true;
    return idx->valid_row >= dst->valid_row && idx->valid_col >= dst->valid_col;
}

bool ptog_tmp_is_index_dtype(const struct ptog_check *c, enum ptog_operand_name o)
{
    return ptog_check_tile(c, o)->dtype == ptog_check_at(c, PTOG_AT_IDX)->dtype ||
           ptog_dtype_size(ptog_check_at(c, PTOG_AT_IDX)->dtype) == 0;
}

bool ptog_has_tmp(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return ptog_check_tile(c, PTOG_AT_TMP) != NULL || ptog_dtype_size(ptog_check_at(c, PTOG_AT_DST)->dtype) == 2;
}

bool ptog_has_tmp_for_2_bytes(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return ptog_check_tile(c, PTOG_AT_TMP) != NULL || ptog_dtype_size(ptog_check_at(c, PTOG_AT_DST)->dtype) != 2;
}

/* The element type is one that older compilers compare, too. */
bool ptog_compared_by_newest(const struct ptog_check *c, enum ptog_operand_name o)
{
    switch (ptog_check_tile(c, o)->dtype) {
    case PTOG_I8:
    case PTOG_U8:
    case PTOG_U16:
    case PTOG_U32: break;
    default: return true;
    }
    return !ptog_dtype_accepted(c, o) || !ptog_u16_is_compared_equal(c, o); /* other rules speak of these */
}

bool ptog_pattern_known(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    struct ptog_kept kept;
    return ptog_pattern_kept(ptog_tgather_pattern(c->insn), &kept);
}

bool ptog_axis_known(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return (unsigned)ptog_tgather_axis(c->insn) <= PTOG_AXIS_COL;
}

bool ptog_axis_for_8_bytes(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return ptog_tgather_axis(c->insn) != PTOG_AXIS_COL || ptog_dtype_size(ptog_check_at(c, PTOG_AT_SRC)->dtype) != 8;
}

/* Pattern, axis and extents are good enough to count what is kept. */
static bool mask_is_sound(const struct ptog_check *c)
{
    return ptog_pattern_known(c, PTOG_AT_SELF) && ptog_axis_known(c, PTOG_AT_SELF) &&
           ptog_tile_is_sound(ptog_check_at(c, PTOG_AT_SRC)) && ptog_tile_is_sound(ptog_check_at(c, PTOG_AT_DST));
}

/* Whether everything that a sound mask keeps has a place in dst. */
static bool mask_fits(const struct ptog_check *c)
{
    const struct ptog_tile *src = ptog_check_at(c, PTOG_AT_SRC), *dst = ptog_check_at(c, PTOG_AT_DST);
    int64_t need;
    if (ptog_tgather_axis(c->insn) == PTOG_AXIS_COL && src->valid_col > dst->cols)
        return false;
    return ptog_mask_need(c->target, c->insn, &need) && need <= dst->rows * dst->cols;
}

/* dst has room for the elements that the pattern keeps. */
bool ptog_mask_has_room(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    int64_t need;
    if (!mask_is_sound(c))
        return true;
    if (ptog_tgather_axis(c->insn) == PTOG_AXIS_COL)
        return mask_fits(c);
    return ptog_mask_need(c->target, c->insn, &need);
}

/* The valid region of dst is exactly what the pattern keeps of the source's, without a rest. */
bool ptog_mask_shape_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    struct ptog_kept kept;
    UNUSED_OPERAND;
    if (!mask_is_sound(c) || !mask_fits(c))
        return true;
    ptog_pattern_kept(ptog_tgather_pattern(c->insn), &kept);
    const struct ptog_tile *src = ptog_check_at(c, PTOG_AT_SRC), *dst = ptog_check_at(c, PTOG_AT_DST);
    bool along_col = ptog_tgather_axis(c->insn) == PTOG_AXIS_COL;
    int64_t from = along_col ? src->valid_row : src->valid_col, to = along_col ? dst->valid_row : dst->valid_col;
    return from % kept.step == 0 && to == from / kept.step;
}

bool ptog_cmp_is_gt_or_eq(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return ptog_tgather_cmp(c->insn) == PTOG_CMP_GT || ptog_tgather_cmp(c->insn) == PTOG_CMP_EQ;
}

/* k has the element type of the source, or is a list of integers of its width. */
bool ptog_k_is_src_dtype(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_dtype k = ptog_check_tile(c, o)->dtype, src = ptog_check_at(c, PTOG_AT_SRC)->dtype;
    size_t k_size = ptog_dtype_size(k), src_size = ptog_dtype_size(src);
    if (k == src || k_size == 0 || src_size == 0)
        return true;
    bool numbers = !ptog_tgather_k_is_scalar(c->insn) && !ptog_dtype_is_float(k);
    return numbers && k_size == (src_size == 1 ? 2 : src_size);
}

/* Where each row of the source has its place in dst, what the pattern keeps of one fits there. */
bool ptog_mask_rows_fit(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *src = ptog_check_at(c, PTOG_AT_SRC);
    struct ptog_kept kept = {0, 1};
    (void)o;
    if (!ptog_mask_rows_are_apart(c->target, c->insn) || !ptog_tile_is_sound(src) || src->valid_row <= 1 ||
        !ptog_tile_is_sound(ptog_check_at(c, PTOG_AT_DST)))
        return true;
    return !ptog_pattern_kept(ptog_tgather_pattern(c->insn), &kept) ||
           ptog_mask_row_start(c->target, c->insn, 1) >= ptog_kept_count(kept, src->valid_col);
}

bool ptog_i32_is_compared_equal(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    return ptog_check_at(c, PTOG_AT_SRC)->dtype != PTOG_I32 || ptog_tgather_cmp(c->insn) == PTOG_CMP_EQ;
}

bool ptog_u16_is_compared_equal(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    return ptog_check_at(c, PTOG_AT_SRC)->dtype != PTOG_U16 || ptog_tgather_cmp(c->insn) != PTOG_CMP_GT;
}

bool ptog_k_is_one_or_list(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *k = ptog_check_tile(c, o);
    if (!ptog_tile_is_sound(k) || !ptog_tile_is_sound(ptog_check_at(c, PTOG_AT_SRC)))
        return true;
    return ptog_tile_is_list(k, 1) || ptog_tile_is_list(k, ptog_check_at(c, PTOG_AT_SRC)->valid_row);
}

bool ptog_cdst_is_list(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *cdst = ptog_check_tile(c, o);
    if (!ptog_tile_is_sound(cdst) || !ptog_tile_is_sound(ptog_check_at(c, PTOG_AT_SRC)))
        return true;
    int64_t counts = cdst->valid_row == 1 ? cdst->valid_col : cdst->valid_row;
    return ptog_tile_is_list(cdst, counts) && counts >= ptog_check_at(c, PTOG_AT_SRC)->valid_row;
}

bool ptog_dst_has_src_rows(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_tile(c, o);
    return !ptog_tile_is_sound(dst) || !ptog_tile_is_sound(ptog_check_at(c, PTOG_AT_SRC)) ||
           dst->valid_row >= ptog_check_at(c, PTOG_AT_SRC)->valid_row;
}

bool ptog_rows_are_all_kept(const struct ptog_check *c, enum ptog_operand_name o)
{
    return !mask_is_sound(c) || !ptog_mask_has_room(c, o) || !ptog_axis_for_8_bytes(c, o) ||
           ptog_tgather_axis(c->insn) != PTOG_AXIS_COL || ptog_tgather_pattern(c->insn) == PTOG_P1111;
}

/* Along axis row everything that is kept fits into dst. */
static bool mask_stays_inside(const struct ptog_check *c)
{
    return !mask_is_sound(c) || !ptog_mask_has_room(c, PTOG_AT_DST) || ptog_tgather_axis(c->insn) == PTOG_AXIS_COL ||
           mask_fits(c);
}

/* By index, a2a3, 2-byte data: tmp is walked with dst's row stride. */
bool ptog_walk_stays_inside(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    int64_t need;
    if (c->form == PTOG_FORM_MASK)
        return mask_stays_inside(c);
    const struct ptog_tile *tmp = ptog_check_tile(c, PTOG_AT_TMP); /* its valid extents do not matter */
    if (!c->target->walks_tmp || !tmp || ptog_tile_bytes(tmp) <= 0 ||
        !ptog_tile_is_sound(ptog_check_at(c, PTOG_AT_DST)) ||
        ptog_dtype_size(ptog_check_at(c, PTOG_AT_DST)->dtype) != 2)
        return true;
    return ptog_tmp_need(c->insn, &need) && need <= tmp->rows * tmp->cols;
}
