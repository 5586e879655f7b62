/* unit: the plain core. Loads and stores in every layout, padding, the end of UB, gathers between tiles at addresses.
 */
#include "unit/check.h"

#include <stdlib.h>
#include <string.h>

#include <ptog/verify.h>

#include "core/direct.h"
#include "exec/plan.h"
#include "model/tensor.h"
#include "model/tgather.h"
#include "model/transfer.h"
#include "ref/ref.h"

/* A plain core, and the target whose meaning it has. */
struct core {
    struct ptog_direct plain;
    const struct ptog_target *target;
};

static struct core open_core(const char *target, uint64_t bytes)
{
    struct core core = {.target = ptog_target_find(target)};
    assert_int_equal(ptog_direct_open(&core.plain, bytes), PTOG_OK);
    return core;
}

/* GM: a buffer, and where in it the view starts. */
struct gm {
    void *data;
    size_t bytes;
    uint64_t start;
};

static struct gm gm_of(void *data, size_t bytes)
{
    return (struct gm){.data = data, .bytes = bytes};
}

/* Verifies, resolves and performs one instruction. */
static enum ptog_status perform(struct core *core, struct ptog_insn *insn, struct gm memory, ptog_diags *diags,
                                struct ptog_fault *fault)
{
    struct ptog_gm_buffer buffer = {.data = memory.data, .bytes = memory.bytes};
    struct ptog_global gm = {.of = &buffer, .count = 1};
    struct ptog_known_insn known;
    memset(fault, 0, sizeof *fault);
    enum ptog_status status = ptog_verify(core->target, insn, diags);
    if (status != PTOG_OK)
        return status;
    ptog_known_start(&known, core->target, insn, NULL);
    if (known.view >= 0)
        known.insn.of[known.view].offset = memory.start;
    struct ptog_run run =
        ptog_direct_buffers(&core->plain, &gm, &known.insn, core->target->tile_oob == PTOG_TILE_OOB_READS_UB);
    return ptog_exec_once(&known, &run, fault);
}

static enum ptog_status transfer(struct core *core, const struct ptog_transfer *op, struct gm memory, ptog_diags *diags,
                                 struct ptog_fault *fault)
{
    struct ptog_insn insn;
    ptog_insn_transfer(&insn, op);
    return perform(core, &insn, memory, diags, fault);
}

static enum ptog_status mgather(struct core *core, const struct ptog_mgather *op, struct gm memory, ptog_diags *diags,
                                struct ptog_fault *fault)
{
    struct ptog_insn insn;
    ptog_insn_mgather(&insn, op);
    return perform(core, &insn, memory, diags, fault);
}

static enum ptog_status tgather(struct core *core, const struct ptog_tgather *op, const float *k,
                                struct ptog_fault *fault)
{
    struct ptog_insn insn;
    uint64_t bits = 0;
    ptog_insn_tgather(&insn, op);
    if (k)
        memcpy(&bits, k, sizeof *k);
    if (k)
        ptog_insn_set_scalar(&insn, PTOG_TGATHER_K, PTOG_F32, bits);
    return perform(core, &insn, (struct gm){0}, NULL, fault);
}

static void ub_starts_undefined(void **state)
{
    struct core core = open_core("a2a3", 64);
    (void)state;
    for (int i = 0; i < 64; i++)
        assert_int_equal(core.plain.memories[PTOG_VEC].data[i], 0xAA);
    struct ptog_tile huge = ptog_tile_at(ptog_tile_vec(PTOG_I8, 1, 64), PTOG_MAX_UB);
    assert_int_equal(ptog_direct_reach(&core.plain, &huge, false), PTOG_BAD_ARGUMENT);
    ptog_direct_close(&core.plain);
}

/* A view of every layout into a tile of every order on host, there and back, against the formula. */
static void transfers_convert_on_host(void **state)
{
    static uint16_t from[4096], to[4096];
    struct ptog_tile row = ptog_tile_vec(PTOG_F16, 16, 32);
    const struct ptog_tile tiles[] = {row, ptog_tile_col_major(row), ptog_tile_nz(row)};
    struct ptog_tensor views[] = {ptog_tensor_2d_pitch(PTOG_F16, 16, 32, 40), ptog_tensor_2d(PTOG_F16, 16, 32),
                                  ptog_tensor_nz(PTOG_F16, 1, 2, 1)};
    struct core core = open_core("host", 4096);
    struct ptog_fault fault;
    (void)state;
    views[1].layout = PTOG_DN;
    for (int i = 0; i < 4096; i++)
        from[i] = (uint16_t)(i * 7);
    for (size_t t = 0; t < COUNT_OF(tiles); t++)
        for (size_t v = 0; v < COUNT_OF(views); v++) {
            struct ptog_transfer op = {.tile = ptog_tile_at(tiles[t], 64), .view = views[v]};
            struct ptog_tensor view = op.view;
            ptog_tensor_fill_defaults(&view);
            memset(to, 0, sizeof to);
            assert_int_equal(transfer(&core, &op, gm_of(from, sizeof from), NULL, &fault), PTOG_OK);
            op.store = true;
            assert_int_equal(transfer(&core, &op, gm_of(to, sizeof to), NULL, &fault), PTOG_OK);
            for (int64_t r = 0; r < 16; r++)
                for (int64_t c = 0; c < 32; c++) {
                    uint64_t place = ptog_view_place(&view, r, c);
                    uint16_t in_tile;
                    memcpy(&in_tile, core.plain.memories[PTOG_VEC].data + 64 + 2 * ptog_tile_offset(&op.tile, r, c), 2);
                    assert_int_equal(in_tile, from[place]);
                    assert_int_equal(to[place], from[place]);
                }
        }
    ptog_direct_close(&core.plain);
}

static void only_matching_layouts_elsewhere(void **state)
{
    struct core core = open_core("a2a3", 4096);
    struct ptog_transfer op = {.tile = ptog_tile_col_major(ptog_tile_vec(PTOG_F32, 8, 8)),
                               .view = ptog_tensor_2d(PTOG_F32, 8, 8)};
    float memory[64];
    struct ptog_fault fault;
    ptog_diags *diags = ptog_diags_new();
    (void)state;
    assert_int_equal(transfer(&core, &op, gm_of(memory, sizeof memory), diags, &fault), PTOG_ILLEGAL);
    assert_string_equal(ptog_diags_at(diags, 0)->id, "transfer-layout");
    ptog_diags_free(diags);
    ptog_direct_close(&core.plain);
}

static void padding_is_filled_as_the_tile_says(void **state)
{
    static const struct {
        enum ptog_dtype dtype;
        uint64_t max, min;
    } all[] = {{PTOG_I8, 0x7f, 0x80},
               {PTOG_U16, 0xffff, 0},
               {PTOG_I32, 0x7fffffff, 0x80000000},
               {PTOG_F16, 0x7c00, 0xfc00},
               {PTOG_BF16, 0x7f80, 0xff80},
               {PTOG_F32, 0x7f800000, 0xff800000},
               {PTOG_F8E4M3, 0x7e, 0xfe},
               {PTOG_F8E5M2, 0x7c, 0xfc},
               {PTOG_U64, UINT64_MAX, 0},
               {PTOG_I64, INT64_MAX, 1ull << 63}};
    unsigned char memory[64] = {0};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(all); i++)
        for (int pad = PTOG_PAD_NULL; pad <= PTOG_PAD_CUSTOM; pad++) {
            struct core core = open_core("host", 1024);
            struct ptog_transfer op = {.tile = ptog_tile_valid(ptog_tile_vec(all[i].dtype, 2, 4), 1, 3),
                                       .view = ptog_tensor_2d(all[i].dtype, 1, 3)};
            size_t size = ptog_dtype_size(all[i].dtype);
            uint64_t expected = 0, got = 0;
            struct ptog_fault fault;
            op.tile.pad = (enum ptog_pad)pad;
            op.tile.pad_bits = pad == PTOG_PAD_CUSTOM ? 0x123456789abcdef0 : 0;
            assert_int_equal(transfer(&core, &op, gm_of(memory, sizeof memory), NULL, &fault), PTOG_OK);
            memset(&expected, pad == PTOG_PAD_NULL ? 0xAA : 0, size);
            if (pad == PTOG_PAD_CUSTOM)
                expected = 0x123456789abcdef0 & UINT64_MAX >> (64 - 8 * size);
            else if (pad >= PTOG_PAD_MAX)
                expected = pad == PTOG_PAD_MAX ? all[i].max : all[i].min;
            memcpy(&got, core.plain.memories[PTOG_VEC].data + 3 * size, size); /* the last column of the first row */
            assert_true(got == expected);
            memcpy(&got, core.plain.memories[PTOG_VEC].data + 4 * size, size); /* the second row */
            assert_true(got == expected);
            memcpy(&got, core.plain.memories[PTOG_VEC].data + 2 * size, size);
            assert_true(got == 0);
            ptog_direct_close(&core.plain);
        }
}

/* A buffer that ends early: loads give 0xAA, stores leave what they cannot reach. */
static void short_memory_faults(void **state)
{
    struct core core = open_core("host", 1024);
    struct ptog_transfer op = {.tile = ptog_tile_vec(PTOG_F32, 2, 8), .view = ptog_tensor_2d(PTOG_F32, 2, 8)};
    float memory[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    struct ptog_fault fault;
    (void)state;
    assert_int_equal(transfer(&core, &op, gm_of(memory, 50), NULL, &fault), PTOG_FAULT);
    assert_int_equal(fault.count, 4);
    assert_int_equal(fault.row, 1);
    assert_int_equal(fault.col, 4);
    assert_int_equal(core.plain.memories[PTOG_VEC].data[12 * 4], 0xAA);
    memset(memory, 0, sizeof memory);
    op.store = true;
    assert_int_equal(transfer(&core, &op, gm_of(memory, 50), NULL, &fault), PTOG_FAULT);
    assert_true(memory[11] == 12 && memory[12] == 0);
    struct gm gm = gm_of(memory, sizeof memory);
    gm.start = 100; /* past the end */
    assert_int_equal(transfer(&core, &op, gm, NULL, &fault), PTOG_FAULT);
    assert_int_equal(fault.count, 16);
    ptog_direct_close(&core.plain);
}

/* The fast rows and the reference loop agree, whatever the buffers are. */
static void rows_equal_elements(void **state)
{
    unsigned char memory[512], fast[512], slow[512];
    (void)state;
    for (int i = 0; i < 512; i++)
        memory[i] = (unsigned char)(i * 31);
    for (size_t bytes = 0; bytes <= 300; bytes += 7) {
        struct ptog_transfer op = {.tile = ptog_tile_valid(ptog_tile_vec(PTOG_F16, 5, 16), 4, 13),
                                   .view = ptog_tensor_2d_pitch(PTOG_F16, 4, 13, 17)};
        struct core core = open_core("host", 256);
        struct ptog_fault a, b = {0};
        struct ptog_known_insn known;
        struct ptog_insn insn;
        struct ptog_run run = {.dst = {slow, 160}, .src = {memory, bytes}};
        ptog_insn_transfer(&insn, &op);
        ptog_known_start(&known, ptog_target_find("host"), &insn, NULL);
        enum ptog_status status = transfer(&core, &op, gm_of(memory, bytes), NULL, &a);
        memset(fast, 0xAA, sizeof fast), memset(slow, 0xAA, sizeof slow);
        memcpy(fast, core.plain.memories[PTOG_VEC].data, 160);
        assert_int_equal(ptog_ref_insn(&known, &run, &b), status);
        assert_memory_equal(fast, slow, sizeof fast);
        assert_int_equal(a.count, b.count);
        ptog_direct_close(&core.plain);
    }
}

static void gathers_between_addresses(void **state)
{
    struct core core = open_core("a2a3", 196608);
    float table[8][8];
    int32_t index[8] = {7, 0, 3};
    struct ptog_transfer load = {.tile = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 8), 0x1000),
                                 .view = ptog_tensor_2d(PTOG_I32, 1, 8)};
    struct ptog_mgather op = {.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 3, 8), 0),
                              .table = ptog_tensor_2d(PTOG_F32, 8, 8),
                              .idx = ptog_tile_valid(load.tile, 1, 3)};
    float out[3][8];
    struct ptog_fault fault;
    (void)state;
    for (int i = 0; i < 64; i++)
        table[i / 8][i % 8] = (float)i;
    assert_int_equal(transfer(&core, &load, gm_of(index, sizeof index), NULL, &fault), PTOG_OK);
    assert_int_equal(mgather(&core, &op, gm_of(table, sizeof table), NULL, &fault), PTOG_OK);
    ptog_direct_peek(&core.plain, &op.dst, out);
    assert_memory_equal(out[0], table[7], 32);
    assert_memory_equal(out[1], table[0], 32);
    assert_memory_equal(out[2], table[3], 32);
    op.dst.addr = 0xff0; /* over the index */
    assert_int_equal(mgather(&core, &op, gm_of(table, sizeof table), NULL, &fault), PTOG_ILLEGAL);
    op.dst.addr = 196608 - 64; /* the last third of dst is past UB */
    assert_int_equal(mgather(&core, &op, gm_of(table, sizeof table), NULL, &fault), PTOG_FAULT);
    assert_int_equal(fault.of[PTOG_FAULT_SHORT_BUFFER].count, 8);
    ptog_direct_close(&core.plain);
}

/* On a2a3 an index outside its tile reads what lies behind it in UB. */
static void tile_gathers_see_the_rest_of_ub(void **state)
{
    struct core core = open_core("a2a3", 4096);
    float values[16], out[8];
    int32_t index[8] = {0, 7, 8, 15, 1, 1, 1, 1023};
    struct ptog_tile whole = ptog_tile_at(ptog_tile_vec(PTOG_F32, 2, 8), 0),
                     src = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 8), 0);
    struct ptog_tile idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 8), 256),
                     dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 8), 512);
    struct ptog_tgather op = {.dst = dst, .src = src, .idx = idx};
    struct ptog_fault fault;
    float k = 3;
    (void)state;
    for (int i = 0; i < 16; i++)
        values[i] = (float)(i + 1);
    ptog_direct_poke(&core.plain, &whole, values);
    ptog_direct_poke(&core.plain, &idx, index);
    assert_int_equal(tgather(&core, &op, NULL, &fault), PTOG_FAULT);
    assert_int_equal(fault.of[PTOG_FAULT_UB_OUTSIDE_TILE].count, 3);
    ptog_direct_peek(&core.plain, &dst, out);
    assert_true(out[0] == 1 && out[1] == 8 && out[2] == 9 && out[3] == 16);

    struct ptog_tgather compare = {.form = PTOG_BY_COMPARE, .cmp = PTOG_CMP_GT, .src = src};
    int32_t found[8], count;
    compare.dst = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 8), 1024);
    compare.cdst = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 1), 2048);
    assert_int_equal(tgather(&core, &compare, &k, &fault), PTOG_OK);
    ptog_direct_peek(&core.plain, &compare.dst, found);
    ptog_direct_peek(&core.plain, &compare.cdst, &count);
    assert_int_equal(count, 5);
    assert_int_equal(found[0], 3);
    assert_int_equal(found[4], 7);
    ptog_direct_close(&core.plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ub_starts_undefined),
        cmocka_unit_test(transfers_convert_on_host),
        cmocka_unit_test(only_matching_layouts_elsewhere),
        cmocka_unit_test(padding_is_filled_as_the_tile_says),
        cmocka_unit_test(short_memory_faults),
        cmocka_unit_test(rows_equal_elements),
        cmocka_unit_test(gathers_between_addresses),
        cmocka_unit_test(tile_gathers_see_the_rest_of_ub),
    };
    return cmocka_run_group_tests_name("plain core", tests, NULL, NULL);
}
