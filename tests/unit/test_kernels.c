/* unit: every kernel of the list against the reference loop, between guard pages, at every size around a vector, once
 * for each instruction set of this CPU. The list itself is walked: a kernel that no case reaches is a failure. */
#define _DEFAULT_SOURCE /* setenv */
#include "unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "kernel/kernel.h"
#include "unit/guard.h"

#define MOST ((size_t)1 << 20)
#define MAX_KERNELS 600

static enum ptog_isa isa; /* under test */
static struct guard dst_guard, src_guard, idx_guard, other_guard;
static unsigned seed = 20261115;
static const char *reached[MAX_KERNELS];
static size_t reached_count;

static uint32_t draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8 ^ seed << 24;
}

static void fill(unsigned char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (unsigned char)draw();
}

static void reach(const char *name)
{
    for (size_t i = 0; i < reached_count; i++)
        if (strcmp(reached[i], name) == 0)
            return;
    assert_true(reached_count < MAX_KERNELS);
    reached[reached_count++] = name;
}

/* Indices below `capacity` mostly; above it when the policy forgives. Never negative: that is the careful path. */
static void fill_indices(unsigned char *at, size_t count, enum ptog_dtype dtype, uint64_t capacity, bool beyond)
{
    size_t size = ptog_dtype_size(dtype);
    for (size_t i = 0; i < count; i++) {
        uint64_t value = draw() % (beyond ? 3 * capacity : capacity);
        memcpy(at + i * size, &value, size);
    }
}

/* Runs a plan by its kernel and by the reference loop, into the same guarded buffer, and compares all of dst. */
static void compare_runs(ptog_plan *plan, struct ptog_run *run, size_t cdst_bytes)
{
    static unsigned char by_kernel[MOST], counts[MOST];
    struct ptog_fault fault;
    memset(run->dst.data, 0x55, run->dst.bytes);
    if (cdst_bytes)
        memset(run->cdst.data, 0x55, cdst_bytes);
    enum ptog_status status = ptog_plan_run(plan, run, &fault);
    memcpy(by_kernel, run->dst.data, run->dst.bytes);
    if (cdst_bytes)
        memcpy(counts, run->cdst.data, cdst_bytes);
    memset(run->dst.data, 0x55, run->dst.bytes);
    if (cdst_bytes)
        memset(run->cdst.data, 0x55, cdst_bytes);
    run->reference = true;
    assert_int_equal(ptog_plan_run(plan, run, &fault), status);
    run->reference = false;
    if (memcmp(by_kernel, run->dst.data, run->dst.bytes) != 0 ||
        (cdst_bytes && memcmp(counts, run->cdst.data, cdst_bytes) != 0)) {
        fprintf(stderr, "kernel %s differs from the reference, seed now %u\n", ptog_plan_kernel(plan), seed);
        fail();
    }
    reach(ptog_plan_kernel(plan));
    ptog_plan_free(plan);
}

static struct ptog_buf place(struct guard *guard, const struct ptog_tile *tile, bool at_end)
{
    size_t bytes = (size_t)ptog_tile_bytes(tile), shift = draw() % 2 ? draw() % 64 : 0; /* any alignment */
    unsigned char *data = guard_place(guard, bytes + shift, at_end);
    return (struct ptog_buf){at_end ? data : data + shift, bytes};
}

static void run_mgather(const struct ptog_mgather *op, size_t table_bytes, uint64_t capacity, bool at_end)
{
    ptog_plan *plan;
    assert_int_equal(ptog_plan_mgather(&plan, ptog_target_find("host"), op, NULL), PTOG_OK);
    struct ptog_buf dst = place(&dst_guard, &op->dst, at_end), idx = place(&idx_guard, &op->idx, at_end);
    unsigned char *src = guard_place(&src_guard, table_bytes, at_end);
    fill(src, table_bytes);
    fill_indices(idx.data, idx.bytes / ptog_dtype_size(op->idx.dtype), op->idx.dtype, capacity,
                 op->oob != PTOG_OOB_UNDEFINED);
    struct ptog_run run = {.dst = dst, .src = {src, table_bytes}, .idx = {idx.data, idx.bytes}};
    compare_runs(plan, &run, 0);
}

static const enum ptog_dtype by_size[] = {PTOG_U8, PTOG_F16, PTOG_F32, PTOG_I64};
static const enum ptog_dtype index_types[] = {PTOG_U32, PTOG_I64};

/* Layout of table and dst, so that every way in which a row can move is taken. */
static void shape_row(struct ptog_mgather *op, enum ptog_dtype dtype, int way, int64_t rows, int64_t cols)
{
    int64_t c0 = 32 / (int64_t)ptog_dtype_size(dtype), blocks = (cols + c0 - 1) / c0;
    op->dst = ptog_tile_valid(ptog_tile_vec(dtype, rows, way >= 2 ? blocks * c0 : cols), rows, cols);
    op->table = ptog_tensor_2d(dtype, 37, cols);
    if (way == 1)
        op->dst = ptog_tile_col_major(op->dst);
    if (way == 2 || way == 3)
        op->dst = ptog_tile_nz(op->dst);
    if (way >= 3)
        op->table = ptog_tensor_nz(dtype, 1, blocks, 3);
}

static void rows_of_every_width(void **state)
{
    struct ptog_mgather op = {.coalesce = PTOG_ROW};
    (void)state;
    for (size_t t = 0; t < COUNT_OF(by_size); t++)
        for (int way = 0; way < 5; way++)
            for (int64_t cols = 1; cols <= 132; cols += cols < 70 ? 1 : 7)
                for (int oob = 0; oob < 8; oob++) {
                    size_t size = ptog_dtype_size(by_size[t]), blocks = ((size_t)cols * size + 31) / 32;
                    shape_row(&op, by_size[t], way, 1 + draw() % 5, cols);
                    op.oob = (enum ptog_oob)(oob % 4);
                    op.idx = ptog_tile_vec(index_types[oob / 4], 1, op.dst.rows);
                    run_mgather(&op, way >= 3 ? 48 * blocks * 32 : 37 * (size_t)cols * size, way >= 3 ? 48 : 37,
                                draw() & 1);
                }
}

static void elements_of_every_count(void **state)
{
    struct ptog_mgather op = {.coalesce = PTOG_ELEM};
    (void)state;
    for (size_t t = 0; t < COUNT_OF(by_size); t++)
        for (int nz = 0; nz < 2; nz++)
            for (int64_t cols = 1; cols <= 132; cols++)
                for (int oob = 0; oob < 4; oob++) {
                    size_t size = ptog_dtype_size(by_size[t]);
                    int64_t rows = 1 + draw() % 3;
                    op.dst = ptog_tile_vec(by_size[t], rows, cols);
                    op.idx = ptog_tile_vec(index_types[draw() % 2], rows, cols);
                    if (draw() % 3 == 0)
                        op.dst = ptog_tile_col_major(op.dst);
                    op.table = nz ? ptog_tensor_nz(by_size[t], 2, 3, 2) : ptog_tensor_2d(by_size[t], 7, 13);
                    op.oob = (enum ptog_oob)oob;
                    run_mgather(&op, nz ? 6 * 32 * 32 : 91 * size, nz ? 6 * 32 * 32 / size : 91, draw() & 1);
                }
}

static struct ptog_run place_tgather(const struct ptog_tgather *op, bool at_end)
{
    struct ptog_buf dst = place(&dst_guard, &op->dst, at_end), src = place(&src_guard, &op->src, at_end);
    fill(src.data, src.bytes);
    return (struct ptog_run){.dst = dst, .src = {src.data, src.bytes}};
}

static void tiles_by_index(void **state)
{
    static const enum ptog_dtype types[] = {PTOG_U16, PTOG_U32, PTOG_I64};
    static const char *const targets[] = {"host", "a5"};
    (void)state;
    for (size_t t = 0; t < COUNT_OF(by_size); t++)
        for (size_t i = 0; i < COUNT_OF(types); i++)
            for (size_t on = 0; on < COUNT_OF(targets); on++)
                for (int64_t cols = 1; cols <= 140; cols++) {
                    struct ptog_tgather op = {.dst = ptog_tile_vec(by_size[t], 2, cols),
                                              .src = ptog_tile_vec(by_size[t], 5, 7),
                                              .idx = ptog_tile_vec(types[i], 2, cols)};
                    ptog_plan *plan;
                    if (on == 0 && cols % 3 == 0)
                        op.dst = ptog_tile_col_major(op.dst);
                    if (ptog_plan_tgather(&plan, ptog_target_find(targets[on]), &op, NULL) != PTOG_OK)
                        continue;
                    bool at_end = draw() & 1;
                    struct ptog_run run = place_tgather(&op, at_end);
                    struct ptog_buf idx = place(&idx_guard, &op.idx, at_end);
                    fill_indices(idx.data, (size_t)(2 * cols), types[i], 35, on == 0);
                    run.idx = (struct ptog_cbuf){idx.data, idx.bytes};
                    compare_runs(plan, &run, 0);
                }
}

static void tiles_by_mask(void **state)
{
    (void)state;
    for (size_t t = 0; t < COUNT_OF(by_size); t++)
        for (int pattern = PTOG_P0101; pattern <= PTOG_P1111; pattern++)
            for (int axis = 0; axis < 2; axis++)
                for (int64_t cols = 1; cols <= 132; cols++) {
                    int64_t rows = 1 + draw() % 9;
                    struct ptog_tgather op = {.form = PTOG_BY_MASK,
                                              .dst = ptog_tile_vec(by_size[t], rows, cols),
                                              .src = ptog_tile_vec(by_size[t], rows, cols),
                                              .pattern = (enum ptog_pattern)pattern,
                                              .axis = (enum ptog_axis)axis};
                    ptog_plan *plan;
                    assert_int_equal(ptog_plan_tgather(&plan, ptog_target_find("host"), &op, NULL), PTOG_OK);
                    struct ptog_run run = place_tgather(&op, draw() & 1);
                    compare_runs(plan, &run, 0);
                }
}

static void tiles_by_comparison(void **state)
{
    static const char *const targets[] = {"host", "a5"};
    (void)state;
    for (int dtype = PTOG_I8; dtype < PTOG_HIF8; dtype++)
        for (size_t on = 0; on < COUNT_OF(targets); on++)
            for (int64_t cols = 1; cols <= 132; cols += 1 + draw() % 3)
                for (int cmp = 0; cmp < 2; cmp++) {
                    enum ptog_dtype type = (enum ptog_dtype)dtype;
                    int64_t rows = 1 + draw() % 4;
                    struct ptog_tgather op = {.form = PTOG_BY_COMPARE,
                                              .dst = ptog_tile_vec(PTOG_I32, rows, cols),
                                              .src = ptog_tile_vec(type, rows, cols),
                                              .k = ptog_tile_vec(type, 1, rows),
                                              .cdst = ptog_tile_vec(PTOG_I32, 1, rows),
                                              .offset = 7,
                                              .cmp = cmp ? PTOG_CMP_GT : PTOG_CMP_EQ};
                    ptog_plan *plan;
                    if (ptog_plan_tgather(&plan, ptog_target_find(targets[on]), &op, NULL) != PTOG_OK)
                        continue;
                    struct ptog_run run = place_tgather(&op, draw() & 1);
                    struct ptog_buf k = place(&idx_guard, &op.k, true);
                    memcpy(k.data, run.src.data, ptog_min(k.bytes, run.src.bytes));
                    run.k = (struct ptog_cbuf){k.data, k.bytes};
                    run.cdst = place(&other_guard, &op.cdst, true);
                    compare_runs(plan, &run, run.cdst.bytes);
                }
}

static void every_kernel_was_reached(void **state)
{
    const struct ptog_kernel *kernel;
    size_t missed = 0;
    (void)state;
    for (size_t i = 0; (kernel = ptog_kernel_at(isa, i)) != NULL; i++) {
        size_t r = 0;
        while (r < reached_count && strcmp(reached[r], kernel->name) != 0)
            r++;
        if (r == reached_count) {
            fprintf(stderr, "no case reaches kernel %s\n", kernel->name);
            missed++;
        }
    }
    assert_int_equal(missed, 0);
}

/* Whether it has one for f32 by i32 without a policy. */
static bool has_elements(void)
{
    const struct ptog_kernel *kernel;
    for (size_t i = 0; (kernel = ptog_kernel_at(isa, i)) != NULL; i++)
        if (kernel->kind == PTOG_KERNEL_ELEM && kernel->part == 4 && kernel->index_size == 4 &&
            kernel->how == PTOG_OOB_UNDEFINED)
            return true;
    return false;
}

/* A set that has no kernel for some elements leaves them to another. */
static void the_instruction_set_is_the_one_asked_for(void **state)
{
    struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, 1, 8),
                              .table = ptog_tensor_2d(PTOG_F32, 4, 8),
                              .idx = ptog_tile_vec(PTOG_I32, 1, 8),
                              .coalesce = PTOG_ELEM};
    ptog_plan *plan;
    (void)state;
    assert_int_equal(ptog_plan_mgather(&plan, ptog_target_find("host"), &op, NULL), PTOG_OK);
    const char *end = strrchr(ptog_plan_kernel(plan), '.');
    assert_non_null(end);
    if (has_elements())
        assert_string_equal(end + 1, ptog_isa_name(isa));
    else
        assert_string_not_equal(end + 1, ptog_isa_name(isa));
    ptog_plan_free(plan);
}

static int run_all(enum ptog_isa which)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_instruction_set_is_the_one_asked_for),
        cmocka_unit_test(rows_of_every_width),
        cmocka_unit_test(elements_of_every_count),
        cmocka_unit_test(tiles_by_index),
        cmocka_unit_test(tiles_by_mask),
        cmocka_unit_test(tiles_by_comparison),
        cmocka_unit_test(every_kernel_was_reached),
    };
    isa = which;
    reached_count = 0;
    setenv("PTOG_ISA", ptog_isa_name(isa), 1);
    return cmocka_run_group_tests_name(ptog_isa_name(isa), tests, NULL, NULL);
}

int main(void)
{
    int failed = 0;
    if (getenv("PTOG_SEED"))
        seed = (unsigned)strtoul(getenv("PTOG_SEED"), NULL, 10);
    fprintf(stderr, "kernels: seed %u (PTOG_SEED)\n", seed);
    dst_guard = guard_new(MOST), src_guard = guard_new(MOST), idx_guard = guard_new(MOST),
    other_guard = guard_new(MOST);
    for (int which = 0; which < PTOG_ISA_COUNT; which++)
        if (ptog_isa_runs((enum ptog_isa)which))
            failed += run_all((enum ptog_isa)which);
    guard_free(&dst_guard), guard_free(&src_guard), guard_free(&idx_guard), guard_free(&other_guard);
    return failed;
}
