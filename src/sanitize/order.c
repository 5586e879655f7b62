/* sanitize: happens-before: the rules of work, barriers, sets and waits. */
#include "sanitize/order.h"

#include <stdlib.h>
#include <string.h>

void ptog_order_close(struct ptog_order *order)
{
    for (int src = 0; src < PTOG_PIPES; src++)
        for (int dst = 0; dst < PTOG_PIPES; dst++)
            for (int id = 0; id < PTOG_EVENT_IDS; id++)
                free(order->flags[src][dst][id].tokens);
    memset(order->flags, 0, sizeof order->flags);
}

static uint32_t next_entry(struct ptog_order *order, enum ptog_pipe pipe, uint32_t step)
{
    uint32_t next = order->entries[pipe] + 1, first = step * PTOG_ENTRIES;
    return order->entries[pipe] = next > first ? next : first;
}

void ptog_order_work(struct ptog_order *order, enum ptog_pipe pipe, uint32_t step, const struct ptog_clock *issued,
                     bool stores)
{
    if (pipe != PTOG_S)
        ptog_clock_join(&order->known[pipe], issued);
    if (pipe != PTOG_S || stores)
        next_entry(order, pipe, step);
}

void ptog_order_barrier(struct ptog_order *order, enum ptog_pipe pipe, uint32_t step, const struct ptog_clock *issued)
{
    if (pipe == PTOG_ALL) { /* everything of every pipe is complete, for whoever is issued from now on */
        for (int p = 0; p < PTOG_PIPES; p++)
            order->known[PTOG_S].of[p] = order->entries[p];
        order->turns++;
        return;
    }
    ptog_clock_join(&order->known[pipe], issued);
    order->known[pipe].of[pipe] = next_entry(order, pipe, step);
}

/* ---- flags */

bool ptog_flag_push(struct ptog_flag *flag, const struct ptog_token *token)
{
    if (flag->count == PTOG_MOST_TOKENS) {
        flag->tokens[flag->first + flag->count - 1].times++;
        return true;
    }
    if (flag->first + flag->count == flag->room) {
        uint32_t room = flag->count * 2 + 4;
        struct ptog_token *tokens = malloc(room * sizeof *tokens);
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

void ptog_flag_pop(struct ptog_flag *flag, struct ptog_token *token)
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
    struct ptog_clock clock = order->known[pipe];
    clock.of[pipe] = order->entries[pipe];
    return clock;
}

bool ptog_order_set(struct ptog_order *order, const struct ptog_event *event, const struct ptog_clock *issued,
                    struct ptog_token *token, struct ptog_token *before)
{
    enum ptog_pipe p = event->src;
    struct ptog_flag *flag = &order->flags[p][event->dst][event->id];
    if (p == PTOG_S) { /* scalar stores are complete for everyone from here on */
        order->known[p].of[p] = order->entries[p];
        order->turns++;
    } else {
        ptog_clock_join(&order->known[p], issued);
        next_entry(order, p, event->step);
    }
    *token = (struct ptog_token){ptog_order_so_far(order, p), event->site, event->insn, 1, event->own};
    *before = flag->last;
    bool over = flag->waited && (event->dst == PTOG_S || token->clock.of[event->dst] >= flag->wait_entry);
    bool good = !flag->was_set || over || (event->own && flag->last.own);
    flag->was_set = true;
    flag->waited = false;
    flag->last = *token;
    if (!ptog_flag_push(flag, token))
        order->failed = true;
    return good;
}

bool ptog_order_wait(struct ptog_order *order, const struct ptog_event *event, const struct ptog_clock *issued,
                     struct ptog_token *token)
{
    enum ptog_pipe p = event->dst;
    struct ptog_flag *flag = &order->flags[event->src][p][event->id];
    if (p == PTOG_S) {
        order->turns++;
    } else {
        ptog_clock_join(&order->known[p], issued);
        next_entry(order, p, event->step);
    }
    if (flag->count == 0)
        return false;
    ptog_flag_pop(flag, token);
    ptog_clock_join(&order->known[p], &token->clock);
    flag->waited = flag->count == 0;
    flag->wait_entry = order->entries[p];
    return true;
}

void ptog_order_skip(struct ptog_order *order, const struct ptog_event *event)
{
    if (event->pipe == PTOG_S)
        order->turns++;
    else
        next_entry(order, event->pipe, event->step);
}
