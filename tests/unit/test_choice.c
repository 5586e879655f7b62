/* unit: choosing among candidates while the work is done. Time is made here: a candidate takes so many nanoseconds for
 * an item, and nothing depends on how fast the machine is. */
#define _DEFAULT_SOURCE /* setenv, mkstemp */
#include "unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exec/candidates.h"
#include "exec/choice.h"

#define ITEMS 12800
#define PIECE 100
#define MAX_CANDIDATES 8

static unsigned seed = 20261118;

static uint32_t draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8 ^ seed << 24;
}

/* ---- work whose time is made */

struct made {
    uint64_t now;                    /* nanoseconds */
    uint64_t cost[MAX_CANDIDATES];   /* of an item */
    int64_t slow_from;               /* from this item on candidate 0 takes ten times as long */
    int64_t next;                    /* the item that comes next: all are done once, in their order */
    int64_t stops_at;                /* the item at which a part gives up; -1: none */
    int64_t done_by[MAX_CANDIDATES]; /* items */
};

static uint64_t made_now(void *data)
{
    return ((struct made *)data)->now;
}

static bool made_part(const void *work, int candidate, int64_t first, int64_t last)
{
    struct made *made = (struct made *)(uintptr_t)work;
    assert_int_equal(first, made->next);
    assert_true(last > first);
    made->next = last;
    for (int64_t i = first; i < last; i++) {
        if (i == made->stops_at)
            return false;
        made->now += made->cost[candidate] * (candidate == 0 && i >= made->slow_from ? 10 : 1);
        made->done_by[candidate]++;
    }
    return true;
}

static struct made made_with(const uint64_t *cost, int candidates)
{
    struct made made = {.slow_from = INT64_MAX, .stops_at = -1};
    memcpy(made.cost, cost, (size_t)candidates * sizeof *cost);
    return made;
}

/* One run from the start; returns its nanoseconds. */
static uint64_t run_made(struct made *made, int candidates, int64_t items, ptog_choice_hint *hint)
{
    struct ptog_choice_work work = {made_part, made, candidates, items, PIECE};
    struct ptog_stopwatch watch = {made_now, made};
    uint64_t start = made->now;
    made->next = 0;
    assert_true(ptog_choice_run(&work, 0, items, hint, &watch));
    assert_int_equal(made->next, items);
    return made->now - start;
}

/* ---- what is chosen, and what that costs */

static void the_fastest_is_found(void **state)
{
    (void)state;
    for (int fastest = 0; fastest < 5; fastest++) {
        uint64_t cost[5] = {130, 140, 150, 120, 160};
        cost[fastest] = 100;
        struct made made = made_with(cost, 5);
        ptog_choice_hint hint = 0;
        run_made(&made, 5, ITEMS, &hint);
        run_made(&made, 5, ITEMS, &hint);
        assert_int_equal(ptog_choice_best(&hint), fastest);
        assert_true(made.done_by[fastest] > ITEMS);
    }
}

/* Any times within a factor of two, any hint: the best is within the noise, and what was lost by trying is 2 % at most,
 * and one duel more. */
static void trying_costs_little(void **state)
{
    (void)state;
    for (int n = 0; n < 2000; n++) {
        uint64_t cost[MAX_CANDIDATES], least = UINT64_MAX;
        int candidates = 2 + (int)(draw() % 7);
        for (int c = 0; c < candidates; c++) {
            cost[c] = 100 + draw() % 100;
            least = cost[c] < least ? cost[c] : least;
        }
        struct made made = made_with(cost, candidates);
        ptog_choice_hint hint = 0;
        for (int run = 0; run < 20; run++)
            run_made(&made, candidates, ITEMS, &hint);
        if (cost[ptog_choice_best(&hint)] * 97 > least * 100) {
            fprintf(stderr, "%d candidates, seed now %u\n", candidates, seed);
            fail();
        }
        uint64_t taken = run_made(&made, candidates, ITEMS, &hint), best = ITEMS * cost[ptog_choice_best(&hint)];
        uint64_t duel = 2 * PIECE * 100;
        assert_true(taken <= best + best / 50 + duel);
    }
}

/* Seven rivals of half the speed would cost 5 % of the first run; what was not tried then is tried by later runs. */
static void trying_stops_at_two_percent(void **state)
{
    const uint64_t cost[MAX_CANDIDATES] = {100, 200, 200, 200, 200, 200, 200, 90}, duel = 2 * PIECE * 100;
    struct made made = made_with(cost, MAX_CANDIDATES);
    ptog_choice_hint hint = 0;
    (void)state;
    uint64_t taken = run_made(&made, MAX_CANDIDATES, ITEMS, &hint);
    assert_true(taken <= ITEMS * 100 * 102 / 100 + duel);
    assert_int_equal(made.done_by[7], 0);
    for (int run = 0; run < 5; run++)
        run_made(&made, MAX_CANDIDATES, ITEMS, &hint);
    assert_int_equal(ptog_choice_best(&hint), 7);
}

/* The first run of a plan whose table names the worst candidate. */
static void a_wrong_hint_is_corrected_at_once(void **state)
{
    const uint64_t cost[] = {150, 100, 110};
    struct made made = made_with(cost, 3);
    ptog_choice_hint hint = 0;
    (void)state;
    uint64_t taken = run_made(&made, 3, ITEMS, &hint);
    assert_int_equal(ptog_choice_best(&hint), 1);
    assert_true(taken <= ITEMS * 100 * 105 / 100);
}

static void a_run_that_becomes_slow_is_checked_again(void **state)
{
    const uint64_t cost[] = {100, 110, 140};
    struct made made = made_with(cost, 3);
    ptog_choice_hint hint = 0;
    (void)state;
    made.slow_from = 4 * ITEMS;
    run_made(&made, 3, 12 * ITEMS, &hint);
    assert_int_equal(ptog_choice_best(&hint), 1);
    assert_true(made.done_by[1] > 6 * ITEMS);
}

static void differences_that_are_noise_change_nothing(void **state)
{
    const uint64_t cost[] = {100, 98, 99};
    struct made made = made_with(cost, 3);
    ptog_choice_hint hint = 0;
    (void)state;
    for (int run = 0; run < 10; run++)
        run_made(&made, 3, ITEMS, &hint);
    assert_int_equal(ptog_choice_best(&hint), 0);
}

static void a_clock_that_stands_still_is_no_problem(void **state)
{
    const uint64_t cost[] = {0, 0, 0};
    struct made made = made_with(cost, 3);
    ptog_choice_hint hint = 0;
    (void)state;
    run_made(&made, 3, ITEMS, &hint);
    assert_int_equal(ptog_choice_best(&hint), 0);
}

static void short_work_is_not_tried_with(void **state)
{
    const uint64_t cost[] = {150, 100};
    struct made made = made_with(cost, 2);
    ptog_choice_hint hint = 0;
    (void)state;
    run_made(&made, 2, 7 * PIECE, &hint);
    assert_int_equal(made.done_by[0], 7 * PIECE);
}

static void what_gives_up_ends_the_run(void **state)
{
    const uint64_t cost[] = {150, 100, 120};
    (void)state;
    for (int64_t stop = 0; stop < ITEMS; stop += 37) {
        struct made made = made_with(cost, 3);
        struct ptog_choice_work work = {made_part, &made, 3, ITEMS, PIECE};
        ptog_choice_hint hint = 0;
        made.stops_at = stop;
        assert_false(ptog_choice_run(&work, 0, ITEMS, &hint, &(struct ptog_stopwatch){made_now, &made}));
        assert_true(made.next > stop);
        assert_int_equal(made.done_by[0] + made.done_by[1] + made.done_by[2], stop);
    }
}

/* ---- plans: every candidate of every shape gives the bytes of the reference loop */

#define TABLE_BYTES ((size_t)3 << 20)
#define DST_BYTES ((size_t)17 << 20)

static unsigned char *table, *dst, *expected;
static int32_t *idx;
static int fast_one;   /* the candidate that is made the fastest */
static uint64_t ticks; /* of the clock below */

/* Pieces are timed in pairs, the best and its rival: a clock that gives the rival less time, as often as it is asked.
 */
static uint64_t rival_wins(void *data)
{
    static const uint64_t step[] = {0, 100, 0, 1};
    int *calls = data;
    return ticks += step[(*calls)++ % 4];
}

static ptog_plan *plan_of(size_t width, int64_t lanes, size_t table_bytes, uint64_t flags)
{
    int64_t cols = (int64_t)width / 4, count = (int64_t)(table_bytes / width);
    bool rows = cols > 1;
    struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, rows ? lanes : 1, rows ? cols : lanes),
                              .table = ptog_tensor_2d(PTOG_F32, rows ? count : 1, rows ? cols : count),
                              .idx = ptog_tile_vec(PTOG_I32, 1, lanes),
                              .coalesce = rows ? PTOG_ROW : PTOG_ELEM,
                              .oob = PTOG_OOB_WRAP};
    struct ptog_insn insn;
    ptog_plan *plan = NULL;
    ptog_insn_mgather(&insn, &op);
    assert_int_equal(ptog_plan_insn_with(&plan, ptog_target_find("host"), &insn, flags, NULL), PTOG_OK);
    return plan;
}

static void fill_lanes(size_t width, int64_t lanes, size_t table_bytes)
{
    size_t count = table_bytes / width;
    for (int64_t k = 0; k < lanes; k++) {
        idx[k] = (int32_t)(draw() % (2 * count));
        memcpy(expected + (size_t)k * width, table + (size_t)idx[k] % count * width, width);
    }
}

static void run_and_compare(const ptog_plan *plan, size_t width, int64_t lanes, size_t table_bytes)
{
    size_t bytes = (size_t)lanes * width;
    struct ptog_run run = {.dst = {dst, bytes}, .src = {table, table_bytes}, .idx = {idx, (size_t)lanes * 4}};
    memset(dst, 0x55, bytes);
    assert_int_equal(ptog_plan_run(plan, &run, NULL), PTOG_OK);
    if (memcmp(dst, expected, bytes) != 0) {
        fprintf(stderr, "%s: %d lanes of %zu bytes, seed now %u\n", ptog_plan_kernel(plan), (int)lanes, width, seed);
        fail();
    }
}

/* With one set of vector kernels, elements of a table that stays near the core have one candidate. */
static bool has_rivals(size_t width, size_t table_bytes)
{
    return width > 4 || table_bytes == TABLE_BYTES || ptog_isa_runs(PTOG_ISA_AVX512);
}

static void every_candidate_gives_the_same_bytes(void **state)
{
    static const size_t widths[] = {4, 64, 200, 512}, tables[] = {(size_t)64 << 10, TABLE_BYTES},
                        sizes[] = {(size_t)3 << 20, DST_BYTES};
    (void)state;
    for (size_t w = 0; w < COUNT_OF(widths); w++)
        for (size_t t = 0; t < COUNT_OF(tables); t++)
            for (size_t s = 0; s < COUNT_OF(sizes); s++) {
                int64_t lanes = (int64_t)(sizes[s] / widths[w]);
                fill_lanes(widths[w], lanes, tables[t]);
                ptog_plan *plan = plan_of(widths[w], lanes, tables[t], 0);
                int count = plan->ready.candidates.count, calls = 0;
                assert_true(count >= 1 && count <= PTOG_MAX_CANDIDATES);
                assert_true(count > 1 || !has_rivals(widths[w], tables[t]));
                plan->exec.clock = &(struct ptog_stopwatch){rival_wins, &calls};
                run_and_compare(plan, widths[w], lanes, tables[t]); /* by all of them in turns */
                for (fast_one = 0; count > 1 && fast_one < count; fast_one++) {
                    atomic_store(plan->exec.hint, (uint32_t)fast_one | 0x10000);
                    assert_string_equal(ptog_plan_kernel(plan), plan->ready.candidates.of[fast_one].kernel->name);
                    run_and_compare(plan, widths[w], lanes, tables[t]);
                }
                ptog_plan_free(plan);
            }
}

/* The best known peers are among them. */
static void memcpy_and_plain_loops_are_candidates(void **state)
{
    ptog_plan *rows = plan_of(512, 8192, TABLE_BYTES, 0), *elements = plan_of(4, 1 << 20, TABLE_BYTES, 0);
    int by_libc = 0, by_libc_ahead = 0, by_loop = 0;
    (void)state;
    for (int c = 0; c < rows->ready.candidates.count; c++) {
        const struct ptog_candidate *candidate = &rows->ready.candidates.of[c];
        if (strstr(candidate->kernel->name, ".libc"))
            *(candidate->ahead ? &by_libc_ahead : &by_libc) += 1;
    }
    for (int c = 0; c < elements->ready.candidates.count; c++)
        by_loop += strstr(elements->ready.candidates.of[c].kernel->name, ".scalar") != NULL;
    assert_true(by_libc == 1 && by_libc_ahead == 1 && by_loop == 1);
    ptog_plan_free(rows), ptog_plan_free(elements);
}

/* A row whose bytes, as 32 bits, look like 512. */
static void rows_wider_than_any_width_get_no_kernel_of_one(void **state)
{
    const size_t width = ((size_t)1 << 32) + 512;
    ptog_plan *plan = plan_of(width, 2, 2 * width, 0);
    (void)state;
    assert_true(plan->ready.candidates.count > 1);
    for (int c = 0; c < plan->ready.candidates.count; c++)
        assert_int_equal(plan->ready.candidates.of[c].kernel->part, 0);
    ptog_plan_free(plan);
}

/* Rows of a mask that are far apart are not in the memory that a plan measures with. */
static void measuring_a_mask_stays_in_its_memory(void **state)
{
    struct ptog_tgather op = {.form = PTOG_BY_MASK,
                              .dst = ptog_tile_vec(PTOG_U8, 2, 256),
                              .src = ptog_tile_valid(ptog_tile_vec(PTOG_U8, 8, (int64_t)1 << 40), 8, 256),
                              .pattern = PTOG_P1000,
                              .axis = PTOG_AXIS_COL};
    struct ptog_insn insn;
    ptog_plan *plan;
    (void)state;
    ptog_insn_tgather(&insn, &op);
    assert_int_equal(ptog_plan_insn_with(&plan, ptog_target_find("host"), &insn, PTOG_PLAN_MEASURE, NULL), PTOG_OK);
    assert_true(plan->ready.candidates.count > 1 || !ptog_isa_runs(PTOG_ISA_AVX512));
    ptog_plan_free(plan);
}

static void a_forced_set_is_the_only_one(void **state)
{
    (void)state;
    setenv("PTOG_ISA", "scalar", 1);
    ptog_plan *plan = plan_of(512, 8192, TABLE_BYTES, PTOG_PLAN_MEASURE);
    unsetenv("PTOG_ISA");
    assert_int_equal(plan->ready.candidates.count, 1);
    assert_non_null(strstr(ptog_plan_kernel(plan), ".scalar"));
    ptog_plan_free(plan);
}

/* What `make tune` relies on: a file's row is what is measured. */
static void a_file_can_end_the_choice(void **state)
{
    char path[] = "/tmp/ptog-test-choice-XXXXXX", text[] = "choose = 0\nrow_set = libc\n";
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    setenv("PTOG_TUNE", path, 1);
    ptog_plan *plan = plan_of(512, 8192, TABLE_BYTES, 0);
    unsetenv("PTOG_TUNE");
    unlink(path);
    assert_int_equal(plan->ready.candidates.count, 1);
    assert_non_null(strstr(ptog_plan_kernel(plan), ".libc"));
    ptog_plan_free(plan);
}

/* ---- plans that are measured */

/* A clock by which one candidate is fast: turns come in rounds after those that find out how long one takes. */
struct round_clock {
    int calls, candidates, fast;
    uint64_t now;
};

static uint64_t round_now(void *data)
{
    struct round_clock *clock = data;
    int turn = clock->calls / 2;
    if (clock->calls++ % 2 == 1) /* the end of a turn; the very first is long enough */
        clock->now += turn > 0 && (turn - 1) % clock->candidates == clock->fast ? 1000 : 30000;
    return clock->now;
}

static void a_measured_plan_uses_the_fastest(void **state)
{
    (void)state;
    for (size_t width = 4; width <= 512; width *= 8) {
        ptog_plan *unmeasured = plan_of(width, 64, 65536, 0);
        assert_int_equal(unmeasured->ready.candidates.count, 1); /* a table says, and nothing is tried */
        ptog_plan_free(unmeasured);
        for (int fast = 0;; fast++) {
            ptog_plan *plan = plan_of(width, 64, 65536, 0);
            ptog_ready_candidates(&plan->ready, plan->exec.kernel, &plan->tune, true);
            struct round_clock clock = {.candidates = plan->ready.candidates.count, .fast = fast};
            if (fast >= clock.candidates) {
                ptog_plan_free(plan);
                break;
            }
            const struct ptog_kernel *wanted = plan->ready.candidates.of[fast].kernel;
            ptog_plan_measure(plan, &(struct ptog_stopwatch){round_now, &clock});
            assert_ptr_equal(plan->exec.kernel, wanted);
            assert_string_equal(ptog_plan_kernel(plan), wanted->name);
            fill_lanes(width, 64, 65536);
            run_and_compare(plan, width, 64, 65536);
            ptog_plan_free(plan);
        }
    }
}

/* With the machine's own clock: whatever is found, bytes are right. Masks, too. */
static void measured_plans_give_the_same_bytes(void **state)
{
    unsigned char kept[64 * 64];
    struct ptog_tgather op = {.form = PTOG_BY_MASK,
                              .dst = ptog_tile_vec(PTOG_U8, 64, 64),
                              .src = ptog_tile_vec(PTOG_U8, 64, 128),
                              .pattern = PTOG_P1010};
    struct ptog_run run = {.dst = {kept, sizeof kept}, .src = {table, 64 * 128}};
    struct ptog_insn insn;
    ptog_plan *plan;
    (void)state;
    ptog_insn_tgather(&insn, &op);
    assert_int_equal(ptog_plan_insn_with(&plan, ptog_target_find("host"), &insn, PTOG_PLAN_MEASURE, NULL), PTOG_OK);
    assert_int_equal(ptog_plan_run(plan, &run, NULL), PTOG_OK);
    for (size_t i = 0; i < sizeof kept; i++)
        assert_int_equal(kept[i], table[2 * i + 1]);
    ptog_plan_free(plan);
    for (size_t width = 4; width <= 512; width *= 8) {
        plan = plan_of(width, 300, TABLE_BYTES, PTOG_PLAN_MEASURE);
        fill_lanes(width, 300, TABLE_BYTES);
        run_and_compare(plan, width, 300, TABLE_BYTES);
        ptog_plan_free(plan);
    }
}

static void unknown_flags_are_refused(void **state)
{
    struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, 1, 8),
                              .table = ptog_tensor_2d(PTOG_F32, 4, 8),
                              .idx = ptog_tile_vec(PTOG_I32, 1, 8),
                              .coalesce = PTOG_ELEM};
    struct ptog_insn insn;
    ptog_plan *plan = (ptog_plan *)(uintptr_t)8;
    (void)state;
    ptog_insn_mgather(&insn, &op);
    assert_int_equal(ptog_plan_insn_with(&plan, ptog_target_find("host"), &insn, 2, NULL), PTOG_BAD_ARGUMENT);
    assert_null(plan);
    assert_int_equal(ptog_plan_insn_with(NULL, ptog_target_find("host"), &insn, 0, NULL), PTOG_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_is_found),
        cmocka_unit_test(trying_costs_little),
        cmocka_unit_test(trying_stops_at_two_percent),
        cmocka_unit_test(a_wrong_hint_is_corrected_at_once),
        cmocka_unit_test(a_run_that_becomes_slow_is_checked_again),
        cmocka_unit_test(differences_that_are_noise_change_nothing),
        cmocka_unit_test(a_clock_that_stands_still_is_no_problem),
        cmocka_unit_test(short_work_is_not_tried_with),
        cmocka_unit_test(what_gives_up_ends_the_run),
        cmocka_unit_test(every_candidate_gives_the_same_bytes),
        cmocka_unit_test(memcpy_and_plain_loops_are_candidates),
        cmocka_unit_test(rows_wider_than_any_width_get_no_kernel_of_one),
        cmocka_unit_test(measuring_a_mask_stays_in_its_memory),
        cmocka_unit_test(a_forced_set_is_the_only_one),
        cmocka_unit_test(a_file_can_end_the_choice),
        cmocka_unit_test(a_measured_plan_uses_the_fastest),
        cmocka_unit_test(measured_plans_give_the_same_bytes),
        cmocka_unit_test(unknown_flags_are_refused),
    };
    if (getenv("PTOG_SEED"))
        seed = (unsigned)strtoul(getenv("PTOG_SEED"), NULL, 10);
    fprintf(stderr, "choice: seed %u (PTOG_SEED)\n", seed);
    unsetenv("PTOG_ISA"), unsetenv("PTOG_TUNE");
    table = malloc(TABLE_BYTES), dst = malloc(DST_BYTES), expected = malloc(DST_BYTES), idx = malloc(DST_BYTES);
    for (size_t i = 0; i < TABLE_BYTES; i++)
        table[i] = (unsigned char)draw();
    int failed = cmocka_run_group_tests_name("choice", tests, NULL, NULL);
    free(table), free(dst), free(expected), free(idx);
    return failed;
}
