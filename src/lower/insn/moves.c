/* lower: what the text forms say of copies between tiles. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "diag/list.h"
#include "lower/insn/text_insn.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/scope.h"
#include "lower/types.h"

/* Which vector cores get an accumulator. False: a word that says nothing. */
static bool acc_to_vec(struct ptog_eval *e, const struct ptog_text_insn *insn, int32_t *to)
{
    static const char *const modes[] = {"single_mode_vec0", "single_mode_vec1", "dual_mode_split_m",
                                        "dual_mode_split_n"};
    const struct ptog_item *mode = ptog_op_word_attr(insn->op, PTOG_WORD_accToVecMode);
    *to = PTOG_TO_VEC0;
    for (int i = 0; mode && i < (int)(sizeof modes / sizeof modes[0]); i++)
        if (ptog_item_is_word(e->tree, mode, modes[i])) {
            *to = i;
            return true;
        }
    if (mode)
        ptog_diag_emit(e->diags, "text-attribute", mode->span,
                       "accToVecMode is single_mode_vec0, single_mode_vec1, dual_mode_split_m or dual_mode_split_n");
    return !mode;
}

/* Sets form and attributes of a move. False after a report: a tmov with a second tile, of scales or of scratch, is not
 * simulated. */
static bool attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    const struct ptog_part *ins = insn->op->ins;
    if (ins && ptog_operand_loc(e, ins, 0) == (int)PTOG_ACC) {
        const struct ptog_item *relu = ptog_op_word_attr(insn->op, PTOG_WORD_reluPreMode);
        insn->form = PTOG_FORM_FROM_ACC;
        insn->insn.attr[PTOG_MOVE_RELU] = relu && ptog_item_is_word(e->tree, relu, "normal_relu");
        return acc_to_vec(e, insn, &insn->insn.attr[PTOG_MOVE_TO]);
    }
    if (insn->insn.opcode == PTOG_TMOV && ins && ins->count == 2) {
        ptog_use_all(e, ins, NULL, 0);
        if (!insn->op->defines)
            ptog_use_all(e, insn->op->outs, NULL, 0);
        ptog_say_not_modelled(e, insn->op->name_span, "'%s' with a second tile is not simulated", "pto.tmov");
        return false;
    }
    return ptog_insn_attrs(e, insn);
}

/* Completes extents and element type of a tile from another one, which may be transposed. */
static void infer_tile(struct ptog_value *to, const struct ptog_value *from, bool turned)
{
    const struct ptog_tile *tile = &from->tile.tile;
    ptog_infer_extent(&to->tile.tile.rows, turned ? tile->cols : tile->rows);
    ptog_infer_extent(&to->tile.tile.cols, turned ? tile->rows : tile->cols);
}

static struct ptog_value *value_of(const struct ptog_text_insn *insn, enum ptog_operand_name name)
{
    return ptog_insn_value(insn, name);
}

/* All but accumulators and what leaves them have one type. A copy, and a tile whose padding is filled, is as large as
 * its source, a transposed one as large as that turned; two tiles that are joined are as wide as both. A window has its
 * own size. */
static void infer_moves(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_value *dst = value_of(insn, PTOG_AT_DST), *src = value_of(insn, PTOG_AT_SRC);
    struct ptog_value *first = value_of(insn, PTOG_AT_SRC0), *second = value_of(insn, PTOG_AT_SRC1);
    (void)e;
    struct ptog_value *const data[] = {dst, src, first, second};
    for (int to = 0; to < 4 && insn->form != PTOG_FORM_FROM_ACC; to++)
        for (int from = 0; from < 4; from++)
            if (data[to] && data[from])
                ptog_infer_dtype(data[to], ptog_value_dtype(data[from]));
    if (first && second && first->tile.tile.cols > 0 && second->tile.tile.cols > 0) {
        ptog_infer_extent(&dst->tile.tile.rows, first->tile.tile.rows);
        ptog_infer_extent(&dst->tile.tile.cols, first->tile.tile.cols + second->tile.tile.cols);
    }
    if (!src || insn->form == PTOG_FORM_WINDOW)
        return;
    infer_tile(dst, src, insn->form == PTOG_FORM_TRANSPOSE);
    infer_tile(src, dst, insn->form == PTOG_FORM_TRANSPOSE);
}

/* A part that is narrower than its whole: its rows end before the next one starts. */
static bool is_narrow_part(const struct ptog_value *value)
{
    const struct ptog_type *type = value->type;
    return value->tile.tile.part && type && !type->elided && ptog_type_is_tile(type) &&
           type->field[PTOG_FIELD_COLS].value > 0 && type->field[PTOG_FIELD_COLS].value < value->tile.tile.cols;
}

/* tfillpad fills rows to their end, which is that of the whole tile. */
static void refuse_narrow_parts(struct ptog_eval *e, const struct ptog_text_insn *insn)
{
    for (int i = 0; i < insn->count; i++) {
        const struct ptog_text_operand *use = &insn->of[i];
        if (use->value->kind != PTOG_VALUE_TILE || !is_narrow_part(use->value))
            continue;
        ptog_diag_emit(e->diags, "tfillpad-subview", use->item->span,
                       "%s is a part of a tile with longer rows, and '%s' would fill them to the end", use->role,
                       ptog_op_info(insn->op->name)->name);
        return;
    }
}

/* Compilers know one name, and take it for tfillpad_expand where dst is larger. */
static void settle(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    const struct ptog_tile *dst = &insn->insn.of[0].tile, *src = &insn->insn.of[1].tile;
    bool larger = dst->rows >= src->rows && dst->cols >= src->cols && (dst->rows > src->rows || dst->cols > src->cols);
    if (insn->insn.opcode == PTOG_TFILLPAD && larger)
        insn->insn.opcode = PTOG_TFILLPAD_EXPAND;
    ptog_insn_add_tmp(e, insn);
    if (insn->form == PTOG_FORM_PAD && !e->running)
        refuse_narrow_parts(e, insn);
}

const struct ptog_text_family ptog_text_moves = {attrs, infer_moves, settle};
