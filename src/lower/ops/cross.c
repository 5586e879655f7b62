/* lower: counters between the cores: sync.set, sync.wait, their spellings for all blocks and for single cores, syncall,
 * set_ffts. */
#include <limits.h>

#include "lower/emit.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/scope.h"

#define MAX_ID 15
#define MAX_INTRA_ID 31 /* of the cube core; those from 16 on are of vector core 1 */

/* One core alone would stand still here forever. */
static void note_meeting(struct ptog_eval *e, const struct ptog_op *op)
{
    if (e->machine.meets.length == 0)
        e->machine.meets = op->name_span;
}

/* Sets the id of a counter in the record, a number or a value. False after an error. */
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
    bool is_intra = code->kind == PTOG_SYNC_INTRA_SET || code->kind == PTOG_SYNC_INTRA_WAIT;
    if (number.known && number.value > MAX_ID && !is_intra) {
        ptog_diag_emit(e->diags, "text-pipe", item->span, "expected a counter from 0 to %d on %s", MAX_ID,
                       e->target->name);
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

static bool is_sync_of(const struct ptog_op *op)
{
    return op->name == PTOG_OP_NAME_SYNC_SET || op->name == PTOG_OP_NAME_SYNC_WAIT ||
           op->name == PTOG_OP_NAME_SET_INTRA_BLOCK || op->name == PTOG_OP_NAME_WAIT_INTRA_BLOCK;
}

/* The numbers of vector core 1 that operations of the region name, as bits less 16. */
static uint32_t second_ids(const struct ptog_region *region)
{
    uint32_t ids = 0;
    for (const struct ptog_op *op = region ? region->first : NULL; op; op = op->next) {
        struct ptog_operands operands = ptog_operands_of(op);
        const struct ptog_item *item = is_sync_of(op) && operands.count == 2 ? &operands.items[1] : NULL;
        if (item && item->kind == PTOG_ITEM_INT && item->number >= 16 && item->number < 32)
            ids |= 1u << (item->number - 16);
        for (uint32_t i = 0; i < op->part_count; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                ids |= second_ids(op->parts[i].region);
    }
    return ids;
}

/* A flag between two cores of a block: by its name; or on A5 where its number, or the same one of vector core 1
 * anywhere in the text, is above 15. Compilers have two meanings for sync.set there, and files with such numbers are
 * written for this one. */
static bool is_intra(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *id)
{
    bool by_name = op->name == PTOG_OP_NAME_SET_INTRA_BLOCK || op->name == PTOG_OP_NAME_WAIT_INTRA_BLOCK;
    if (e->target->machine == PTOG_MACHINE_DMA)
        return false; /* where it is another spelling of a counter */
    if (by_name || op->name == PTOG_OP_NAME_SET_CROSS_BLOCK || op->name == PTOG_OP_NAME_WAIT_CROSS_BLOCK)
        return by_name;
    if (id->kind != PTOG_ITEM_INT)
        return false;
    bool is_new = e->machine.intra_ids == 0;
    for (size_t i = 0; is_new && i < e->program->function_count; i++)
        e->machine.intra_ids |= second_ids(e->program->functions[i].region);
    e->machine.intra_ids |= 1u << 31; /* looked up */
    return (e->machine.intra_ids >> (id->number % 16)) & 1;
}

/* A set of a counter, or a wait for one. */
static void eval_counter(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    bool sets = op->name == PTOG_OP_NAME_SYNC_SET || op->name == PTOG_OP_NAME_SET_CROSS_BLOCK ||
                op->name == PTOG_OP_NAME_SET_INTRA_BLOCK;
    struct ptog_sync_code code = {.kind = sets ? PTOG_SYNC_CROSS_SET : PTOG_SYNC_CROSS_WAIT};
    if (!ptog_want_operands(e, op, operands.count, 2, 2) || !ptog_want_results(e, op, 0))
        return;
    if (is_intra(e, op, &operands.items[1]))
        code.kind = sets ? PTOG_SYNC_INTRA_SET : PTOG_SYNC_INTRA_WAIT;
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

/* Whether an operation, or one inside of it, sets the address of the counters. */
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
