/* lower: what the text forms say of comparisons into masks and selections by them. */
#include "lower/insn/text_insn.h"

/* Completes type and extents of tile `to` from another tile. Either may be NULL. */
static void infer_shape(struct ptog_value *to, const struct ptog_value *from)
{
    if (!to || !from || to->kind != PTOG_VALUE_TILE || from->kind != PTOG_VALUE_TILE)
        return;
    ptog_infer_dtype(to, ptog_value_dtype(from));
    ptog_infer_extent(&to->tile.tile.rows, from->tile.tile.rows);
    ptog_infer_extent(&to->tile.tile.cols, from->tile.tile.cols);
}

/* Fills in shapes that are left out: the sources of a comparison are alike, and so are sources and destination of a
 * selection. A mask stays as it is. */
static void infer_masks(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    static const enum ptog_operand_name data[] = {PTOG_AT_SRC0, PTOG_AT_SRC1, PTOG_AT_DST};
    bool selects = insn->form == PTOG_FORM_SELECT || insn->form == PTOG_FORM_SELECT_SCALAR;
    (void)e;
    for (int to = 0; to < (selects ? 3 : 2); to++)
        for (int from = 0; from < (selects ? 3 : 2); from++)
            infer_shape(ptog_insn_value(insn, data[to]), ptog_insn_value(insn, data[from]));
}

const struct ptog_text_family ptog_text_masks = {ptog_insn_attrs, infer_masks, ptog_insn_add_tmp};
