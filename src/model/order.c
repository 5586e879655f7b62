/* model: happens-before: the rules of work, barriers, sets and waits. */
#include "model/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "base/zeroed.h"

/* Frees the flags of a pair of pipes with their sets that were not waited for; NULL: there are none. */
static void free_pair(struct ptog_flag *pair)
{
    for (int id = 0; pair && id < PTOG_EVENT_IDS; id++)
        free(pair[id].tokens);
    free(pair);
}

void ptog_order_close(struct ptog_order *order)
{
    for (int src = 0; src < PTOG_PIPES; src++)
        for (int dst = 0; dst < PTOG_PIPES; dst++)
            free_pair(order->flags[src][dst]);
    memset(order->flags, 0, sizeof order->flags);
}

void ptog_order_start_anew(struct ptog_order *order)
{
    order->clocks = (struct ptog_clocks){0};
    memset(order->last, 0, sizeof order->last);
    order->failed = false;
    for (int src = 0; src < PTOG_PIPES; src++)
        for (int dst = 0; dst < PTOG_PIPES; dst++)
            for (int id = 0; order->flags[src][dst] && id < PTOG_EVENT_IDS; id++)
                ptog_flag_start_anew(&order->flags[src][dst][id]);
}

struct ptog_flag *ptog_order_flag(struct ptog_order *order, unsigned src, unsigned dst, unsigned id)
{
    struct ptog_flag **pair = &order->flags[src][dst];
    if (!*pair)
        *pair = ptog_zeroed(PTOG_EVENT_IDS * sizeof **pair);
    if (*pair)
        return &(*pair)[id];
    order->failed = true;
    return NULL;
}

/* ---- clocks */

static uint32_t next_entry(struct ptog_clocks *clocks, enum ptog_pipe pipe, uint32_t step)
{
    uint32_t next = clocks->entries[pipe] + 1, first = step * PTOG_ENTRIES;
    return clocks->entries[pipe] = ptog_max_u32(next, first);
}

void ptog_clocks_work(struct ptog_clocks *clocks, enum ptog_pipe pipe, uint32_t step, const struct ptog_clock *issued,
                      bool stores)
{
    if (pipe != PTOG_S)
        ptog_clock_join(&clocks->known[pipe], issued);
    if (pipe != PTOG_S || stores)
        next_entry(clocks, pipe, step);
}

void ptog_clocks_barrier(struct ptog_clocks *clocks, enum ptog_pipe pipe, uint32_t step,
                         const struct ptog_clock *issued)
{
    if (pipe == PTOG_ALL) { /* everything of every pipe is complete, for whoever is issued from now on */
        for (int p = 0; p < PTOG_PIPES; p++)
            clocks->known[PTOG_S].of[p] = clocks->entries[p];
        clocks->turns++;
        return;
    }
    ptog_clock_join(&clocks->known[pipe], issued);
    clocks->known[pipe].of[pipe] = next_entry(clocks, pipe, step);
}

static struct ptog_clock so_far(const struct ptog_clocks *clocks, enum ptog_pipe pipe)
{
    struct ptog_clock clock = clocks->known[pipe];
    clock.of[pipe] = clocks->entries[pipe];
    return clock;
}

struct ptog_clock ptog_clocks_set(struct ptog_clocks *clocks, enum ptog_pipe pipe, uint32_t step,
                                  const struct ptog_clock *issued)
{
    if (pipe == PTOG_S) { /* scalar stores are complete for whoever waits for this flag, and for nobody else */
        clocks->turns++;
    } else {
        ptog_clock_join(&clocks->known[pipe], issued);
        next_entry(clocks, pipe, step);
    }
    return so_far(clocks, pipe);
}

void ptog_clocks_wait(struct ptog_clocks *clocks, enum ptog_pipe pipe, uint32_t step, const struct ptog_clock *issued,
                      const struct ptog_clock *handed_on)
{
    if (pipe == PTOG_S) {
        clocks->turns++;
    } else {
        ptog_clock_join(&clocks->known[pipe], issued);
        next_entry(clocks, pipe, step);
    }
    if (handed_on)
        ptog_clock_join(&clocks->known[pipe], handed_on);
}

void ptog_clocks_hear(struct ptog_clocks *clocks, enum ptog_pipe pipe, const struct ptog_clock *issued)
{
    if (issued)
        ptog_clock_join(&clocks->known[pipe], issued);
    clocks->turns += pipe == PTOG_S;
    clocks->known[pipe].heard[pipe]++;
    clocks->known[pipe].hears = 1;
}

/* ---- flags */

bool ptog_flag_push(struct ptog_flag *flag, const struct ptog_pending_set *token)
{
    if (flag->count == PTOG_MAX_TOKENS) {
        flag->tokens[flag->first + flag->count - 1].times++;
        return true;
    }
    if (flag->first + flag->count == flag->room) {
        uint32_t room = flag->count * 2 + 4;
        struct ptog_pending_set *tokens = malloc(room * sizeof *tokens);
        if (!tokens)
            return false;
        for (uint32_t i = 0; i < flag->count; i++)
            tokens[i] = flag->tokens[flag->first + i];
        free(flag->tokens);
        flag->tokens = tokens;
        flag->room = room;
        flag->first = 0;
    }
    flag->tokens[flag->first + flag->count++] = *token;
    return true;
}

void ptog_flag_pop(struct ptog_flag *flag, struct ptog_pending_set *token)
{
    *token = flag->tokens[flag->first];
    if (--flag->tokens[flag->first].times > 0)
        return;
    flag->first++;
    if (--flag->count == 0)
        flag->first = 0;
}

struct ptog_clock ptog_order_so_far(const struct ptog_order *order, enum ptog_pipe pipe)
{
    return so_far(&order->clocks, pipe);
}

bool ptog_order_set(struct ptog_order *order, const struct ptog_event *event, const struct ptog_clock *issued,
                    struct ptog_pending_set *token, struct ptog_pending_set *before)
{
    struct ptog_flag *flag = ptog_order_flag(order, event->src, event->dst, (unsigned)event->id);
    struct ptog_clock clock = ptog_clocks_set(&order->clocks, event->src, event->step, issued);
    *token = (struct ptog_pending_set){clock, event->site, event->insn, 1, event->own, order->last[event->src]};
    if (!flag)
        return true;
    bool over = flag->waited && (event->dst == PTOG_S || token->clock.of[event->dst] >= flag->wait_entry);
    bool good = !flag->was_set || over || (event->own && flag->last.own);
    if (!good)
        *before = flag->last;
    flag->was_set = true;
    flag->waited = false;
    flag->last = *token;
    if (!ptog_flag_push(flag, token))
        order->failed = true;
    return good;
}

bool ptog_order_wait(struct ptog_order *order, const struct ptog_event *event, const struct ptog_clock *issued,
                     struct ptog_pending_set *token)
{
    struct ptog_flag *pair = order->flags[event->src][event->dst], *flag = pair ? &pair[event->id] : NULL;
    bool set = flag && flag->count > 0;
    if (set)
        ptog_flag_pop(flag, token);
    ptog_clocks_wait(&order->clocks, event->dst, event->step, issued, set ? &token->clock : NULL);
    if (!set)
        return false;
    flag->waited = flag->count == 0;
    flag->wait_entry = order->clocks.entries[event->dst];
    return true;
}

void ptog_order_skip(struct ptog_order *order, const struct ptog_event *event)
{
    if (event->pipe == PTOG_S)
        order->clocks.turns++;
    else
        next_entry(&order->clocks, event->pipe, event->step);
}
