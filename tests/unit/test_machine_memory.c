/* unit: where tiles and transfers may lie: the end of UB, budgets of a launch, alignment, padding, buffers. */
#include "machine/kernel.h"

#define KIB 1024u

static struct ptog_transfer bytes_at(uint64_t addr, int64_t rows, int64_t cols)
{
    return (struct ptog_transfer){.tile = ptog_tile_at(ptog_tile_vec(PTOG_U8, rows, cols), addr),
                                  .view = ptog_tensor_2d(PTOG_U8, rows, cols)};
}

/* One load that ends at `top`; with a SIMT launch before it when asked. */
static struct kernel reach(const char *target, uint64_t top, bool launch, uint64_t dyn_ub)
{
    struct ptog_device_options options = {.dyn_ub = dyn_ub};
    struct kernel k = kernel_open(target, &options);
    struct ptog_transfer load = bytes_at(top - 64, 1, 64);
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    if (launch) {
        ptog_core_preset(k.core, &op.idx, kernel_ids);
        ptog_core_mgather(AT(&k, 1), &op, k.table, 0, NULL);
    }
    ptog_core_load(AT(&k, 2), &load, k.out, 0);
    return k;
}

static void budgets(void **state)
{
    static const struct {
        const char *target;
        uint64_t top;
        bool launch;
        uint64_t dyn_ub;
        const char *wanted;
    } cases[] = {
        {"a2a3", 184 * KIB, true, 0, NULL},
        {"a2a3", 192 * KIB, true, 0, NULL},
        {"a2a3", 64 * KIB, true, 64 * KIB, "ub-budget 2 1"},
        {"a2a3", 64 * KIB, false, 1, "ub-budget 2 1"},
        {"a5", 120 * KIB, true, 0, NULL},
        {"a5", 120 * KIB + 32, true, 0, "ub-reserved 2 1"},
        {"a5", 128 * KIB, true, 0, "ub-reserved 2 1"},
        {"a5", 128 * KIB + 32, true, 0, "ub-budget 2 1"},
        {"a5", 200 * KIB, true, 200 * KIB, NULL},
        {"a5", 200 * KIB + 32, true, 200 * KIB, "ub-budget 2 1"},
        {"a5", 216 * KIB, true, 216 * KIB, NULL},
        {"a5", 120 * KIB, true, 216 * KIB + 1, "ub-budget 1 1"},
        {"a5", 248 * KIB, false, 0, NULL},
        {"a5", 248 * KIB + 32, false, 0, "ub-budget 2 1"},
        {"a5", 256 * KIB, false, 0, "ub-budget 2 1"},
        {"a5", 256 * KIB, true, 0, "ub-budget 2 1"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct kernel k = reach(cases[i].target, cases[i].top, cases[i].launch, cases[i].dyn_ub);
        const char *const wanted[] = {cases[i].wanted, NULL};
        expect(&k, wanted);
        kernel_close(&k);
    }
}

/* dynUBufSize is at most 216 KiB less static memory, and tiles may reach as far as both together. */
static void static_memory(void **state)
{
    static const struct {
        int64_t kib; /* of the tile that the compiler placed, at 16 KiB */
        uint64_t top, dyn_ub;
        const char *wanted;
        uint64_t cache;
    } cases[] = {
        {64, 80 * KIB, 0, NULL, 128 * KIB},
        {180, 200 * KIB, 0, "ub-budget 2 1", 128 * KIB},
        {64, 120 * KIB + 32, 0, "ub-reserved 2 1", 128 * KIB},
        {64, 216 * KIB, 152 * KIB, NULL, 32 * KIB},
        {64, 216 * KIB + 32, 152 * KIB, "ub-budget 2 1", 32 * KIB},
        {64, 184 * KIB, 120 * KIB, NULL, 64 * KIB},
        {64, 80 * KIB, 152 * KIB + 32, "ub-budget 1 1", 32 * KIB},
        {0, 80 * KIB, 152 * KIB + 32, NULL, 96 * KIB - 32},
        {200, 216 * KIB, 16 * KIB, NULL, 32 * KIB},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct kernel k = reach("a5", cases[i].top, true, cases[i].dyn_ub);
        struct ptog_transfer load = bytes_at(16 * KIB, 1, 64);
        const char *const wanted[] = {cases[i].wanted, NULL};
        struct ptog_ub_layout layout;
        load.tile.rows = cases[i].kib;
        load.tile.cols = KIB;
        load.tile = ptog_tile_valid(load.tile, 1, 64);
        load.tile.is_static = true;
        for (int twice = 0; twice < 2 && cases[i].kib > 0; twice++) {
            ptog_core_barrier(AT(&k, 3), PTOG_MTE2);
            ptog_core_load(AT(&k, 4), &load, k.table, 0);
        }
        expect(&k, wanted);
        ptog_device_ub_layout(k.device, &layout);
        assert_int_equal(layout.static_bytes, cases[i].kib * KIB);
        assert_int_equal(layout.cache_bytes, cases[i].cache);
        assert_int_equal(layout.cache_at, 256 * KIB - cases[i].cache);
        assert_int_equal(layout.reserved_at, layout.cache_at - 8 * KIB);
        kernel_close(&k);
    }
}

/* Row of 5 valid columns of 8: the machine of a2a3 copies whole 32-byte blocks and leaves 0xAA behind the valid ones;
 * launches and plans leave what was there. */
static void around_the_valid_region(void **state)
{
    static const char *const targets[] = {"a2a3", "a5", "host"};
    float before[4 * 8], table[4 * 5], after[4 * 8];
    static int32_t ids[8] = {3, 1, 0, 2};
    (void)state;
    for (int i = 0; i < 4 * 8; i++)
        before[i] = -1;
    for (int i = 0; i < 4 * 5; i++)
        table[i] = (float)i;
    for (size_t t = 0; t < COUNT_OF(targets); t++) {
        struct ptog_tile whole = ptog_tile_at(ptog_tile_vec(PTOG_F32, 4, 8), 0);
        struct ptog_mgather op = {.dst = ptog_tile_valid(whole, 4, 5),
                                  .table = ptog_tensor_2d(PTOG_F32, 4, 5),
                                  .idx = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_I32, 1, 8), 1, 4), 256),
                                  .coalesce = PTOG_ROW};
        struct kernel k = kernel_open(targets[t], NULL);
        ptog_core_preset(k.core, &whole, before);
        ptog_core_preset(k.core, &op.idx, ids);
        assert_int_equal(
            ptog_core_mgather(AT(&k, 1), &op, ptog_device_input(k.device, "rows", table, sizeof table), 0, NULL),
            PTOG_OK);
        ptog_core_peek(k.core, &whole, after);
        for (int r = 0; r < 4; r++) {
            assert_memory_equal(after + r * 8, table + ids[r] * 5, 5 * sizeof(float));
            for (int c = 5; c < 8; c++)
                assert_true(t == 0 ? memcmp(&after[r * 8 + c], "\xaa\xaa\xaa\xaa", 4) == 0 : after[r * 8 + c] == -1);
        }
        kernel_close(&k);
    }
}

/* Zero on a2a3: an ND row that is replaced gets zeros in its valid columns alone; an NZ tile is cleared as a whole
 * before the first copy, padding included. */
static void what_zero_clears(void **state)
{
    int16_t table[16 * 16], before[16 * 32], after[16 * 32];
    static int32_t ids[8] = {1, 99, 0};
    struct ptog_tile nd = ptog_tile_at(ptog_tile_vec(PTOG_I16, 16, 32), 0), nz = ptog_tile_nz(nd);
    const struct {
        struct ptog_tile whole;
        struct ptog_tensor table;
        bool clears;
    } cases[] = {{nd, ptog_tensor_2d(PTOG_I16, 16, 9), false}, {nz, ptog_tensor_nz(PTOG_I16, 1, 1, 1), true}};
    (void)state;
    memset(before, 0xff, sizeof before);
    memset(table, 1, sizeof table);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct ptog_tile whole = cases[i].whole;
        struct ptog_mgather op = {.dst = ptog_tile_valid(whole, 3, 9),
                                  .table = cases[i].table,
                                  .idx = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_I32, 1, 8), 1, 3), 2 * KIB),
                                  .oob = PTOG_OOB_ZERO};
        struct kernel k = kernel_open("a2a3", NULL);
        ptog_core_preset(k.core, &whole, before);
        ptog_core_preset(k.core, &op.idx, ids);
        int rows = ptog_device_input(k.device, "rows", table, sizeof table);
        assert_int_equal(ptog_core_mgather(AT(&k, 1), &op, rows, 0, NULL), PTOG_OK);
        ptog_core_peek(k.core, &whole, after);
        for (int r = 1; r < 16; r += r == 1 ? 2 : 1) /* row 1 is replaced; nothing is copied to those from 3 on */
            for (int c = 0; c < 32; c++)
                assert_int_equal(after[r * 32 + c], cases[i].clears || (r == 1 && c < 9) ? 0 : -1);
        kernel_close(&k);
    }
}

static void past_the_end(void **state)
{
    (void)state;
    struct kernel k = reach("a5", 256 * KIB + 32, false, 0);
    EXPECT(&k, "ub-overflow 2 1");
    kernel_close(&k);
    k = reach("a2a3", 192 * KIB + 32, false, 0);
    EXPECT(&k, "ub-overflow 2 1");
    kernel_close(&k);
}

/* A misaligned tile: A2/A3 drops the burst and keeps the bytes, A5 moves it. */
static void misaligned(void **state)
{
    struct ptog_transfer load = bytes_at(16, 1, 64);
    unsigned char zeros[64] = {0}, seen[64];
    (void)state;
    for (int a5 = 0; a5 < 2; a5++) {
        struct kernel k = kernel_open(a5 ? "a5" : "a2a3", NULL);
        ptog_core_preset(k.core, &load.tile, zeros);
        ptog_core_load(AT(&k, 1), &load, k.table, 0);
        ptog_core_peek(k.core, &load.tile, seen);
        assert_memory_equal(seen, a5 ? (const void *)kernel_table : (const void *)zeros, sizeof seen);
        EXPECT(&k, "ub-misaligned-tile 1 1", "dma-misaligned 1 1");
        struct ptog_stats stats;
        ptog_device_stats(k.device, &stats);
        assert_int_equal(stats.dropped_bursts, a5 ? 0 : 1);
        kernel_close(&k);
    }
    struct kernel k = kernel_open("a2a3", NULL);
    load = bytes_at(32, 1, 64);
    ptog_core_load(AT(&k, 1), &load, k.table, 0);
    EXPECT_CLEAN(&k);
    kernel_close(&k);
}

/* Elem writes single elements, so its dst may start anywhere; its index tile, and the dst of Row, may not. */
static void elem_has_no_alignment(void **state)
{
    (void)state;
    for (int a5 = 0; a5 < 2; a5++)
        for (int row = 0; row < 2; row++) {
            struct kernel k = kernel_open(a5 ? "a5" : "a2a3", NULL);
            struct ptog_mgather op = row ? gather_rows(PTOG_OOB_CLAMP) : gather_elems(PTOG_OOB_CLAMP);
            ptog_core_preset(k.core, &op.idx, kernel_ids);
            op.dst.addr += 4;
            ptog_core_mgather(AT(&k, 1), &op, k.table, 0, NULL);
            if (!row)
                EXPECT_CLEAN(&k);
            else if (a5)
                EXPECT(&k, "ub-misaligned-tile 1 1");
            else
                EXPECT(&k, "ub-misaligned-tile 1 1", "dma-misaligned 1 16");
            kernel_close(&k);
        }
}

/* Every burst of a Row gather into a misaligned tile is dropped on A2/A3, from ND tables and from NZ ones. */
static void misaligned_rows(void **state)
{
    float zeros[16 * TABLE_COLS] = {0}, seen[16 * TABLE_COLS];
    (void)state;
    for (int nz = 0; nz < 2; nz++) {
        struct kernel k = kernel_open("a2a3", NULL);
        struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
        struct ptog_stats stats;
        if (nz) {
            op.table = ptog_tensor_nz(PTOG_F32, 1, TABLE_COLS / 8, TABLE_ROWS / 16);
            op.dst = ptog_tile_nz(op.dst);
        }
        op.dst.addr += 4;
        ptog_core_preset(k.core, &op.idx, kernel_ids);
        ptog_core_preset(k.core, &op.dst, zeros);
        ptog_core_mgather(AT(&k, 1), &op, k.table, 0, NULL);
        ptog_core_peek(k.core, &op.dst, seen);
        assert_memory_equal(seen, zeros, sizeof seen);
        if (nz)
            EXPECT(&k, "ub-misaligned-tile 1 1", "dma-misaligned 1 64");
        else
            EXPECT(&k, "ub-misaligned-tile 1 1", "dma-misaligned 1 16");
        ptog_device_stats(k.device, &stats);
        assert_int_equal(stats.dropped_bursts, nz ? 16 * TABLE_COLS / 8 : 16);
        kernel_close(&k);
    }
}

/* More bursts than the field can count: 4096 is 0. */
static void too_many_bursts(void **state)
{
    (void)state;
    for (int64_t rows = 4095; rows <= 4097; rows++) {
        struct kernel k = kernel_open("a2a3", NULL);
        struct ptog_transfer load = bytes_at(0, rows, 32);
        load.view = ptog_tensor_2d_pitch(PTOG_U8, rows, 32, 48); /* packed on both sides it would be one burst */
        ptog_core_load(AT(&k, 1), &load, k.out, 0);
        if (rows == 4095)
            EXPECT_CLEAN(&k);
        else
            EXPECT(&k, "dma-field-overflow 1 1");
        struct ptog_stats stats;
        ptog_device_stats(k.device, &stats);
        assert_int_equal(stats.bursts, rows == 4095 ? 4095 : rows - 4096);
        kernel_close(&k);
    }
}

/* A tile that nobody loaded; the padding of a short burst; PadValue makes it defined. */
static void undefined_bytes(void **state)
{
    struct ptog_transfer load = {.tile = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_F32, 2, 16), 2, 5), 0),
                                 .view = ptog_tensor_2d_pitch(PTOG_F32, 2, 5, 5)};
    struct ptog_transfer store = {.tile = ptog_tile_at(ptog_tile_vec(PTOG_F32, 2, 16), 0),
                                  .view = ptog_tensor_2d(PTOG_F32, 2, 16)};
    (void)state;
    struct kernel k = kernel_open("a2a3", NULL);
    ptog_core_store(AT(&k, 1), &store, k.out, 0);
    EXPECT(&k, "uninit-read 1 32");
    kernel_close(&k);
    /* each burst of 20 bytes leaves 12 bytes of padding, 3 floats, and 8 floats untouched */
    k = kernel_open("a2a3", NULL);
    ptog_core_load(AT(&k, 1), &load, k.table, 0);
    flag(&k, 2, PTOG_MTE2, PTOG_MTE3, 0);
    ptog_core_store(AT(&k, 3), &store, k.out, 0);
    EXPECT(&k, "uninit-read 3 16", "pad-read 3 6");
    kernel_close(&k);
    k = kernel_open("a2a3", NULL);
    load.tile.pad = PTOG_PAD_ZERO; /* fills the 3 floats, and ends with their block */
    ptog_core_load(AT(&k, 1), &load, k.table, 0);
    flag(&k, 2, PTOG_MTE2, PTOG_MTE3, 0);
    ptog_core_store(AT(&k, 3), &store, k.out, 0);
    EXPECT(&k, "uninit-read 3 16");
    kernel_close(&k);
    k = kernel_open("a2a3", NULL);
    load.tile.pad = PTOG_PAD_NULL;
    store.tile = load.tile;
    store.view = ptog_tensor_2d(PTOG_F32, 2, 5);
    ptog_core_load(AT(&k, 1), &load, k.table, 0);
    flag(&k, 2, PTOG_MTE2, PTOG_MTE3, 0);
    ptog_core_store(AT(&k, 3), &store, k.out, 0);
    EXPECT_CLEAN(&k);
    kernel_close(&k);
}

/* Bytes written through one tile and read through another that overlaps it in part; a subview is fine. */
static void partial_overlap(void **state)
{
    struct ptog_transfer low = bytes_at(0, 1, 96), high = bytes_at(64, 1, 96), inside = bytes_at(64, 1, 32);
    (void)state;
    struct kernel k = kernel_open("a2a3", NULL);
    ptog_core_load(AT(&k, 1), &high, k.table, 0);
    ptog_core_barrier(AT(&k, 2), PTOG_MTE2);
    ptog_core_load(AT(&k, 3), &low, k.table, 0);
    flag(&k, 4, PTOG_MTE2, PTOG_MTE3, 0);
    ptog_core_store(AT(&k, 5), &high, k.out, 0);
    ptog_core_store(AT(&k, 6), &inside, k.out, 4096);
    EXPECT(&k, "ub-partial-overlap 5 1");
    assert_int_equal(ptog_diags_at(k.diags, 0)->severity, PTOG_WARNING);
    assert_int_equal(ptog_diags_at(k.diags, 0)->related[0].where.line, 3);
    kernel_close(&k);
}

/* A destination that overlaps its index tile is refused, and nothing is written. */
static void refused_overlap(void **state)
{
    struct kernel k = kernel_open("a2a3", NULL);
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    (void)state;
    op.idx = ptog_tile_at(op.idx, 2016);
    ptog_core_preset(k.core, &op.idx, kernel_ids);
    assert_int_equal(ptog_core_mgather(AT(&k, 1), &op, k.table, 0, NULL), PTOG_ILLEGAL);
    EXPECT(&k, "ub-overlap 1 1");
    assert_true(ptog_diags_at(k.diags, 0)->refuses);
    kernel_close(&k);
    k = kernel_open("a2a3", NULL);
    op.idx = ptog_tile_at(op.idx, 2048);
    ptog_core_preset(k.core, &op.idx, kernel_ids);
    assert_int_equal(ptog_core_mgather(AT(&k, 1), &op, k.table, 0, NULL), PTOG_OK);
    EXPECT_CLEAN(&k);
    kernel_close(&k);
}

/* A2/A3 gathers elements in order, so that dst may be the index tile itself, with a warning; A5 gathers them at once.
 */
static void gather_in_place(void **state)
{
    struct kernel k = kernel_open("a2a3", NULL);
    struct ptog_mgather op = gather_elems(PTOG_OOB_CLAMP);
    float seen[IDS];
    (void)state;
    op.idx = ptog_tile_at(op.idx, op.dst.addr);
    int64_t count = op.dst.rows * op.dst.cols;
    assert_true(count <= IDS);
    ptog_core_preset(k.core, &op.idx, kernel_ids);
    assert_int_equal(ptog_core_mgather(AT(&k, 1), &op, k.table, 0, NULL), PTOG_OK);
    ptog_core_peek(k.core, &op.dst, seen);
    for (int64_t i = 0; i < count; i++)
        assert_true(seen[i] == kernel_table[kernel_ids[i]]);
    EXPECT(&k, "mgather-in-place 1 1");
    kernel_close(&k);
    k = kernel_open("a5", NULL);
    ptog_core_preset(k.core, &op.idx, kernel_ids);
    assert_int_equal(ptog_core_mgather(AT(&k, 1), &op, k.table, 0, NULL), PTOG_ILLEGAL);
    EXPECT(&k, "ub-overlap 1 1");
    kernel_close(&k);
}

/* Past the buffer: 0xAA is loaded, nothing is stored. */
static void past_the_buffer(void **state)
{
    struct kernel k = kernel_open("a5", NULL);
    struct ptog_transfer load = bytes_at(0, 1, 64);
    unsigned char seen[64], no_data[32];
    (void)state;
    memset(no_data, 0xAA, sizeof no_data);
    ptog_core_load(AT(&k, 1), &load, k.table, sizeof kernel_table - 32);
    ptog_core_peek(k.core, &load.tile, seen);
    assert_memory_equal(seen + 32, no_data, 32);
    flag(&k, 2, PTOG_MTE2, PTOG_MTE3, 0);
    ptog_core_store(AT(&k, 3), &load, k.out, OUT_BYTES - 1);
    ptog_core_load_scalar(AT(&k, 4), k.out, OUT_BYTES, 1, seen);
    ptog_core_store_scalar(AT(&k, 5), k.out, OUT_BYTES - 3, 4, no_data);
    EXPECT(&k, "gm-out-of-bounds 1 32", "gm-out-of-bounds 3 63", "gm-out-of-bounds 4 1", "gm-out-of-bounds 5 1");
    for (size_t i = 0; i < 2; i++) /* a transfer has no policy that could be advised */
        assert_string_equal(ptog_diags_at(k.diags, i)->fix[0].text,
                            "bind a larger buffer, or let the view end inside it");
    kernel_close(&k);
}

/* Elem without a policy: an index past the view is read all the same, and reported; past the buffer there is nothing.
 */
static void elements_past_the_view(void **state)
{
    static const int32_t ids[16] = {0, 99, 100, 101, 2047, 2048, 1};
    (void)state;
    for (int a5 = 0; a5 < 2; a5++)
        for (int is_short = 0; is_short < 2; is_short++) {
            struct kernel k = kernel_open(a5 ? "a5" : "a2a3", NULL);
            struct ptog_mgather op = gather_elems(PTOG_OOB_UNDEFINED);
            float seen[16];
            op.table = ptog_tensor_2d(PTOG_F32, 1, is_short ? 4096 : 100); /* the buffer has 2048 elements */
            ptog_core_preset(k.core, &op.idx, ids);
            ptog_core_mgather(AT(&k, 1), &op, k.table, 0, NULL);
            ptog_core_peek(k.core, &op.dst, seen);
            for (int i = 0; i < 16; i++)
                assert_true(ids[i] == 2048 || seen[i] == kernel_table[ids[i]]);
            if (is_short)
                EXPECT(&k, "gm-out-of-bounds 1 1");
            else
                EXPECT(&k, "gm-out-of-bounds 1 1", "gm-outside-view 1 3");
            kernel_close(&k);
        }
}

/* Row from an NZ table of two batches: each element past the buffer is counted once. */
static void blocks_past_the_buffer(void **state)
{
    static const int32_t ids[16] = {0, 1, 31, 1000};
    struct kernel k = kernel_open("a2a3", NULL);
    struct ptog_mgather op = gather_rows(PTOG_OOB_UNDEFINED);
    (void)state;
    op.table = ptog_tensor_nz(PTOG_F32, 2, 2, 2); /* 32 rows of 32 columns */
    op.dst = ptog_tile_nz(op.dst);
    ptog_core_preset(k.core, &op.idx, ids);
    ptog_core_mgather(AT(&k, 1), &op, k.table, 0, NULL);
    EXPECT(&k, "gm-out-of-bounds 1 32");
    kernel_close(&k);
}

/* A scalar that is not there is named by its element, or by its byte where no element begins; no policy is advised. */
static void scalars_past_the_buffer(void **state)
{
    struct kernel k = kernel_open("a5", NULL);
    unsigned char seen[8] = {0};
    const char *const expected[] = {": element 65538 is outside out, which has 65,536 elements",
                                    ": element -1 is outside out, which has 65,536 elements",
                                    ": byte 262141 is outside out, which has 262,144 bytes"};
    (void)state;
    ptog_core_load_scalar(AT(&k, 1), k.out, OUT_BYTES + 8, 4, seen);
    ptog_core_load_scalar(AT(&k, 2), k.out, UINT64_MAX - 3, 4, seen);
    ptog_core_store_scalar(AT(&k, 3), k.out, OUT_BYTES - 3, 4, seen);
    kernel_finish(&k);
    assert_int_equal(ptog_diags_count(k.diags), 3);
    for (size_t i = 0; i < 3; i++) {
        const struct ptog_diag *diag = ptog_diags_at(k.diags, i);
        assert_non_null(strstr(diag->message, expected[i]));
        assert_int_equal(diag->fix_count, 1);
        assert_string_equal(diag->fix[0].text, "bind a larger buffer, or keep the index inside it");
    }
    kernel_close(&k);
}

static void no_simt_context(void **state)
{
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        struct ptog_device_options options = {.launch = fixed ? PTOG_LAUNCH_STANDARD : PTOG_LAUNCH_DIRECT};
        struct kernel k = kernel_open("a5", &options);
        struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
        ptog_core_preset(k.core, &op.idx, kernel_ids);
        assert_int_equal(ptog_core_mgather(AT(&k, 1), &op, k.table, 0, NULL), fixed ? PTOG_OK : PTOG_FAULT);
        if (fixed)
            EXPECT_CLEAN(&k);
        else
            EXPECT(&k, "no-simt-context 1 1");
        kernel_close(&k);
    }
}

/* What the caller gets wrong is refused; absurd tiles are never walked. */
static void bad_arguments(void **state)
{
    struct kernel k = kernel_open("a5", NULL);
    struct ptog_transfer load = bytes_at(0, 1, 64), unplaced = load;
    ptog_device *device;
    (void)state;
    unplaced.tile.placed = false;
    assert_int_equal(ptog_device_open(&device, NULL, NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_device_open(NULL, ptog_target_find("a5"), NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_core_load(k.core, &unplaced, k.table, 0), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_core_load(k.core, &load, 99, 0), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_core_store(k.core, &load, k.table, 0), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_core_load(NULL, &load, k.table, 0), PTOG_BAD_ARGUMENT);
    load = bytes_at(0, (int64_t)1 << 40, 64);
    assert_int_equal(ptog_core_load(AT(&k, 1), &load, k.table, 0), PTOG_ILLEGAL);
    load = bytes_at(UINT64_MAX - 31, 1, 64);
    assert_int_equal(ptog_core_load(AT(&k, 2), &load, k.table, 0), PTOG_ILLEGAL);
    EXPECT(&k, "bad-argument 0 3", "ub-overflow 1 1", "ub-overflow 2 1");
    kernel_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets),
        cmocka_unit_test(past_the_end),
        cmocka_unit_test(misaligned),
        cmocka_unit_test(elem_has_no_alignment),
        cmocka_unit_test(misaligned_rows),
        cmocka_unit_test(too_many_bursts),
        cmocka_unit_test(undefined_bytes),
        cmocka_unit_test(partial_overlap),
        cmocka_unit_test(refused_overlap),
        cmocka_unit_test(past_the_buffer),
        cmocka_unit_test(elements_past_the_view),
        cmocka_unit_test(blocks_past_the_buffer),
        cmocka_unit_test(scalars_past_the_buffer),
        cmocka_unit_test(no_simt_context),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(static_memory),
        cmocka_unit_test(around_the_valid_region),
        cmocka_unit_test(what_zero_clears),
        cmocka_unit_test(gather_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
