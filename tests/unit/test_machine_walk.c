/* unit: in which order MGATHER Elem writes its lanes on a2a3: an NZ tile by block columns, then rows, then columns in
 * the block, so that each write follows the one before in UB; a row-major tile by rows. And that a table which nobody
 * stores to, whose rows are gathered at once, is counted like any other. */
#include "machine/kernel.h"

#include "model/mgather.h"
#include "model/target.h"
#include "model/tile.h"
#include "sim/families/mgather.h"

#define ROWS 20
#define COLS 40

static uint64_t written[ROWS * COLS];
static size_t count;

static void note_read(struct ptog_tracer *tracer, uint64_t at, uint64_t bytes)
{
    (void)tracer;
    (void)at;
    (void)bytes;
}

static void note_write(struct ptog_tracer *tracer, uint64_t at, uint64_t bytes)
{
    (void)tracer;
    assert_int_equal(bytes, 2);
    assert_true(count < COUNT_OF(written));
    written[count++] = at;
}

/* Fills `written` with the addresses that one gather into `dst` writes, in their order. */
static void gather_into(struct ptog_tile dst, struct ptog_tensor table)
{
    static unsigned char elements[16 * 1024];
    struct ptog_mgather op = {.dst = dst,
                              .table = table,
                              .idx =
                                  ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_I32, 32, 48), ROWS, COLS), 64 * 1024),
                              .coalesce = PTOG_ELEM};
    struct ptog_tracer tracer = {.get = note_read, .put = note_write};
    struct ptog_memory issued, timed;
    struct ptog_global gm = {0};
    struct ptog_known_insn known;
    struct ptog_insn insn;
    assert_true(ptog_memories_open(&issued, &timed, 192 * 1024, &gm));
    ptog_insn_mgather(&insn, &op);
    insn.of[PTOG_MGATHER_TABLE].buffer = ptog_global_add(&gm, "table", elements, sizeof elements, true);
    ptog_known_start(&known, ptog_target_find("a2a3"), &insn, NULL);
    known.effects = ptog_effects_of(&known, &insn);
    assert_non_null(known.effects);
    ptog_ub_fill(&issued, op.idx.addr, 0, 32 * 48 * 4);
    ptog_memory_trace(&issued, &tracer);
    struct ptog_sim sim = {.known = &known, .memory = &issued};
    count = 0;
    assert_int_equal(ptog_sim_elem(&sim), PTOG_OK);
    assert_int_equal(count, ROWS * COLS);
    ptog_memories_close(&issued, &timed);
    ptog_global_close(&gm);
}

static void nz_by_block_columns(void **state)
{
    struct ptog_tile dst = ptog_tile_at(ptog_tile_valid(ptog_tile_nz(ptog_tile_vec(PTOG_F16, 32, 48)), ROWS, COLS), 0);
    (void)state;
    gather_into(dst, ptog_tensor_nz(PTOG_F16, 1, 3, 2));
    size_t i = 0;
    for (uint64_t block = 0; block < 3; block++)
        for (uint64_t r = 0; r < ROWS; r++)
            for (uint64_t c = 0; c < 16 && block * 16 + c < COLS; c++, i++)
                assert_int_equal(written[i], (block * 32 * 16 + r * 16 + c) * 2);
}

static void nd_by_rows(void **state)
{
    (void)state;
    gather_into(ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_F16, 32, 48), ROWS, COLS), 0),
                ptog_tensor_2d(PTOG_F16, 64, 48));
    for (size_t i = 0; i < ROWS * COLS; i++)
        assert_int_equal(written[i], (i / COLS * 48 + i % COLS) * 2);
}

static void read_only_tables_count_alike(void **state)
{
    static const char *const targets[] = {"a2a3", "a5", "a5-custom"};
    static float table[1024];
    static int32_t ids[8 * 32];
    (void)state;
    for (int i = 0; i < 8 * 32; i++)
        ids[i] = i * 37 % 1024;
    for (size_t t = 0; t < COUNT_OF(targets); t++) {
        struct ptog_stats stats[2];
        for (int read_only = 0; read_only < 2; read_only++) {
            struct ptog_mgather op = {.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 8, 32), 0),
                                      .table = ptog_tensor_2d(PTOG_F32, 32, 32),
                                      .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 8, 32), 4096),
                                      .coalesce = PTOG_ELEM};
            struct kernel k = kernel_open(targets[t], NULL);
            int buffer = read_only ? ptog_device_input(k.device, "elements", table, sizeof table)
                                   : ptog_device_buffer(k.device, "elements", table, sizeof table);
            ptog_core_preset(k.core, &op.idx, ids);
            assert_int_equal(ptog_core_mgather(AT(&k, 1), &op, buffer, 0, NULL), PTOG_OK);
            kernel_finish(&k);
            ptog_device_stats(k.device, &stats[read_only]);
            kernel_close(&k);
        }
        assert_int_equal(stats[0].gm_read_bytes, 8 * 32 * 4);
        assert_int_equal(stats[0].transactions, t == 0 ? 0 : 8 * 32);
        assert_memory_equal(&stats[0], &stats[1], sizeof stats[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nz_by_block_columns), cmocka_unit_test(nd_by_rows),
                                       cmocka_unit_test(read_only_tables_count_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
