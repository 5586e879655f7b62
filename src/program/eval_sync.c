/* program: flags, barriers and events. Their form is checked; order takes no time yet, so they do nothing. */
#include <string.h>

#include "program/eval.h"

static const char *const pipes[] = {"PIPE_S",    "PIPE_V", "PIPE_MTE1", "PIPE_MTE2",
                                    "PIPE_MTE3", "PIPE_M", "PIPE_FIX",  "PIPE_ALL"};
static const char *const events[] = {"EVENT_ID0", "EVENT_ID1", "EVENT_ID2", "EVENT_ID3",
                                     "EVENT_ID4", "EVENT_ID5", "EVENT_ID6", "EVENT_ID7"};

/* Event types, and the pipe that each stands for. */
static const struct {
    const char *name, *pipe;
} event_types[] = {{"TLOAD", "PIPE_MTE2"},    {"TSTORE_ACC", "PIPE_FIX"},  {"TSTORE_VEC", "PIPE_MTE3"},
                   {"TMOV_M2L", "PIPE_MTE1"}, {"TMOV_M2S", "PIPE_FIX"},    {"TMOV_M2B", "PIPE_MTE1"},
                   {"TMOV_M2V", "PIPE_FIX"},  {"TMOV_V2M", "PIPE_V"},      {"TMATMUL", "PIPE_M"},
                   {"TVEC", "PIPE_V"},        {"TVECWAIT_EVENT", "PIPE_V"}};

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

static const char *name_of(const struct ptog_eval *e, const struct ptog_item *item)
{
    return ptog_tree_text(e->tree, item->kind == PTOG_ITEM_ATTR ? item->value : item->name);
}

static bool fail(struct ptog_eval *e, const struct ptog_item *item, const char *expected)
{
    ptog_say(e->finds, "text-pipe", item->span, "expected %s", expected);
    e->stopped = e->running;
    return false;
}

/* The pipe's name; NULL after an error. */
static const char *pipe_of(struct ptog_eval *e, const struct ptog_item *item)
{
    const char *name = name_of(e, item);
    for (size_t i = 0; i < sizeof pipes / sizeof pipes[0]; i++)
        if (strcmp(name, pipes[i]) == 0)
            return pipes[i];
    fail(e, item, "a pipe: PIPE_S, PIPE_V, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_M, PIPE_FIX or PIPE_ALL");
    return NULL;
}

static const char *pipe_of_type(struct ptog_eval *e, const struct ptog_item *item)
{
    const char *name = name_of(e, item);
    for (size_t i = 0; i < sizeof event_types / sizeof event_types[0]; i++)
        if (strcmp(name, event_types[i].name) == 0)
            return event_types[i].pipe;
    fail(e, item, "an event type: TLOAD, TVEC, TSTORE_VEC, ...");
    return NULL;
}

static bool is_event(struct ptog_eval *e, const struct ptog_item *item)
{
    const char *name = name_of(e, item);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        if (strcmp(name, events[i]) == 0)
            return true;
    return fail(e, item, "an event: EVENT_ID0 to EVENT_ID7");
}

static bool is_dynamic(const struct ptog_op *op)
{
    return op->name == PTOG_OP_NAME_SET_FLAG_DYN || op->name == PTOG_OP_NAME_WAIT_FLAG_DYN;
}

static bool check_event(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item)
{
    struct ptog_number number;
    if (!is_dynamic(op))
        return is_event(e, item);
    if (!ptog_use_number(e, item, NULL, &number))
        return false;
    if (number.known && (number.value < 0 || number.value > 7))
        return fail(e, item, "an event number from 0 to 7");
    return true;
}

void ptog_eval_sync(struct ptog_eval *e, const struct ptog_op *op)
{
    struct sync s = arguments(op);
    bool typed = op->name == PTOG_OP_NAME_RECORD_EVENT || op->name == PTOG_OP_NAME_WAIT_EVENT;
    uint32_t wanted = op->name == PTOG_OP_NAME_BARRIER ? 1 : 3;
    if (e->running && !is_dynamic(op))
        return;
    if (!ptog_want_operands(e, op, s.count, wanted, wanted) || !ptog_want_results(e, op, 0))
        return;
    if (wanted == 1) {
        pipe_of(e, &s.items[0]);
        return;
    }
    const char *from = typed ? pipe_of_type(e, &s.items[0]) : pipe_of(e, &s.items[0]);
    const char *to = typed ? pipe_of_type(e, &s.items[1]) : pipe_of(e, &s.items[1]);
    check_event(e, op, &s.items[2]);
    if (from && to && strcmp(from, to) == 0)
        ptog_say(e->finds, "text-pipe", s.items[1].span, "a flag orders two different pipes, and both are %s", to);
}
