/* program: flags, barriers and events. Where there is no machine, only their form is checked. */
#include <limits.h>
#include <string.h>

#include "program/judge.h"
#include "program/ops.h"
#include "program/parts.h"
#include "program/scope.h"

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

static struct sync arguments(const struct ptog_op *op)
{
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        if (part->kind == PTOG_PART_LIST || part->kind == PTOG_PART_ITEMS || part->kind == PTOG_PART_PARENS)
            return (struct sync){part->items, part->count};
    }
    return (struct sync){0};
}

static bool fail(struct ptog_eval *e, const struct ptog_item *item, const char *expected)
{
    ptog_say(e->finds, "text-pipe", item->span, "expected %s", expected);
    e->stopped = e->running;
    return false;
}

/* The pipe; NO_PIPE after an error, or when it is not modelled. */
static int pipe_of(struct ptog_eval *e, const struct ptog_item *item)
{
    const char *name = ptog_item_word(e->tree, item);
    for (size_t i = 0; i < sizeof pipes / sizeof pipes[0]; i++)
        if (strcmp(name, pipes[i].name) == 0)
            return (int)pipes[i].pipe;
    for (size_t i = 0; i < sizeof other_pipes / sizeof other_pipes[0]; i++)
        if (strcmp(name, other_pipes[i]) == 0) {
            ptog_say_not_modelled(e, item->span, "'%s' is not simulated: no target has it", name);
            e->stopped = e->running;
            return NO_PIPE;
        }
    fail(e, item, "a pipe: PIPE_S, PIPE_V, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_M, PIPE_FIX or PIPE_ALL");
    return NO_PIPE;
}

static int pipe_of_type(struct ptog_eval *e, const struct ptog_item *item)
{
    const char *name = ptog_item_word(e->tree, item);
    for (size_t i = 0; i < sizeof event_types / sizeof event_types[0]; i++)
        if (strcmp(name, event_types[i].name) == 0)
            return (int)event_types[i].pipe;
    fail(e, item, "an event type: TLOAD, TVEC, TSTORE_VEC, ...");
    return NO_PIPE;
}

static bool is_dynamic(const struct ptog_op *op)
{
    return op->name == PTOG_OP_NAME_SET_FLAG_DYN || op->name == PTOG_OP_NAME_WAIT_FLAG_DYN;
}

/* A number that the machine judges: it knows what an id out of range does. */
static bool computed_event(struct ptog_eval *e, const struct ptog_item *item, int *id)
{
    struct ptog_number number;
    if (!ptog_use_number(e, item, NULL, &number))
        return false;
    bool out = number.known && (number.value < 0 || number.value > 7);
    if (out && !(e->running && e->machine.pipes))
        return fail(e, item, "an event number from 0 to 7");
    *id = number.value < INT_MIN || number.value > INT_MAX ? -1 : (int)number.value;
    return true;
}

static bool event_of(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item, int *id)
{
    const char *name = ptog_item_word(e->tree, item);
    if (is_dynamic(op))
        return computed_event(e, item, id);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        if (strcmp(name, events[i]) == 0) {
            *id = (int)i;
            return true;
        }
    return fail(e, item, "an event: EVENT_ID0 to EVENT_ID7");
}

static bool is_wait(const struct ptog_op *op)
{
    return op->name == PTOG_OP_NAME_WAIT_FLAG || op->name == PTOG_OP_NAME_WAIT_FLAG_DYN ||
           op->name == PTOG_OP_NAME_WAIT_EVENT;
}

static void check_barrier(struct ptog_eval *e, const struct ptog_item *item, struct ptog_sync_code *code)
{
    int pipe = pipe_of(e, item);
    if (pipe == PTOG_V && e->target->machine != PTOG_NO_MACHINE && !e->target->v_overtakes)
        ptog_say(e->finds, "text-barrier-v", item->span,
                 "%s has no barrier on V: compilers drop it, since vector instructions wait for each other",
                 e->target->name);
    else if (pipe != NO_PIPE)
        *code = (struct ptog_sync_code){.kind = PTOG_SYNC_CODE_BARRIER, .from = (uint8_t)pipe};
}

/* Which ids the program uses itself: a repair takes others. */
static void note_id(struct ptog_eval *e, const struct ptog_sync_code *code, int id)
{
    if (code->from < PTOG_PIPES && code->to < PTOG_PIPES && id >= 0 && id < 8)
        e->machine.used_ids[code->from][code->to] |= (uint8_t)(1u << id);
}

static void check_flag(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *items,
                       struct ptog_sync_code *code)
{
    bool typed = op->name == PTOG_OP_NAME_RECORD_EVENT || op->name == PTOG_OP_NAME_WAIT_EVENT;
    int from = typed ? pipe_of_type(e, &items[0]) : pipe_of(e, &items[0]), id = 0;
    int to = typed ? pipe_of_type(e, &items[1]) : pipe_of(e, &items[1]);
    bool good = event_of(e, op, &items[2], &id) && from != NO_PIPE && to != NO_PIPE;
    if (from == to && from != NO_PIPE)
        ptog_say(e->finds, "text-pipe", items[1].span, "a flag needs two different pipes, but both are %.20s",
                 typed ? ptog_pipe_name((enum ptog_pipe)to) : ptog_item_word(e->tree, &items[1]));
    if (!good)
        return;
    *code = (struct ptog_sync_code){
        .from = (uint8_t)from, .to = (uint8_t)to, .id = (int8_t)id, .computed = is_dynamic(op) ? &items[2] : NULL};
    code->kind = is_wait(op) ? PTOG_SYNC_CODE_WAIT : PTOG_SYNC_CODE_SET;
    if (!code->computed)
        note_id(e, code, id);
    else if (from < PTOG_PIPES && to < PTOG_PIPES)
        e->machine.computes_ids[from][to] = true;
}

/* What the check has read is executed. */
static void run_sync(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_sync_code *code)
{
    int id = code->id;
    if (code->kind == PTOG_SYNC_CODE_NONE)
        return;
    if (code->kind == PTOG_SYNC_CODE_BARRIER) {
        ptog_judge_step(e, op, ptog_machine_barrier(e, op, (enum ptog_pipe)code->from));
        return;
    }
    if (code->computed && !computed_event(e, code->computed, &id))
        return;
    note_id(e, code, id);
    if (e->machine.pipes)
        ptog_judge_step(e, op,
                        ptog_machine_flag(e, op, (enum ptog_pipe)code->from, (enum ptog_pipe)code->to, id,
                                          code->kind == PTOG_SYNC_CODE_WAIT));
}

void ptog_eval_sync(struct ptog_eval *e, const struct ptog_op *op)
{
    struct sync s = arguments(op);
    uint32_t wanted = op->name == PTOG_OP_NAME_BARRIER ? 1 : 3;
    if (e->running) {
        if (e->machine.pipes || is_dynamic(op))
            run_sync(e, op, &e->sync_code[op->number]);
        return;
    }
    e->machine.has_sync = true; /* also with a barrier that is dropped: whoever wrote it orders by hand */
    if (!ptog_want_operands(e, op, s.count, wanted, wanted) || !ptog_want_results(e, op, 0))
        return;
    if (wanted == 1)
        check_barrier(e, &s.items[0], &e->sync_code[op->number]);
    else
        check_flag(e, op, s.items, &e->sync_code[op->number]);
}
