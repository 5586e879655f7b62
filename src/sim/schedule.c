/* sim: simulated time: when each entry of a queue starts and completes under a schedule. */
#include "sim/schedule.h"

#include <stdlib.h>

#include "base/pick.h"
#include "sim/heap.h"

#define MAX_IN_FLIGHT 4096 /* S stalls beyond that: queues are finite */
#define MAX_IN_WITNESS (1 << 20)
#define LONG 1e3
#define VERY_LONG 1e6
#define PACE 1e3 /* of S under a witness, where transfers take a cycle: they end before the next one is issued */

void ptog_timeline_open(struct ptog_timeline *t, const struct ptog_costs *costs, struct ptog_memory *memory,
                        const struct ptog_device_options *options, uint32_t block)
{
    t->costs = costs;
    t->memory = memory;
    t->schedule = options->schedule;
    t->block = block;
    t->random = (options->seed + block * 0x51ED2701u) * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u; /* by block */
    t->late = options->late;
    t->late_count = options->late_count;
}

/* Frees what a move holds. */
static void free_move(struct ptog_move *move)
{
    ptog_known_let_go(move->insn);
    if (move->arriving)
        ptog_arriving_free(move->arriving);
    free(move->arriving);
}

void ptog_timeline_close(struct ptog_timeline *t)
{
    while (t->count > 0) {
        struct ptog_move move = ptog_heap_pop(t);
        free_move(&move);
    }
    ptog_heap_free(t);
    free(t->stores);
    ptog_arriving_free(&t->arriving);
    for (int src = 0; src < PTOG_PIPES; src++)
        for (int dst = 0; dst < PTOG_PIPES; dst++)
            for (int id = 0; (t->used_pairs[src] >> dst & 1) && id < 8; id++)
                free(t->flags[src][dst][id].of);
}

/* The next number of the schedule's random sequence. */
static uint64_t draw_random(struct ptog_timeline *t)
{
    t->random ^= t->random << 13;
    t->random ^= t->random >> 7;
    t->random ^= t->random << 17;
    return t->random;
}

/* How long an instruction takes under a witness that says so; 0: it is not late. */
static double lateness(const struct ptog_timeline *t, uint32_t step)
{
    for (size_t i = 0; t->schedule == PTOG_SCHEDULE_WITNESS && i < t->late_count; i++)
        if (t->late[i].block == t->block && t->late[i].instruction == step)
            return t->late[i].cycles;
    return 0;
}

/* How long work of a given cost takes under the schedule; at least a cycle, so that cause comes before effect. */
static double duration(struct ptog_timeline *t, enum ptog_pipe pipe, double cycles)
{
    static const double fast[PTOG_PIPES] = {1, LONG, 1, VERY_LONG, LONG, LONG, VERY_LONG},
                        slow[PTOG_PIPES] = {1, LONG, VERY_LONG, 1, LONG, LONG, 1};
    switch (t->schedule) {
    case PTOG_SCHEDULE_FAST: return fast[pipe];
    case PTOG_SCHEDULE_SLOW: return slow[pipe];
    case PTOG_SCHEDULE_WITNESS: return 1;
    case PTOG_SCHEDULE_RANDOM: return 1 + cycles * (double)(draw_random(t) % 256) / 32;
    default: return ptog_max(cycles, 1);
    }
}

/* Tells the watcher. A period does not end before it begins. */
static void show(const struct ptog_timeline *t, struct ptog_period period)
{
    if (!t->watcher)
        return;
    period.to = ptog_max(period.from, period.to);
    t->watcher->period(t->watcher->user, &period);
}

/* A flag is set, waited for or left at a time. `fired`: the set, NULL when there is none. */
static void show_flag(const struct ptog_timeline *t, enum ptog_period_kind kind, struct ptog_flag_name flag,
                      const struct ptog_fired *fired, double at, const struct ptog_cause *cause)
{
    struct ptog_period period = {.kind = kind,
                                 .pipe = kind == PTOG_PERIOD_SET ? flag.src : flag.dst,
                                 .src = flag.src,
                                 .dst = flag.dst,
                                 .id = flag.id,
                                 .cause = *cause,
                                 .from = at,
                                 .to = at};
    if (fired) {
        period.flow = fired->flow;
        period.fired = fired->since;
    }
    if (fired && kind == PTOG_PERIOD_WAIT)
        period.to = fired->time;
    show(t, period);
}

/* The phase reads now; its bytes come later. */
static void read_only(struct ptog_timeline *t, const struct ptog_move *move, const struct ptog_sim *sim)
{
    struct ptog_arriving *arriving = calloc(1, sizeof *arriving);
    if (!arriving || ptog_arriving_run(arriving, sim, move->phase) != PTOG_OK)
        t->failed = true;
    struct ptog_move *rest = arriving ? ptog_heap_push(t, move->until) : NULL;
    if (rest) {
        rest->arriving = arriving;
        return;
    }
    t->failed = true;
    free_move(&(struct ptog_move){.arriving = arriving});
}

/* Takes the first move that is under way and does it: bytes arrive, a transfer, or a phase of an instruction. */
static void carry_out(struct ptog_timeline *t)
{
    struct ptog_move move = ptog_heap_pop(t);
    struct ptog_sim sim = {.known = move.insn, .memory = t->memory, .peers = t->peers};
    if (move.arriving)
        ptog_arriving_land(move.arriving, t->memory);
    else if (!move.insn)
        ptog_dma_move(&move.dma, t->memory);
    else if (move.until > 0)
        read_only(t, &move, &sim);
    else
        ptog_sim_phase(&sim, move.phase);
    free_move(&move);
    if (t->watcher)
        t->watcher->moved(t->watcher->user, move.time);
}

/* Does all moves that have ended by now. */
static void carry_out_due(struct ptog_timeline *t)
{
    while (t->count > 0 && ptog_heap_time(t) <= t->now)
        carry_out(t);
}

void ptog_timeline_scalar(struct ptog_timeline *t, enum ptog_period_kind kind, double cycles,
                          const struct ptog_cause *cause)
{
    if (t->schedule == PTOG_SCHEDULE_WITNESS)
        cycles = PACE;
    t->began = t->now;
    show(t, (struct ptog_period){.kind = kind, .pipe = PTOG_S, .cause = *cause, .from = t->now, .to = t->now + cycles});
    t->now += cycles;
    t->stats.busy_cycles[PTOG_S] += cycles;
    carry_out_due(t);
}

enum ptog_status ptog_timeline_phase(struct ptog_timeline *t, const struct ptog_sim *sim, int phase, uint32_t step)
{
    if (lateness(t, step) > 0 || t->arriving.count > 0)
        return ptog_arriving_run(&t->arriving, sim, phase);
    return ptog_sim_phase(sim, phase);
}

/* When the next entry of the pipe can start, after one that takes so long. Under the random schedule transfers of one
 * pipe overlap, which V and M do not do, and under a witness what is late is overtaken, where the pipe does not keep
 * its order. */
static double room_for_next(struct ptog_timeline *t, enum ptog_pipe pipe, double cycles_needed, bool late)
{
    if (t->schedule == PTOG_SCHEDULE_RANDOM && pipe != PTOG_V && pipe != PTOG_M)
        return cycles_needed * (double)(draw_random(t) % 8) / 8;
    if (late && t->barriers[pipe])
        return 1;
    return cycles_needed;
}

/* The entry starts at *begin; returns when it completes. */
static double start_entry(struct ptog_timeline *t, const struct ptog_start *at, double cycles, double *begin)
{
    enum ptog_pipe pipe = at->pipe;
    if (t->told >> pipe & 1)
        ptog_timeline_flush(t);
    double late = lateness(t, at->step), cycles_needed = late > 0 ? late : duration(t, pipe, cycles);
    *begin = ptog_max(ptog_max(at->issued, t->pipes[pipe].gate), t->pipes[pipe].next);
    t->pipes[pipe].next = *begin + room_for_next(t, pipe, cycles_needed, late > 0);
    t->pipes[pipe].done = ptog_max(t->pipes[pipe].done, *begin + cycles_needed);
    t->stats.busy_cycles[pipe] += cycles_needed;
    show(
        t,
        (struct ptog_period){
            .kind = PTOG_PERIOD_WORK, .pipe = pipe, .cause = *at->cause, .from = *begin, .to = *begin + cycles_needed});
    return *begin + cycles_needed;
}

/* S waits until there is room for what is in flight, the move that was added last included. */
static void make_room(struct ptog_timeline *t, const struct ptog_cause *cause)
{
    size_t most = t->schedule == PTOG_SCHEDULE_WITNESS ? MAX_IN_WITNESS : MAX_IN_FLIGHT;
    while (t->count > most) {
        double next = ptog_heap_time(t);
        if (next > t->now)
            show(t, (struct ptog_period){
                        .kind = PTOG_PERIOD_STALL, .pipe = PTOG_S, .cause = *cause, .from = t->now, .to = next});
        t->now = ptog_max(t->now, next);
        carry_out_due(t);
    }
}

/* What a DMA writes and reads: the two sides of it, of which a source without an address does not count, and none of a
 * DMA that is dropped. Returns how many count. */
static size_t accesses_of(const struct ptog_dma *dma, struct ptog_access sides[2])
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
    if (dma->drops && dma->ub % 32 != 0)
        return 0;
    if (dma->gm == PTOG_NOWHERE)
        return 1;
    return 2;
}

/* Returns when it completes. */
static double one_dma(struct ptog_timeline *t, const struct ptog_start *at, const struct ptog_dma *dma)
{
    double begin, cycles = ptog_cost_dma(t->costs, dma->bytes * dma->bursts);
    struct ptog_access sides[2];
    struct ptog_box box;
    struct ptog_cause cause = *at->cause;
    if (t->watcher) {
        box = ptog_dma_box(dma);
        cause.box = &box;
        cause.count = accesses_of(dma, sides);
        cause.accesses = sides;
    }
    struct ptog_start one = {at->pipe, at->step, at->issued, &cause};
    double done = start_entry(t, &one, cycles, &begin);
    struct ptog_move *move = ptog_heap_push(t, done);
    t->failed |= !move;
    if (move)
        move->dma = *dma;
    make_room(t, &cause);
    return done;
}

/* ---- the loop that issues DMAs */

#define MAX_UNDER_WAY 64

/* Those that are under way: when each completes, oldest first. */
struct under_way {
    double done[MAX_UNDER_WAY];
    size_t first, count, most;
};

/* Removes the oldest transfer under way, and returns when it ends. */
static double take_oldest(struct under_way *way)
{
    way->count--;
    return way->done[way->first++ % MAX_UNDER_WAY];
}

/* When the loop can issue the next one, having come to it at `time`. */
static double when_there_is_room(struct under_way *way, double time)
{
    while (way->count > 0 && way->done[way->first % MAX_UNDER_WAY] <= time)
        take_oldest(way);
    if (way->count < way->most)
        return time;
    return take_oldest(way);
}

/* How many transfers a pipe has under way at most. */
static size_t most_under_way(const struct ptog_costs *costs)
{
    if (costs->outstanding >= MAX_UNDER_WAY)
        return MAX_UNDER_WAY;
    return (size_t)ptog_max(costs->outstanding, 1);
}

/* S was held in its loop, and is later by so much. */
static void hold(struct ptog_timeline *t, double cycles, const struct ptog_cause *cause)
{
    show(t, (struct ptog_period){
                .kind = PTOG_PERIOD_STALL, .pipe = PTOG_S, .cause = *cause, .from = t->now, .to = t->now + cycles});
    t->now += cycles;
    carry_out_due(t);
}

/* Issues each DMA when the loop has come to it, after what clears its bytes. Returns how long the loop was held. */
static double issue_in_turn(struct ptog_timeline *t, const struct ptog_start *at, const struct ptog_issuing *loop,
                            const struct ptog_dma *dmas, size_t count)
{
    struct under_way way = {.most = most_under_way(t->costs)};
    struct ptog_start one = *at;
    double held = 0, cleared = 0;
    for (size_t i = 0; i < count; i++) {
        double time = loop->began + loop->first + (double)(dmas[i].row + 1) * loop->row + (double)(i + 1) * loop->dma +
                      (double)dmas[i].zeros * loop->zero + held;
        one.issued = when_there_is_room(&way, time);
        held += one.issued - time;
        one.issued = ptog_max(one.issued, cleared);
        double done = one_dma(t, &one, &dmas[i]);
        way.done[(way.first + way.count++) % MAX_UNDER_WAY] = done;
        if (dmas[i].clears)
            cleared = done;
        if (way.count > t->stats.most_outstanding)
            t->stats.most_outstanding = way.count;
    }
    return held;
}

void ptog_timeline_dmas(struct ptog_timeline *t, const struct ptog_start *at, const struct ptog_issuing *loop,
                        const struct ptog_dma *dmas, size_t count)
{
    bool is_now = at->issued >= t->now; /* else the pipe stood still, and S has long gone on */
    if (count == 0)
        return;
    if (t->schedule == PTOG_SCHEDULE_WITNESS) {
        struct ptog_start one = *at;
        for (size_t i = 0; i < count; i++) {
            double done = one_dma(t, &one, &dmas[i]);
            if (dmas[i].clears)
                one.issued = ptog_max(one.issued, done);
        }
        return;
    }
    double held = issue_in_turn(t, at, loop, dmas, count);
    if (held > 0 && is_now)
        hold(t, held, at->cause);
}

void ptog_timeline_insn(struct ptog_timeline *t, const struct ptog_start *at, double cycles,
                        struct ptog_known_insn *insn, int phase)
{
    double begin, done = start_entry(t, at, cycles, &begin);
    bool reads_first = at->pipe == PTOG_V && lateness(t, at->step) > 0 && t->barriers[PTOG_V]; /* V reads in order */
    struct ptog_move *move = ptog_heap_push(t, reads_first ? begin : done);
    if (!move) {
        t->failed = true;
        ptog_known_let_go(insn);
        return;
    }
    move->insn = insn;
    move->phase = phase;
    if (reads_first)
        move->until = done;
    make_room(t, at->cause);
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

/* The times at which a flag was set; notes that its pair of pipes is in use. */
static struct ptog_times *times_of(struct ptog_timeline *t, struct ptog_flag_name flag)
{
    t->used_pairs[flag.src] |= (uint8_t)(1u << flag.dst);
    return &t->flags[flag.src][flag.dst][flag.id];
}

/* Advances the clock for a set_flag: the flag fires when its pipe has done what was issued before, is kept for its
 * wait, and counts in the statistics. */
void ptog_timeline_set(struct ptog_timeline *t, struct ptog_flag_name flag, double issued,
                       const struct ptog_cause *cause)
{
    bool pending = t->store_count > 0 || t->arriving.count > 0;
    double time = t->now;
    if (flag.src != PTOG_S)
        time = ptog_max(ptog_max(issued, t->pipes[flag.src].gate), t->pipes[flag.src].done);
    t->stats.sets++;
    struct ptog_fired *fired = remember(t, times_of(t, flag), time + t->costs->set_flag);
    if (fired) {
        fired->flow = ++t->flow;
        fired->since = time;
        fired->tells = flag.src == PTOG_S ? pending : t->told >> flag.src & 1;
    }
    show_flag(t, PTOG_PERIOD_SET, flag, fired, time, cause);
}

double ptog_timeline_cross_set(struct ptog_timeline *t, enum ptog_pipe pipe, int id, double issued,
                               const struct ptog_cause *cause)
{
    double time = t->now;
    if (pipe != PTOG_S)
        time = ptog_max(ptog_max(issued, t->pipes[pipe].gate), t->pipes[pipe].done);
    t->stats.sets++;
    show(t, (struct ptog_period){
                .kind = PTOG_PERIOD_CROSS_SET, .pipe = pipe, .id = id, .cause = *cause, .from = time, .to = time});
    return time + t->costs->set_flag;
}

void ptog_timeline_cross_wait_on(struct ptog_timeline *t, enum ptog_pipe pipe, double fired, double issued,
                                 const struct ptog_cause *cause)
{
    double from = ptog_max(ptog_max(t->pipes[pipe].gate, t->pipes[pipe].next), issued), to = ptog_max(from, fired);
    t->stats.waits++;
    t->stats.wait_cycles += to - from;
    t->pipes[pipe].gate = ptog_max(t->pipes[pipe].gate, fired);
    show(t, (struct ptog_period){.kind = PTOG_PERIOD_CROSS_WAIT,
                                 .pipe = pipe,
                                 .id = PTOG_CROSS_IDS,
                                 .cause = *cause,
                                 .from = from,
                                 .to = to});
}

void ptog_timeline_cross_wait(struct ptog_timeline *t, int id, double fired, const struct ptog_cause *cause)
{
    double from = t->now;
    t->stats.waits++;
    if (fired > t->now) {
        t->stats.wait_cycles += fired - t->now;
        t->now = fired;
    }
    show(t, (struct ptog_period){
                .kind = PTOG_PERIOD_CROSS_WAIT, .pipe = PTOG_S, .id = id, .cause = *cause, .from = from, .to = t->now});
    carry_out_due(t);
}

void ptog_timeline_until(struct ptog_timeline *t, double time)
{
    double now = t->now;
    t->now = ptog_max(now, time);
    carry_out_due(t);
    t->now = now;
}

/* Scalar stores have to be complete when `pipe` goes on; S does so at once. */
static void wait_for_stores(struct ptog_timeline *t, enum ptog_pipe pipe)
{
    t->told |= (uint8_t)(1u << pipe);
    if (pipe == PTOG_S)
        ptog_timeline_flush(t);
}

/* Takes the oldest firing of a flag, and holds its pipe, or the scalar unit, until then. Records the period and the
 * cycles waited; does nothing where nothing was set. */
void ptog_timeline_wait(struct ptog_timeline *t, struct ptog_flag_name flag, double issued,
                        const struct ptog_cause *cause)
{
    struct ptog_times *times = times_of(t, flag);
    enum ptog_pipe dst = flag.dst;
    double *stands = dst == PTOG_S ? &t->now : &t->pipes[dst].gate;
    t->stats.waits++;
    if (times->count == 0)
        return;
    struct ptog_fired fired = times->of[times->first++];
    double time = fired.time;
    if (--times->count == 0)
        times->first = 0;
    double from = dst == PTOG_S ? t->now : ptog_max(*stands, t->pipes[dst].next);
    if (time > from)
        t->stats.wait_cycles += time - from;
    from = ptog_max(from, issued);
    if (dst != PTOG_S && t->pipes[dst].done > from) /* the pipe is seen to wait once it has nothing else to do */
        from = ptog_max(from, ptog_min(t->pipes[dst].done, time));
    show_flag(t, PTOG_PERIOD_WAIT, flag, &fired, from, cause);
    if (fired.tells)
        wait_for_stores(t, dst);
    *stands = ptog_max(*stands, time);
    if (dst == PTOG_S)
        carry_out_due(t);
}

/* Holds one pipe until its own work is done, or the scalar unit until all pipes are idle, and records the period. */
void ptog_timeline_barrier(struct ptog_timeline *t, enum ptog_pipe pipe, double issued, const struct ptog_cause *cause)
{
    struct ptog_period period = {.kind = PTOG_PERIOD_BARRIER, .pipe = PTOG_S, .cause = *cause, .from = t->now};
    t->stats.barriers++;
    if (pipe != PTOG_ALL) {
        period.pipe = pipe;
        period.from = ptog_max(ptog_max(issued, t->pipes[pipe].gate), t->pipes[pipe].next);
        period.to = t->pipes[pipe].done;
        show(t, period);
        t->pipes[pipe].gate = ptog_max(t->pipes[pipe].gate, t->pipes[pipe].done);
        return;
    }
    for (int p = 0; p < PTOG_PIPES; p++)
        t->now = ptog_max(t->now, t->pipes[p].done);
    period.to = t->now;
    show(t, period);
    ptog_timeline_flush(t);
    carry_out_due(t);
}

void ptog_timeline_flush(struct ptog_timeline *t)
{
    for (int i = 0; i < t->store_count; i++)
        ptog_gm_write(t->memory, t->stores[i].buffer, t->stores[i].at, t->stores[i].value, t->stores[i].bytes);
    t->store_count = 0;
    t->told = 0;
    ptog_arriving_land(&t->arriving, t->memory);
}

void ptog_timeline_load(const struct ptog_timeline *t, int buffer, uint64_t at, void *value, size_t bytes)
{
    unsigned char *to = value;
    unsigned missing = (1u << bytes) - 1; /* bytes that no later store has given */
    ptog_gm_read(t->memory, buffer, at, value, bytes);
    for (int i = t->store_count; i-- > 0 && missing != 0;) {
        const struct ptog_scalar_store *store = &t->stores[i];
        if (store->buffer != buffer || store->at >= at + bytes || at >= store->at + store->bytes)
            continue;
        for (size_t b = 0; b < bytes; b++)
            if ((missing >> b & 1) && at + b >= store->at && at + b - store->at < store->bytes) {
                to[b] = store->value[at + b - store->at];
                missing &= ~(1u << b);
            }
    }
}

void ptog_timeline_store(struct ptog_timeline *t, const struct ptog_scalar_store *store, uint32_t step)
{
    bool prompt = t->schedule == PTOG_SCHEDULE_WITNESS && t->store_count == 0 && lateness(t, step) == 0;
    if (!t->stores && !(t->stores = malloc(PTOG_MAX_STORES * sizeof *t->stores))) {
        t->failed = true;
        return;
    }
    if (t->store_count == PTOG_MAX_STORES)
        ptog_timeline_flush(t);
    t->stores[t->store_count++] = *store;
    if (prompt || t->schedule == PTOG_SCHEDULE_FAST || (t->schedule == PTOG_SCHEDULE_RANDOM && draw_random(t) % 2))
        ptog_timeline_flush(t);
}

void ptog_timeline_drain(struct ptog_timeline *t)
{
    if (t->schedule != PTOG_SCHEDULE_WITNESS)
        ptog_timeline_flush(t);
    while (t->count > 0) {
        t->now = ptog_max(t->now, ptog_heap_time(t));
        carry_out(t);
    }
    ptog_timeline_flush(t); /* a late store that no flag hands on comes last */
    for (int p = 0; p < PTOG_PIPES; p++)
        t->now = ptog_max(t->now, t->pipes[p].done);
}

void ptog_timeline_blocked(struct ptog_timeline *t, const struct ptog_blocked *head)
{
    const struct ptog_cause cause = {.site = head->site};
    double from = head->pipe == PTOG_S ? t->now : ptog_max(t->pipes[head->pipe].gate, t->pipes[head->pipe].next);
    show_flag(t, PTOG_PERIOD_BLOCKED, (struct ptog_flag_name){head->src, head->dst, head->id}, NULL, from, &cause);
}

void ptog_timeline_left(struct ptog_timeline *t)
{
    const struct ptog_cause nobody = {0};
    double end = t->now;
    for (int p = 0; p < PTOG_PIPES; p++)
        end = ptog_max(end, t->pipes[p].gate);
    for (int src = 0; t->watcher && src < PTOG_PIPES; src++)
        for (int dst = 0; dst < PTOG_PIPES; dst++)
            for (int id = 0; id < 8; id++) {
                const struct ptog_flag_name flag = {(enum ptog_pipe)src, (enum ptog_pipe)dst, id};
                const struct ptog_times *times = times_of(t, flag);
                for (uint32_t i = 0; i < times->count; i++)
                    show_flag(t, PTOG_PERIOD_LEFT, flag, &times->of[times->first + i], end, &nobody);
            }
}
