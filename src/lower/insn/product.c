/* lower: what the text forms say of matrix products. */
#include "diag/list.h"
#include "lower/insn/text_insn.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "model/cube/product.h"

bool ptog_attr_phase(struct ptog_eval *e, const struct ptog_item *item, int32_t *phase)
{
    static const struct {
        const char *word;
        enum ptog_unit_phase phase;
    } phases[] = {{"unspecified", PTOG_PHASE_NONE}, {"partial", PTOG_PHASE_PARTIAL}, {"final", PTOG_PHASE_FINAL}};
    *phase = PTOG_PHASE_NONE;
    for (size_t i = 0; item && i < sizeof phases / sizeof phases[0]; i++)
        if (ptog_item_is_word(e->tree, item, phases[i].word)) {
            *phase = (int32_t)phases[i].phase;
            return true;
        }
    if (item)
        ptog_diag_emit(e->diags, "text-attribute", item->span, "a phase is unspecified, partial or final");
    return !item;
}

/* Decides the form of a product, and reads its phase. */
static bool product_attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    insn->form = ptog_product_form(e->target, &insn->insn);
    return ptog_attr_phase(e, ptog_op_word_attr(insn->op, PTOG_WORD_accPhase), &insn->insn.attr[PTOG_PRODUCT_PHASE]);
}

/* Completes element type and extents of an operand of a product. `to` may be NULL. */
static void infer_from_matrix(struct ptog_value *to, enum ptog_dtype dtype, int64_t rows, int64_t cols)
{
    if (!to)
        return;
    ptog_infer_dtype(to, dtype);
    ptog_infer_extent(&to->tile.tile.rows, rows);
    ptog_infer_extent(&to->tile.tile.cols, cols);
}

/* Fills in types that are left out: both matrices have one element type and fitting extents; the accumulator is f32,
 * or i32 of i8. */
static void infer_product(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_value *left = ptog_insn_value(insn, PTOG_AT_SRC0), *right = ptog_insn_value(insn, PTOG_AT_SRC1);
    (void)e;
    if (!left || !right)
        return;
    infer_from_matrix(right, ptog_value_dtype(left), left->tile.tile.cols, PTOG_DYN);
    infer_from_matrix(left, ptog_value_dtype(right), PTOG_DYN, right->tile.tile.rows);
    infer_from_matrix(ptog_insn_value(insn, PTOG_AT_DST), ptog_value_dtype(left) == PTOG_I8 ? PTOG_I32 : PTOG_F32,
                      left->tile.tile.rows, right->tile.tile.cols);
}

const struct ptog_text_family ptog_text_product = {product_attrs, infer_product, NULL};
