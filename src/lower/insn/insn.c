/* lower: a tile instruction, from the text to its record: attributes, operands, types that are left out, then verify.
 * What a family does differently is in its own file: mgather.c, tgather.c, ... */
#include <stddef.h>
#include <string.h>

#include <ptog/verify.h>

#include "asm/insn_words.h"
#include "base/pick.h"
#include "lower/alive.h"
#include "lower/bind.h"
#include "lower/emit.h"
#include "lower/insn/text_insn.h"
#include "lower/ops/ops.h"
#include "lower/place.h"
#include "lower/scope.h"
#include "lower/types.h"
#include "model/dtype.h"
#include "model/target.h"
#include "model/tile.h"

static const struct ptog_text_family *family_of(const struct ptog_text_insn *insn)
{
    static const struct ptog_text_family *const families[PTOG_FAMILIES] = {
#define FAMILY(NAME, name) [PTOG_FAMILY_##NAME] = &ptog_text_##name,
#include <ptog/spec/forms.def>
    };
    return families[ptog_insn_family(&insn->insn)];
}

/* The symbols of the instructions are in the order of their opcodes. */
static enum ptog_opcode opcode_of(const struct ptog_op *op)
{
    if (op->name >= PTOG_WORD_END && op->name < PTOG_INSN_WORDS_END)
        return (enum ptog_opcode)(op->name - PTOG_WORD_END + 1);
    return PTOG_NO_INSN;
}

/* A struct of some kilobytes, of which little is used: the rest is not even cleared. */
static void start(struct ptog_text_insn *insn, const struct ptog_op *op)
{
    insn->op = op;
    insn->count = insn->result_count = 0;
    insn->skip = insn->mode_open = insn->has_tmp = false;
    insn->form = (enum ptog_form)0;
    ptog_insn_start(&insn->insn, opcode_of(op));
}

/* ---- from values to operands */

/* MLIR's integers have no sign: one of the data's width is of the data's type. */
static enum ptog_dtype dtype_of_scalar(const struct ptog_value *value, enum ptog_dtype data)
{
    static const enum ptog_dtype by_size[] = {PTOG_I8, PTOG_I16, PTOG_I32, PTOG_I64};
    int log = 0;
    if (value->kind != PTOG_VALUE_NUMBER)
        return ptog_value_dtype(value);
    bool fits = data <= PTOG_U64 && 8 * ptog_dtype_size(data) == value->width;
    while (log < 3 && value->width > 8u << log)
        log++;
    if (fits || !value->type)
        return data;
    return by_size[log];
}

/* `dtype`: the scalar's own. */
static uint64_t bits_of_scalar(const struct ptog_value *value, enum ptog_dtype dtype)
{
    if (value->kind == PTOG_VALUE_REAL)
        return value->real.bits;
    if (!value->number.known)
        return 0; /* while checking; the run knows it */
    if (ptog_dtype_is_float(dtype))
        return ptog_dtype_from_real(dtype, (double)value->number.value);
    return (uint64_t)value->number.value;
}

/* A mask or a tmp: its type has nothing to do with that of the data. */
static bool is_beside(const struct ptog_text_insn *insn, int position)
{
    const struct ptog_operand_row *row = &ptog_insn_row(insn->insn.opcode)->of[position];
    return row->role == PTOG_ROLE_SCRATCH || row->name == PTOG_AT_BITS;
}

/* The place of a window, and the length of a run: they count rows and elements, whatever the data is. */
static bool is_place(const struct ptog_text_insn *insn, int position)
{
    enum ptog_operand_name name = ptog_insn_row(insn->insn.opcode)->of[position].name;
    return name == PTOG_AT_TOP || name == PTOG_AT_LEFT || name == PTOG_AT_BLOCK;
}

/* The type of the data that a scalar goes with: that of the first source, or of dst where there is none. */
static enum ptog_dtype data_type(const struct ptog_text_insn *insn, int position)
{
    enum ptog_dtype of_dst = PTOG_DTYPE_NONE;
    if (is_place(insn, position))
        return PTOG_I64;
    for (int i = 0; i < insn->count; i++) {
        if (insn->of[i].value->kind != PTOG_VALUE_TILE || is_beside(insn, insn->of[i].position))
            continue;
        if (!insn->of[i].is_out)
            return insn->of[i].value->tile.tile.dtype;
        of_dst = insn->of[i].value->tile.tile.dtype;
    }
    return of_dst;
}

/* Messages call the operand as the program does. */
static void name_operand(struct ptog_eval *e, struct ptog_operand *operand, const struct ptog_item *item)
{
    const char *name = item->kind == PTOG_ITEM_VALUE ? ptog_written_name(e, item->name) : NULL;
    if (operand->kind == PTOG_IS_VIEW)
        operand->view.name = name;
    else
        operand->tile.name = name;
}

void ptog_insn_describe_operand(struct ptog_eval *e, struct ptog_text_insn *insn, const struct ptog_text_operand *use)
{
    enum ptog_dtype data = data_type(insn, use->position);
    if (use->value->kind == PTOG_VALUE_VIEW)
        ptog_insn_set_view(&insn->insn, use->position, &use->value->view.tensor);
    else if (use->value->kind == PTOG_VALUE_TILE)
        ptog_insn_set_tile(&insn->insn, use->position, &use->value->tile.tile);
    else
        ptog_insn_set_scalar(&insn->insn, use->position, dtype_of_scalar(use->value, data),
                             bits_of_scalar(use->value, dtype_of_scalar(use->value, data)));
    name_operand(e, &insn->insn.of[use->position], use->item);
}

void ptog_insn_settle(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    if (family_of(insn)->settle)
        family_of(insn)->settle(e, insn);
}

void ptog_insn_describe(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    for (int i = 0; i < insn->count; i++)
        if (!insn->of[i].left_out)
            ptog_insn_describe_operand(e, insn, &insn->of[i]);
    ptog_insn_settle(e, insn);
}

void ptog_insn_restart(struct ptog_text_insn *insn)
{
    ptog_insn_start(&insn->insn, opcode_of(insn->op));
    memcpy(insn->insn.attr, insn->attr, sizeof insn->attr);
    insn->has_tmp = insn->skip = false;
}

/* ---- types that are left out */

/* Whether something about an operand is known to a run only. */
static bool is_open(const struct ptog_text_insn *insn)
{
    for (int i = 0; i < insn->count; i++)
        if (insn->of[i].value && insn->of[i].value->open)
            return true;
    return false;
}

/* Fills in types that the text leaves out, by placeholders and by the family's rules. False after a report. */
bool ptog_insn_infer(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    if (!is_open(insn))
        return true;
    ptog_infer_names(e, insn);
    family_of(insn)->infer(e, insn);
    ptog_infer_names(e, insn);
    return ptog_infer_done(e, insn);
}

/* ---- extents that the run alone knows */

/* A '?' in the type: the extent is a number of the run. */
static bool has_open_extent(const struct ptog_value *tile)
{
    const struct ptog_type *type = tile->type;
    return type && ptog_type_is_tile(type) && !type->elided &&
           (type->field[PTOG_FIELD_V_ROW].value == PTOG_DYN || type->field[PTOG_FIELD_V_COL].value == PTOG_DYN);
}

bool ptog_insn_has_open_extent(const struct ptog_text_insn *insn)
{
    for (int i = 0; i < insn->count; i++)
        if (insn->of[i].value && insn->of[i].value->kind == PTOG_VALUE_TILE && has_open_extent(insn->of[i].value))
            return true;
    return false;
}

/* Some targets do an instruction another way if extents are known beforehand, or do not take it then: what the run
 * alone knows stays open. With instructions that go element by element, copies between tiles and row reductions that
 * may be any extent, with others those of dst. */
static bool is_late(const struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_text_operand *use)
{
    if (use->value->kind != PTOG_VALUE_TILE || !has_open_extent(use->value))
        return false;
    if (ptog_insn_family(&insn->insn) == PTOG_FAMILY_ELEMENTWISE && !(e->target->as & PTOG_ON_HOST))
        return true;
    if (ptog_insn_family(&insn->insn) == PTOG_FAMILY_MOVES || insn->form == PTOG_FORM_ROW_REDUCE)
        return e->target->machine != PTOG_NO_MACHINE;
    return use->is_out && insn->form == PTOG_FORM_FILL;
}

/* Moves a number to where a run gives it. False when it is not known yet. */
static bool leave_open(int64_t *extent, int64_t padded, int64_t *given)
{
    int64_t number = ptog_given(*extent, padded);
    *extent = PTOG_DYN;
    if (number == PTOG_DYN)
        return false;
    *given = number;
    return true;
}

/* The extents of an operand that its type leaves open are given beside the instruction. */
static void leave_tile_open(struct ptog_late_insn *late, const struct ptog_text_operand *use)
{
    struct ptog_tile *tile = &late->insn.of[use->position].tile;
    const struct ptog_type *type = use->value->type;
    int64_t *given = ptog_run_valid_of(&late->extents, &ptog_insn_row(late->insn.opcode)->of[use->position]);
    if (!given)
        return;
    if (type->field[PTOG_FIELD_V_ROW].value == PTOG_DYN && tile->valid_row != PTOG_NOTHING_VALID)
        late->known = leave_open(&tile->valid_row, tile->rows, &given[0]) && late->known;
    if (type->field[PTOG_FIELD_V_COL].value == PTOG_DYN && tile->valid_col != PTOG_NOTHING_VALID)
        late->known = leave_open(&tile->valid_col, tile->cols, &given[1]) && late->known;
}

bool ptog_insn_is_late(const struct ptog_eval *e, const struct ptog_text_insn *insn, struct ptog_late_insn *late)
{
    bool found = false;
    for (int i = 0; i < insn->count; i++) {
        if (!is_late(e, insn, &insn->of[i]))
            continue;
        if (!found) {
            ptog_insn_copy(&late->insn, &insn->insn);
            late->extents = (struct ptog_run){0};
            late->known = true;
        }
        leave_tile_open(late, &insn->of[i]);
        found = true;
    }
    return found;
}

/* ---- tiles of which nothing is valid */

/* Whether a tile has no valid element. */
static bool is_empty(const struct ptog_text_operand *use)
{
    const struct ptog_tile *tile = &use->value->tile.tile;
    return use->value->kind == PTOG_VALUE_TILE &&
           (tile->valid_row == PTOG_NOTHING_VALID || tile->valid_col == PTOG_NOTHING_VALID);
}

/* Whether the instruction is another one when nothing of an operand is valid. A tmp has no valid extents that count,
 * and where nothing is valid of its source, tfillpad fills all of dst. */
static bool needs_valid(const struct ptog_text_insn *insn, const struct ptog_text_operand *use)
{
    if (ptog_insn_row(insn->insn.opcode)->of[use->position].role == PTOG_ROLE_SCRATCH)
        return false;
    return use->is_out || insn->form != PTOG_FORM_PAD;
}

const struct ptog_text_operand *ptog_insn_empty_operand(const struct ptog_text_insn *insn)
{
    for (int i = 0; i < insn->count; i++)
        if (is_empty(&insn->of[i]) && needs_valid(insn, &insn->of[i]))
            return &insn->of[i];
    return NULL;
}

/* Whether an instruction has no element to write. */
static bool writes_nothing(const struct ptog_text_insn *insn)
{
    for (int i = 0; i < insn->count; i++)
        if (insn->of[i].is_out && is_empty(&insn->of[i]))
            return true;
    return insn->form == PTOG_FORM_COL_REDUCE;
}

/* Neither a row nor a column of dst is valid: so compilers mark what another core does. */
static bool is_marker(const struct ptog_text_insn *insn)
{
    const struct ptog_value *dst = ptog_insn_value(insn, PTOG_AT_DST);
    return dst && dst->kind == PTOG_VALUE_TILE && dst->tile.tile.valid_row == PTOG_NOTHING_VALID &&
           dst->tile.tile.valid_col == PTOG_NOTHING_VALID;
}

/* The type of dst says that it has rows or columns, and nothing in them: no compiler takes that where rows are read. */
static bool is_half_empty(const struct ptog_text_insn *insn)
{
    const struct ptog_value *dst = ptog_insn_value(insn, PTOG_AT_DST);
    bool by_column = insn->form == PTOG_FORM_FROM_COLUMN || insn->form == PTOG_FORM_BY_COLUMN;
    return by_column && dst && !has_open_extent(dst) && !is_marker(insn);
}

/* Whether an instruction with an empty operand does nothing and may be passed over: compilers leave such behind.
 * Reports an empty transfer, and instructions that need an element, for which it returns false. */
bool ptog_insn_pass_over(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_text_operand *empty)
{
    struct ptog_span span = insn->op->name_span;
    bool rows = insn->form == PTOG_FORM_ROW_REDUCE && !is_marker(insn),
         finds_index = insn->form == PTOG_FORM_ROW_ARG || insn->form == PTOG_FORM_COL_ARG;
    if (ptog_insn_family(&insn->insn) == PTOG_FAMILY_TRANSFER) {
        if (!ptog_diag_is_listed(e->diags, "transfer-empty", span))
            ptog_diag_emit(e->diags, "transfer-empty", span, "the valid region of the tile is empty: nothing is moved");
        return true;
    }
    if (writes_nothing(insn) && !rows && !finds_index && !is_half_empty(insn))
        return true;
    if (!ptog_diag_is_listed(e->diags, "text-valid", empty->item->span))
        ptog_diag_emit(e->diags, "text-valid", empty->item->span,
                       "the valid region of %%%.80s is empty, but '%s' needs at least one element",
                       ptog_tree_text(e->tree, empty->item->name), ptog_op_info(insn->op->name)->name);
    return false;
}

/* ---- all of it */

/* Describes and verifies an instruction whose operands are there, and finishes it: its results are defined also after
 * an error. */
static void check_operands(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    if (ptog_insn_ready(e, insn)) {
        const struct ptog_text_operand *empty = ptog_insn_empty_operand(insn);
        if (empty) {
            ptog_insn_pass_over(e, insn, empty);
        } else {
            ptog_insn_describe(e, insn);
            ptog_life_inherit(e, insn);
            ptog_note_core(e, &insn->insn);
            ptog_judge_insn(e, insn);
        }
    }
    ptog_insn_finish(e, insn);
}

/* What a run needs of the instruction becomes a record; `results` are as they were before types were inferred. */
static void emit_insn(struct ptog_eval *e, struct ptog_text_insn *insn, const struct ptog_value results[2])
{
    for (int i = 0; i < insn->count; i++) {
        struct ptog_text_operand *use = &insn->of[i];
        use->kind = use->value->kind;
        use->slot = use->fresh ? 0 : e->value_of[use->item->name] - e->frame;
    }
    struct ptog_text_insn *kept = ptog_arena_alloc(&e->emits->arena, offsetof(struct ptog_text_insn, insn));
    if (!kept) {
        e->no_memory = true;
        return;
    }
    memcpy(kept, insn, offsetof(struct ptog_text_insn, insn));
    memcpy(kept->results, results, (size_t)insn->result_count * sizeof results[0]);
    ptog_emit(e, PTOG_CODE_INSN, insn->op)->insn = kept;
}

/* Lowers a tile instruction: reads attributes and operands, completes types, verifies it, defines its results, and
 * appends its record. Findings go to the diagnostics of *e. */
void ptog_eval_insn(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_text_insn insn;
    struct ptog_value results[2];
    start(&insn, op);
    if (!family_of(&insn)->attrs(e, &insn)) {
        ptog_define_any(e, op);
        return;
    }
    memcpy(insn.attr, insn.insn.attr, sizeof insn.attr);
    if (!ptog_insn_operands(e, &insn))
        return;
    memcpy(results, insn.results, (size_t)insn.result_count * sizeof results[0]);
    insn.inferred = !insn.skip && is_open(&insn);
    if (insn.inferred)
        ptog_insn_infer(e, &insn);
    check_operands(e, &insn);
    if (!insn.skip)
        emit_insn(e, &insn, results);
}
