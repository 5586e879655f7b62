/* program: what the text forms say of tload and tstore. */
#include "model/transfer.h"

#include "program/text_insn.h"

static bool read_attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    insn->form = ptog_transfer_form(e->target, &insn->insn);
    return true;
}

/* A tile without a type is as large as its view, and a view as its tile. */
static void infer(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_value *tile = ptog_insn_value(insn, "tile"), *view = ptog_insn_value(insn, "view");
    struct ptog_tile *t = &tile->tile.tile;
    int64_t rows, cols;
    (void)e;
    ptog_infer_dtype(tile, ptog_value_dtype(view));
    ptog_infer_dtype(view, ptog_value_dtype(tile));
    if (view->view.rank > 0 && ptog_view_extents(&view->view.tensor, &rows, &cols)) {
        ptog_infer_extent(&t->rows, rows);
        ptog_infer_extent(&t->cols, cols);
    }
    if (view->view.rank == 0 && t->rows > 0 && t->cols > 0) {
        view->view.rank = 2;
        view->view.tensor.shape[3] = t->valid_row ? t->valid_row : t->rows;
        view->view.tensor.shape[4] = t->valid_col ? t->valid_col : t->cols;
    }
}

const struct ptog_text_family ptog_text_transfer = {read_attrs, infer, NULL};
