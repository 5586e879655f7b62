/* lower: counters between the cores: sync.set, sync.wait, their spellings for all blocks, syncall, set_ffts. */
#include <limits.h>

#include "lower/emit.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/scope.h"

#define MAX_ID 15

/* One core alone would stand still here for ever. */
static void note_meeting(struct ptog_eval *e, const struct ptog_op *op)
{
    if (e->machine.meets.length == 0)
        e->machine.meets = op->name_span;
}

/* The number of a counter, or a value; false after an error. */
static bool read_id(struct ptog_eval *e, const struct ptog_item *item, struct ptog_sync_code *code)
{
    struct ptog_number number = {0, false};
    code->computed = item->kind == PTOG_ITEM_VALUE;
    if (!ptog_use_number(e, item, NULL, &number))
        return false;
    if (number.known && (number.value < 0 || number.value > 31)) {
        ptog_diag_emit(e->diags, "text-pipe", item->span, "expected a counter from 0 to %d", MAX_ID);
        return false;
    }
    if (number.known && number.value > MAX_ID) {
        ptog_say_not_modelled(e, item->span, "%s: flags of single vector cores (ids from 16 on) are not supported yet",
                              ptog_op_info(PTOG_OP_NAME_SYNC_SET)->name);
        return false;
    }
    code->id = (int8_t)number.value;
    return true;
}

/* The mode of a set; false after an error. */
static bool read_mode(struct ptog_eval *e, const struct ptog_op *op, struct ptog_sync_code *code)
{
    const struct ptog_item *mode = ptog_op_attribute(e->tree, op, "ffts_mode");
    code->mode = op->name == PTOG_OP_NAME_SET_CROSS_BLOCK ? 0 : 2;
    if (!mode)
        return true;
    if (mode->kind != PTOG_ITEM_INT || mode->negative || mode->number > 2) {
        ptog_diag_emit(e->diags, "text-attribute", mode->span, "expected ffts_mode 0, 1 or 2");
        return false;
    }
    code->mode = (uint8_t)mode->number;
    return true;
}

/* A set of a counter, or a wait for one. */
static void eval_counter(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    bool sets = op->name == PTOG_OP_NAME_SYNC_SET || op->name == PTOG_OP_NAME_SET_CROSS_BLOCK;
    struct ptog_sync_code code = {.kind = sets ? PTOG_SYNC_CROSS_SET : PTOG_SYNC_CROSS_WAIT};
    if (!ptog_want_operands(e, op, operands.count, 2, 2) || !ptog_want_results(e, op, 0))
        return;
    int pipe = ptog_pipe_of_item(e, &operands.items[0]);
    if (pipe > PTOG_ALL || !read_id(e, &operands.items[1], &code) || !read_mode(e, op, &code))
        return;
    code.from = (uint8_t)pipe;
    code.at = operands.items[1].span;
    if (code.mode == 2)
        note_meeting(e, op);
    struct ptog_code *record = ptog_emit(e, PTOG_CODE_SYNC, op);
    record->sync = code;
    if (code.computed)
        ptog_emit_args(e, record, &operands.items[1], 1);
}

/* What stands behind `key =`; NULL: nothing. */
static const struct ptog_item *clause_of(const struct ptog_eval *e, const struct ptog_op *op, const char *key)
{
    for (uint32_t i = 0; i < op->part_count; i++)
        if (op->parts[i].kind == PTOG_PART_KEY && ptog_tree_is(e->tree, op->parts[i].word, key))
            return &op->parts[i].items[0];
    return NULL;
}

/* Lowers pto.syncall: reads which cores take part, all of them where nothing is written, and appends a record. */
static void eval_all(struct ptog_eval *e, const struct ptog_op *op)
{
    static const char *const names[] = {"aiv_only", "aic_only", "mix"};
    const struct ptog_item *cores = ptog_op_attribute(e->tree, op, "core_type");
    struct ptog_sync_code code = {.kind = PTOG_SYNC_ALL, .id = PTOG_ALL_CORES, .from = PTOG_ALL, .at = op->name_span};
    if (!cores)
        cores = clause_of(e, op, "core_type");
    for (int i = 0; i < 3; i++)
        if (cores && ptog_item_is_word(e->tree, cores, names[i]))
            code.id = (int8_t)i;
    if (code.id == PTOG_ALL_CORES)
        note_meeting(e, op);
    ptog_eval_lint(e, op);
    ptog_emit(e, PTOG_CODE_SYNC, op)->sync = code;
}

static bool sets_address(const struct ptog_op *op)
{
    if (op->name == PTOG_OP_NAME_SET_FFTS)
        return true;
    for (uint32_t i = 0; i < op->part_count; i++)
        for (const struct ptog_op *in = op->parts[i].kind == PTOG_PART_REGION ? op->parts[i].region->first : NULL; in;
             in = in->next)
            if (sets_address(in))
                return true;
    return false;
}

/* On A2/A3 a function sets the address of the counters itself. */
static void check_address(struct ptog_eval *e, const struct ptog_op *op)
{
    bool counts = op->name == PTOG_OP_NAME_SYNC_SET || op->name == PTOG_OP_NAME_SYNC_WAIT;
    if (!counts || !e->function || e->ffts_said == e->function || e->target->machine != PTOG_MACHINE_DMA ||
        sets_address(e->function))
        return;
    e->ffts_said = e->function;
    ptog_diag_add_fix(
        e->diags,
        ptog_diag_emit(e->diags, "ffts-missing", op->name_span,
                       "on %s a function that uses '%s' needs 'pto.set_ffts' before it", e->target->name,
                       ptog_op_info(op->name)->name),
        "add an argument %ffts : !pto.ptr<i64>, and begin the function with pto.set_ffts %ffts : !pto.ptr<i64>");
}

/* Lowers an operation on the counters between cores, and notes that the function has some. */
void ptog_eval_cross(struct ptog_eval *e, const struct ptog_op *op)
{
    if (op->name == PTOG_OP_NAME_SET_FFTS) { /* an address that only the device needs */
        struct ptog_operands operands = ptog_operands_of(op);
        if (ptog_want_operands(e, op, operands.count, 1, 1))
            ptog_use(e, &operands.items[0], ptog_operand_type(&operands, 0), PTOG_VALUE_ANY);
        ptog_emit(e, PTOG_CODE_NOTHING, op);
        return;
    }
    e->machine.crosses = true;
    check_address(e, op);
    if (op->name == PTOG_OP_NAME_SYNCALL)
        eval_all(e, op);
    else
        eval_counter(e, op);
}
