/* sim: simulated time. */
#include "sim/schedule.h"

#include <stdlib.h>

#include "sim/heap.h"

#define MOST_IN_FLIGHT 4096 /* S stalls beyond that: queues are finite */
#define LONG 1e3
#define VERY_LONG 1e6

void ptog_timeline_open(struct ptog_timeline *t, const struct ptog_costs *costs, struct ptog_memory *memory,
                        enum ptog_schedule schedule, uint64_t seed)
{
    *t = (struct ptog_timeline){.costs = costs, .memory = memory, .schedule = schedule};
    t->random = seed * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u;
}

void ptog_timeline_close(struct ptog_timeline *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->heap[i].insn);
    free(t->heap);
    t->heap = NULL;
    t->count = t->room = 0;
    for (int src = 0; src < PTOG_PIPES; src++)
        for (int dst = 0; dst < PTOG_PIPES; dst++)
            for (int id = 0; id < 8; id++)
                free(t->flags[src][dst][id].of);
}

static uint64_t draw(struct ptog_timeline *t)
{
    t->random ^= t->random << 13;
    t->random ^= t->random >> 7;
    t->random ^= t->random << 17;
    return t->random;
}

/* How long work of a given cost takes under the schedule; at least a cycle, so that cause comes before effect. */
static double duration(struct ptog_timeline *t, enum ptog_pipe pipe, double cycles)
{
    static const double fast[PTOG_PIPES] = {1, LONG, 1, VERY_LONG}, slow[PTOG_PIPES] = {1, LONG, VERY_LONG, 1};
    switch (t->schedule) {
    case PTOG_SCHEDULE_FAST: return fast[pipe];
    case PTOG_SCHEDULE_SLOW: return slow[pipe];
    case PTOG_SCHEDULE_RANDOM: return 1 + cycles * (double)(draw(t) % 256) / 32;
    default: return cycles > 1 ? cycles : 1;
    }
}

static double later(double a, double b)
{
    return a > b ? a : b;
}

/* Tells the watcher; what `about` does not say stands in the last arguments. */
static void show(struct ptog_timeline *t, enum ptog_span_kind kind, enum ptog_pipe pipe, double from, double to)
{
    if (!t->watcher)
        return;
    struct ptog_span span = t->about;
    span.kind = kind;
    span.pipe = pipe;
    span.from = from;
    span.to = later(from, to);
    t->watcher->span(t->watcher->user, &span);
}

static void show_flag(struct ptog_timeline *t, enum ptog_span_kind kind, enum ptog_pipe src, enum ptog_pipe dst, int id,
                      const struct ptog_fired *fired, double from)
{
    struct ptog_span saved = t->about;
    t->about.src = src;
    t->about.dst = dst;
    t->about.id = id;
    t->about.flow = fired ? fired->flow : 0;
    t->about.fired = fired ? fired->since : 0;
    show(t, kind, kind == PTOG_SPAN_SET ? src : dst, from, kind == PTOG_SPAN_WAIT && fired ? fired->time : from);
    t->about = saved;
}

static void carry_out(struct ptog_timeline *t)
{
    struct ptog_move move = ptog_heap_pop(t);
    if (!move.insn) {
        ptog_dma_move(&move.dma, t->memory);
        return;
    }
    struct ptog_sim sim = {.insn = move.insn, .memory = t->memory};
    ptog_sim_phase(&sim, move.phase);
    free(move.insn);
}

static void carry_out_due(struct ptog_timeline *t)
{
    while (t->count > 0 && t->heap[0].time <= t->now)
        carry_out(t);
}

void ptog_timeline_scalar(struct ptog_timeline *t, enum ptog_span_kind kind, double cycles)
{
    show(t, kind, PTOG_S, t->now, t->now + cycles);
    t->now += cycles;
    t->stats.busy_cycles[PTOG_S] += cycles;
    carry_out_due(t);
}

/* The entry starts; returns when it completes. Under the random schedule transfers of one pipe overlap. */
static double start(struct ptog_timeline *t, enum ptog_pipe pipe, double issued, double cycles)
{
    double begin = later(later(issued, t->pipes[pipe].gate), t->pipes[pipe].next), takes = duration(t, pipe, cycles);
    bool overlaps = t->schedule == PTOG_SCHEDULE_RANDOM && pipe != PTOG_V;
    t->pipes[pipe].next = begin + (overlaps ? takes * (double)(draw(t) % 8) / 8 : takes);
    t->pipes[pipe].done = later(t->pipes[pipe].done, begin + takes);
    t->stats.busy_cycles[pipe] += takes;
    show(t, PTOG_SPAN_WORK, pipe, begin, begin + takes);
    return begin + takes;
}

static void add(struct ptog_timeline *t, struct ptog_move *move)
{
    move->number = t->moves++;
    if (!ptog_heap_push(t, move)) {
        t->failed = true;
        free(move->insn);
    }
    while (t->count > MOST_IN_FLIGHT) {
        if (t->heap[0].time > t->now)
            show(t, PTOG_SPAN_STALL, PTOG_S, t->now, t->heap[0].time);
        t->now = later(t->now, t->heap[0].time);
        carry_out_due(t);
    }
}

/* What a DMA reads and writes. */
static void about_dma(struct ptog_timeline *t, const struct ptog_dma *dma, struct ptog_access sides[2])
{
    sides[0] = (struct ptog_access){.kind = PTOG_WRITES,
                                    .space = PTOG_IN_UB,
                                    .operand = PTOG_AT_DST,
                                    .at = dma->ub,
                                    .bytes = dma->bytes,
                                    .count = dma->bursts,
                                    .pitch = dma->ub_stride};
    sides[1] = (struct ptog_access){.kind = PTOG_READS,
                                    .space = PTOG_IN_GM,
                                    .operand = PTOG_AT_TABLE,
                                    .buffer = dma->buffer,
                                    .at = dma->gm,
                                    .bytes = dma->bytes,
                                    .count = dma->bursts,
                                    .pitch = dma->gm_stride};
    t->about.accesses = sides;
    t->about.count = dma->gm == PTOG_NOWHERE ? 1 : 2;
}

void ptog_timeline_dma(struct ptog_timeline *t, enum ptog_pipe pipe, double issued, const struct ptog_dma *dma)
{
    double cycles = ptog_cost_dma(t->costs, dma->bytes * dma->bursts);
    struct ptog_access sides[2];
    if (t->watcher)
        about_dma(t, dma, sides);
    struct ptog_move move = {.time = start(t, pipe, issued, cycles), .dma = *dma};
    add(t, &move);
}

void ptog_timeline_insn(struct ptog_timeline *t, enum ptog_pipe pipe, double issued, double cycles,
                        struct ptog_insn *insn, int phase)
{
    struct ptog_move move = {.time = start(t, pipe, issued, cycles), .insn = insn, .phase = phase};
    add(t, &move);
}

/* The set, to be waited for; NULL when it stands for another one, too. */
static struct ptog_fired *remember(struct ptog_timeline *t, struct ptog_times *times, double time)
{
    if (times->first + times->count == times->room) {
        uint32_t room = times->count * 2 + 4;
        if (times->count >= 1024) { /* set again and again, never waited for: the last one will do */
            times->of[times->first + times->count - 1].time = time;
            return NULL;
        }
        struct ptog_fired *of = malloc(room * sizeof *of);
        if (!of) {
            t->failed = true;
            return NULL;
        }
        for (uint32_t i = 0; i < times->count; i++)
            of[i] = times->of[times->first + i];
        free(times->of);
        *times = (struct ptog_times){of, 0, times->count, room};
    }
    struct ptog_fired *fired = &times->of[times->first + times->count++];
    *fired = (struct ptog_fired){.time = time};
    return fired;
}

void ptog_timeline_set(struct ptog_timeline *t, enum ptog_pipe src, enum ptog_pipe dst, int id, double issued)
{
    double time = t->now;
    if (src == PTOG_S)
        ptog_timeline_flush(t);
    else
        time = later(later(issued, t->pipes[src].gate), t->pipes[src].done);
    t->stats.sets++;
    struct ptog_fired *fired = remember(t, &t->flags[src][dst][id], time + t->costs->set_flag);
    if (fired) {
        fired->flow = ++t->flow;
        fired->since = time;
    }
    show_flag(t, PTOG_SPAN_SET, src, dst, id, fired, time);
}

void ptog_timeline_wait(struct ptog_timeline *t, enum ptog_pipe src, enum ptog_pipe dst, int id)
{
    struct ptog_times *times = &t->flags[src][dst][id];
    double *held = dst == PTOG_S ? &t->now : &t->pipes[dst].gate;
    t->stats.waits++;
    if (times->count == 0)
        return;
    struct ptog_fired fired = times->of[times->first++];
    double time = fired.time;
    if (--times->count == 0)
        times->first = 0;
    double from = dst == PTOG_S ? t->now : later(*held, t->pipes[dst].next);
    if (time > from)
        t->stats.wait_cycles += time - from;
    from = later(from, t->about.issued);
    if (dst != PTOG_S && t->pipes[dst].done > from) /* the pipe is seen to wait once it has nothing else to do */
        from = later(from, t->pipes[dst].done < time ? t->pipes[dst].done : time);
    show_flag(t, PTOG_SPAN_WAIT, src, dst, id, &fired, from);
    *held = later(*held, time);
    if (dst == PTOG_S)
        carry_out_due(t);
}

void ptog_timeline_barrier(struct ptog_timeline *t, enum ptog_pipe pipe)
{
    t->stats.barriers++;
    double from = t->now, to = t->now;
    if (pipe != PTOG_ALL) {
        from = later(later(t->about.issued, t->pipes[pipe].gate), t->pipes[pipe].next);
        show(t, PTOG_SPAN_BARRIER, pipe, from, t->pipes[pipe].done);
        t->pipes[pipe].gate = later(t->pipes[pipe].gate, t->pipes[pipe].done);
        return;
    }
    for (int p = 0; p < PTOG_PIPES; p++)
        to = later(to, t->pipes[p].done);
    show(t, PTOG_SPAN_BARRIER, PTOG_S, from, to);
    t->now = to;
    ptog_timeline_flush(t);
    carry_out_due(t);
}

void ptog_timeline_flush(struct ptog_timeline *t)
{
    for (int i = 0; i < t->store_count; i++)
        ptog_gm_write(t->memory, t->stores[i].buffer, t->stores[i].at, t->stores[i].value, t->stores[i].bytes);
    t->store_count = 0;
}

void ptog_timeline_store(struct ptog_timeline *t, const struct ptog_scalar_store *store)
{
    if (t->store_count == PTOG_MOST_STORES)
        ptog_timeline_flush(t);
    t->stores[t->store_count++] = *store;
    if (t->schedule == PTOG_SCHEDULE_FAST || (t->schedule == PTOG_SCHEDULE_RANDOM && draw(t) % 2))
        ptog_timeline_flush(t);
}

void ptog_timeline_drain(struct ptog_timeline *t)
{
    ptog_timeline_flush(t);
    while (t->count > 0) {
        t->now = later(t->now, t->heap[0].time);
        carry_out(t);
    }
    for (int p = 0; p < PTOG_PIPES; p++)
        t->now = later(t->now, t->pipes[p].done);
}

void ptog_timeline_blocked(struct ptog_timeline *t, const struct ptog_blocked *head)
{
    struct ptog_span saved = t->about;
    double from = head->pipe == PTOG_S ? t->now : later(t->pipes[head->pipe].gate, t->pipes[head->pipe].next);
    t->about.site = head->site;
    t->about.own = false;
    show_flag(t, PTOG_SPAN_BLOCKED, head->src, head->dst, head->id, NULL, from);
    t->about = saved;
}

void ptog_timeline_left(struct ptog_timeline *t)
{
    double end = t->now;
    t->about = (struct ptog_span){0};
    for (int p = 0; p < PTOG_PIPES; p++)
        end = later(end, t->pipes[p].gate);
    for (int src = 0; t->watcher && src < PTOG_PIPES; src++)
        for (int dst = 0; dst < PTOG_PIPES; dst++)
            for (int id = 0; id < 8; id++) {
                const struct ptog_times *times = &t->flags[src][dst][id];
                for (uint32_t i = 0; i < times->count; i++)
                    show_flag(t, PTOG_SPAN_LEFT, (enum ptog_pipe)src, (enum ptog_pipe)dst, id,
                              &times->of[times->first + i], end);
            }
}
