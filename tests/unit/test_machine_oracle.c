/* unit: races and flags of random programs against an explicit graph of events and its transitive closure; and of the
 * clean ones, which pairs of flags change nothing: those without which the graph still has every pair of accesses; and
 * of races, what each instruction sees when the first one is late. */
#include "machine/kernel.h"

#include <stdio.h>
#include <stdlib.h>

#define CALLS 24
#define NODES                                                                                                          \
    (3 * CALLS) /* of call i: 3i issued, 3i+1 started, 3i+2 complete; a flag or barrier starts and completes at once   \
                 */
#define TILES 3

enum what { LOAD, STORE, MOVE, SET, WAIT, BARRIER, NOTHING };

struct call {
    enum what what;
    enum ptog_pipe pipe, src, dst; /* the queue; of a flag */
    int reads, writes;             /* tiles; -1: none */
    int id, match;                 /* of a wait: its set */
};

static uint64_t state_of_random;
static struct call calls[CALLS];
static bool before[NODES][NODES];
static long pairs[2]; /* of clean programs: needed, redundant */

/* Races of the last run: the instruction that its witness names, and the call of the first access. */
#define LATE 4
static struct late {
    uint32_t instruction;
    int call;
} late[LATE];
static int late_count;
static long replays;

static int draw(int n)
{
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    state_of_random ^= state_of_random << 17;
    return (int)((state_of_random >> 11) % (uint64_t)n);
}

/* The oldest set without a wait, or -1. */
static int open_set(int until)
{
    for (int i = 0; i < until; i++) {
        bool waited = calls[i].what != SET;
        for (int j = 0; j < until; j++)
            waited |= calls[j].what == WAIT && calls[j].match == i;
        if (!waited)
            return i;
    }
    return -1;
}

static struct call draw_call(int i)
{
    struct call c = {.reads = -1, .writes = -1, .match = -1};
    int open = open_set(i);
    switch (draw(open >= 0 ? 9 : 6)) {
    case 0: c.what = LOAD, c.pipe = PTOG_MTE2, c.writes = draw(TILES); break;
    case 1: c.what = STORE, c.pipe = PTOG_MTE3, c.reads = draw(TILES); break;
    case 2:
        c.what = MOVE, c.pipe = PTOG_V, c.reads = draw(TILES);
        c.writes = (c.reads + 1 + draw(TILES - 1)) % TILES;
        break;
    case 3:
        c.what = BARRIER, c.pipe = (enum ptog_pipe)(1 + draw(3));
        if (draw(6) == 0)
            c.pipe = PTOG_ALL;
        break;
    case 4:
    case 5:
        c.what = SET, c.pipe = c.src = (enum ptog_pipe)draw(4), c.id = draw(2);
        c.dst = (enum ptog_pipe)((c.src + 1 + (unsigned)draw(3)) % 4);
        break;
    default: /* the oldest set, so that the k-th wait takes the k-th set */
        c = calls[open];
        c.what = WAIT, c.pipe = c.dst, c.match = open;
        break;
    }
    return c;
}

static bool is_in(const struct call *c, enum ptog_pipe pipe)
{
    return c->pipe == pipe || (c->what == BARRIER && c->pipe == PTOG_ALL);
}

/* The edges of call i, given those before it. */
static void add_edges(int i)
{
    const struct call *c = &calls[i];
    int issued = 3 * i, started = 3 * i + 1, done = 3 * i + 2;
    before[issued][started] = before[started][done] = true;
    if (i > 0)
        before[issued - 3][issued] = true;
    for (int j = 0; j < i; j++) {
        const struct call *e = &calls[j];
        bool together = is_in(e, c->pipe) || c->pipe == PTOG_ALL;
        if (e->what == WAIT && e->dst == PTOG_S) /* a wait on S stops issue; so does a barrier on all pipes */
            before[3 * j + 2][issued] = true;
        if (e->what == BARRIER && e->pipe == PTOG_ALL)
            before[3 * j + 2][issued] = true;
        if ((c->what == SET || c->what == BARRIER) && together)
            before[3 * j + 2][started] = true;
        if ((e->what == WAIT || e->what == BARRIER) && together)
            before[3 * j + 2][started] = true;
    }
    if (c->what == WAIT)
        before[3 * c->match + 2][started] = true;
}

static void close_graph(void)
{
    for (int k = 0; k < NODES; k++)
        for (int i = 0; i < NODES; i++)
            for (int j = 0; before[i][k] && j < NODES; j++)
                before[i][j] |= before[k][j];
}

struct said {
    char of[CALLS * 64][48];
    int count;
};

static void say(struct said *said, const char *id, int line, int other)
{
    char text[48] = {0};
    snprintf(text, sizeof text, "%s %d %d", id, line, other);
    for (int i = 0; i < said->count; i++)
        if (strcmp(said->of[i], text) == 0)
            return;
    if (said->count < CALLS * 64)
        memcpy(said->of[said->count++], text, sizeof text);
}

/* V of A5 does. */
static bool keeps_order(const char *target)
{
    return strcmp(target, "a2a3") != 0;
}

/* The last call of each pipe before j that conflicts with it and is not ordered; see sanitize/shadow.h. */
static void judge_call(const char *target, int j, struct said *said)
{
    const struct call *c = &calls[j];
    for (int kind = 0; kind < 3; kind++) { /* RAW, WAR, WAW */
        int mine = kind == 0 ? c->reads : c->writes;
        for (int pipe = 1; pipe < 4 && mine >= 0; pipe++)
            for (int i = j - 1; i >= 0; i--) {
                int theirs = kind == 1 ? calls[i].reads : calls[i].writes;
                if ((int)calls[i].pipe != pipe || theirs != mine)
                    continue;
                bool same = c->pipe == calls[i].pipe, ordered = before[3 * i + 2][3 * j + 1];
                if (same && (kind == 1 || (pipe == PTOG_V && keeps_order(target))))
                    ordered = true;
                static const char *const ids[] = {"race-raw", "race-war", "race-waw"};
                if (!ordered)
                    say(said, same ? "same-pipe-hazard" : ids[kind], j + 1, i + 1);
                break;
            }
    }
}

static void judge_set(int j, struct said *said)
{
    int last = -1, wait = -1;
    for (int i = 0; i < j; i++)
        if (calls[i].what == SET && calls[i].src == calls[j].src && calls[i].dst == calls[j].dst &&
            calls[i].id == calls[j].id)
            last = i;
    for (int i = 0; i < j && last >= 0; i++)
        if (calls[i].what == WAIT && calls[i].match == last)
            wait = i;
    if (last >= 0 && (wait < 0 || !before[3 * wait + 2][3 * j + 1]))
        say(said, "flag-double-set", j + 1, last + 1);
}

static void oracle(const char *target, struct said *said)
{
    memset(before, 0, sizeof before);
    for (int i = 0; i < CALLS; i++)
        add_edges(i);
    close_graph();
    for (int j = 0; j < CALLS; j++) {
        judge_call(target, j, said);
        bool waited = calls[j].what != SET;
        if (calls[j].what == SET)
            judge_set(j, said);
        for (int i = 0; i < CALLS; i++)
            waited |= calls[i].what == WAIT && calls[i].match == j;
        if (!waited)
            say(said, "flag-left-set", j + 1, 0);
    }
}

static struct ptog_tile tile_of(int i)
{
    return ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 8), (uint64_t)i * 64);
}

/* Every load brings another row of the table, and at first every tile holds another one. */
static uint64_t row_of_call(int i)
{
    return (uint64_t)i;
}

static uint64_t row_of_tile(int tile)
{
    return (uint64_t)(CALLS + tile);
}

static void machine(const char *target, struct said *said, const struct ptog_device_options *options)
{
    struct kernel k = kernel_open(target, options);
    for (int i = 0; i < TILES; i++) {
        struct ptog_tile tile = tile_of(i);
        ptog_core_preset(k.core, &tile, kernel_table + row_of_tile(i) * TABLE_COLS);
    }
    for (int i = 0; i < CALLS; i++) {
        const struct call *c = &calls[i];
        struct ptog_transfer x = {.tile = tile_of(c->what == LOAD ? c->writes : c->reads),
                                  .view = ptog_tensor_2d(PTOG_F32, 1, 8)};
        struct ptog_tgather t = {
            .form = PTOG_BY_MASK, .pattern = PTOG_P1111, .dst = tile_of(c->writes), .src = tile_of(c->reads)};
        ptog_core_at(k.core, "k.c", (uint32_t)i + 1);
        switch (c->what) {
        case LOAD: ptog_core_load(k.core, &x, k.table, row_of_call(i) * TABLE_COLS * 4); break;
        case STORE: ptog_core_store(k.core, &x, k.out, (uint64_t)i * 64); break;
        case MOVE: ptog_core_tgather(k.core, &t, NULL); break;
        case SET: ptog_core_set_flag(k.core, c->src, c->dst, c->id); break;
        case WAIT: ptog_core_wait_flag(k.core, c->src, c->dst, c->id); break;
        case BARRIER: ptog_core_barrier(k.core, c->pipe); break;
        case NOTHING: break;
        }
    }
    kernel_finish(&k);
    for (size_t i = 0; i < ptog_diags_count(k.diags); i++) {
        const struct ptog_diag *d = ptog_diags_at(k.diags, i);
        say(said, d->id, (int)d->where.line, d->related_count ? (int)d->related[0].where.line : 0);
        if (d->late_instruction > 0 && late_count < LATE)
            late[late_count++] = (struct late){d->late_instruction, (int)d->related[0].where.line - 1};
    }
    kernel_close(&k);
}

/* ---- what is seen when a call is late */

static uint64_t rows[TILES], stored[CALLS]; /* numbers of rows of the table */

static void effect(int i)
{
    const struct call *c = &calls[i];
    if (c->what == LOAD)
        rows[c->writes] = row_of_call(i);
    else if (c->what == MOVE)
        rows[c->writes] = rows[c->reads];
    else if (c->what == STORE)
        stored[i] = rows[c->reads];
}

/* What waits for the late call, or for what waits for it; with it itself. */
static void find_waiting(const char *target, int first, bool waits[CALLS])
{
    memset(waits, 0, CALLS * sizeof *waits);
    waits[first] = true;
    for (int i = first; i < CALLS; i++)
        for (int j = i + 1; waits[i] && j < CALLS; j++)
            waits[j] |= before[3 * i + 2][3 * j + 1] ||
                        (keeps_order(target) && calls[i].pipe == PTOG_V && calls[j].pipe == PTOG_V);
}

/* One call is late (-1: none): it comes after all that does not wait for it. On A2/A3 V still reads in order. */
static void check_late(const char *target, int first, uint32_t instruction)
{
    static struct said said;
    struct ptog_latency latency = {.block = 0, .instruction = instruction, .cycles = PTOG_LATE};
    struct ptog_device_options options = {
        .schedule = PTOG_SCHEDULE_WITNESS, .late = &latency, .late_count = first >= 0 ? 1 : 0};
    bool waits[CALLS] = {false};
    uint64_t read = 0;
    if (first >= 0)
        find_waiting(target, first, waits);
    for (int i = 0; i < TILES; i++)
        rows[i] = row_of_tile(i);
    for (int i = 0; i < CALLS; i++) {
        if (i == first && calls[i].what == MOVE)
            read = rows[calls[i].reads];
        if (!waits[i])
            effect(i);
    }
    if (first >= 0)
        effect(first);
    if (first >= 0 && calls[first].what == MOVE && !keeps_order(target))
        rows[calls[first].writes] = read;
    machine(target, &said, &options);
    for (int i = 0; i < CALLS; i++) {
        float seen, wanted = kernel_table[stored[i] * TABLE_COLS];
        memcpy(&seen, kernel_out + (size_t)i * 64, sizeof seen);
        if (calls[i].what != STORE || (waits[i] && i != first) || seen == wanted)
            continue;
        fprintf(stderr, "line %d late: line %d stores %g, expected %g\n", first + 1, i + 1, (double)seen,
                (double)wanted);
        fail();
    }
    replays++;
}

static const struct call nothing = {.what = NOTHING, .pipe = PTOG_M, .reads = -1, .writes = -1, .match = -1};

/* Of a clean program: each pair without which it stays clean, by the graph; and the machine says so too when the pair
 * is really left out. */
static void judge_pairs(const char *target, struct said *said)
{
    static struct said without, found;
    for (int j = 0; j < CALLS; j++) {
        struct call wait = calls[j], set = wait.match >= 0 ? calls[wait.match] : nothing;
        if (wait.what != WAIT)
            continue;
        memset(&without, 0, sizeof without);
        memset(&found, 0, sizeof found);
        calls[j] = calls[wait.match] = nothing;
        oracle(target, &without);
        machine(target, &found, NULL);
        bool clean = true;
        for (int i = 0; i < found.count; i++)
            clean &= strncmp(found.of[i], "flag-redundant", 14) == 0;
        assert_int_equal(clean, without.count == 0);
        calls[j] = wait;
        calls[wait.match] = set;
        if (without.count == 0)
            say(said, "flag-redundant", wait.match + 1, j + 1);
        pairs[without.count == 0]++;
    }
}

/* Makes a clean program: every call that something is said of goes, a set with its wait. */
static void repair(const char *target)
{
    static struct said said;
    do {
        int line = 0;
        memset(&said, 0, sizeof said);
        oracle(target, &said);
        if (said.count > 0 && sscanf(said.of[0], "%*s %d", &line) == 1)
            calls[line - 1] = nothing;
        for (int i = 0; i < CALLS && line > 0; i++)
            if (calls[i].match == line - 1)
                calls[i] = nothing;
    } while (said.count > 0);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void same_findings(void **state)
{
    static struct said wanted, found;
    uint64_t programs = number_from("PTOG_RANDOM_KERNELS", 1000);
    long total = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= programs; seed++) {
        static const char *const targets[] = {"a2a3", "a5", "a5-custom"};
        const char *target = targets[seed % 3];
        state_of_random = seed * 0x9E3779B97F4A7C15u | 1;
        memset(calls, 0, sizeof calls);
        for (int i = 0; i < CALLS; i++)
            calls[i] = draw_call(i);
        if (seed % 8 < 2)
            repair(target);
        memset(&wanted, 0, sizeof wanted);
        memset(&found, 0, sizeof found);
        oracle(target, &wanted);
        if (wanted.count == 0)
            judge_pairs(target, &wanted);
        late_count = 0;
        machine(target, &found, NULL);
        qsort(wanted.of, (size_t)wanted.count, sizeof wanted.of[0], by_text);
        qsort(found.of, (size_t)found.count, sizeof found.of[0], by_text);
        total += wanted.count;
        if (memcmp(&wanted, &found, sizeof found) != 0) {
            fprintf(stderr, "seed %llu on %s\n", (unsigned long long)seed, target);
            for (int i = 0; i < wanted.count || i < found.count; i++)
                fprintf(stderr, "  %-28s %s\n", wanted.of[i], found.of[i]);
            fail();
        }
        int races = late_count;
        for (int i = -1; seed % 4 == 2 && i < races; i++)
            check_late(target, i < 0 ? -1 : late[i].call, i < 0 ? 0 : late[i].instruction);
    }
    printf("%llu programs, %ld findings, %ld races replayed; of clean ones %ld pairs are needed, %ld redundant\n",
           (unsigned long long)programs, total, replays, pairs[0], pairs[1]);
    if (programs >= 200) /* fewer say nothing about how often things come up */
        assert_true(total > (long)programs && pairs[0] > (long)programs / 20 && pairs[1] > (long)programs / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_findings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
