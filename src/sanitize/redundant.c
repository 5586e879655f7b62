/* sanitize: judging a run without a pair of flags, pair by pair. */
#include "sanitize/redundant.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define MAX_WORDS ((uint64_t)1 << 29) /* read in all: some seconds */
#define OWN 0                         /* the end that stands for all flags of instructions */
#define NO_PAIR UINT32_MAX

/* A run that is judged again. Its memory serves one replay after the other. */
struct replay {
    struct ptog_order order;
    struct ptog_clock *turns; /* S's clock after each of its changes, where entries were held; else NULL */
    struct ptog_clock *turn_room;
    size_t turn_count;
    struct ptog_clock work;   /* the last work of each pipe */
    struct ptog_flag skipped[PTOG_EVENT_IDS];
    struct ptog_redundants *found;
    uint32_t without; /* the pair that is left out */
    uint64_t pairs;
    bool joins, already;
};

/* What all logs have of a pair: how often it was used, and whether what it tells was known each time. */
struct pair_sum {
    uint64_t pairs;
    bool already;
};

/* ---- which ends belong together */

/* The first end of the pair that an end belongs to; shortens the way to it. */
static uint32_t pair_of(struct ptog_redundants *found, uint32_t end)
{
    while (found->pair_of[end] != end)
        end = found->pair_of[end] = found->pair_of[found->pair_of[end]];
    return end;
}

/* Two ends belong to one pair from now on. */
static void join_pairs(struct ptog_redundants *found, uint32_t a, uint32_t b)
{
    a = pair_of(found, a);
    b = pair_of(found, b);
    if (a < b)
        found->pair_of[b] = a;
    else
        found->pair_of[a] = b;
}

/* ---- one run */

/* Keeps what a set that is left out would have handed over, as far as work needs it. False when out of memory. */
static bool push_skipped(struct replay *r, const struct ptog_event *event, const struct ptog_clock *issued)
{
    struct ptog_pending_set token = {.clock = ptog_order_so_far(&r->order, event->src), .times = 1};
    ptog_clock_join(&token.clock, issued);
    for (int p = 0; p < PTOG_PIPES; p++) /* flags and barriers after the last work need no order */
        if (token.clock.of[p] > r->work.of[p])
            token.clock.of[p] = r->work.of[p];
    return ptog_flag_push(&r->skipped[event->id], &token);
}

/* Does the waiting pipe know all that the set would have told it? */
static void pop_skipped(struct replay *r, const struct ptog_event *event, const struct ptog_clock *issued)
{
    struct ptog_clock known = r->order.clocks.known[event->dst];
    struct ptog_pending_set token;
    if (r->skipped[event->id].count == 0)
        return;
    ptog_flag_pop(&r->skipped[event->id], &token);
    ptog_clock_join(&known, issued);
    r->already &= ptog_clock_covers(&known, &token.clock);
    r->pairs++;
}

/* Replays without a set or wait of the pair: keeps or takes what it would have handed over, and counts its step. False
 * when out of memory. */
static bool skip_flag(struct replay *r, const struct ptog_event *event, const struct ptog_clock *issued)
{
    bool good = true;
    if (event->kind == PTOG_EVENT_SET)
        good = push_skipped(r, event, issued);
    else
        pop_skipped(r, event, issued);
    ptog_order_skip(&r->order, event);
    return good;
}

/* Is all that the work conflicts with complete before it, and was issued before it? */
static bool is_ordered(const struct replay *r, const struct ptog_order_entry *logged)
{
    for (int p = 0; p < PTOG_PIPES; p++)
        if (ptog_step_of(logged->need.of[p]) > logged->event.step)
            return false;
    return ptog_clock_covers(&r->order.clocks.known[logged->event.pipe], &logged->need);
}

/* False: a race, or a flag set twice. */
static bool step(struct replay *r, const struct ptog_order_entry *logged)
{
    const struct ptog_event *event = &logged->event;
    const struct ptog_clock issued = logged->held ? r->turns[logged->turn] : r->order.clocks.known[PTOG_S];
    struct ptog_pending_set token, before;
    bool flag = event->kind == PTOG_EVENT_SET || event->kind == PTOG_EVENT_WAIT;
    if (flag && !r->joins && !event->own && pair_of(r->found, event->site) == r->without)
        return skip_flag(r, event, &issued);
    switch (event->kind) {
    case PTOG_EVENT_WORK:
        ptog_clocks_work(&r->order.clocks, event->pipe, event->step, &issued, logged->stores);
        r->work.of[event->pipe] = r->order.clocks.entries[event->pipe];
        return is_ordered(r, logged);
    case PTOG_EVENT_SET: return ptog_order_set(&r->order, event, &issued, &token, &before);
    case PTOG_EVENT_WAIT:
        if (ptog_order_wait(&r->order, event, &issued, &token) && r->joins)
            join_pairs(r->found, token.own ? OWN : token.site, event->own ? OWN : event->site);
        return true;
    case PTOG_EVENT_BARRIER: ptog_clocks_barrier(&r->order.clocks, event->pipe, event->step, &issued); return true;
    case PTOG_EVENT_CROSS_WAIT:
    case PTOG_EVENT_CROSS_SET: return true; /* of a linked device, which keeps no order log */
    }
    return true;
}

/* Whether every flag that was set was waited for. */
static bool nothing_left(const struct ptog_order *order)
{
    for (int src = 0; src < PTOG_PIPES; src++)
        for (int dst = 0; dst < PTOG_PIPES; dst++)
            for (int id = 0; order->flags[src][dst] && id < PTOG_EVENT_IDS; id++)
                if (order->flags[src][dst][id].count > 0)
                    return false;
    return true;
}

/* Replays a log from word `at` on. False: something is out of order, or a flag is left over at the end. Adds to *words
 * what was read. */
static bool replay_log(struct replay *r, const struct ptog_order_log *order_log, size_t at, uint64_t *words)
{
    struct ptog_order_entry logged = {0};
    bool good = true;
    while (good && ptog_order_log_read(order_log, &at, &logged)) {
        good = step(r, &logged);
        if (r->turns)
            r->turns[r->order.clocks.turns] = r->order.clocks.known[PTOG_S];
    }
    *words += at;
    return good && nothing_left(&r->order);
}

/* Makes room for S's clocks in a log with held entries. False when out of memory. */
static bool reserve_turns(struct replay *r, const struct ptog_order_log *order_log)
{
    r->turns = NULL;
    if (!order_log->held)
        return true;
    if (!ptog_array_reserve(&r->turn_room, (size_t)order_log->turns + 1, &r->turn_count))
        return false;
    r->turns = r->turn_room;
    return true;
}

/* Replays one order log, all of it or, with `without`, without a pair. False: something is out of order, or memory has
 * run out, which sets found->failed. Adds to *sum what the log has of the pair, and to *words what was read. */
static bool judge_log(struct replay *r, const struct ptog_order_log *order_log, uint32_t without, struct pair_sum *sum,
                      uint64_t *words)
{
    struct ptog_redundants *found = r->found;
    if (!reserve_turns(r, order_log)) {
        found->failed = true;
        return false;
    }
    r->without = without;
    r->joins = without == NO_PAIR;
    r->already = true;
    r->pairs = 0;
    for (int id = 0; id < PTOG_EVENT_IDS; id++)
        ptog_flag_start_anew(&r->skipped[id]);
    size_t first = ptog_order_log_open(order_log, &r->order);
    r->work = (struct ptog_clock){0};
    memcpy(r->work.of, r->order.clocks.entries, sizeof r->work.of);
    if (r->turns)
        r->turns[r->order.clocks.turns] = r->order.clocks.known[PTOG_S];
    bool good = replay_log(r, order_log, first, words);
    found->failed |= r->order.failed;
    sum->pairs += r->pairs * order_log->times;
    sum->already &= r->already;
    return good && !found->failed;
}

/* Frees the memory of the replays. */
static void close_replay(struct replay *r)
{
    ptog_order_close(&r->order);
    for (int id = 0; id < PTOG_EVENT_IDS; id++)
        free(r->skipped[id].tokens);
    free(r->turn_room);
}

/* ---- all pairs */

/* Whether every core works in the same order without the pair. Adds to *sum what the logs have of it, and to *words
 * what was read. */
static bool is_redundant(struct replay *r, const struct ptog_order_logs *order_logs, uint32_t pair,
                         struct pair_sum *sum, uint64_t *words)
{
    for (size_t i = 0; i < order_logs->count; i++)
        if (!judge_log(r, &order_logs->of[i], pair, sum, words))
            return false;
    return true;
}

/* Of each pair the end that sets first. */
static uint32_t first_set(struct ptog_redundants *found, const struct ptog_flag_ends *ends, uint32_t pair)
{
    for (uint32_t end = 1; end <= ends->count; end++)
        if (!ends->of[end - 1].waits && pair_of(found, end) == pair)
            return end;
    return 0;
}

/* Lists the pairs of flags that change nothing in r->found; gives up, with `cut` set, when that needs too much reading.
 */
static void judge_pairs(struct replay *r, const struct ptog_order_logs *order_logs, uint64_t words)
{
    struct ptog_redundants *found = r->found;
    for (uint32_t pair = 1; pair <= order_logs->ends.count && !found->failed; pair++) {
        struct pair_sum sum = {.already = true};
        if (pair_of(found, pair) != pair)
            continue;
        if (words > MAX_WORDS) {
            found->cut = true;
            found->count = 0;
            return;
        }
        uint32_t first = first_set(found, &order_logs->ends, pair);
        if (first && is_redundant(r, order_logs, pair, &sum, &words))
            found->of[found->count++] =
                (struct ptog_redundant){first, order_logs->ends.of[first - 1].insn, sum.pairs, sum.already};
    }
}

void ptog_redundants_find(struct ptog_redundants *found, const struct ptog_order_logs *order_logs)
{
    uint32_t ends = order_logs->ends.count;
    uint64_t words = 0;
    *found = (struct ptog_redundants){.cut = order_logs->lost && !order_logs->dead && !order_logs->failed};
    if (ends == 0 || order_logs->dead || order_logs->lost)
        return;
    found->of = calloc(ends, sizeof *found->of);
    found->pair_of = calloc((size_t)ends + 1, sizeof *found->pair_of);
    found->failed = !found->of || !found->pair_of;
    if (found->failed)
        return;
    for (uint32_t end = 0; end <= ends; end++)
        found->pair_of[end] = end;
    struct replay r = {.found = found};
    bool good = true;
    for (size_t i = 0; i < order_logs->count && good; i++) {
        struct pair_sum sum = {.already = true};
        good = judge_log(&r, &order_logs->of[i], NO_PAIR, &sum, &words);
    }
    if (good)
        judge_pairs(&r, order_logs, words);
    close_replay(&r);
}

void ptog_redundants_free(struct ptog_redundants *found)
{
    free(found->of);
    free(found->pair_of);
    *found = (struct ptog_redundants){0};
}
