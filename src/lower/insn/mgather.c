/* lower: what the text forms say of mgather: its mode and policy, or none. mscatter shares the types that are left
 * out and the mode that the shapes decide. */
#include <stdlib.h>

#include "asm/insn_words.h"
#include "base/arith.h"
#include "lower/insn/text_insn.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "model/mgather.h"

static const char *coalesce_name(int i)
{
    return ptog_coalesce_name((enum ptog_coalesce)i);
}

static const char *oob_name(int i)
{
    return ptog_oob_name((enum ptog_oob)i);
}

/* Reads coalesce and gatherOob into the instruction; notes that the mode is open where none is written. False after an
 * error. */
static bool read_attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    const struct ptog_item *coalesce = ptog_op_attr(insn->op, PTOG_WORD_coalesce);
    const struct ptog_item *oob = ptog_op_attr(insn->op, PTOG_WORD_gatherOob);
    int mode = PTOG_ROW, policy = PTOG_OOB_UNDEFINED;
    if (coalesce)
        mode = ptog_attr_enum(e, coalesce, coalesce_name, PTOG_ROW, PTOG_ELEM);
    if (oob)
        policy = ptog_attr_enum(e, oob, oob_name, PTOG_OOB_UNDEFINED, PTOG_OOB_ZERO);
    if (oob && !coalesce && !e->running) {
        struct ptog_diag_entry *found =
            ptog_diag_emit(e->diags, "text-oob-alone", oob->span, "gatherOob is given without coalesce");
        ptog_diag_add_fix(e->diags, found, "add coalesce = #pto<coalesce row> or elem");
    }
    insn->skip = mode < 0 || policy < 0 || (oob && !coalesce); /* operands are read all the same */
    insn->mode_open = !coalesce;
    insn->form = mode == PTOG_ELEM ? PTOG_FORM_ELEM : PTOG_FORM_ROW;
    if (ptog_operand_loc(e, insn->op->outs, 0) == (int)PTOG_MAT) {
        insn->form = PTOG_FORM_GATHER_L1;
        insn->mode_open = false; /* Row, where the text says nothing */
    }
    insn->insn.attr[PTOG_MGATHER_COALESCE] = mode;
    insn->insn.attr[PTOG_MGATHER_OOB] = policy;
    return true;
}

/* ---- elided types */

/* The valid extent, or the padded one while the valid one is not known. */
static int64_t extent(int64_t valid, int64_t padded)
{
    if (valid > 0)
        return valid;
    return padded;
}

/* How many indices a tile has; PTOG_DYN where that is not known. */
static int64_t index_count(const struct ptog_tile *idx)
{
    int64_t rows = extent(idx->valid_row, idx->rows), cols = extent(idx->valid_col, idx->cols), count;
    if (rows > 0 && cols > 0 && ptog_mul_i64(rows, cols, &count))
        return count;
    return PTOG_DYN;
}

/* The tile whose elements move. */
static enum ptog_operand_name moved_operand(const struct ptog_text_insn *insn)
{
    return ptog_insn_find(&insn->insn, PTOG_AT_DST) >= 0 ? PTOG_AT_DST : PTOG_AT_SRC;
}

/* Row: as many rows as indices, as wide as the table. Elem: of the index tile's shape. Without a mode, a list of
 * indices means Row, unless dst is known to be of the same shape. */
void ptog_infer_table_insn(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_value *table = ptog_insn_value(insn, PTOG_AT_TABLE), *index = ptog_insn_value(insn, PTOG_AT_IDX);
    struct ptog_value *dst = ptog_insn_value(insn, moved_operand(insn));
    const struct ptog_target *target = ptog_mgather_as(e->target, &insn->insn);
    ptog_infer_dtype(dst, ptog_value_dtype(table));
    ptog_infer_dtype(table, ptog_value_dtype(dst));
    if (insn->form == PTOG_FORM_GATHER_L1)
        return;
    struct ptog_tile *d = &dst->tile.tile, *i = &index->tile.tile;
    bool list = i->rows == 1 || i->cols == 1;
    bool same = d->rows > 0 && d->rows == i->rows && d->cols == i->cols;
    bool row = insn->mode_open ? list && !same : insn->insn.attr[PTOG_MGATHER_COALESCE] == PTOG_ROW;
    if (target->mode_from == PTOG_MODE_ALWAYS_ELEM || (insn->mode_open && target->elem_default))
        row = false;
    if (row) {
        ptog_infer_extent(&d->rows, index_count(i));
        if (table->view.rank > 0)
            ptog_infer_extent(&d->cols, table->view.tensor.shape[4]);
        return;
    }
    ptog_infer_extent(&d->rows, i->rows);
    ptog_infer_extent(&d->cols, i->cols);
    ptog_infer_extent(&i->rows, d->rows);
    ptog_infer_extent(&i->cols, d->cols);
}

/* ---- without a mode */

/* The index tile says it: of dst's shape it is Elem, otherwise Row. */
static enum ptog_coalesce mode_from_shape(const struct ptog_target *target, const struct ptog_insn *insn)
{
    const struct ptog_tile *dst = ptog_mgather_dst(insn), *idx = ptog_mgather_idx(insn);
    target = ptog_mgather_as(target, insn);
    if (target->elem_default)
        return PTOG_ELEM;
    if (target->mode_from != PTOG_MODE_EXPLICIT)
        return ptog_mgather_is_row(target, insn) ? PTOG_ROW : PTOG_ELEM;
    bool same = extent(dst->valid_row, dst->rows) == extent(idx->valid_row, idx->rows) &&
                extent(dst->valid_col, dst->cols) == extent(idx->valid_col, idx->cols);
    return same ? PTOG_ELEM : PTOG_ROW;
}

/* How the operation's form writes its mode. */
static const char *fix_of(const struct ptog_op *op, enum ptog_coalesce mode)
{
    if (op->form == PTOG_OP_AS && op->name == PTOG_OP_NAME_MSCATTER)
        return mode == PTOG_ROW ? "write mscatter.row" : "write mscatter.elem";
    if (op->form == PTOG_OP_AS)
        return mode == PTOG_ROW ? "write mgather.row" : "write mgather.elem";
    if (mode == PTOG_ROW)
        return "add {coalesce = #pto<coalesce row>}";
    return "add {coalesce = #pto<coalesce elem>}";
}

/* Reports that mode `mode` was assumed, or with `refused` that a mode must be written. */
static void say_no_coalesce(struct ptog_eval *e, const struct ptog_op *op, enum ptog_coalesce mode, bool refused)
{
    struct ptog_diag_entry *found =
        ptog_diag_emit(e->diags, "text-no-coalesce", op->name_span,
                       refused ? "coalesce is missing; the shapes suggest %s, but compilers require it"
                               : "coalesce is missing; assuming %s from the shape of the index tile",
                       ptog_coalesce_name(mode));
    if (refused)
        ptog_diag_set_severity(e->diags, found, PTOG_ERROR);
    ptog_diag_add_fix(e->diags, found, fix_of(op, mode));
}

/* Whether the type of a value has its valid extents in it. */
static bool is_static(const struct ptog_value *value)
{
    const struct ptog_type *type = value->type;
    return type && type->field[PTOG_FIELD_V_ROW].value != PTOG_DYN && type->field[PTOG_FIELD_V_COL].value != PTOG_DYN;
}

/* What a manual leaves open is no program for a compiler yet. */
static bool is_elided(const struct ptog_value *value)
{
    return !value->type || value->type->elided || value->type->field[PTOG_FIELD_ROWS].name != 0;
}

/* Compilers for devices take the mode from the shapes only where the types say that both are the same. */
static bool compilers_refuse(const struct ptog_eval *e, const struct ptog_text_insn *insn, enum ptog_coalesce mode)
{
    const struct ptog_value *dst = ptog_insn_value(insn, moved_operand(insn)),
                            *idx = ptog_insn_value(insn, PTOG_AT_IDX);
    if (e->target->ub_bytes == 0 || is_elided(dst) || is_elided(idx))
        return false;
    return mode != PTOG_ELEM || !is_static(dst) || !is_static(idx);
}

/* A device whose mode is explicit: in no form of the text does it come from the shapes there. */
static bool never_detects(const struct ptog_eval *e, const struct ptog_text_insn *insn)
{
    const struct ptog_target *target = ptog_mgather_as(e->target, &insn->insn);
    return target->ub_bytes > 0 && target->mode_from == PTOG_MODE_EXPLICIT;
}

/* Notes the mode that an mgather ran in, with which the program is printed. Sets no_memory on failure. */
static void keep_mode(struct ptog_eval *e, const struct ptog_op *op, enum ptog_coalesce mode)
{
    if (!e->modes)
        e->modes = calloc((size_t)e->tree->op_count + 1, sizeof *e->modes);
    if (e->modes)
        e->modes[op->number] = (uint8_t)(mode + 1);
    else
        e->no_memory = true;
}

/* Gives an instruction without a mode the one that its shapes suggest, and says so where compilers do not detect it. */
void ptog_settle_mode(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    bool level2 = insn->op->form == PTOG_OP_DPS || insn->op->form == PTOG_OP_GENERIC;
    if (!insn->mode_open)
        return;
    enum ptog_coalesce mode = mode_from_shape(e->target, &insn->insn);
    insn->insn.attr[PTOG_MGATHER_COALESCE] = (int32_t)mode;
    if (never_detects(e, insn))
        keep_mode(e, insn->op, mode);
    if ((level2 || never_detects(e, insn)) && !e->running)
        say_no_coalesce(e, insn->op, mode, level2 && compilers_refuse(e, insn, mode));
}

const struct ptog_text_family ptog_text_mgather = {read_attrs, ptog_infer_table_insn, ptog_settle_mode};
