/* auto: choosing syncs, the pairs of flags and barriers to put before an instruction. Three steps:
 *
 *   1. search     the shortest sequence of syncs after which the instruction finds complete what it must: all sequences
 * of one sync are tried on a copy of the clocks, then all of two, then of three
 *   2. number     each pair gets an event id that is free: whose last wait is over when this set fires
 *   3. leave out  a sync without which the rest still does it is dropped, until none is */
#include "auto/order.h"

#include "base/pick.h"

/* ---- what a sync does to the clocks. S issues it, so it starts with what S knows to be complete */

/* Changes the clocks as a set on a pipe would; what the set hands on. */
static struct ptog_clock apply_set(struct ptog_clocks *clocks, unsigned src)
{
    const struct ptog_clock issued = clocks->known[PTOG_S];
    return ptog_clocks_set(clocks, (enum ptog_pipe)src, 0, &issued);
}

/* Changes the clocks as a barrier would, or a set with its wait. */
static void apply_sync(struct ptog_clocks *clocks, const struct ptog_sync *sync)
{
    const struct ptog_clock issued = clocks->known[PTOG_S];
    if (ptog_sync_is_barrier(sync)) {
        ptog_clocks_barrier(clocks, (enum ptog_pipe)sync->src, 0, &issued);
        return;
    }
    const struct ptog_clock handed_on = apply_set(clocks, sync->src), next = clocks->known[PTOG_S];
    ptog_clocks_wait(clocks, (enum ptog_pipe)sync->dst, 0, &next, &handed_on);
}

/* ---- what is still missing */

/* The first thing that an instruction would not find complete: what pipe src has done, needed by a phase on pipe dst.
 */
struct gap {
    int phase; /* -1: nothing is missing */
    unsigned src, dst;
};

/* Changes the clocks as an instruction's own flags do. */
static void apply_own(struct ptog_clocks *clocks, const struct ptog_flag_pair *pairs, int count)
{
    for (int i = 0; i < count; i++)
        apply_sync(clocks, &(struct ptog_sync){(uint8_t)pairs[i].src, (uint8_t)pairs[i].dst, 0, 0});
}

/* The first access of an instruction that would not be ordered, after the instruction's own flags; phase -1: none.
 * *sources: the pipes that all such accesses wait for, as bits. */
static struct gap find_gap(struct ptog_clocks clocks, const struct ptog_demand *demand, unsigned *sources)
{
    const struct ptog_effects *effects = demand->effects;
    struct gap first = {.phase = -1};
    *sources = 0;
    apply_own(&clocks, effects->before, effects->before_count);
    for (int i = 0; i < effects->phase_count; i++) {
        unsigned pipe = effects->phases[i].pipe;
        ptog_clock_join(&clocks.known[pipe], &clocks.known[PTOG_S]); /* what S knew when it issued this */
        for (unsigned q = 0; q < PTOG_PIPES; q++) {
            if (demand->need[i].of[q] <= clocks.known[pipe].of[q])
                continue;
            *sources |= 1u << q;
            if (first.phase < 0)
                first = (struct gap){i, q, pipe};
        }
        if (i == 0)
            apply_own(&clocks, effects->between, effects->between_count);
    }
    return first;
}

bool ptog_auto_is_met(const struct ptog_clocks *clocks, const struct ptog_demand *demand)
{
    unsigned sources;
    return find_gap(*clocks, demand, &sources).phase < 0;
}

/* ---- the search */

/* Every sync there is, the best first: a wait on S comes last, because while S waits nothing at all is issued. */
static const struct ptog_sync moves[] = {
    {PTOG_MTE2, PTOG_V, 0, 0},    {PTOG_MTE3, PTOG_V, 0, 0}, {PTOG_S, PTOG_V, 0, 0},       {PTOG_V, PTOG_MTE2, 0, 0},
    {PTOG_MTE3, PTOG_MTE2, 0, 0}, {PTOG_S, PTOG_MTE2, 0, 0}, {PTOG_V, PTOG_MTE3, 0, 0},    {PTOG_MTE2, PTOG_MTE3, 0, 0},
    {PTOG_S, PTOG_MTE3, 0, 0},    {PTOG_V, PTOG_V, 0, 0},    {PTOG_MTE2, PTOG_MTE2, 0, 0}, {PTOG_MTE3, PTOG_MTE3, 0, 0},
    {PTOG_MTE2, PTOG_S, 0, 0},    {PTOG_V, PTOG_S, 0, 0},    {PTOG_MTE3, PTOG_S, 0, 0},
};
/* The same for a cube core. */
static const struct ptog_sync cube_moves[] = {
    {PTOG_MTE2, PTOG_MTE1, 0, 0}, {PTOG_MTE1, PTOG_M, 0, 0},    {PTOG_M, PTOG_FIX, 0, 0},
    {PTOG_M, PTOG_MTE1, 0, 0},    {PTOG_MTE1, PTOG_MTE2, 0, 0}, {PTOG_FIX, PTOG_M, 0, 0},
    {PTOG_FIX, PTOG_MTE2, 0, 0},  {PTOG_MTE2, PTOG_FIX, 0, 0},  {PTOG_FIX, PTOG_MTE1, 0, 0},
    {PTOG_MTE1, PTOG_FIX, 0, 0},  {PTOG_S, PTOG_MTE2, 0, 0},    {PTOG_S, PTOG_FIX, 0, 0},
    {PTOG_MTE2, PTOG_MTE2, 0, 0}, {PTOG_MTE1, PTOG_MTE1, 0, 0}, {PTOG_FIX, PTOG_FIX, 0, 0},
    {PTOG_M, PTOG_M, 0, 0},       {PTOG_MTE2, PTOG_S, 0, 0},    {PTOG_FIX, PTOG_S, 0, 0},
};
#define DEEPEST 3 /* 18^3 sequences; what needs more is built pair by pair */

/* The syncs of the core that has these clocks: only one of the two kinds has pipes for matrices. */
static const struct ptog_sync *moves_of(const struct ptog_clocks *clocks, const struct ptog_demand *demand,
                                        unsigned *count)
{
    bool cube = clocks->entries[PTOG_M] || clocks->entries[PTOG_MTE1] || clocks->entries[PTOG_FIX];
    for (int i = 0; i < demand->effects->phase_count; i++)
        cube = cube || demand->effects->phases[i].pipe >= PTOG_M;
    *count = cube ? sizeof cube_moves / sizeof cube_moves[0] : sizeof moves / sizeof moves[0];
    return cube ? cube_moves : moves;
}

/* Finds a sequence of `depth` syncs that meets the demand, the first in the order of `moves`, and writes it to
 * `syncs`; false: none does. `sources`: the pipes from which a sync can help, as bits: those whose entries are needed,
 * and those that an earlier sync has told about them. */
static bool search(const struct ptog_clocks *clocks, const struct ptog_demand *demand, unsigned sources, int depth,
                   struct ptog_sync *syncs)
{
    unsigned count;
    const struct ptog_sync *list = moves_of(clocks, demand, &count);
    if (depth == 0)
        return ptog_auto_is_met(clocks, demand);
    for (unsigned i = 0; i < count; i++) {
        struct ptog_clocks next = *clocks;
        if (!(sources >> list[i].src & 1))
            continue;
        apply_sync(&next, &list[i]);
        syncs[0] = list[i];
        if (search(&next, demand, sources | 1u << list[i].dst, depth - 1, syncs + 1))
            return true;
    }
    return false;
}

/* Writes, without a search, a sync for each gap: straight from the pipe that did it to the pipe that needs it. Returns
 * how many. */
static int direct(struct ptog_clocks clocks, const struct ptog_demand *demand, struct ptog_sync *syncs)
{
    unsigned sources;
    int count = 0;
    for (;;) {
        struct gap gap = find_gap(clocks, demand, &sources);
        if (gap.phase < 0 || count == PTOG_MAX_SYNCS / 2)
            return count;
        syncs[count] = (struct ptog_sync){(uint8_t)gap.src, (uint8_t)gap.dst, 0, 0};
        apply_sync(&clocks, &syncs[count++]);
    }
}

/* ---- event ids */

/* Whether an event id is free for a set that fires with the clock `token`: the wait for its last set is over by then. A
 * second set before that wait would be lost. */
static bool is_over(const struct ptog_waits *waits, const struct ptog_sync *sync, const struct ptog_clock *token)
{
    uint32_t wait = waits->of[sync->src][sync->dst][sync->id];
    return wait != PTOG_IS_SET && (sync->dst == PTOG_S || token->of[sync->dst] >= wait);
}

/* Gives a pair a free event id; false when there is none. An id that was never set before is better than one that is
 * free again: inside a loop it is still free in the next iteration. */
static bool number(const struct ptog_clocks *clocks, const struct ptog_waits *waits, struct ptog_sync *sync)
{
    struct ptog_clocks next = *clocks;
    struct ptog_clock token = apply_set(&next, sync->src);
    struct ptog_sync best = {0};
    int best_rank = -1;
    for (uint8_t id = 1; id < PTOG_AUTO_IDS; id++) {
        struct ptog_sync tried = {sync->src, sync->dst, id, 0};
        bool fresh = waits->of[sync->src][sync->dst][id] == 0, avoided = waits->avoid[sync->src][sync->dst] >> id & 1;
        int rank = fresh;
        if (!avoided && is_over(waits, &tried, &token) && rank > best_rank) {
            best = tried;
            best_rank = rank;
        }
    }
    if (best_rank >= 0)
        *sync = best;
    return best_rank >= 0;
}

/* The syncs that were chosen so far, and the clocks and flags as they are behind them. */
struct sequence {
    struct ptog_clocks clocks;
    struct ptog_waits waits;
    struct ptog_sync *syncs;
    int count;
};

/* Appends a sync to the sequence, with what it changes. */
static void take_sync(struct sequence *s, const struct ptog_sync *sync)
{
    s->syncs[s->count++] = *sync;
    apply_sync(&s->clocks, sync);
    if (!ptog_sync_is_barrier(sync))
        s->waits.of[sync->src][sync->dst][sync->id] = s->clocks.entries[sync->dst];
}

/* Numbers a pair and takes it. Where no id is free, a pair in the other direction comes first: it waits until the waits
 * for the earlier sets are over, and so frees an id. Where the program uses all of them, a barrier does it. */
static void take_numbered(struct sequence *s, struct ptog_sync sync)
{
    static const struct ptog_sync barrier = {PTOG_ALL, PTOG_ALL, 0, 0};
    struct ptog_sync back = {sync.dst, sync.src, 0, 0};
    if (s->count + 2 > PTOG_MAX_SYNCS)
        return;
    if (ptog_sync_is_barrier(&sync) || number(&s->clocks, &s->waits, &sync)) {
        take_sync(s, &sync);
        return;
    }
    if (number(&s->clocks, &s->waits, &back))
        take_sync(s, &back);
    take_sync(s, number(&s->clocks, &s->waits, &sync) ? &sync : &barrier);
}

/* ---- leaving out */

/* Would its set fire after the wait for the set before? */
static bool may_set(const struct sequence *s, const struct ptog_sync *sync)
{
    struct ptog_clocks next = s->clocks;
    struct ptog_clock token = apply_set(&next, sync->src);
    return is_over(&s->waits, sync, &token);
}

/* Whether the sequence meets the demand without one of its syncs. */
static bool works_without(const struct ptog_clocks *clocks, const struct ptog_waits *waits,
                          const struct ptog_demand *demand, const struct sequence *s, int left_out)
{
    struct ptog_sync again[PTOG_MAX_SYNCS];
    struct sequence t = {*clocks, *waits, again, 0};
    for (int i = 0; i < s->count; i++) {
        if (i == left_out)
            continue;
        if (!ptog_sync_is_barrier(&s->syncs[i]) && !may_set(&t, &s->syncs[i]))
            return false;
        take_sync(&t, &s->syncs[i]);
    }
    return ptog_auto_is_met(&t.clocks, demand);
}

/* Removes every sync of the sequence without which the rest still meets the demand. */
static void leave_out(const struct ptog_clocks *clocks, const struct ptog_waits *waits,
                      const struct ptog_demand *demand, struct sequence *s)
{
    for (int i = s->count - 1; i >= 0; i--) {
        if (!works_without(clocks, waits, demand, s, i))
            continue;
        s->count--;
        for (int k = i; k < s->count; k++)
            s->syncs[k] = s->syncs[k + 1];
        i = s->count; /* what was needed for that one may go too */
    }
}

int ptog_auto_choose(const struct ptog_clocks *clocks, const struct ptog_waits *waits, const struct ptog_demand *demand,
                     struct ptog_sync syncs[PTOG_MAX_SYNCS])
{
    struct ptog_sync found[PTOG_MAX_SYNCS];
    unsigned sources;
    if (find_gap(*clocks, demand, &sources).phase < 0)
        return 0;
    int count = direct(*clocks, demand, found), most = ptog_min_int(count, DEEPEST);
    for (int depth = 1; depth <= most; depth++)
        if (search(clocks, demand, sources, depth, found)) {
            count = depth;
            break;
        }
    struct sequence s = {*clocks, *waits, syncs, 0};
    for (int i = 0; i < count; i++)
        take_numbered(&s, found[i]);
    leave_out(clocks, waits, demand, &s);
    return s.count;
}

int ptog_auto_before_set(const struct ptog_clocks *clocks, const struct ptog_waits *waits, const struct ptog_sync *set,
                         struct ptog_sync syncs[PTOG_MAX_SYNCS])
{
    struct ptog_clocks next = *clocks;
    struct ptog_clock token = apply_set(&next, set->src);
    struct sequence s = {*clocks, *waits, syncs, 0};
    uint32_t wait = set->id < PTOG_AUTO_IDS ? waits->of[set->src][set->dst][set->id] : 0;
    if (wait == 0 || wait == PTOG_IS_SET || is_over(waits, set, &token))
        return 0;
    take_numbered(&s, (struct ptog_sync){set->dst, set->src, 0, 0});
    return s.count;
}
