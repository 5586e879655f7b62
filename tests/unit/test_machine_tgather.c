/* unit: random TGATHER kernels, by index, mask and comparison: the machine's tiles equal the host's under every
 * schedule, and the report is clean. */
#include "machine/kernel.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/tile.h"

static uint64_t state_of_random, ran[3];

static uint64_t draw(uint64_t n)
{
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    state_of_random ^= state_of_random << 17;
    return (state_of_random >> 11) % n;
}

static int64_t between(int64_t from, int64_t to)
{
    return from + (int64_t)draw((uint64_t)(to - from + 1));
}

/* Every tile has its storage in one host buffer, at its UB address. */
#define BYTES 65536
static unsigned char memory[BYTES], src_data[BYTES], idx_data[BYTES], k_data[BYTES], out_data[2][BYTES], counts[BYTES];

static struct ptog_tgather draw_operands(const struct ptog_target *target)
{
    static const enum ptog_dtype dtypes[] = {PTOG_I16, PTOG_U16, PTOG_I32, PTOG_U32, PTOG_F16, PTOG_F32, PTOG_U8};
    enum ptog_dtype dtype = dtypes[draw(COUNT_OF(dtypes))];
    struct ptog_tgather op = {.form = (enum ptog_tgather_form)draw(3), .pattern = (enum ptog_pattern)between(1, 7)};
    int64_t c0 = ptog_c0(dtype), rows = between(1, 6), cols = c0 * between(1, 3);
    bool narrow = strcmp(target->name, "a5") == 0 && ptog_dtype_size(dtype) <= 2 && draw(2);
    enum ptog_dtype index = narrow || ptog_dtype_size(dtype) == 1 ? PTOG_U16 : PTOG_I32;
    op.src = ptog_tile_at(ptog_tile_vec(dtype, rows, cols), 0x1000);
    switch (op.form) {
    case PTOG_BY_INDEX:
        cols = (cols + 31) / 32 * 32;
        op.dst = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(dtype, rows, cols), between(1, rows), cols), 0x2000);
        op.idx = ptog_tile_at(ptog_tile_vec(index, rows, cols), 0x4000);
        op.tmp = ptog_tile_at(ptog_tile_vec(index, rows, cols), 0x6000);
        break;
    case PTOG_BY_MASK:
        op.src.valid_row = between(1, rows);
        op.src.valid_col = between(1, cols);
        op.dst = ptog_tile_at(ptog_tile_vec(dtype, rows, cols), 0x2000);
        break;
    case PTOG_BY_COMPARE:
        op.dst = ptog_tile_at(ptog_tile_vec(PTOG_I32, rows, (cols + 7) / 8 * 8), 0x2000);
        op.cdst = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_I32, 1, 8), 1, rows), 0x4000);
        op.k = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(dtype, 1, c0), 1, rows), 0x6000);
        op.cmp = draw(2) ? PTOG_CMP_GT : PTOG_CMP_EQ;
        op.offset = (int32_t)draw(100);
        break;
    }
    return op;
}

static size_t valid_bytes(const struct ptog_tile *tile)
{
    struct ptog_tile known = *tile;
    ptog_tile_fill_defaults(&known);
    return (size_t)(known.valid_row * known.valid_col) * ptog_dtype_size(known.dtype);
}

/* Packed row-major bytes to a tile's place in `memory`, or back. */
static void copy(const struct ptog_tile *tile, unsigned char *packed, bool in)
{
    struct ptog_tile known = *tile;
    size_t size = ptog_dtype_size(tile->dtype);
    ptog_tile_fill_defaults(&known);
    for (int64_t r = 0; r < known.valid_row; r++)
        for (int64_t c = 0; c < known.valid_col; c++, packed += size) {
            unsigned char *at = memory + tile->addr + (size_t)ptog_tile_offset(&known, r, c) * size;
            memcpy(in ? at : packed, in ? packed : at, size);
        }
}

static void draw_data(const struct ptog_tgather *op)
{
    size_t size = ptog_dtype_size(op->src.dtype);
    for (size_t i = 0; i < 4096; i++) /* few values, so that comparisons match; as floats they are no NaN */
        src_data[i] = (unsigned char)draw(size == 2 ? 60 : 3);
    memcpy(k_data, src_data + 64 * size, 512);
    for (size_t i = 0; i < 1024; i++) {
        uint32_t index = (uint32_t)draw((uint64_t)(op->src.rows * op->src.cols));
        if (op->idx.dtype == PTOG_U16)
            memcpy(idx_data + 2 * i, &index, 2);
        else
            memcpy(idx_data + 4 * i, &index, 4);
    }
}

static bool on_host(const struct ptog_target *target, const struct ptog_tgather *op)
{
    ptog_plan *plan = NULL;
    struct ptog_fault fault;
    ptog_diags *diags = ptog_diags_new();
    bool clean = ptog_plan_tgather(&plan, target, op, diags) == PTOG_OK;
    for (size_t i = 0; i < ptog_diags_count(diags); i++)
        clean &= ptog_diags_at(diags, i)->severity != PTOG_ERROR;
    ptog_diags_free(diags);
    memset(memory, 0xAA, sizeof memory);
    if (clean) {
        copy(&op->src, src_data, true);
        if (op->form == PTOG_BY_INDEX)
            copy(&op->idx, idx_data, true);
        if (op->form == PTOG_BY_COMPARE)
            copy(&op->k, k_data, true);
        struct ptog_run run = {.dst = {memory + op->dst.addr, (size_t)ptog_tile_bytes(&op->dst)},
                               .src = {memory + op->src.addr, (size_t)ptog_tile_bytes(&op->src)},
                               .idx = {memory + op->idx.addr, 0x2000},
                               .k = {memory + op->k.addr, 0x1000},
                               .cdst = {memory + op->cdst.addr, 0x1000}};
        if (op->form != PTOG_BY_INDEX)
            run.idx = (struct ptog_cbuf){NULL, 0};
        if (op->form != PTOG_BY_COMPARE)
            run.k = (struct ptog_cbuf){NULL, 0}, run.cdst = (struct ptog_buf){NULL, 0};
        clean = ptog_plan_run(plan, &run, &fault) == PTOG_OK;
        copy(&op->dst, out_data[0], false);
    }
    ptog_plan_free(plan);
    return clean;
}

static void load(ptog_core *core, const struct ptog_tile *tile, int gm)
{
    struct ptog_tile known = *tile;
    ptog_tile_fill_defaults(&known);
    struct ptog_transfer op = {.tile = *tile, .view = ptog_tensor_2d(tile->dtype, known.valid_row, known.valid_col)};
    assert_int_equal(ptog_core_load(core, &op, gm, 0), PTOG_OK);
}

static void on_machine(const struct ptog_target *target, const struct ptog_tgather *op, int schedule, uint64_t seed)
{
    struct ptog_device_options options = {.schedule = (enum ptog_schedule)schedule, .seed = seed};
    ptog_device *device;
    ptog_core *core;
    ptog_diags *diags = ptog_diags_new();
    assert_int_equal(ptog_device_open(&device, target, &options), PTOG_OK);
    int src = ptog_device_input(device, "src", src_data, BYTES),
        idx = ptog_device_input(device, "idx", idx_data, BYTES);
    int k = ptog_device_input(device, "k", k_data, BYTES);
    assert_int_equal(ptog_core_open(&core, device, 0), PTOG_OK);
    struct ptog_tile all = op->dst; /* what the instruction does not write is compared too */
    all.valid_row = all.valid_col = 0;
    memset(counts, 0xAA, sizeof counts);
    ptog_core_preset(core, &all, counts);
    load(core, &op->src, src);
    if (op->form == PTOG_BY_INDEX)
        load(core, &op->idx, idx);
    if (op->form == PTOG_BY_COMPARE)
        load(core, &op->k, k);
    ptog_core_set_flag(core, PTOG_MTE2, PTOG_V, 1);
    ptog_core_wait_flag(core, PTOG_MTE2, PTOG_V, 1);
    assert_int_equal(ptog_core_tgather(core, op, NULL), PTOG_OK);
    ptog_core_peek(core, &op->dst, out_data[1]);
    bool same = memcmp(out_data[0], out_data[1], valid_bytes(&op->dst)) == 0;
    if (op->form == PTOG_BY_COMPARE) {
        ptog_core_peek(core, &op->cdst, counts);
        copy(&op->cdst, out_data[1], false);
        same &= memcmp(counts, out_data[1], valid_bytes(&op->cdst)) == 0;
    }
    ptog_core_close(core);
    assert_int_equal(ptog_device_report(device, diags), PTOG_OK);
    const struct ptog_diag *said = NULL;
    for (size_t i = 0; !said && i < ptog_diags_count(diags); i++) {
        said = ptog_diags_at(diags, i);
        if (strncmp(said->id, "tgather-", 8) == 0 && said->severity != PTOG_ERROR) /* the verifier's, of the extents */
            said = NULL;
        else if (strcmp(said->id, "flag-redundant") == 0 && op->form == PTOG_BY_MASK) /* a mask that keeps nothing */
            said = NULL;
    }
    if (!same || said) {
        fprintf(stderr, "seed %llu on %s, form %d, schedule %d: %s\n", (unsigned long long)seed, target->name,
                (int)op->form, schedule, same ? said->message : "bytes differ");
        fail();
    }
    ptog_diags_free(diags);
    ptog_device_close(device);
}

static void random_kernels(void **state)
{
    uint64_t kernels = number_from("PTOG_RANDOM_KERNELS", 1000), seed = number_from("PTOG_SEED", 1);
    (void)state;
    printf("%llu kernels from seed %llu\n", (unsigned long long)kernels, (unsigned long long)seed);
    for (uint64_t i = seed; i < seed + kernels; i++) {
        state_of_random = i * 0x9E3779B97F4A7C15u | 1;
        const struct ptog_target *target = ptog_target_find(draw(2) ? "a2a3" : "a5");
        struct ptog_tgather op = draw_operands(target);
        draw_data(&op);
        if (!on_host(target, &op))
            continue;
        ran[op.form]++;
        for (int schedule = 0; schedule < 4; schedule++)
            on_machine(target, &op, schedule, i);
    }
    printf("run: %llu by index, %llu by mask, %llu by comparison\n", (unsigned long long)ran[0],
           (unsigned long long)ran[1], (unsigned long long)ran[2]);
    for (int form = 0; form < 3; form++)
        assert_true(ran[form] >= kernels / 20);
}

/* An index of 16 bits is unsigned on a5: -1 is 65535, and reads what lies that many elements behind the source. */
static void short_indices_are_unsigned(void **state)
{
    static int16_t ids[16] = {-1, 2, -1}, values[16], far_away[16], got[16];
    struct ptog_tile far_tile = ptog_tile_at(ptog_tile_vec(PTOG_I16, 1, 16), 65535 * 2 + 2 - 32);
    struct ptog_tgather op = {.form = PTOG_BY_INDEX,
                              .dst = ptog_tile_at(ptog_tile_vec(PTOG_I16, 1, 16), 1024),
                              .src = ptog_tile_at(ptog_tile_vec(PTOG_I16, 1, 16), 0),
                              .idx = ptog_tile_at(ptog_tile_vec(PTOG_I16, 1, 16), 2048)};
    struct kernel k = kernel_open("a5", NULL);
    (void)state;
    for (int i = 0; i < 16; i++) {
        values[i] = (int16_t)(100 + i);
        far_away[i] = (int16_t)(200 + i);
    }
    ptog_core_preset(k.core, &op.src, values);
    ptog_core_preset(k.core, &op.idx, ids);
    ptog_core_preset(k.core, &far_tile, far_away);
    assert_int_equal(ptog_core_tgather(AT(&k, 1), &op, NULL), PTOG_OK);
    ptog_core_peek(k.core, &op.dst, got);
    assert_int_equal(got[0], 215);
    assert_int_equal(got[1], 102);
    assert_int_equal(got[2], 215);
    assert_int_equal(got[3], 100);
    EXPECT(&k, "ub-outside-tile 1 2");
    kernel_close(&k);
}

/* The manual's example: of the 128 elements that P0101 keeps of 16x16, 16 fit into 1x16; nothing behind dst is written.
 */
static void what_does_not_fit(void **state)
{
    static const char *const targets[] = {"a2a3", "a5", "a5-custom"};
    static float values[256], behind[112], got[112];
    struct ptog_tgather op = {.form = PTOG_BY_MASK,
                              .dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 16), 0x2000),
                              .src = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, 16), 0x1000),
                              .pattern = PTOG_P0101};
    struct ptog_tile rest = ptog_tile_at(ptog_tile_vec(PTOG_F32, 7, 16), 0x2000 + 64);
    (void)state;
    for (int i = 0; i < 256; i++)
        values[i] = (float)i;
    for (int i = 0; i < 112; i++)
        behind[i] = -1;
    for (size_t t = 0; t < COUNT_OF(targets); t++) {
        struct kernel k = kernel_open(targets[t], NULL);
        ptog_core_preset(k.core, &op.src, values);
        ptog_core_preset(k.core, &rest, behind);
        ptog_core_tgather(AT(&k, 1), &op, NULL);
        ptog_core_peek(k.core, &op.dst, got);
        for (int i = 0; i < 16; i++)
            assert_true(got[i] == (float)(2 * i));
        ptog_core_peek(k.core, &rest, got);
        assert_memory_equal(got, behind, sizeof behind);
        EXPECT(&k, "tile-overrun 1 1");
        kernel_close(&k);
    }
}

/* By mask along axis col: the rows that the pattern keeps, one behind the other. */
static void kept_rows(void **state)
{
    static const char *const targets[] = {"a2a3", "a5", "a5-custom"};
    static float values[6 * 16], got[3 * 16];
    struct ptog_tgather op = {.form = PTOG_BY_MASK,
                              .dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 3, 16), 0x2000),
                              .src = ptog_tile_at(ptog_tile_vec(PTOG_F32, 6, 16), 0x1000),
                              .pattern = PTOG_P1010,
                              .axis = PTOG_AXIS_COL};
    (void)state;
    for (int i = 0; i < 6 * 16; i++)
        values[i] = (float)i;
    for (size_t t = 0; t < COUNT_OF(targets); t++) {
        struct kernel k = kernel_open(targets[t], NULL);
        ptog_core_preset(k.core, &op.src, values);
        assert_int_equal(ptog_core_tgather(AT(&k, 1), &op, NULL), PTOG_OK);
        ptog_core_peek(k.core, &op.dst, got);
        for (int r = 0; r < 3; r++)
            assert_memory_equal(&got[r * 16], &values[(2 * r + 1) * 16], 16 * sizeof *got);
        EXPECT(&k, "library-differs-mask-axis 1 1");
        kernel_close(&k);
    }
}

/* By index with 2-byte data on a2a3: tmp holds the byte offsets, two per index. */
static void offsets_in_tmp(void **state)
{
    static int32_t ids[2 * 16], got[2 * 16];
    static int16_t values[2 * 16];
    struct ptog_tgather op = {.form = PTOG_BY_INDEX,
                              .dst = ptog_tile_at(ptog_tile_vec(PTOG_I16, 2, 16), 0x1000),
                              .src = ptog_tile_at(ptog_tile_vec(PTOG_I16, 2, 16), 0),
                              .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 2, 16), 0x2000),
                              .tmp = ptog_tile_at(ptog_tile_vec(PTOG_I32, 2, 16), 0x3000)};
    struct kernel k = kernel_open("a2a3", NULL);
    (void)state;
    for (int i = 0; i < 32; i++) {
        ids[i] = 31 - i;
        values[i] = (int16_t)i;
    }
    ptog_core_preset(k.core, &op.src, values);
    ptog_core_preset(k.core, &op.idx, ids);
    assert_int_equal(ptog_core_tgather(AT(&k, 1), &op, NULL), PTOG_OK);
    ptog_core_peek(k.core, &op.tmp, got);
    for (int i = 0; i < 32; i++)
        assert_int_equal(got[i], 2 * ids[i]);
    EXPECT_CLEAN(&k);
    kernel_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_kernels), cmocka_unit_test(short_indices_are_unsigned),
                                       cmocka_unit_test(what_does_not_fit), cmocka_unit_test(kept_rows),
                                       cmocka_unit_test(offsets_in_tmp)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
