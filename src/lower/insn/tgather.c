/* lower: what the text forms say of tgather: by index, by mask pattern or by comparison. */
#include <string.h>

#include "base/pick.h"
#include "lower/insn/text_insn.h"
#include "lower/parts.h"
#include "model/tgather.h"

static const char *pattern_name(int i)
{
    return ptog_pattern_name((enum ptog_pattern)i);
}

static const char *cmp_name(int i)
{
    return ptog_cmp_name((enum ptog_cmp)i);
}

/* ---- attributes */

/* Sets *axis from "row" or "col" after the type of the source, which only the mask form may have; older text has none.
 * False after a report. */
bool ptog_read_axis(struct ptog_eval *e, const struct ptog_text_insn *insn, bool by_mask, int32_t *axis)
{
    const struct ptog_op *op = insn->op;
    for (uint32_t i = 0; op->ins && i < op->ins->type_count; i++) {
        const struct ptog_type_use *use = &op->ins->types[i];
        if (use->type->kind != PTOG_TYPE_STRING)
            continue;
        bool col = ptog_tree_is(e->tree, use->type->text, "col");
        if (!by_mask || !(col || ptog_tree_is(e->tree, use->type->text, "row"))) {
            ptog_diag_emit(e->diags, "text-attribute", use->span,
                           by_mask ? "the axis must be \"row\" or \"col\"" : "only the mask form has an axis");
            return false;
        }
        *axis = col ? PTOG_AXIS_COL : PTOG_AXIS_ROW;
    }
    return true;
}

/* Reads the number of an i32 attribute; false, with a report, for anything else. */
static bool read_offset(struct ptog_eval *e, const struct ptog_item *item, int32_t *offset)
{
    uint64_t most = UINT64_C(0x7fffffff) + item->negative;
    if (item->kind != PTOG_ITEM_INT || item->number > most) {
        ptog_diag_emit(e->diags, "text-attribute", item->span, "the offset must be an i32 number");
        return false;
    }
    *offset = (int32_t)ptog_negated_if(item->negative, item->number);
    return true;
}

/* Reads the mask pattern or the comparison into the instruction, and decides its form. False after an error. */
static bool read_attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    const struct ptog_item *mask = ptog_op_attr(insn->op, PTOG_WORD_maskPattern);
    const struct ptog_item *cmp = ptog_op_attr(insn->op, PTOG_WORD_cmpMode);
    const struct ptog_item *offset = ptog_op_attr(insn->op, PTOG_WORD_offset);
    int32_t *attr = insn->insn.attr;
    if (mask && cmp) {
        ptog_diag_emit(e->diags, "text-attribute", cmp->span,
                       "tgather has either a mask pattern or a comparison, not both");
        return false;
    }
    insn->form = PTOG_FORM_INDEX;
    if (mask) {
        insn->form = PTOG_FORM_MASK;
        attr[PTOG_TGATHER_BY] = PTOG_BY_MASK;
        attr[PTOG_TGATHER_PATTERN] = ptog_attr_enum(e, mask, pattern_name, PTOG_P0101, PTOG_P1111);
    }
    if (cmp || (!mask && insn->op->outs->count == 2)) { /* two destinations compare, and for equality unless they say */
        insn->form = PTOG_FORM_COMPARE;
        attr[PTOG_TGATHER_BY] = PTOG_BY_COMPARE;
        attr[PTOG_TGATHER_CMP] = cmp ? ptog_attr_enum(e, cmp, cmp_name, PTOG_CMP_EQ, PTOG_CMP_GE) : PTOG_CMP_EQ;
    }
    if (attr[PTOG_TGATHER_PATTERN] < 0 || attr[PTOG_TGATHER_CMP] < 0)
        return false;
    return ptog_read_axis(e, insn, insn->form == PTOG_FORM_MASK, &attr[PTOG_TGATHER_AXIS]) &&
           (!offset || read_offset(e, offset, &attr[PTOG_TGATHER_OFFSET]));
}

/* ---- elided types */

/* Completes the extents of a tile from another one. */
static void infer_shape(struct ptog_tile *to, const struct ptog_tile *from)
{
    ptog_infer_extent(&to->rows, from->rows);
    ptog_infer_extent(&to->cols, from->cols);
}

/* Completes the extents of dst with as many rows or columns as the pattern keeps of the source. */
static void infer_mask(const struct ptog_insn *insn, struct ptog_tile *dst, const struct ptog_tile *src)
{
    struct ptog_kept kept;
    if (!ptog_pattern_kept(ptog_tgather_pattern(insn), &kept) || src->rows < 1 || src->cols < 1)
        return;
    bool row = ptog_tgather_axis(insn) == PTOG_AXIS_ROW;
    ptog_infer_extent(&dst->rows, row ? src->rows : ptog_kept_count(kept, src->rows));
    ptog_infer_extent(&dst->cols, row ? ptog_kept_count(kept, src->cols) : src->cols);
}

/* Completes the types of tgather as its form says. */
static void infer_tgather(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_value *src = ptog_insn_value(insn, PTOG_AT_SRC), *dst = ptog_insn_value(insn, PTOG_AT_DST);
    struct ptog_value *idx = ptog_insn_value(insn, PTOG_AT_IDX), *cdst = ptog_insn_value(insn, PTOG_AT_CDST);
    (void)e;
    if (insn->form == PTOG_FORM_COMPARE) {
        ptog_infer_dtype(dst, PTOG_I32);
        ptog_infer_dtype(cdst, PTOG_I32);
        infer_shape(&dst->tile.tile, &src->tile.tile);
        return;
    }
    ptog_infer_dtype(dst, ptog_value_dtype(src));
    ptog_infer_dtype(src, ptog_value_dtype(dst));
    if (insn->form == PTOG_FORM_MASK) {
        infer_mask(&insn->insn, &dst->tile.tile, &src->tile.tile);
        return;
    }
    infer_shape(&dst->tile.tile, &idx->tile.tile);
    infer_shape(&idx->tile.tile, &dst->tile.tile);
}

const struct ptog_text_family ptog_text_tgather = {read_attrs, infer_tgather, NULL};
