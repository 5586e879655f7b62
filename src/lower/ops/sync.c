/* lower: flags, barriers and events. Where there is no machine, only their form is checked. */
#include <limits.h>
#include <string.h>

#include "lower/emit.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/scope.h"

static const struct {
    const char *name;
    enum ptog_pipe pipe;
} pipes[] = {{"PIPE_S", PTOG_S},       {"PIPE_V", PTOG_V}, {"PIPE_MTE1", PTOG_MTE1}, {"PIPE_MTE2", PTOG_MTE2},
             {"PIPE_MTE3", PTOG_MTE3}, {"PIPE_M", PTOG_M}, {"PIPE_FIX", PTOG_FIX},   {"PIPE_ALL", PTOG_ALL}};
static const char *const events[] = {"EVENT_ID0", "EVENT_ID1", "EVENT_ID2", "EVENT_ID3",
                                     "EVENT_ID4", "EVENT_ID5", "EVENT_ID6", "EVENT_ID7"};

/* Event types, and the pipe that each stands for. */
static const struct {
    const char *name;
    enum ptog_pipe pipe;
} event_types[] = {{"TLOAD", PTOG_MTE2},   {"TSTORE_ACC", PTOG_FIX}, {"TSTORE_VEC", PTOG_MTE3}, {"TMOV_M2L", PTOG_MTE1},
                   {"TMOV_M2S", PTOG_FIX}, {"TMOV_M2B", PTOG_MTE1},  {"TMOV_M2V", PTOG_FIX},    {"TMOV_V2M", PTOG_V},
                   {"TMATMUL", PTOG_M},    {"TVEC", PTOG_V},         {"TVECWAIT_EVENT", PTOG_V}};
#define NO_PIPE (-1)

/* Pipes that compilers know and no target here has. */
static const char *const other_pipes[] = {"PIPE_MTE4", "PIPE_MTE5", "PIPE_V2", "VIRTUAL_PIPE_MTE2_L1A",
                                          "VIRTUAL_PIPE_MTE2_L1B"};

struct sync {
    const struct ptog_item *items;
    uint32_t count;
};

/* The operands of a flag or barrier, in whatever brackets they are written. */
static struct sync sync_arguments(const struct ptog_op *op)
{
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        if (part->kind == PTOG_PART_LIST || part->kind == PTOG_PART_ITEMS || part->kind == PTOG_PART_PARENS)
            return (struct sync){part->items, part->count};
    }
    return (struct sync){0};
}

/* Reports what should stand in the place of an item; always false. */
static bool refuse_item(struct ptog_eval *e, const struct ptog_item *item, const char *expected)
{
    ptog_diag_emit(e->diags, "text-pipe", item->span, "expected %s", expected);
    return false;
}

/* The pipe that a word names; NO_PIPE after a report that it is none, or is not simulated. */
static int pipe_of(struct ptog_eval *e, const struct ptog_item *item)
{
    for (size_t i = 0; i < sizeof pipes / sizeof pipes[0]; i++)
        if (ptog_item_is_word(e->tree, item, pipes[i].name))
            return (int)pipes[i].pipe;
    for (size_t i = 0; i < sizeof other_pipes / sizeof other_pipes[0]; i++)
        if (ptog_item_is_word(e->tree, item, other_pipes[i])) {
            ptog_say_not_modelled(e, item->span, "'%s' is not simulated: no target has it", other_pipes[i]);
            return NO_PIPE;
        }
    refuse_item(e, item, "a pipe: PIPE_S, PIPE_V, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_M, PIPE_FIX or PIPE_ALL");
    return NO_PIPE;
}

int ptog_pipe_of_item(struct ptog_eval *e, const struct ptog_item *item)
{
    int pipe = pipe_of(e, item);
    return pipe == NO_PIPE ? PTOG_ALL + 1 : pipe;
}

/* The pipe of an event type such as TLOAD; NO_PIPE, with a report, for another word. */
static int pipe_of_type(struct ptog_eval *e, const struct ptog_item *item)
{
    for (size_t i = 0; i < sizeof event_types / sizeof event_types[0]; i++)
        if (ptog_item_is_word(e->tree, item, event_types[i].name))
            return (int)event_types[i].pipe;
    refuse_item(e, item, "an event type: TLOAD, TVEC, TSTORE_VEC, ...");
    return NO_PIPE;
}

static bool is_dynamic(const struct ptog_op *op)
{
    return op->name == PTOG_OP_NAME_SET_FLAG_DYN || op->name == PTOG_OP_NAME_WAIT_FLAG_DYN;
}

/* Sets *id to a flag's id that is a value; in a run the machine judges it. False after an error, such as a known
 * number above 7. */
static bool computed_event(struct ptog_eval *e, const struct ptog_item *item, int *id)
{
    struct ptog_number number;
    if (!ptog_use_number(e, item, NULL, &number))
        return false;
    if (number.known && (number.value < 0 || number.value > 7))
        return refuse_item(e, item, PTOG_EVENT_NUMBER);
    *id = number.value < INT_MIN || number.value > INT_MAX ? -1 : (int)number.value;
    return true;
}

/* Reads an event id into *id, -1 where the run alone knows it; false, with a report, for what is none. */
static bool event_of(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item, int *id)
{
    if (is_dynamic(op))
        return computed_event(e, item, id);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        if (ptog_item_is_word(e->tree, item, events[i])) {
            *id = (int)i;
            return true;
        }
    return refuse_item(e, item, "an event: EVENT_ID0 to EVENT_ID7");
}

static bool is_wait(const struct ptog_op *op)
{
    return op->name == PTOG_OP_NAME_WAIT_FLAG || op->name == PTOG_OP_NAME_WAIT_FLAG_DYN ||
           op->name == PTOG_OP_NAME_WAIT_EVENT;
}

/* The pipe of a barrier: barrier_sync names an event type, and a fence is a barrier on all of them. */
static int barrier_pipe(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item)
{
    if (op->name == PTOG_OP_NAME_BARRIER_SYNC)
        return pipe_of_type(e, item);
    if (op->name == PTOG_OP_NAME_BARRIER)
        return pipe_of(e, item);
    if (ptog_item_is_word(e->tree, item, "gm") || ptog_item_is_word(e->tree, item, "all"))
        return PTOG_ALL;
    refuse_item(e, item, "a scope: #pto.fence_scope<gm> or #pto.fence_scope<all>");
    return NO_PIPE;
}

/* Fills the record of a barrier, unless the target has none on that pipe. */
static void check_barrier(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item,
                          struct ptog_sync_code *code)
{
    int pipe = barrier_pipe(e, op, item);
    if (pipe == PTOG_V && e->target->machine != PTOG_NO_MACHINE && !e->target->v_overtakes)
        ptog_diag_emit(e->diags, "text-barrier-v", item->span,
                       "%s has no barrier on V: compilers drop it, since vector instructions wait for each other",
                       e->target->name);
    else if (pipe != NO_PIPE)
        *code = (struct ptog_sync_code){.kind = PTOG_SYNC_BARRIER, .from = (uint8_t)pipe};
    if (code->kind == PTOG_SYNC_BARRIER && op->name == PTOG_OP_NAME_FENCE_BARRIER_ALL)
        code->kind = PTOG_SYNC_BARRIER_AND_DSB;
}

/* Which ids the program uses itself: a repair takes others. */
void ptog_note_event_id(struct ptog_eval *e, const struct ptog_sync_code *code, int id)
{
    if (code->from < PTOG_PIPES && code->to < PTOG_PIPES && id >= 0 && id < 8)
        e->machine.used_ids[code->from][code->to] |= (uint8_t)(1u << id);
}

/* Fills the record of a set or wait, and notes its name; reports pipes and ids that cannot be. */
static void check_flag(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *items,
                       struct ptog_sync_code *code)
{
    bool typed = op->name == PTOG_OP_NAME_RECORD_EVENT || op->name == PTOG_OP_NAME_WAIT_EVENT;
    int from = typed ? pipe_of_type(e, &items[0]) : pipe_of(e, &items[0]), id = 0;
    int to = typed ? pipe_of_type(e, &items[1]) : pipe_of(e, &items[1]);
    bool good = event_of(e, op, &items[2], &id) && from != NO_PIPE && to != NO_PIPE;
    if (from == to && from != NO_PIPE)
        ptog_diag_emit(e->diags, "text-pipe", items[1].span, "a flag needs two different pipes, but both are %.20s",
                       typed ? ptog_pipe_name((enum ptog_pipe)to) : ptog_item_word(e->tree, &items[1]));
    if (!good)
        return;
    *code =
        (struct ptog_sync_code){.from = (uint8_t)from, .to = (uint8_t)to, .id = (int8_t)id, .computed = is_dynamic(op)};
    code->kind = is_wait(op) ? PTOG_SYNC_WAIT_FLAG : PTOG_SYNC_SET_FLAG;
    if (!code->computed)
        ptog_note_event_id(e, code, id);
    else if (from < PTOG_PIPES && to < PTOG_PIPES)
        e->machine.computes_ids[from][to] = true;
}

/* How many operands it has. */
static uint32_t wanted_count(const struct ptog_op *op)
{
    switch (op->name) {
    case PTOG_OP_NAME_BARRIER:
    case PTOG_OP_NAME_BARRIER_SYNC:
    case PTOG_OP_NAME_FENCE_BARRIER_ALL: return 1;
    default: return 3;
    }
}

/* Whoever writes a flag orders by hand, and so does whoever writes a barrier, also one that is dropped, unless it is
 * for messages, which compilers leave to the author: ptog_check_sides. A fence orders data for other cores only. */
static void note_sync(struct ptog_eval *e, const struct ptog_op *op)
{
    bool is_barrier = op->name == PTOG_OP_NAME_BARRIER || op->name == PTOG_OP_NAME_BARRIER_SYNC;
    e->machine.has_barriers |= is_barrier;
    e->machine.has_sync |= !is_barrier && op->name != PTOG_OP_NAME_FENCE_BARRIER_ALL;
}

/* Lowers a flag, an event or a barrier: appends a record with its numbers, which is empty after an error. */
void ptog_eval_sync(struct ptog_eval *e, const struct ptog_op *op)
{
    struct sync s = sync_arguments(op);
    uint32_t wanted = wanted_count(op);
    struct ptog_sync_code code = {.kind = PTOG_SYNC_NOTHING};
    note_sync(e, op);
    if (!ptog_want_operands(e, op, s.count, wanted, wanted) || !ptog_want_results(e, op, 0))
        return;
    if (wanted == 1)
        check_barrier(e, op, &s.items[0], &code);
    else
        check_flag(e, op, s.items, &code);
    struct ptog_code *record = ptog_emit(e, PTOG_CODE_SYNC, op);
    record->sync = code;
    record->sync.at = s.items[wanted - 1].span;
    if (code.computed)
        ptog_emit_args(e, record, &s.items[2], 1);
}

/* Lowers dcci of all lines of the data cache of S, or of the line that a pointer or the start of a view is in. */
void ptog_eval_cache(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    if (!ptog_want_operands(e, op, operands.count, 1, 1) || !ptog_want_results(e, op, 0))
        return;
    bool is_line = operands.items[0].kind == PTOG_ITEM_VALUE;
    if (is_line)
        ptog_use(e, &operands.items[0], ptog_operand_type(&operands, 0), PTOG_VALUE_ANY);
    ptog_eval_lint(e, op);
    struct ptog_code *record = ptog_emit(e, PTOG_CODE_SYNC, op);
    record->sync = (struct ptog_sync_code){.kind = PTOG_SYNC_DCCI, .at = operands.items[0].span};
    if (is_line)
        ptog_emit_args(e, record, &operands.items[0], 1);
}
