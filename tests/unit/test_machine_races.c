/* unit: races on the machine: each class wrong and repaired, with its places and counts; loops; other timings. */
#include "machine/kernel.h"

#include <stdio.h>

static struct ptog_transfer tile_of(uint64_t addr, int64_t cols)
{
    return (struct ptog_transfer){.tile = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, cols), addr),
                                  .view = ptog_tensor_2d(PTOG_F32, 1, cols)};
}

static struct ptog_tgather mask_of(uint64_t dst, uint64_t src, int64_t cols)
{
    return (struct ptog_tgather){.form = PTOG_BY_MASK,
                                 .dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, cols), dst),
                                 .src = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, cols), src),
                                 .pattern = PTOG_P1111};
}

/* A store still reads the tile when the next load writes it. */
static void write_after_read(void **state)
{
    struct ptog_transfer a = tile_of(0, 32);
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        struct kernel k = kernel_open("a2a3", NULL);
        ptog_core_preset(k.core, &a.tile, kernel_table);
        ptog_core_store(AT(&k, 3), &a, k.out, 0);
        if (fixed)
            flag(&k, 4, PTOG_MTE3, PTOG_MTE2, 0);
        ptog_core_load(AT(&k, 5), &a, k.table, 128);
        if (fixed)
            EXPECT_CLEAN(&k);
        else
            EXPECT(&k, "race-war 5 1");
        if (!fixed)
            assert_string_equal(ptog_diags_at(k.diags, 0)->related[0].message, "read here");
        kernel_close(&k);
    }
}

/* The bytes that each schedule shows: a slow load is not there yet when the store reads, a fast one is too early. */
static void bytes_of_a_race(void **state)
{
    struct ptog_transfer a = tile_of(0, 32);
    unsigned char stale[128];
    (void)state;
    memset(stale, 0xAA, sizeof stale);
    for (int slow = 0; slow < 2; slow++) {
        struct ptog_device_options options = {.schedule = slow ? PTOG_SCHEDULE_SLOW : PTOG_SCHEDULE_FAST};
        struct kernel k = kernel_open("a2a3", &options);
        ptog_core_load(AT(&k, 1), &a, k.table, 0);
        ptog_core_store(AT(&k, 2), &a, k.out, 0);
        EXPECT(&k, "race-raw 2 1");
        assert_memory_equal(kernel_out, slow ? (const void *)stale : (const void *)kernel_table, sizeof stale);
        kernel_close(&k);
        k = kernel_open("a2a3", &options);
        ptog_core_preset(k.core, &a.tile, kernel_table);
        ptog_core_store(AT(&k, 1), &a, k.out, 0);
        ptog_core_load(AT(&k, 2), &a, k.table, 128);
        EXPECT(&k, "race-war 2 1");
        assert_memory_equal(kernel_out, kernel_table + (slow ? 0 : 32), sizeof stale);
        kernel_close(&k);
    }
}

/* Two pipes write one tile. */
static void write_after_write(void **state)
{
    struct ptog_transfer src = tile_of(0x1000, 32), dst = tile_of(0, 32);
    struct ptog_tgather move = mask_of(0, 0x1000, 32);
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        struct kernel k = kernel_open("a2a3", NULL);
        ptog_core_load(AT(&k, 1), &src, k.table, 0);
        flag(&k, 2, PTOG_MTE2, PTOG_V, 0);
        ptog_core_load(AT(&k, 3), &dst, k.table, 0);
        if (fixed)
            flag(&k, 4, PTOG_MTE2, PTOG_V, 1);
        ptog_core_tgather(AT(&k, 5), &move, NULL);
        if (fixed)
            EXPECT_CLEAN(&k);
        else
            EXPECT(&k, "race-waw 5 1");
        kernel_close(&k);
    }
}

/* RAW on V needs a barrier on A2/A3; A5 orders V with V. WAR on one pipe is ordered. */
static void same_pipe(void **state)
{
    struct ptog_transfer src = tile_of(0x1000, 32);
    struct ptog_tgather first = mask_of(0, 0x1000, 32), second = mask_of(0x2000, 0, 32),
                        back = mask_of(0x1000, 0x2000, 32);
    (void)state;
    for (int round = 0; round < 3; round++) {
        struct kernel k = kernel_open(round == 2 ? "a5" : "a2a3", NULL);
        ptog_core_load(AT(&k, 1), &src, k.table, 0);
        flag(&k, 2, PTOG_MTE2, PTOG_V, 0);
        ptog_core_tgather(AT(&k, 3), &first, NULL);
        if (round == 1)
            ptog_core_barrier(AT(&k, 4), PTOG_V);
        ptog_core_tgather(AT(&k, 5), &second, NULL);
        ptog_core_barrier(AT(&k, 6), PTOG_V);
        ptog_core_tgather(AT(&k, 7), &back, NULL);
        if (round == 0)
            EXPECT(&k, "same-pipe-hazard 5 1");
        else
            EXPECT_CLEAN(&k);
        if (round == 0)
            assert_string_equal(fix_of(ptog_diags_at(k.diags, 0)), "before line 5  barrier(V)");
        kernel_close(&k);
    }
}

/* Two loads into one tile: WAW on MTE2. A flag path through V orders them as a barrier does. */
static void same_pipe_transfers(void **state)
{
    struct ptog_transfer a = tile_of(0, 32);
    (void)state;
    for (int round = 0; round < 3; round++) {
        struct kernel k = kernel_open("a5", NULL);
        ptog_core_load(AT(&k, 1), &a, k.table, 0);
        if (round == 1)
            ptog_core_barrier(AT(&k, 2), PTOG_MTE2);
        if (round == 2) {
            flag(&k, 3, PTOG_MTE2, PTOG_V, 1);
            flag(&k, 4, PTOG_V, PTOG_MTE2, 1);
        }
        ptog_core_load(AT(&k, 5), &a, k.table, 128);
        if (round == 0)
            EXPECT(&k, "same-pipe-hazard 5 1");
        else
            EXPECT_CLEAN(&k);
        kernel_close(&k);
    }
}

/* NZ with Zero: S clears the tile, MTE2 copies into it. The bytes are right all the same. */
static void self_race(void **state)
{
    (void)state;
    for (int zero = 0; zero < 2; zero++) {
        struct kernel k = kernel_open("a2a3", &(struct ptog_device_options){.schedule = PTOG_SCHEDULE_SLOW});
        struct ptog_mgather op = gather_rows(zero ? PTOG_OOB_ZERO : PTOG_OOB_CLAMP);
        struct ptog_transfer load = load_ids();
        float tile[16 * 32];
        op.table = ptog_tensor_nz(PTOG_F32, 1, 4, 4);
        op.dst = ptog_tile_at(ptog_tile_nz(ptog_tile_vec(PTOG_F32, 16, 32)), 0);
        ptog_core_load(AT(&k, 1), &load, k.ids, 0);
        flag(&k, 2, PTOG_MTE2, PTOG_V, 0);
        assert_int_equal(ptog_core_mgather(AT(&k, 3), &op, k.table, 0, NULL), PTOG_OK);
        ptog_core_peek(k.core, &op.dst, tile);
        for (int r = 0; r < 16; r++)
            for (int c = 0; c < 32; c++) {
                int row = kernel_ids[r];
                assert_true(tile[r * 32 + c] == kernel_table[c / 8 * 512 + row * 8 + c % 8]);
            }
        if (zero)
            EXPECT(&k, "race-self 3 1");
        else
            EXPECT_CLEAN(&k);
        kernel_close(&k);
    }
}

/* A double-buffered loop: without the flag back the load runs ahead of the store's read, and of the flag. */
static void loops(void **state)
{
    struct ptog_transfer a = tile_of(0, 32);
    (void)state;
    for (int back = 0; back < 2; back++) {
        struct kernel k = kernel_open("a2a3", NULL);
        for (int i = 0; i < 10; i++) {
            if (back && i > 0)
                ptog_core_wait_flag(AT(&k, 1), PTOG_MTE3, PTOG_MTE2, 2);
            ptog_core_load(AT(&k, 2), &a, k.table, 0);
            flag(&k, 3, PTOG_MTE2, PTOG_MTE3, 1);
            ptog_core_store(AT(&k, 4), &a, k.out, (uint64_t)i * 128);
            if (back && i < 9)
                ptog_core_set_flag(AT(&k, 5), PTOG_MTE3, PTOG_MTE2, 2);
        }
        if (back)
            EXPECT_CLEAN(&k);
        else
            EXPECT(&k, "same-pipe-hazard 2 9", "race-war 2 9", "flag-double-set 3 9");
        kernel_close(&k);
    }
}

/* A gather's own chain keeps the producer of a loop from running ahead: V waits for MTE2 before V->S. With id 0 the
 * flag is also MGATHER's own MTE2->V of the round before, for which V may not have waited yet. */
static void own_chain_in_a_loop(void **state)
{
    struct ptog_transfer load = load_ids(), store = store_rows();
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    (void)state;
    for (int id = 0; id < 2; id++) {
        struct kernel k = kernel_open("a2a3", NULL);
        for (int i = 0; i < 4; i++) {
            ptog_core_load(AT(&k, 1), &load, k.ids, 0);
            flag(&k, 2, PTOG_MTE2, PTOG_V, id);
            ptog_core_mgather(AT(&k, 3), &op, k.table, 0, NULL);
            ptog_core_store(AT(&k, 4), &store, k.out, (uint64_t)i * 2048);
        }
        if (id == 0)
            EXPECT(&k, "flag-id-clash 2 3");
        else
            EXPECT_CLEAN(&k);
        kernel_close(&k);
    }
}

/* A load waits until stores that were issued after it have started. Races are told in the order of issue, but for a
 * load that so many pass that they are not all written down. */
static void held(struct kernel *k, int stores, bool ordered)
{
    struct ptog_transfer a = tile_of(0, 32);
    ptog_core_preset(k->core, &a.tile, kernel_table);
    ptog_core_store(AT(k, 1), &a, k->out, 0);
    ptog_core_wait_flag(AT(k, 2), PTOG_V, PTOG_MTE2, 1);
    ptog_core_load(AT(k, 3), &a, k->table, 0);
    for (int i = 0; i < stores; i++) {
        ptog_core_barrier(AT(k, 4), PTOG_MTE3);
        ptog_core_store(AT(k, 5), &a, k->out, 0);
    }
    if (ordered)
        flag(k, 6, PTOG_MTE3, PTOG_V, 1);
    ptog_core_set_flag(AT(k, 7), PTOG_V, PTOG_MTE2, 1);
}

static void held_at_a_wait(void **state)
{
    (void)state;
    struct kernel k = kernel_open("a2a3", NULL);
    held(&k, 3, false);
    EXPECT(&k, "race-war 3 1", "race-raw 5 3");
    assert_int_equal(ptog_diags_at(k.diags, 0)->late_instruction, 1);
    assert_int_equal(ptog_diags_at(k.diags, 1)->late_instruction, 5);
    kernel_close(&k);
    k = kernel_open("a2a3", NULL);
    held(&k, 3, true);
    EXPECT(&k, "order-reversed 5 3");
    kernel_close(&k);
    k = kernel_open("a2a3", NULL);
    held(&k, 70000, false);
    EXPECT(&k, "race-war 3 1");
    kernel_close(&k);
    k = kernel_open("a2a3", NULL);
    held(&k, 70000, true);
    EXPECT(&k, "order-reversed 5 1");
    kernel_close(&k);
}

/* GM: a tile is stored and loaded again; then two blocks. */
static void races_in_gm(void **state)
{
    struct ptog_transfer a = tile_of(0, 32), b = tile_of(0x1000, 32);
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        struct kernel k = kernel_open("a2a3", NULL);
        ptog_core_load(AT(&k, 1), &a, k.table, 0);
        flag(&k, 2, PTOG_MTE2, PTOG_MTE3, 0);
        ptog_core_store(AT(&k, 3), &a, k.out, 0);
        if (fixed)
            flag(&k, 4, PTOG_MTE3, PTOG_MTE2, 0);
        ptog_core_load(AT(&k, 5), &b, k.out, 64);
        if (fixed)
            EXPECT_CLEAN(&k);
        else
            EXPECT(&k, "race-raw 5 1");
        if (!fixed)
            assert_string_equal(
                ptog_diags_at(k.diags, 0)->message,
                "race: tload (pipe MTE2) may read out before tstore (pipe MTE3) has written it");
        kernel_close(&k);
    }
}

static void two_blocks(void **state)
{
    struct ptog_transfer a = tile_of(0, 32);
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        struct kernel k = kernel_open("a2a3", NULL);
        for (uint32_t block = 0; block < 2; block++) {
            ptog_core *core;
            assert_int_equal(ptog_core_open(&core, k.device, block), PTOG_OK);
            ptog_core_at(core, "k.c", 1);
            ptog_core_load(core, &a, k.table, 0);
            ptog_core_set_flag(core, PTOG_MTE2, PTOG_MTE3, 0);
            ptog_core_wait_flag(core, PTOG_MTE2, PTOG_MTE3, 0);
            ptog_core_at(core, "k.c", 2);
            ptog_core_store(core, &a, k.out, block * (fixed ? 128 : 96));
            ptog_core_close(core);
        }
        if (fixed)
            EXPECT_CLEAN(&k);
        else
            EXPECT(&k, "gm-block-overlap 2 1");
        kernel_close(&k);
    }
}

/* A scalar store is complete for everyone at the next set from S. */
static void scalar_stores(void **state)
{
    struct ptog_transfer a = tile_of(0, 32);
    float one = 1, seen = 0;
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        struct kernel k = kernel_open("a2a3", NULL);
        ptog_core_store_scalar(AT(&k, 1), k.out, 0, 4, &one);
        ptog_core_load_scalar(AT(&k, 2), k.out, 0, 4, &seen);
        assert_true(seen == 1);
        ptog_core_dcci(k.core, -1, 0);
        ptog_core_dsb(k.core);
        if (fixed)
            flag(&k, 3, PTOG_S, PTOG_MTE2, 0);
        ptog_core_load(AT(&k, 4), &a, k.out, 0);
        if (fixed)
            EXPECT_CLEAN(&k);
        else
            EXPECT(&k, "race-raw 4 1");
        kernel_close(&k);
    }
}

/* A wait that is issued before its set holds its queue back; what is behind it is ordered after the set. */
static void wait_before_set(void **state)
{
    struct ptog_transfer a = tile_of(0x1000, 32);
    struct ptog_tgather move = mask_of(0, 0x1000, 32);
    float zeros[32] = {0}, tile[32];
    struct kernel k = kernel_open("a2a3", &(struct ptog_device_options){.schedule = PTOG_SCHEDULE_SLOW});
    (void)state;
    ptog_core_preset(k.core, &a.tile, zeros);
    ptog_core_wait_flag(AT(&k, 1), PTOG_MTE2, PTOG_V, 0);
    ptog_core_tgather(AT(&k, 2), &move, NULL);
    ptog_core_load(AT(&k, 3), &a, k.table, 0);
    ptog_core_set_flag(AT(&k, 4), PTOG_MTE2, PTOG_V, 0);
    ptog_core_peek(k.core, &move.dst, tile);
    assert_memory_equal(tile, kernel_table, sizeof tile);
    EXPECT(&k, "order-reversed 3 1");
    kernel_close(&k);
}

/* The fix: a flag after the first access and a wait before the second, together where either runs more than once, and
 * a barrier when every id is taken. */
static void fixes(void **state)
{
    static const char *const wanted[] = {
        "after line 3  set_flag(MTE2, V, 1)\nbefore line 5  wait_flag(MTE2, V, 1)",
        "before line 5  set_flag(MTE2, V, 1)\nbefore line 5  wait_flag(MTE2, V, 1)",
        "before line 5  barrier(ALL)",
    };
    struct ptog_transfer ids = load_ids();
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct kernel k = kernel_open("a5", NULL);
        for (int id = 1; kind == 2 && id < 6; id++)
            flag(&k, 1, PTOG_MTE2, PTOG_V, id);
        for (int time = 0; time < (kind == 1 ? 2 : 1); time++)
            ptog_core_load(AT(&k, 3), &ids, k.ids, 0);
        ptog_core_mgather(AT(&k, 5), &op, k.table, 0, NULL);
        kernel_finish(&k);
        const struct ptog_diag *race = NULL;
        for (size_t i = 0; ptog_diags_at(k.diags, i); i++)
            if (strcmp(ptog_diags_at(k.diags, i)->id, "race-raw") == 0)
                race = ptog_diags_at(k.diags, i);
        assert_non_null(race);
        assert_string_equal(fix_of(race), wanted[kind]);
        kernel_close(&k);
    }
}

/* Races of other places get other ids, as long as there are some, so that all fixes can be followed at once: five loads
 * have the ids 1 to 5, and the sixth shares one. */
static void fixes_of_many_places(void **state)
{
    enum { LOADS = 6 };
    (void)state;
    struct kernel k = kernel_open("a5", NULL);
    for (uint32_t i = 0; i < LOADS; i++) {
        struct ptog_transfer load = tile_of(0x400 * i, 32);
        struct ptog_tgather op = mask_of(0x8000 + 0x400 * i, 0x400 * i, 32);
        ptog_core_load(AT(&k, 10 * i + 1), &load, k.table, 0);
        ptog_core_tgather(AT(&k, 10 * i + 2), &op, NULL);
    }
    kernel_finish(&k);
    assert_int_equal(ptog_diags_count(k.diags), LOADS);
    for (uint32_t i = 0; i < LOADS; i++) {
        char wanted[120];
        unsigned id = i < 5 ? i + 1 : 1;
        snprintf(wanted, sizeof wanted, "after line %u  set_flag(MTE2, V, %u)\nbefore line %u  wait_flag(MTE2, V, %u)",
                 10 * i + 1, id, 10 * i + 2, id);
        assert_string_equal(fix_of(ptog_diags_at(k.diags, i)), wanted);
    }
    kernel_close(&k);
}

/* A kernel that does not tell its lines is told the instruction; of lines in two files, only the second one. */
static void fixes_without_lines(void **state)
{
    static const char *const wanted[] = {"before mgather  set_flag(MTE2, V, 1)\nbefore mgather  wait_flag(MTE2, V, 1)",
                                         "before line 9  set_flag(MTE2, V, 1)\nbefore line 9  wait_flag(MTE2, V, 1)",
                                         "after line 5  set_flag(MTE2, V, 1)\nbefore line 9  wait_flag(MTE2, V, 1)"};
    struct ptog_transfer ids = load_ids();
    struct ptog_mgather rows = gather_rows(PTOG_OOB_CLAMP);
    (void)state;
    for (int lines = 0; lines < 3; lines++) {
        struct kernel k = kernel_open("a5", NULL);
        if (lines > 0)
            ptog_core_at(k.core, lines == 1 ? "load.c" : "k.c", 5);
        ptog_core_load(k.core, &ids, k.ids, 0);
        if (lines > 0)
            ptog_core_at(k.core, "k.c", 9);
        ptog_core_mgather(k.core, &rows, k.table, 0, NULL);
        kernel_finish(&k);
        assert_int_equal(ptog_diags_count(k.diags), 1);
        assert_string_equal(fix_of(ptog_diags_at(k.diags, 0)), wanted[lines]);
        kernel_close(&k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(write_after_read),
        cmocka_unit_test(bytes_of_a_race),
        cmocka_unit_test(write_after_write),
        cmocka_unit_test(same_pipe),
        cmocka_unit_test(same_pipe_transfers),
        cmocka_unit_test(self_race),
        cmocka_unit_test(loops),
        cmocka_unit_test(own_chain_in_a_loop),
        cmocka_unit_test(held_at_a_wait),
        cmocka_unit_test(races_in_gm),
        cmocka_unit_test(two_blocks),
        cmocka_unit_test(fixes),
        cmocka_unit_test(fixes_of_many_places),
        cmocka_unit_test(fixes_without_lines),
        cmocka_unit_test(scalar_stores),
        cmocka_unit_test(wait_before_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
