/* lower: what the text forms say of tload and tstore. */
#include "model/transfer.h"
#include "base/pick.h"

#include "lower/insn/text_insn.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "model/tensor.h"
#include "model/tile.h"

static const char *atomic_name(int value)
{
    return ptog_atomic_name((enum ptog_atomic)value);
}

/* Reads the layout and the atomic operation of a load or store, and decides its form. False after an error. */
static bool read_attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    const struct ptog_item *layout = ptog_op_word_attr(insn->op, PTOG_WORD_layout);
    const struct ptog_item *atomic = ptog_op_word_attr(insn->op, PTOG_WORD_atomicType);
    insn->form = ptog_transfer_form(e->target, &insn->insn);
    if (insn->form == PTOG_FORM_STORE && insn->op->ins && ptog_operand_loc(e, insn->op->ins, 0) == (int)PTOG_ACC)
        insn->form = PTOG_FORM_STORE_ACC;
    if (atomic) {
        int value = ptog_attr_enum(e, atomic, atomic_name, PTOG_ATOMIC_NONE, PTOG_ATOMIC_ADD);
        if (value < 0)
            return false;
        insn->insn.attr[PTOG_TSTORE_ATOMIC] = value;
    }
    const struct ptog_item *relu = ptog_op_word_attr(insn->op, PTOG_WORD_reluPreMode);
    insn->insn.attr[PTOG_TSTORE_RELU] = relu && ptog_item_is_word(e->tree, relu, "normal_relu");
    if (!ptog_attr_phase(e, ptog_op_word_attr(insn->op, PTOG_WORD_stPhase), &insn->insn.attr[PTOG_TSTORE_PHASE]))
        return false;
    insn->layout_given = layout != NULL;
    insn->layout = layout ? ptog_attr_layout(e, layout) : 0;
    return insn->layout >= 0;
}

/* Fills in types that are left out: a tile without one is as large as its view, and a view as its tile. */
static void infer_transfer(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_value *tile = ptog_insn_value(insn, PTOG_AT_TILE), *view = ptog_insn_value(insn, PTOG_AT_VIEW);
    struct ptog_tile *t = &tile->tile.tile;
    int64_t rows, cols;
    (void)e;
    ptog_infer_dtype(tile, ptog_value_dtype(view));
    ptog_infer_dtype(view, ptog_value_dtype(tile));
    if (view->view.rank > 0) {
        ptog_view_extents(&view->view.tensor, &rows, &cols);
        ptog_infer_extent(&t->rows, rows);
        ptog_infer_extent(&t->cols, cols);
    }
    if (view->view.rank == 0 && t->rows > 0 && t->cols > 0) {
        view->view.rank = 2;
        view->view.tensor.shape[3] = ptog_given(t->valid_row, t->rows);
        view->view.tensor.shape[4] = ptog_given(t->valid_col, t->cols);
    }
}

/* The layout that the instruction gives counts, then that of the view. One column whose elements follow each other is
 * ND and DN alike: without a layout it is what the tile asks for. */
static void settle(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    (void)e;
    struct ptog_tensor *view = &insn->insn.of[PTOG_TRANSFER_VIEW].view;
    const struct ptog_value *value = ptog_insn_value(insn, PTOG_AT_VIEW);
    enum ptog_tile_order order = ptog_tile_order(ptog_transfer_tile(&insn->insn));
    struct ptog_tensor filled = *view; /* a view without strides has no gaps */
    ptog_tensor_fill_defaults(&filled);
    bool either = !value->view.has_layout && filled.shape[4] == 1 && filled.stride[3] == 1;
    if (insn->layout_given)
        view->layout = (enum ptog_layout)insn->layout;
    else if (either && order == PTOG_ORDER_COL)
        view->layout = PTOG_DN;
    else if (either && order == PTOG_ORDER_ROW)
        view->layout = PTOG_ND;
}

const struct ptog_text_family ptog_text_transfer = {read_attrs, infer_transfer, settle};
