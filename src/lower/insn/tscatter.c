/* lower: what the text forms say of tscatter: a tile of indices, or a mask pattern and an axis. */
#include "model/families/tscatter.h"
#include "base/pick.h"
#include "lower/insn/text_insn.h"
#include "lower/parts.h"

static const char *scatter_pattern_name(int i)
{
    return ptog_pattern_name((enum ptog_pattern)i);
}

/* Reads whether tscatter goes by indices or by a pattern. False after an error. */
static bool read_tscatter_attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    const struct ptog_item *mask = ptog_op_attr(insn->op, PTOG_WORD_maskPattern);
    bool indices = insn->op->ins && insn->op->ins->count > 1;
    int32_t *attr = insn->insn.attr;
    if (!mask == !indices) {
        ptog_diag_emit(e->diags, "text-operands", insn->op->name_span,
                       "'pto.tscatter' needs either a tile of indices or a maskPattern");
        return false;
    }
    insn->form = mask ? PTOG_FORM_SCATTER_MASK : PTOG_FORM_SCATTER_INDEX;
    attr[PTOG_TSCATTER_BY] = mask ? PTOG_BY_MASK : PTOG_BY_INDEX;
    if (mask)
        attr[PTOG_TSCATTER_PATTERN] = ptog_attr_enum(e, mask, scatter_pattern_name, PTOG_P0101, PTOG_P1111);
    return attr[PTOG_TSCATTER_PATTERN] >= 0 && ptog_read_axis(e, insn, mask != NULL, &attr[PTOG_TSCATTER_AXIS]);
}

/* Completes the types of tscatter: dst grows by the step of the pattern, and indices have the shape of the source. */
static void infer_tscatter(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_value *src = ptog_insn_value(insn, PTOG_AT_SRC), *dst = ptog_insn_value(insn, PTOG_AT_DST),
                      *idx = ptog_insn_value(insn, PTOG_AT_IDX);
    struct ptog_kept kept;
    (void)e;
    if (!src || !dst || src->kind != PTOG_VALUE_TILE || dst->kind != PTOG_VALUE_TILE)
        return;
    ptog_infer_dtype(dst, ptog_value_dtype(src));
    ptog_infer_dtype(src, ptog_value_dtype(dst));
    if (idx && idx->kind == PTOG_VALUE_TILE) {
        ptog_infer_extent(&idx->tile.tile.rows, src->tile.tile.rows);
        ptog_infer_extent(&idx->tile.tile.cols, src->tile.tile.cols);
    } else if (!idx && ptog_pattern_kept(ptog_tscatter_pattern(&insn->insn), &kept) && src->tile.tile.rows > 0) {
        bool rows = ptog_tscatter_axis(&insn->insn) == PTOG_AXIS_COL;
        ptog_infer_extent(&dst->tile.tile.rows, src->tile.tile.rows * (rows ? kept.step : 1));
        ptog_infer_extent(&dst->tile.tile.cols, src->tile.tile.cols * (rows ? 1 : kept.step));
    }
}

const struct ptog_text_family ptog_text_tscatter = {read_tscatter_attrs, infer_tscatter, NULL};
