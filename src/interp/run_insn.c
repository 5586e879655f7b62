/* interp: tile instructions. The record has what the check has read of the instruction; the run finds its operands in
 * their slots, and issues it to the core. While the operands are the same values, it is issued again as it is; where a
 * view or a number is another one, that operand is put in; where a tile is, the instruction is described anew. */
#include "interp/run_insn.h"

#include <stddef.h>
#include <string.h>

#include "interp/judge.h"
#include "interp/limits.h"
#include "interp/machine.h"
#include "lower/bind.h"
#include "lower/place.h"
#include "lower/scope.h"

/* An instruction of a run, as it was last executed. */
struct ptog_insn_code {
    struct ptog_text_insn text;
    uint64_t versions[PTOG_MAX_OPERANDS]; /* of the values of its operands */
    struct ptog_insn_size size;
    struct ptog_repeat repeat;
    bool is_issued; /* the instruction in `text` is the one that was executed last */
    bool is_late;   /* the run alone knows extents of it: those in `open` */
    struct ptog_late_insn *open;
};

/* ---- issuing it */

/* The buffers of views, as the device knows them; false, and the run stops, when a view starts nowhere. */
static bool find_memory(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    for (int i = 0; i < insn->count; i++) {
        const struct ptog_text_operand *use = &insn->of[i];
        const struct ptog_base *base = &use->value->view.base;
        if (use->value->kind != PTOG_VALUE_VIEW)
            continue;
        if (base->memory == 0 || !base->at.known || base->at.value < 0) {
            ptog_diag_emit(e->diags, "run-stopped", insn->op->name_span,
                           "the view starts before its buffer, or its buffer is unknown");
            e->stopped = true;
            return false;
        }
        insn->insn.of[use->position].buffer = e->memories[base->memory - 1].handle;
        insn->insn.of[use->position].offset = (uint64_t)base->at.value;
    }
    return true;
}

/* Hands the instruction to the core, and reports what went wrong with its lanes. */
static void issue_insn(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_late_insn *late,
                       const struct ptog_insn_size *size, struct ptog_repeat *repeat)
{
    enum ptog_status status = late ? ptog_machine_insn(e, insn->op, &late->insn, &late->extents, size, repeat)
                                   : ptog_machine_insn(e, insn->op, &insn->insn, NULL, size, repeat);
    ptog_judge_run(e, insn, status);
}

/* Keeps how the instruction was issued in its record, with the versions of its values, so that an unchanged one is
 * issued again as it is. Sets no_memory on failure. */
static void keep_code(struct ptog_eval *e, struct ptog_insn_code *code, const struct ptog_late_insn *late,
                      const struct ptog_insn_size *size, const struct ptog_repeat *repeat)
{
    if (late && !code->open && !(code->open = ptog_arena_alloc(&e->code_memory, sizeof *code->open))) {
        e->no_memory = true;
        return;
    }
    code->size = *size;
    code->repeat = late ? (struct ptog_repeat){0} : *repeat; /* it points into the instruction */
    code->is_late = late != NULL;
    if (late)
        *code->open = *late;
    for (int i = 0; i < code->text.count; i++)
        code->versions[i] = code->text.of[i].value->version;
    code->is_issued = true;
}

/* Issues an instruction that was described anew, and keeps it for the next time. */
static void issue_described(struct ptog_eval *e, struct ptog_insn_code *code)
{
    struct ptog_text_insn *insn = &code->text;
    struct ptog_late_insn late;
    if (!find_memory(e, insn))
        return;
    bool is_late = ptog_insn_is_late(e, insn, &late);
    struct ptog_insn_size size = ptog_insn_size_of(is_late ? &late.insn : &insn->insn);
    struct ptog_repeat repeat = {0};
    issue_insn(e, insn, is_late ? &late : NULL, &size, &repeat);
    if (!ptog_eval_over(e))
        keep_code(e, code, is_late ? &late : NULL, &size, &repeat);
}

bool ptog_run_issue(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_insn_size size = ptog_insn_size_of(&insn->insn);
    struct ptog_repeat once = {0};
    e->issued++;
    if (!find_memory(e, insn))
        return false;
    issue_insn(e, insn, NULL, &size, &once);
    return !ptog_eval_over(e);
}

/* What the run alone knows of the extents of a reduction, a rule of its own is about: the core has judged it. */
static bool is_judged_by_core(const struct ptog_text_insn *insn)
{
    return insn->form == PTOG_FORM_ROW_REDUCE && ptog_insn_has_open_extent(insn);
}

/* ---- its operands */

/* What has changed since an instruction was executed last. */
enum operand_change { SAME_VALUES, OTHER_DATA, OTHER_TILES, NO_VALUES };

/* Finds the values of the operands in their slots. A view or a number that is another one changes the data; what
 * differs otherwise changes tiles. */
static enum operand_change find_operands(const struct ptog_eval *e, struct ptog_insn_code *code)
{
    enum operand_change change = code->is_issued ? SAME_VALUES : OTHER_TILES;
    int fresh = 0;
    for (int i = 0; i < code->text.count; i++) {
        struct ptog_text_operand *use = &code->text.of[i];
        use->value = use->fresh ? &code->text.results[fresh++] : ptog_value_at(e, e->frame + use->slot);
        if (use->value->kind != use->kind || (use->value->open && !code->text.inferred))
            return NO_VALUES;
        if (use->fresh || (use->value->version == code->versions[i] && !use->value->open))
            continue;
        if (use->kind == PTOG_VALUE_TILE || use->value->open)
            change = OTHER_TILES;
        else if (change == SAME_VALUES)
            change = OTHER_DATA;
    }
    return change;
}

/* The tiles have addresses; false, and the run stops, when one has none. */
static bool have_addresses(struct ptog_eval *e, const struct ptog_text_insn *insn)
{
    for (int i = 0; i < insn->count; i++) {
        const struct ptog_text_operand *use = &insn->of[i];
        if (use->left_out || use->value->kind != PTOG_VALUE_TILE || use->value->tile.tile.placed)
            continue;
        ptog_diag_emit(e->diags, "run-stopped", use->item->span, "%%%.80s has no address in UB",
                       ptog_tree_text(e->tree, use->item->name));
        e->stopped = true;
        return false;
    }
    return true;
}

/* ---- one execution */

/* An instruction with a tile of which nothing is valid. */
static void pass_over(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_text_operand *empty)
{
    e->issued--; /* nothing of it is executed */
    e->stopped = !ptog_insn_pass_over(e, insn, empty) || e->stopped;
}

/* Describes it with the values that its operands have now, and issues it. */
static void run_described(struct ptog_eval *e, struct ptog_insn_code *code, const struct ptog_text_insn *lowered)
{
    struct ptog_text_insn *insn = &code->text;
    code->is_issued = false;
    ptog_insn_restart(insn);
    if (insn->inferred)
        memcpy(insn->results, lowered->results, sizeof insn->results);
    if (insn->inferred && !ptog_insn_infer(e, insn)) {
        e->stopped = true;
        return;
    }
    for (int i = 0; i < insn->count; i++)
        insn->of[i].left_out = ptog_insn_leaves_out(e, insn, &insn->of[i]);
    ptog_insn_use_places(e, insn);
    if (have_addresses(e, insn)) {
        const struct ptog_text_operand *empty = ptog_insn_empty_operand(insn);
        if (empty) {
            pass_over(e, insn, empty);
        } else {
            ptog_insn_describe(e, insn);
            issue_described(e, code);
            if (!e->stopped && !is_judged_by_core(insn))
                ptog_judge_insn(e, insn);
        }
    }
    ptog_insn_finish(e, insn);
}

/* Each execution makes, uses and places the tiles of the instruction. */
static void place_again(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    ptog_insn_use_places(e, insn);
    if (insn->has_tmp) {
        ptog_place_new(e, insn->op, (uint8_t)insn->result_count, &insn->tmp);
        ptog_place_use(e, &insn->tmp);
    }
}

/* Views and numbers that changed are put in; the rest of the instruction is as it was. */
static void run_patched(struct ptog_eval *e, struct ptog_insn_code *code)
{
    struct ptog_text_insn *insn = &code->text;
    place_again(e, insn);
    for (int i = 0; i < insn->count; i++) {
        if (insn->of[i].fresh || insn->of[i].value->version == code->versions[i])
            continue;
        ptog_insn_describe_operand(e, insn, &insn->of[i]);
        code->versions[i] = insn->of[i].value->version;
    }
    if (ptog_insn_family(&insn->insn) == PTOG_FAMILY_TRANSFER)
        ptog_insn_settle(e, insn); /* the layout of the view */
    code->repeat = (struct ptog_repeat){0};
    if (!find_memory(e, insn))
        return;
    issue_insn(e, insn, NULL, &code->size, &code->repeat);
    if (!e->stopped)
        ptog_judge_insn(e, insn);
    ptog_insn_finish(e, insn);
}

/* With the same values: it is the same instruction. */
static void run_again(struct ptog_eval *e, struct ptog_insn_code *code)
{
    struct ptog_text_insn *insn = &code->text;
    place_again(e, insn);
    issue_insn(e, insn, code->is_late ? code->open : NULL, &code->size, &code->repeat);
    ptog_insn_finish(e, insn);
}

/* ---- the record */

/* The state of an instruction in this run; NULL when out of memory. */
static struct ptog_insn_code *code_of_insn(struct ptog_eval *e, const struct ptog_text_insn *lowered)
{
    struct ptog_insn_code **code = &e->code[lowered->op->number];
    if (*code)
        return *code;
    *code = ptog_arena_alloc(&e->code_memory, sizeof **code);
    if (*code)
        memcpy(&(*code)->text, lowered, offsetof(struct ptog_text_insn, insn));
    else
        e->no_memory = true;
    return *code;
}

/* Whether the change of a view or number leaves the rest of the instruction as it is. */
static bool is_patchable(const struct ptog_insn_code *code)
{
    return !code->is_late && !code->text.mode_open && !code->text.inferred;
}

/* Stops the run: an operand has no type yet. */
static void stop_without_values(struct ptog_eval *e, const struct ptog_op *op)
{
    ptog_diag_emit(e->diags, "run-stopped", op->name_span, "the type of an operand is unknown here");
    e->stopped = true;
}

void ptog_run_insn(struct ptog_eval *e, const struct ptog_text_insn *lowered)
{
    struct ptog_insn_code *code = code_of_insn(e, lowered);
    e->issued++;
    if (!code)
        return;
    switch (find_operands(e, code)) {
    case SAME_VALUES: run_again(e, code); break;
    case OTHER_DATA:
        if (is_patchable(code))
            run_patched(e, code);
        else
            run_described(e, code, lowered);
        break;
    case OTHER_TILES: run_described(e, code, lowered); break;
    case NO_VALUES: stop_without_values(e, lowered->op); break;
    }
}
