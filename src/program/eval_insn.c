/* program: a tile instruction, from the text to the core: attributes, operands, types that are left out, then verify
 * and run. What a family does differently is in its own file: eval_mgather.c, eval_tgather.c, ... */
#include <string.h>

#include <ptog/verify.h>

#include "base/pick.h"
#include "model/dtype.h"
#include "model/target.h"
#include "model/tile.h"
#include "program/alive.h"
#include "program/bind.h"
#include "program/judge.h"
#include "program/ops.h"
#include "program/place.h"
#include "program/scope.h"
#include "program/types.h"

static const struct ptog_text_family *family_of(const struct ptog_text_insn *insn)
{
    static const struct ptog_text_family *const families[PTOG_FAMILIES] = {
#define FAMILY(NAME, name) [PTOG_FAMILY_##NAME] = &ptog_text_##name,
#include <ptog/spec/insns.def>
    };
    return families[ptog_insn_family(&insn->insn)];
}

static enum ptog_opcode opcode_of(const struct ptog_op *op)
{
    static const enum ptog_opcode opcodes[] = {
#define INSN(NAME, ...) [PTOG_OP_NAME_##NAME] = PTOG_##NAME,
#include <ptog/spec/insns.def>
    };
    if (op->name < sizeof opcodes / sizeof opcodes[0])
        return opcodes[op->name];
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

/* The place of a window: it counts rows and columns, whatever the data is. */
static bool is_place(const struct ptog_text_insn *insn, int position)
{
    enum ptog_operand_name name = ptog_insn_row(insn->insn.opcode)->of[position].name;
    return name == PTOG_AT_TOP || name == PTOG_AT_LEFT;
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

static void describe(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    for (int i = 0; i < insn->count; i++) {
        const struct ptog_text_operand *use = &insn->of[i];
        if (use->left_out)
            continue;
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
}

/* ---- types that are left out */

static bool is_open(const struct ptog_text_insn *insn)
{
    for (int i = 0; i < insn->count; i++)
        if (insn->of[i].value && insn->of[i].value->open)
            return true;
    return false;
}

static void infer(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    ptog_infer_names(e, insn);
    family_of(insn)->infer(e, insn);
    ptog_infer_names(e, insn);
    ptog_infer_done(e, insn);
}

/* ---- running */

/* The buffers of views, as the device knows them; false, and the run stops, when a view starts nowhere. */
static bool find_memory(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    for (int i = 0; i < insn->count; i++) {
        const struct ptog_text_operand *use = &insn->of[i];
        const struct ptog_base *base = &use->value->view.base;
        if (use->value->kind != PTOG_VALUE_VIEW)
            continue;
        if (base->memory == 0 || !base->at.known || base->at.value < 0) {
            ptog_say(e->finds, "run-stopped", insn->op->name_span,
                     "the view starts before its buffer, or its buffer is unknown");
            e->stopped = true;
            return false;
        }
        insn->insn.of[use->position].buffer = e->memories[base->memory - 1].handle;
        insn->insn.of[use->position].offset = (uint64_t)base->at.value;
    }
    return true;
}

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
    int64_t *given = (int64_t *)ptog_run_valid(
        &late->extents, &ptog_insn_row(late->insn.opcode)->of[use->position]); /* of our extents */
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

static void issue(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_late_insn *late,
                  const struct ptog_insn_size *size, struct ptog_repeat *repeat)
{
    enum ptog_status status = late ? ptog_machine_insn(e, insn->op, &late->insn, &late->extents, size, repeat)
                                   : ptog_machine_insn(e, insn->op, &insn->insn, NULL, size, repeat);
    ptog_judge_run(e, insn, status);
}

/* The instruction was executed: it is kept for the next time. */
static void keep_code(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_late_insn *late,
                      const struct ptog_insn_size *size, const struct ptog_repeat *repeat)
{
    struct ptog_insn_code *code = e->code[insn->op->number];
    if (!code)
        code = e->code[insn->op->number] = ptog_arena_alloc(&e->code_memory, sizeof *code);
    if (code && late && !code->open)
        code->open = ptog_arena_alloc(&e->code_memory, sizeof *code->open);
    if (!code || (late && !code->open)) {
        e->no_memory = true;
        return;
    }
    bool is_kept = insn == &code->text && !late; /* what may be repeated points into the instruction */
    if (insn != &code->text)
        code->text = *insn;
    code->size = *size;
    code->repeat = is_kept ? *repeat : (struct ptog_repeat){0};
    code->is_late = late != NULL;
    if (late)
        *code->open = *late;
    for (int i = 0; i < insn->count; i++) {
        code->versions[i] = insn->of[i].value->version;
        code->kinds[i] = insn->of[i].value->kind;
    }
}

static void run(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_late_insn late;
    if (!find_memory(e, insn))
        return;
    bool is_open = ptog_insn_is_late(e, insn, &late);
    struct ptog_insn_size size = ptog_insn_size_of(is_open ? &late.insn : &insn->insn);
    struct ptog_repeat repeat = {0};
    issue(e, insn, is_open ? &late : NULL, &size, &repeat);
    if (!ptog_eval_over(e))
        keep_code(e, insn, is_open ? &late : NULL, &size, &repeat);
}

/* What the run alone knows of the extents of a reduction, a rule of its own is about: the core has judged it. */
static bool is_judged_by_run(const struct ptog_eval *e, const struct ptog_text_insn *insn)
{
    return e->running && insn->form == PTOG_FORM_ROW_REDUCE && ptog_insn_has_open_extent(insn);
}

/* ---- tiles of which nothing is valid */

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

/* The first operand of which something must be valid, and nothing is; NULL: there is none. */
static const struct ptog_text_operand *empty_operand(const struct ptog_text_insn *insn)
{
    for (int i = 0; i < insn->count; i++)
        if (is_empty(&insn->of[i]) && needs_valid(insn, &insn->of[i]))
            return &insn->of[i];
    return NULL;
}

static bool is_said(const struct ptog_finds *finds, const char *id, struct ptog_span span)
{
    for (uint32_t i = 0; i < finds->count; i++)
        if (strcmp(finds->list[i].diag.id, id) == 0 && finds->list[i].span.at == span.at)
            return true;
    return false;
}

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

/* Compilers leave instructions behind that write nothing, and these do nothing. There is no such transfer in a program
 * that somebody meant, and no largest element of an empty row. */
static void pass_over(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_text_operand *empty)
{
    struct ptog_span span = insn->op->name_span;
    bool rows = insn->form == PTOG_FORM_ROW_REDUCE && !is_marker(insn),
         finds = insn->form == PTOG_FORM_ROW_ARG || insn->form == PTOG_FORM_COL_ARG;
    e->issued -= e->running; /* nothing of it is executed */
    if (ptog_insn_family(&insn->insn) == PTOG_FAMILY_TRANSFER) {
        if (!is_said(e->finds, "transfer-empty", span))
            ptog_say(e->finds, "transfer-empty", span, "the valid region of the tile is empty: nothing is moved");
        return;
    }
    if (writes_nothing(insn) && !rows && !finds && !is_half_empty(insn))
        return;
    if (!is_said(e->finds, "text-valid", empty->item->span))
        ptog_say(e->finds, "text-valid", empty->item->span,
                 "the valid region of %%%.80s is empty, but '%s' needs at least one element",
                 ptog_tree_text(e->tree, empty->item->name), ptog_op_info(insn->op->name)->name);
    e->stopped = e->running;
}

/* ---- all of it */

/* Checks it, or runs it. */
static void do_insn(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    describe(e, insn);
    if (family_of(insn)->settle)
        family_of(insn)->settle(e, insn);
    if (e->running)
        run(e, insn);
    else
        ptog_life_inherit(e, insn);
    if (!e->stopped && !is_judged_by_run(e, insn))
        ptog_judge_insn(e, insn);
}

/* Once its operands are there: verifies it, or runs it. */
static void do_operands(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    if (ptog_insn_ready(e, insn)) {
        const struct ptog_text_operand *empty = empty_operand(insn);
        if (empty)
            pass_over(e, insn, empty);
        else
            do_insn(e, insn);
    }
    ptog_insn_finish(e, insn);
}

/* ---- once more */

/* The operands of an instruction that was executed before, found anew. */
enum operand_change { SAME_VALUES, OTHER_VALUES, OTHER_OPERANDS };

static enum operand_change find_operands(const struct ptog_eval *e, struct ptog_insn_code *code)
{
    enum operand_change change = SAME_VALUES;
    int fresh = 0;
    for (int i = 0; i < code->text.count; i++) {
        struct ptog_text_operand *use = &code->text.of[i];
        use->value = use->fresh ? &code->text.results[fresh++] : ptog_value_named(e, use->item->name);
        if (!use->value || use->value->kind != code->kinds[i] || (use->value->open && !use->fresh))
            return OTHER_OPERANDS;
        if (!use->fresh && use->value->version != code->versions[i])
            change = OTHER_VALUES;
    }
    return change;
}

/* With other values: it is described anew; what the text says of it is known. */
static void run_changed(struct ptog_eval *e, struct ptog_insn_code *code)
{
    struct ptog_text_insn *insn = &code->text;
    ptog_insn_start(&insn->insn, opcode_of(insn->op));
    memcpy(insn->insn.attr, insn->attr, sizeof insn->attr);
    insn->has_tmp = false;
    do_operands(e, insn);
}

/* With the same values: it is the same instruction. */
static void run_again(struct ptog_eval *e, struct ptog_insn_code *code)
{
    struct ptog_text_insn *insn = &code->text;
    ptog_insn_use_places(e, insn);
    if (insn->has_tmp) {
        ptog_place_new(e, insn->op, (uint8_t)insn->result_count, &insn->tmp);
        ptog_place_use(e, &insn->tmp);
    }
    issue(e, insn, code->is_late ? code->open : NULL, &code->size, &code->repeat);
    ptog_insn_finish(e, insn);
}

/* Whether it was executed before, and is now, with what was read from the text then. */
static bool run_kept(struct ptog_eval *e, struct ptog_insn_code *code)
{
    switch (code ? find_operands(e, code) : OTHER_OPERANDS) {
    case SAME_VALUES: run_again(e, code); return true;
    case OTHER_VALUES:
        if (code->text.inferred)
            return false;
        run_changed(e, code);
        return true;
    default: return false;
    }
}

void ptog_eval_insn(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_text_insn insn;
    if (e->running && run_kept(e, e->code[op->number]))
        return;
    start(&insn, op);
    if (!family_of(&insn)->attrs(e, &insn)) {
        e->stopped = e->running;
        ptog_define_any(e, op);
        return;
    }
    memcpy(insn.attr, insn.insn.attr, sizeof insn.attr);
    if (!ptog_insn_operands(e, &insn))
        return;
    insn.inferred = !insn.skip && is_open(&insn);
    if (insn.inferred)
        infer(e, &insn);
    do_operands(e, &insn);
}
