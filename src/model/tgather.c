/* model: TGATHER: the one description from its struct and back, and which of its three forms an instruction has. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <string.h>

#include "model/tgather.h"

#include "base/arith.h"
#include "base/pick.h"
#include "model/dtype.h"
#include "model/tile.h"

void ptog_insn_tgather(struct ptog_insn *insn, const struct ptog_tgather *op)
{
    if (!insn)
        return;
    ptog_insn_start(insn, op ? PTOG_TGATHER : PTOG_NO_INSN);
    if (!op)
        return;
    memcpy(insn->reserved, op->reserved, sizeof insn->reserved); /* looked at where the instruction is */
    ptog_insn_set_tile(insn, PTOG_TGATHER_DST, &op->dst);
    ptog_insn_set_tile(insn, PTOG_TGATHER_SRC, &op->src);
    ptog_insn_set_tile(insn, PTOG_TGATHER_IDX, &op->idx);
    ptog_insn_set_tile(insn, PTOG_TGATHER_K, &op->k);
    ptog_insn_set_tile(insn, PTOG_TGATHER_TMP, &op->tmp);
    ptog_insn_set_tile(insn, PTOG_TGATHER_CDST, &op->cdst);
    insn->attr[PTOG_TGATHER_BY] = (int32_t)op->form;
    insn->attr[PTOG_TGATHER_PATTERN] = (int32_t)op->pattern;
    insn->attr[PTOG_TGATHER_AXIS] = (int32_t)op->axis;
    insn->attr[PTOG_TGATHER_CMP] = (int32_t)op->cmp;
    insn->attr[PTOG_TGATHER_OFFSET] = op->offset;
}

struct ptog_tgather ptog_tgather_of(const struct ptog_insn *insn)
{
    return (struct ptog_tgather){.form = ptog_tgather_by(insn),
                                 .dst = *ptog_tgather_dst(insn),
                                 .src = *ptog_tgather_src(insn),
                                 .idx = *ptog_tgather_idx(insn),
                                 .tmp = *ptog_tgather_tmp(insn),
                                 .k = *ptog_tgather_k(insn),
                                 .cdst = *ptog_tgather_cdst(insn),
                                 .pattern = ptog_tgather_pattern(insn),
                                 .axis = ptog_tgather_axis(insn),
                                 .cmp = ptog_tgather_cmp(insn),
                                 .offset = ptog_tgather_offset(insn)};
}

enum ptog_form ptog_tgather_form(const struct ptog_target *target, const struct ptog_insn *op)
{
    (void)target; /* as written, everywhere */
    switch (ptog_tgather_by(op)) {
    case PTOG_BY_MASK: return PTOG_FORM_MASK;
    case PTOG_BY_COMPARE: return PTOG_FORM_COMPARE;
    default: return PTOG_FORM_INDEX;
    }
}

/* Which elements a mask pattern keeps; false for a number that is no pattern. */
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
    if (n > kept.first)
        return (n - kept.first - 1) / kept.step + 1;
    return 0;
}

bool ptog_mask_rows_are_apart(const struct ptog_target *target, const struct ptog_insn *op)
{
    return target->mask_8_by_row && ptog_dtype_size(ptog_tgather_src(op)->dtype) == 8;
}

/* From the first element that a row of the source gives dst to the first one of the next row. */
static int64_t mask_row_step(const struct ptog_target *target, const struct ptog_insn *op)
{
    struct ptog_kept kept = {0, 1};
    ptog_pattern_kept(ptog_tgather_pattern(op), &kept);
    if (ptog_mask_rows_are_apart(target, op))
        return ptog_tgather_dst(op)->cols / kept.step;
    return ptog_kept_count(kept, ptog_tgather_src(op)->valid_col);
}

int64_t ptog_mask_row_start(const struct ptog_target *target, const struct ptog_insn *op, int64_t r)
{
    return r * mask_row_step(target, op);
}

bool ptog_mask_need(const struct ptog_target *target, const struct ptog_insn *op, int64_t *need)
{
    const struct ptog_tile *src = ptog_tgather_src(op);
    struct ptog_kept kept = {0, 1};
    ptog_pattern_kept(ptog_tgather_pattern(op), &kept);
    if (ptog_tgather_axis(op) == PTOG_AXIS_COL) {
        int64_t rows = ptog_kept_count(kept, src->valid_row);
        *need = 0;
        return rows == 0 ||
               (ptog_mul_i64(rows - 1, ptog_tgather_dst(op)->cols, need) && ptog_add_i64(*need, src->valid_col, need));
    }
    return ptog_mul_i64(src->valid_row - 1, mask_row_step(target, op), need) &&
           ptog_add_i64(*need, ptog_kept_count(kept, src->valid_col), need);
}

/* What all rows of a gather by mask share: where each goes, how many of its elements are kept, and how many dst has. */
struct ptog_mask_rows ptog_mask_rows_of(const struct ptog_target *target, const struct ptog_insn *op)
{
    const struct ptog_tile *dst = ptog_tgather_dst(op);
    struct ptog_kept kept = {0, 1};
    ptog_pattern_kept(ptog_tgather_pattern(op), &kept);
    return (struct ptog_mask_rows){.step = mask_row_step(target, op),
                                   .kept = ptog_kept_count(kept, ptog_tgather_src(op)->valid_col),
                                   .room = dst->rows * dst->cols};
}

int64_t ptog_mask_row_fits(const struct ptog_mask_rows *rows, int64_t r)
{
    int64_t left = rows->room - r * rows->step;
    return ptog_min(rows->kept, ptog_max(left, 0));
}

bool ptog_compares_equal(const struct ptog_target *target, const struct ptog_insn *op)
{
    bool as_equal = target->compare_a5 && ptog_tgather_src(op)->dtype == PTOG_U16;
    return ptog_tgather_cmp(op) == PTOG_CMP_EQ || as_equal;
}

uint32_t ptog_compare_position(const struct ptog_target *target, const struct ptog_insn *op, int64_t r, int64_t c)
{
    const struct ptog_tile *src = ptog_tgather_src(op);
    int64_t pitch = target->compare_a5 ? (src->valid_col + 63) / 64 * 64 : src->cols;
    return (uint32_t)ptog_tgather_offset(op) + (uint32_t)r * (uint32_t)pitch + (uint32_t)c;
}

uint64_t ptog_compare_k(const struct ptog_insn *op, uint64_t bits)
{
    enum ptog_dtype src = ptog_tgather_src(op)->dtype, k = ptog_tgather_k(op)->dtype;
    if (k == src)
        return bits;
    uint64_t sign = ptog_dtype_sign_bit(k);
    int64_t value = (int64_t)((bits ^ sign) - sign);
    if (ptog_dtype_is_float(src))
        return ptog_dtype_from_real(src, (double)value);
    return (uint64_t)value & ((ptog_dtype_sign_bit(src) << 1) - 1);
}

bool ptog_tmp_need(const struct ptog_insn *op, int64_t *need)
{
    const struct ptog_tile *dst = ptog_tgather_dst(op);
    return ptog_mul_i64(dst->valid_row - 1, dst->cols, need) && ptog_add_i64(*need, dst->valid_col, need);
}
