/* program: tload and tstore. */
#include <string.h>

#include <ptog/verify.h>

#include "model/transfer.h"
#include "program/eval.h"

/* Global memory as the core wants it; false when the view has no place. */
bool ptog_gm_of(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_value *view,
                struct ptog_gm *gm)
{
    const struct ptog_base *base = &view->view.base;
    if (base->memory == 0 || !base->at.known || base->at.value < 0) {
        ptog_say(e->finds, "run-stopped", insn->op->name_span, "the view starts before its buffer, or nowhere");
        e->stopped = true;
        return false;
    }
    const struct ptog_gm_buffer *memory = &e->memories[base->memory - 1];
    *gm = (struct ptog_gm){.data = memory->data, .bytes = memory->bytes, .start = (uint64_t)base->at.value};
    return true;
}

/* A tile without a type is as large as its view. */
static void infer(struct ptog_eval *e, struct ptog_text_insn *insn, struct ptog_value *tile, struct ptog_value *view)
{
    int64_t rows, cols;
    struct ptog_tile *t = &tile->tile.tile;
    ptog_infer_names(e, insn);
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
    ptog_infer_names(e, insn);
}

static void run(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_transfer *op,
                const struct ptog_value *view)
{
    struct ptog_gm gm;
    struct ptog_fault fault = {0};
    if (!ptog_gm_of(e, insn, view, &gm))
        return;
    enum ptog_status (*act)(struct ptog_plain *, const struct ptog_transfer *, struct ptog_gm, ptog_diags *,
                            struct ptog_fault *) = op->store ? ptog_plain_store : ptog_plain_load;
    enum ptog_status status = e->machine.device ? ptog_machine_transfer(e, insn->op, op, &view->view.base)
                                                : act(&e->core, op, gm, NULL, &fault);
    ptog_diags *diags = status == PTOG_ILLEGAL ? ptog_diags_new() : NULL;
    if (diags)
        ptog_verify_transfer(e->target, op, diags);
    ptog_judge_run(e, insn, status, diags, &fault);
    ptog_diags_free(diags);
}

void ptog_eval_transfer(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_text_insn insn = {.op = op};
    bool store = op->name == PTOG_OP_NAME_TSTORE;
    if (!ptog_insn_counts(e, &insn, 1, 1, 1))
        return;
    ptog_insn_in(e, &insn, 0, store ? "tile" : "view", store ? PTOG_VALUE_TILE : PTOG_VALUE_VIEW);
    ptog_insn_out(e, &insn, 0, store ? "view" : "tile", store ? PTOG_VALUE_VIEW : PTOG_VALUE_TILE);
    struct ptog_value *tile = insn.of[store ? 0 : 1].value, *view = insn.of[store ? 1 : 0].value;
    if (!insn.skip && (tile->open || view->open)) {
        infer(e, &insn, tile, view);
        ptog_infer_done(e, &insn);
    }
    if (ptog_insn_ready(e, &insn)) {
        struct ptog_transfer transfer;
        memset(&transfer, 0, sizeof transfer); /* padding too: see judge.c */
        transfer.tile = tile->tile.tile;
        transfer.view = view->view.tensor;
        transfer.store = store;
        if (e->running)
            run(e, &insn, &transfer, view);
        if (!e->stopped)
            ptog_judge_transfer(e, &insn, &transfer);
    }
    ptog_insn_finish(e, &insn);
}
