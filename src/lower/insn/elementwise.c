/* lower: what the text forms say of elementwise instructions: all tiles have one shape, but for broadcasts,
 * and one type, but for conversions. */
#include "lower/insn/text_insn.h"

/* ---- types that are left out */

/* Completes what the type of tile `to` leaves out from another tile: extents, and with `one_type` the element type. */
static void infer_from(struct ptog_value *to, const struct ptog_value *from, bool one_type)
{
    if (to->kind != PTOG_VALUE_TILE || from->kind != PTOG_VALUE_TILE)
        return; /* a scalar has a type of its own */
    if (one_type)
        ptog_infer_dtype(to, ptog_value_dtype(from));
    ptog_infer_extent(&to->tile.tile.rows, from->tile.tile.rows);
    ptog_infer_extent(&to->tile.tile.cols, from->tile.tile.cols);
}

/* Fills in types that are left out: one element type for all, and the rows (of a column) or columns (of a row) of the
 * other tiles. */
static void infer_broadcast(struct ptog_text_insn *insn)
{
    bool column = insn->form == PTOG_FORM_BY_COLUMN || insn->form == PTOG_FORM_FROM_COLUMN;
    for (int to = 0; to < insn->count; to++)
        for (int from = 0; from < insn->count; from++) {
            struct ptog_value *a = insn->of[to].value, *b = insn->of[from].value;
            if (a->kind != PTOG_VALUE_TILE || b->kind != PTOG_VALUE_TILE)
                continue;
            ptog_infer_dtype(a, ptog_value_dtype(b));
            if (column)
                ptog_infer_extent(&a->tile.tile.rows, b->tile.tile.rows);
            else
                ptog_infer_extent(&a->tile.tile.cols, b->tile.tile.cols);
        }
}

/* Completes the types of an elementwise instruction: all its tiles have one shape, and one element type where the row
 * says so. */
static void infer_elementwise(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    (void)e;
    if (insn->form >= PTOG_FORM_FROM_COLUMN && insn->form <= PTOG_FORM_BY_ROW) {
        infer_broadcast(insn);
        return;
    }
    for (int to = 0; to < insn->count; to++)
        for (int from = 0; from < insn->count; from++)
            infer_from(insn->of[to].value, insn->of[from].value, insn->form != PTOG_FORM_CONVERT);
}

const struct ptog_text_family ptog_text_elementwise = {ptog_insn_attrs, infer_elementwise, ptog_insn_add_tmp};
