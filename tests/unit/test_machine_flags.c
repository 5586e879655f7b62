/* unit: the flag protocol of the machine: each fault wrong and repaired; deadlocks end with a report. */
#include "machine/kernel.h"

#include <stdlib.h>

#include "core/device.h"

static void left_set(void **state)
{
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        struct kernel k = kernel_open("a5", NULL);
        ptog_core_set_flag(AT(&k, 1), PTOG_MTE2, PTOG_V, 3);
        if (fixed)
            ptog_core_wait_flag(AT(&k, 2), PTOG_MTE2, PTOG_V, 3);
        if (fixed)
            EXPECT_CLEAN(&k);
        else
            EXPECT(&k, "flag-left-set 1 1");
        kernel_close(&k);
    }
}

static void double_set(void **state)
{
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        struct kernel k = kernel_open("a5", NULL);
        ptog_core_set_flag(AT(&k, 1), PTOG_MTE2, PTOG_V, 3);
        ptog_core_wait_flag(AT(&k, 2), PTOG_MTE2, PTOG_V, 3);
        if (fixed)
            flag(&k, 3, PTOG_V, PTOG_MTE2, 0);
        ptog_core_set_flag(AT(&k, 4), PTOG_MTE2, PTOG_V, 3);
        ptog_core_wait_flag(AT(&k, 5), PTOG_MTE2, PTOG_V, 3);
        if (fixed)
            EXPECT_CLEAN(&k);
        else
            EXPECT(&k, "flag-double-set 4 1");
        if (!fixed)
            assert_int_equal(ptog_diags_at(k.diags, 0)->related[0].where.line, 1);
        kernel_close(&k);
    }
}

/* A wait on S orders everything that is issued later, so the next set of the same flag is in order. */
static void sets_around_scalar_waits(void **state)
{
    struct kernel k = kernel_open("a5", NULL);
    (void)state;
    for (int i = 0; i < 5; i++)
        flag(&k, 1, PTOG_MTE2, PTOG_S, 0);
    EXPECT_CLEAN(&k);
    kernel_close(&k);
}

static void wrong_pipes_and_ids(void **state)
{
    struct kernel k = kernel_open("a2a3", NULL);
    (void)state;
    flag(&k, 1, PTOG_V, PTOG_V, 0);
    flag(&k, 2, PTOG_M, PTOG_V, 0);
    flag(&k, 3, PTOG_MTE2, PTOG_V, 8);
    flag(&k, 4, PTOG_MTE2, PTOG_V, -1);
    flag(&k, 5, PTOG_MTE2, PTOG_V, 6);
    ptog_core_barrier(AT(&k, 6), PTOG_S);
    ptog_core_barrier(AT(&k, 7), PTOG_FIX);
    assert_int_equal(ptog_core_barrier(k.core, (enum ptog_pipe)8), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_core_barrier(k.core, (enum ptog_pipe) - 1), PTOG_BAD_ARGUMENT);
    EXPECT(&k, "flag-bad-pair 1 1", "flag-bad-pair 1 1", "flag-bad-pair 2 1", "flag-bad-pair 2 1", "flag-bad-id 3 1",
           "flag-bad-id 3 1", "flag-bad-id 4 1", "flag-bad-id 4 1", "flag-reserved-id 5 1", "flag-reserved-id 5 1",
           "barrier-on-scalar 6 1", "barrier-bad-pipe 7 1", "bad-argument 7 2");
    assert_int_equal(ptog_diags_at(k.diags, 8)->severity, PTOG_NOTE);
    kernel_close(&k);
    k = kernel_open("a2a3", NULL);
    flag(&k, 1, PTOG_V, PTOG_S, 0);
    flag(&k, 3, PTOG_MTE2, PTOG_V, 5);
    ptog_core_barrier(AT(&k, 6), PTOG_V);
    ptog_core_barrier(AT(&k, 7), PTOG_ALL);
    ptog_core_barrier(AT(&k, 8), PTOG_M);
    EXPECT_CLEAN(&k);
    kernel_close(&k);
}

/* The program's V->S with id 0 is still set when MGATHER sets its own. */
static void id_clash(void **state)
{
    struct ptog_transfer load = load_ids();
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        struct kernel k = kernel_open("a2a3", NULL);
        int id = fixed ? 1 : 0;
        ptog_core_load(AT(&k, 1), &load, k.ids, 0);
        flag(&k, 2, PTOG_MTE2, PTOG_V, 0);
        ptog_core_set_flag(AT(&k, 3), PTOG_V, PTOG_S, id);
        ptog_core_mgather(AT(&k, 4), &op, k.table, 0, NULL);
        ptog_core_wait_flag(AT(&k, 5), PTOG_V, PTOG_S, id);
        if (fixed)
            EXPECT_CLEAN(&k);
        else
            EXPECT(&k, "flag-id-clash 4 1");
        kernel_close(&k);
    }
}

/* Flags with id 0 around MGATHER are fine when they are consumed before it. */
static void id_0_around_mgather(void **state)
{
    struct kernel k = kernel_open("a2a3", NULL);
    struct ptog_transfer load = load_ids(), store = store_rows();
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    (void)state;
    ptog_core_load(AT(&k, 1), &load, k.ids, 0);
    flag(&k, 2, PTOG_MTE2, PTOG_V, 0);
    flag(&k, 3, PTOG_V, PTOG_S, 0);
    flag(&k, 4, PTOG_MTE3, PTOG_S, 0);
    ptog_core_mgather(AT(&k, 5), &op, k.table, 0, NULL);
    ptog_core_store(AT(&k, 7), &store, k.out, 0);
    EXPECT_CLEAN(&k);
    kernel_close(&k);
}

/* S waits for a flag that nobody has set: the core ends there, and says so to every later call. */
static void never_set_on_scalar(void **state)
{
    struct kernel k = kernel_open("a2a3", NULL);
    struct ptog_transfer load = load_ids();
    (void)state;
    assert_int_equal(ptog_core_wait_flag(AT(&k, 1), PTOG_V, PTOG_S, 2), PTOG_FAULT);
    assert_int_equal(ptog_core_load(AT(&k, 2), &load, k.ids, 0), PTOG_FAULT);
    assert_int_equal(ptog_core_set_flag(AT(&k, 3), PTOG_V, PTOG_S, 2), PTOG_FAULT);
    EXPECT(&k, "flag-never-set 1 1");
    assert_string_equal(ptog_diags_at(k.diags, 0)->message,
                        "deadlock: S waits for flag V->S 2, but S issues nothing more to V while it waits");
    kernel_close(&k);
    k = kernel_open("a2a3", NULL);
    flag(&k, 1, PTOG_V, PTOG_S, 2);
    EXPECT_CLEAN(&k);
    kernel_close(&k);
}

/* V waits for MTE2, MTE2 for V: each set is behind the other's wait. */
static void deadlock_with_a_cycle(void **state)
{
    struct kernel k = kernel_open("a5", NULL);
    (void)state;
    ptog_core_wait_flag(AT(&k, 1), PTOG_MTE2, PTOG_V, 0);
    ptog_core_set_flag(AT(&k, 2), PTOG_V, PTOG_MTE2, 0);
    ptog_core_wait_flag(AT(&k, 3), PTOG_V, PTOG_MTE2, 0);
    ptog_core_set_flag(AT(&k, 4), PTOG_MTE2, PTOG_V, 0);
    EXPECT(&k, "flag-never-set 1 1");
    assert_string_equal(ptog_diags_at(k.diags, 0)->message,
                        "deadlock: V waits for flag MTE2->V 0; MTE2 waits for flag V->MTE2 0 at line 3");
    kernel_close(&k);
    k = kernel_open("a5", NULL);
    ptog_core_wait_flag(AT(&k, 1), PTOG_MTE2, PTOG_V, 0);
    ptog_core_set_flag(AT(&k, 2), PTOG_V, PTOG_MTE2, 0);
    ptog_core_set_flag(AT(&k, 3), PTOG_MTE2, PTOG_V, 0);
    ptog_core_wait_flag(AT(&k, 4), PTOG_V, PTOG_MTE2, 0);
    EXPECT_CLEAN(&k);
    kernel_close(&k);
}

static void barrier_on_a_stopped_core(void **state)
{
    struct kernel k = kernel_open("a5", NULL);
    (void)state;
    ptog_core_wait_flag(AT(&k, 1), PTOG_MTE2, PTOG_V, 0);
    assert_int_equal(ptog_core_barrier(AT(&k, 2), PTOG_ALL), PTOG_FAULT);
    EXPECT(&k, "flag-never-set 1 1");
    kernel_close(&k);
}

/* A loop that never ends is ended; so is one that fills a queue that stands still. */
static void runaway_loops(void **state)
{
    struct kernel k = kernel_open("a5", &(struct ptog_device_options){.most_instructions = 1000});
    int issued = 0;
    (void)state;
    while (ptog_core_barrier(AT(&k, 1), PTOG_V) == PTOG_OK)
        issued++;
    assert_int_equal(issued, 1000);
    EXPECT_CLEAN(&k);
    kernel_close(&k);
    k = kernel_open("a5", NULL);
    ptog_core_wait_flag(AT(&k, 1), PTOG_MTE2, PTOG_V, 0);
    while (ptog_core_barrier(AT(&k, 2), PTOG_V) == PTOG_OK)
        ;
    EXPECT(&k, "limit-queue 2 1");
    assert_string_equal(ptog_diags_at(k.diags, 0)->message,
                        "stopped: more than 65,536 instructions of pipe V wait for a flag; the rest was not checked");
    assert_int_equal(ptog_diags_verdict(k.diags), PTOG_NOT_JUDGED);
    kernel_close(&k);
}

/* A pair that a second one makes unnecessary; the pair of a loop; and pairs of a run with a race are not judged. */
static void redundant(void **state)
{
    struct ptog_transfer load = load_ids();
    struct ptog_mgather op = gather_elems(PTOG_OOB_CLAMP);
    struct ptog_transfer store = {.tile = op.dst, .view = ptog_tensor_2d(PTOG_F32, op.dst.rows, op.dst.cols)};
    (void)state;
    for (int race = 0; race < 2; race++) {
        struct kernel k = kernel_open("a5", NULL);
        load.tile = op.idx;
        load.view = ptog_tensor_2d(PTOG_I32, op.idx.rows, op.idx.cols);
        ptog_core_load(AT(&k, 1), &load, k.out, 0);
        flag(&k, 2, PTOG_MTE2, PTOG_V, 1);
        flag(&k, 3, PTOG_MTE2, PTOG_V, 2);
        for (int i = 0; i < 3; i++) {
            flag(&k, 4, PTOG_S, PTOG_V, i);
            flag(&k, 5, PTOG_V, PTOG_S, 1);
        }
        ptog_core_mgather(AT(&k, 6), &op, k.table, 0, NULL);
        if (!race)
            flag(&k, 7, PTOG_V, PTOG_MTE3, 1);
        ptog_core_store(AT(&k, 8), &store, k.out, 0x8000);
        if (race)
            EXPECT(&k, "race-raw 8 1");
        else
            EXPECT(&k, "flag-redundant 2 1", "flag-redundant 3 1", "flag-redundant 4 3", "flag-redundant 5 3");
        if (race)
            assert_int_equal(ptog_diags_count(k.diags), 1);
        else
            assert_int_equal(ptog_diags_at(k.diags, 0)->related_count, 1);
        kernel_close(&k);
    }
}

/* Of a prologue, a loop and an epilogue the statements are one pair. Either of two that do the same is noted. */
static void pair_around_a_loop(void **state)
{
    struct ptog_transfer a = load_ids();
    (void)state;
    struct kernel k = kernel_open("a2a3", NULL);
    ptog_core_set_flag(AT(&k, 1), PTOG_MTE3, PTOG_MTE2, 2);
    ptog_core_set_flag(AT(&k, 2), PTOG_MTE3, PTOG_MTE2, 3);
    for (int i = 0; i < 4; i++) {
        ptog_core_wait_flag(AT(&k, 3), PTOG_MTE3, PTOG_MTE2, 2);
        ptog_core_wait_flag(AT(&k, 4), PTOG_MTE3, PTOG_MTE2, 3);
        ptog_core_load(AT(&k, 5), &a, k.ids, 0);
        flag(&k, 6, PTOG_MTE2, PTOG_MTE3, 1);
        ptog_core_store(AT(&k, 7), &a, k.out, (uint64_t)i * 64);
        ptog_core_set_flag(AT(&k, 8), PTOG_MTE3, PTOG_MTE2, 2);
        ptog_core_set_flag(AT(&k, 10), PTOG_MTE3, PTOG_MTE2, 3);
    }
    ptog_core_wait_flag(AT(&k, 11), PTOG_MTE3, PTOG_MTE2, 2);
    ptog_core_wait_flag(AT(&k, 12), PTOG_MTE3, PTOG_MTE2, 3);
    EXPECT(&k, "flag-redundant 1 5", "flag-redundant 2 5");
    assert_int_equal(ptog_diags_at(k.diags, 1)->related_count, 3); /* lines 4, 10, 12 */
    assert_int_equal(ptog_diags_at(k.diags, 1)->related[0].where.line, 4);
    kernel_close(&k);
}

/* Blocks that run alike are kept once, and count as often as they ran. A gather comes first: what its own flags ordered
 * belongs to the tape, too. */
static void blocks_that_run_alike(void **state)
{
    enum { BLOCKS = 120 };
    struct ptog_transfer load = load_ids(), store = store_rows();
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    (void)state;
    struct kernel k = kernel_open("a2a3", NULL);
    for (uint32_t block = 0; block < BLOCKS; block++) {
        if (block > 0) {
            ptog_core_close(k.core);
            assert_int_equal(ptog_core_open(&k.core, k.device, block), PTOG_OK);
        }
        ptog_core_load(AT(&k, 1), &load, k.ids, 0);
        ptog_core_barrier(AT(&k, 2), PTOG_ALL);
        ptog_core_mgather(AT(&k, 3), &op, k.table, 0, NULL);
        flag(&k, 4, PTOG_V, PTOG_MTE3, 1);
        flag(&k, 5, PTOG_V, PTOG_MTE3, 2);
        if (block % 4 == 3) /* two ways through the kernel */
            flag(&k, 6, PTOG_S, PTOG_V, 1);
        ptog_core_store(AT(&k, 7), &store, k.out, 2048 * block);
        ptog_core_barrier(AT(&k, 8), PTOG_ALL);
    }
    kernel_finish(&k);
    const struct ptog_order_logs *logs = &k.device->shared.order_logs;
    assert_int_equal(logs->count, 2);
    assert_int_equal(logs->of[0].times, 90);
    assert_int_equal(logs->of[1].times, 30);
    assert_int_equal(logs->words, logs->of[0].count + logs->of[1].count);
    EXPECT(&k, "flag-redundant 4 120", "flag-redundant 5 120", "flag-redundant 6 30");
    kernel_close(&k);
}

/* A run of more events than the tape holds says so, once. Slow under sanitizers, and the same there. */
static void too_long_for_the_tape(void **state)
{
    const char *count = getenv("PTOG_RANDOM_KERNELS");
    (void)state;
    if (count && strtoull(count, NULL, 10) < 1000)
        return;
    struct kernel k = kernel_open("a5", NULL);
    for (int i = 0; i < 3000000; i++)
        flag(&k, 1, PTOG_S, PTOG_V, 1), flag(&k, 2, PTOG_V, PTOG_S, 1);
    EXPECT(&k, "flag-redundant 0 0");
    assert_string_equal(ptog_diags_at(k.diags, 0)->message, "the run is too long to tell which flags are redundant");
    kernel_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(left_set),
        cmocka_unit_test(double_set),
        cmocka_unit_test(sets_around_scalar_waits),
        cmocka_unit_test(wrong_pipes_and_ids),
        cmocka_unit_test(id_clash),
        cmocka_unit_test(id_0_around_mgather),
        cmocka_unit_test(never_set_on_scalar),
        cmocka_unit_test(deadlock_with_a_cycle),
        cmocka_unit_test(barrier_on_a_stopped_core),
        cmocka_unit_test(runaway_loops),
        cmocka_unit_test(redundant),
        cmocka_unit_test(pair_around_a_loop),
        cmocka_unit_test(blocks_that_run_alike),
        cmocka_unit_test(too_long_for_the_tape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
