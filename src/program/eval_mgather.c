/* program: mgather. */
#include <string.h>

#include <ptog/verify.h>

#include "base/arith.h"
#include "program/eval.h"

static const char *coalesce_name(int i)
{
    return ptog_coalesce_name((enum ptog_coalesce)i);
}

static const char *oob_name(int i)
{
    return ptog_oob_name((enum ptog_oob)i);
}

/* The valid extent, or the padded one while the valid one is not known. */
static int64_t extent(int64_t valid, int64_t padded)
{
    return valid > 0 ? valid : padded;
}

/* Without a mode in the text, the index tile says it: of dst's shape it is Elem, otherwise Row. */
static enum ptog_coalesce mode_from_shape(const struct ptog_target *target, const struct ptog_mgather *op)
{
    const struct ptog_tile *dst = &op->dst, *idx = &op->idx;
    if (target->mode_from != PTOG_MODE_EXPLICIT)
        return ptog_mgather_mode(target, op);
    bool same = extent(dst->valid_row, dst->rows) == extent(idx->valid_row, idx->rows) &&
                extent(dst->valid_col, dst->cols) == extent(idx->valid_col, idx->cols);
    return same ? PTOG_ELEM : PTOG_ROW;
}

struct attrs {
    int coalesce; /* -1: none */
    int oob;
};

static bool read_attrs(struct ptog_eval *e, const struct ptog_op *op, struct attrs *attrs)
{
    const struct ptog_item *coalesce = ptog_op_attr(op, PTOG_WORD_coalesce);
    const struct ptog_item *oob = ptog_op_attr(op, PTOG_WORD_gatherOob);
    *attrs = (struct attrs){-1, PTOG_OOB_UNDEFINED};
    bool good = true;
    if (coalesce) {
        attrs->coalesce = ptog_attr_enum(e, coalesce, coalesce_name, PTOG_ROW, PTOG_ELEM);
        good = attrs->coalesce >= 0;
    }
    if (oob) {
        attrs->oob = ptog_attr_enum(e, oob, oob_name, PTOG_OOB_UNDEFINED, PTOG_OOB_ZERO);
        good = attrs->oob >= 0 && good;
    }
    if (oob && !coalesce && !e->running) {
        struct ptog_finding *found =
            ptog_say(e->finds, "text-oob-alone", oob->span, "gatherOob is given without coalesce");
        ptog_say_fix(e->finds, found, "add coalesce = #pto<coalesce row> or elem");
    }
    return good && !(oob && !coalesce);
}

/* ---- elided types */

static int64_t index_count(const struct ptog_tile *idx)
{
    int64_t rows = extent(idx->valid_row, idx->rows), cols = extent(idx->valid_col, idx->cols), count;
    return rows > 0 && cols > 0 && ptog_mul_i64(rows, cols, &count) ? count : PTOG_DYN;
}

/* Row: as many rows as indices, as wide as the table. Elem: of the index tile's shape. Without a mode, a list of
 * indices means Row, unless dst is known to be of the same shape. */
static void infer(struct ptog_eval *e, struct ptog_text_insn *insn, int coalesce)
{
    struct ptog_value *table = insn->of[0].value, *index = insn->of[1].value, *dst = insn->of[2].value;
    struct ptog_tile *d = &dst->tile.tile, *i = &index->tile.tile;
    ptog_infer_names(e, insn);
    ptog_infer_dtype(dst, ptog_value_dtype(table));
    ptog_infer_dtype(table, ptog_value_dtype(dst));
    bool list = i->rows == 1 || i->cols == 1;
    bool same = d->rows > 0 && d->rows == i->rows && d->cols == i->cols;
    bool row = coalesce == PTOG_ROW || (coalesce < 0 && list && !same);
    if (e->target->mode_from == PTOG_MODE_ALWAYS_ELEM)
        row = false;
    if (row) {
        ptog_infer_extent(&d->rows, index_count(i));
        if (table->view.rank > 0)
            ptog_infer_extent(&d->cols, table->view.tensor.shape[4]);
    } else {
        ptog_infer_extent(&d->rows, i->rows);
        ptog_infer_extent(&d->cols, i->cols);
        ptog_infer_extent(&i->rows, d->rows);
        ptog_infer_extent(&i->cols, d->cols);
    }
    ptog_infer_names(e, insn);
}

/* ---- check and run */

/* A '?' in the type: the extent is a number of the run. */
static bool has_open_extent(const struct ptog_value *tile)
{
    const struct ptog_type *type = tile->type;
    return type && ptog_type_is_tile(type) && !type->elided &&
           (type->field[PTOG_FIELD_V_ROW].value == PTOG_DYN || type->field[PTOG_FIELD_V_COL].value == PTOG_DYN);
}

static void run(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_mgather *op)
{
    struct ptog_gm gm;
    struct ptog_fault fault = {0};
    e->gather = insn->op;
    if (!ptog_gm_of(e, insn, insn->of[0].value, &gm))
        return;
    enum ptog_status status = e->machine.device ? ptog_machine_mgather(e, insn->op, op, &insn->of[0].value->view.base,
                                                                       has_open_extent(insn->of[2].value))
                                                : ptog_plain_mgather(&e->core, op, gm, NULL, &fault);
    ptog_diags *diags = status == PTOG_ILLEGAL ? ptog_diags_new() : NULL;
    if (diags)
        ptog_verify_mgather(e->target, op, diags);
    ptog_judge_run(e, insn, status, diags, &fault);
    ptog_diags_free(diags);
}

static void say_no_coalesce(struct ptog_eval *e, const struct ptog_op *op, enum ptog_coalesce mode)
{
    struct ptog_finding *found =
        ptog_say(e->finds, "text-no-coalesce", op->name_span,
                 "older text: no coalesce, taken as %s from the shape of the index tile", ptog_coalesce_name(mode));
    ptog_say_fix(e->finds, found,
                 mode == PTOG_ROW ? "add {coalesce = #pto<coalesce row>}" : "add {coalesce = #pto<coalesce elem>}");
}

void ptog_eval_mgather(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_text_insn insn = {.op = op};
    struct attrs attrs;
    if (!ptog_insn_counts(e, &insn, 2, 2, 1))
        return;
    bool good = read_attrs(e, op, &attrs);
    ptog_insn_in(e, &insn, 0, "table", PTOG_VALUE_VIEW);
    ptog_insn_in(e, &insn, 1, "idx", PTOG_VALUE_TILE);
    ptog_insn_out(e, &insn, 0, "dst", PTOG_VALUE_TILE);
    insn.skip = insn.skip || !good;
    if (!insn.skip && (insn.of[0].value->open || insn.of[1].value->open || insn.of[2].value->open)) {
        infer(e, &insn, attrs.coalesce);
        ptog_infer_done(e, &insn);
    }
    if (ptog_insn_ready(e, &insn)) {
        struct ptog_mgather m;
        memset(&m, 0, sizeof m); /* padding too: see judge.c */
        m.dst = insn.of[2].value->tile.tile;
        m.table = insn.of[0].value->view.tensor;
        m.idx = insn.of[1].value->tile.tile;
        m.oob = (enum ptog_oob)attrs.oob;
        bool level2 = op->form == PTOG_OP_DPS || op->form == PTOG_OP_GENERIC;
        m.coalesce = attrs.coalesce >= 0 ? (enum ptog_coalesce)attrs.coalesce : mode_from_shape(e->target, &m);
        if (attrs.coalesce < 0 && level2 && !e->running)
            say_no_coalesce(e, op, m.coalesce);
        if (e->running)
            run(e, &insn, &m);
        if (!e->stopped)
            ptog_judge_mgather(e, &insn, &m);
    }
    ptog_insn_finish(e, &insn);
}
