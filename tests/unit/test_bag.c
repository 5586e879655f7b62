/* Embedding bags: every kernel of every instruction set against the obvious loop, byte by byte, with every buffer at a
 * page nobody may touch; and what a run refuses. */
#include "unit/check.h"

#include <stdlib.h>
#include <string.h>

#include <ptog/ptog.h>

#include "exec/bag.h"
#include "unit/guard.h"

#define MAX_ROWS 40
#define MAX_COLS 1100
#define MAX_INDICES 1500 /* more than one window has */
#define MAX_BAGS 12

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static int64_t below(uint64_t *state, int64_t limit)
{
    return (int64_t)(next_random(state) % (uint64_t)limit);
}

enum { AT_DST, AT_TABLE, AT_IDX, AT_OFFSETS, AT_WEIGHTS, AT_SCALES, GUARDS };

static void put_index(struct ptog_cbuf buffer, enum ptog_dtype dtype, int64_t i, int64_t value)
{
    size_t size = ptog_dtype_size(dtype);
    memcpy((char *)buffer.data + (size_t)i * size, &value, size); /* little-endian */
}

/* Random bytes are all the numbers of a small type; NaN and infinities are rarer in f32. */
static void fill_table(struct ptog_cbuf table, enum ptog_dtype dtype, uint64_t *state)
{
    unsigned char *bytes = (unsigned char *)table.data;
    for (size_t i = 0; i < table.bytes; i++)
        bytes[i] = (unsigned char)next_random(state);
    for (size_t i = 0; dtype == PTOG_F32 && i + 4 <= table.bytes; i += 4) {
        float number = (float)below(state, 20001) / 64.0f - 100.0f;
        if (below(state, 50) != 0)
            memcpy(bytes + i, &number, sizeof number);
    }
}

static void fill_floats(struct ptog_cbuf buffer, uint64_t *state)
{
    for (size_t i = 0; i + 4 <= buffer.bytes; i += 4) {
        float number = (float)below(state, 1 << 20) / 3.0f - 1e5f;
        memcpy((char *)buffer.data + i, &number, sizeof number);
    }
}

static struct ptog_cbuf place(struct guard *guard, size_t bytes)
{
    return (struct ptog_cbuf){guard_place(guard, bytes, true), bytes};
}

/* Random bags: some empty, some with more rows than are collected at a time. */
static void fill_bags(const struct ptog_bag *bag, struct ptog_bag_run *run, int64_t bags, int64_t indices,
                      uint64_t *state)
{
    int64_t at = 0;
    for (int64_t i = 0; i < indices; i++)
        put_index(run->idx, bag->idx, i, below(state, bag->rows));
    for (int64_t b = 0; b < bags; b++) {
        put_index(run->offsets, bag->idx, b, at);
        at += below(state, 3) ? below(state, indices - at + 1) / (1 + below(state, 4)) : 0;
    }
    if (bag->has_end)
        put_index(run->offsets, bag->idx, bags, at);
}

static struct ptog_bag random_bag(enum ptog_dtype table, uint64_t *state)
{
    static const enum ptog_dtype results[] = {PTOG_F32, PTOG_F16, PTOG_BF16, PTOG_DTYPE_NONE};
    struct ptog_bag bag = {
        .table = table, .dst = results[below(state, 4)], .idx = below(state, 2) ? PTOG_I32 : PTOG_I64};
    bag.mode = (enum ptog_bag_mode)below(state, 3);
    bag.rows = 1 + below(state, MAX_ROWS);
    bag.cols = 1 + below(state, below(state, 8) ? 140 : MAX_COLS);
    bag.pitch = below(state, 2) ? bag.cols + below(state, 9) : 0;
    bag.has_end = below(state, 2);
    bag.has_padding = below(state, 3) == 0;
    bag.padding = below(state, bag.rows);
    bag.precise = below(state, 2);
    return bag;
}

static void check_random(const struct ptog_bag_set *set, struct guard *guards, enum ptog_dtype dtype, uint64_t seed)
{
    static unsigned char want[MAX_BAGS * MAX_COLS * 4];
    uint64_t random = seed;
    struct ptog_bag bag = random_bag(dtype, &random);
    ptog_bag_plan *plan = NULL;
    assert_int_equal(ptog_plan_bag(&plan, &bag, NULL), PTOG_OK);
    plan->set = set;
    plan->kernel = ptog_bag_kernel_find(set, dtype);
    if (below(&random, 2)) /* rows are fetched */
        plan->tune.elem_near = plan->tune.near_bytes = 0;
    plan->tune.row_hint = below(&random, 2);
    int64_t bags = below(&random, MAX_BAGS + 1), indices = below(&random, MAX_INDICES + 1);
    size_t index_size = ptog_dtype_size(bag.idx), bytes = (size_t)(bags * bag.cols) * ptog_dtype_size(plan->bag.dst);
    size_t table = (size_t)((bag.rows - 1) * plan->bag.pitch + bag.cols) * ptog_dtype_size(dtype);
    struct ptog_bag_run run = {.table = place(&guards[AT_TABLE], table),
                               .idx = place(&guards[AT_IDX], (size_t)indices * index_size),
                               .offsets = place(&guards[AT_OFFSETS], (size_t)(bags + bag.has_end) * index_size)};
    if (bag.mode == PTOG_BAG_SUM && below(&random, 2))
        run.weights = place(&guards[AT_WEIGHTS], (size_t)indices * 4);
    if (below(&random, 2))
        run.scales = place(&guards[AT_SCALES], (below(&random, 2) ? (size_t)bag.rows : 1) * 4);
    fill_table(run.table, dtype, &random);
    fill_bags(&bag, &run, bags, indices, &random);
    fill_floats(run.weights, &random);
    fill_floats(run.scales, &random);
    run.dst = (struct ptog_buf){want, bytes};
    run.reference = true;
    assert_int_equal(ptog_bag_run(plan, &run, NULL), PTOG_OK);
    run.dst.data = guard_place(&guards[AT_DST], bytes, true);
    run.reference = false;
    assert_int_equal(ptog_bag_run(plan, &run, NULL), PTOG_OK);
    for (size_t i = 0; i < bytes; i++)
        if (((unsigned char *)run.dst.data)[i] != want[i])
            fail_msg("%s, mode %d, %lld columns: byte %zu of %zu differs; seed %llu", ptog_dtype_name(dtype),
                     (int)bag.mode, (long long)bag.cols, i, bytes, (unsigned long long)seed);
    ptog_bag_plan_free(plan);
}

static void check_set(const struct ptog_bag_set *set)
{
    static const size_t room[GUARDS] = {[AT_DST] = MAX_BAGS * MAX_COLS * 4, [AT_TABLE] = MAX_ROWS * (MAX_COLS + 9) * 4,
                                        [AT_IDX] = MAX_INDICES * 8,         [AT_OFFSETS] = (MAX_BAGS + 1) * 8,
                                        [AT_WEIGHTS] = MAX_INDICES * 4,     [AT_SCALES] = MAX_ROWS * 4};
    struct guard guards[GUARDS];
    for (int i = 0; i < GUARDS; i++)
        guards[i] = guard_new(room[i]);
    for (const struct ptog_bag_kernel *kernel = set->kernels; kernel->dtype != PTOG_DTYPE_NONE; kernel++)
        for (uint64_t seed = 1; seed <= 150; seed++)
            check_random(set, guards, kernel->dtype, seed);
    for (int i = 0; i < GUARDS; i++)
        guard_free(&guards[i]);
}

static void plain_bags(void **state)
{
    (void)state;
    check_set(&ptog_bags_plain);
}

static void avx2_bags(void **state)
{
    (void)state;
    if (!ptog_isa_runs(PTOG_ISA_AVX2))
        skip();
    check_set(&ptog_bags_avx2);
}

static void avx512_bags(void **state)
{
    (void)state;
    if (!ptog_isa_runs(PTOG_ISA_AVX512))
        skip();
    check_set(&ptog_bags_avx512);
}

/* All numbers of the small types, each a row of its own, as they are and added to nothing. */
static void every_small_number(void **state)
{
    static const enum ptog_dtype types[] = {PTOG_F16, PTOG_BF16, PTOG_I8, PTOG_F8E4M3, PTOG_F8E5M2};
    static uint16_t table[65536];
    static float fast[65536], slow[65536];
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        size_t size = ptog_dtype_size(types[t]), count = size == 1 ? 256 : 65536;
        for (size_t i = 0; i < count; i++) {
            uint16_t bits = (uint16_t)i;
            memcpy((char *)table + i * size, &bits, size);
        }
        struct ptog_bag bag = {.table = types[t], .dst = PTOG_F32, .idx = PTOG_I32, .rows = 1, .cols = (int64_t)count};
        int32_t zero = 0;
        ptog_bag_plan *plan = NULL;
        assert_int_equal(ptog_plan_bag(&plan, &bag, NULL), PTOG_OK);
        struct ptog_bag_run run = {
            .dst = {fast, sizeof fast}, .table = {table, count * size}, .idx = {&zero, 4}, .offsets = {&zero, 4}};
        assert_int_equal(ptog_bag_run(plan, &run, NULL), PTOG_OK);
        run.dst.data = slow;
        run.reference = true;
        assert_int_equal(ptog_bag_run(plan, &run, NULL), PTOG_OK);
        assert_memory_equal(fast, slow, count * sizeof(float));
        ptog_bag_plan_free(plan);
    }
}

/* Several threads write what one writes. */
static void threads_agree(void **state)
{
    enum { ROWS = 4096, COLS = 33, BAGS = 3000, EACH = 32 };
    float *table = calloc(ROWS * COLS, sizeof *table), *dst[2];
    int64_t *idx = calloc(BAGS * EACH, sizeof *idx), *offsets = calloc(BAGS, sizeof *offsets);
    uint64_t random = 7;
    (void)state;
    for (int i = 0; i < ROWS * COLS; i++)
        table[i] = (float)below(&random, 1000) / 7.0f;
    for (int i = 0; i < BAGS * EACH; i++)
        idx[i] = below(&random, ROWS);
    for (int i = 0; i < BAGS; i++)
        offsets[i] = (int64_t)i * EACH;
    struct ptog_bag bag = {.table = PTOG_F32, .idx = PTOG_I64, .mode = PTOG_BAG_MEAN, .rows = ROWS, .cols = COLS};
    ptog_bag_plan *plan = NULL;
    ptog_pool *pool = NULL;
    assert_int_equal(ptog_plan_bag(&plan, &bag, NULL), PTOG_OK);
    assert_int_equal(ptog_pool_new(&pool, 3), PTOG_OK);
    for (int i = 0; i < 2; i++) {
        size_t bytes = BAGS * COLS * sizeof(float);
        dst[i] = calloc(1, bytes);
        struct ptog_bag_run run = {.dst = {dst[i], bytes},
                                   .table = {table, ROWS * COLS * sizeof(float)},
                                   .idx = {idx, BAGS * EACH * sizeof *idx},
                                   .offsets = {offsets, BAGS * sizeof *offsets},
                                   .threads = i == 0 ? 1 : 3,
                                   .pool = i == 0 ? NULL : pool};
        assert_int_equal(ptog_bag_run(plan, &run, NULL), PTOG_OK);
    }
    assert_memory_equal(dst[0], dst[1], BAGS * COLS * sizeof(float));
    ptog_pool_free(pool);
    ptog_bag_plan_free(plan);
    free(table), free(idx), free(offsets), free(dst[0]), free(dst[1]);
}

/* ---- what is refused */

static float table[3][2] = {{1, 2}, {3, 4}, {5, 6}}, dst[2][2], ones[4] = {1, 1, 1, 1};
static int64_t idx[4] = {0, 1, 2, 1}, offsets[3] = {0, 2, 4};

static struct ptog_bag small_bag(void)
{
    return (struct ptog_bag){.table = PTOG_F32, .idx = PTOG_I64, .rows = 3, .cols = 2};
}

static struct ptog_bag_run small_run(void)
{
    return (struct ptog_bag_run){
        .dst = {dst, sizeof dst}, .table = {table, sizeof table}, .idx = {idx, sizeof idx}, .offsets = {offsets, 16}};
}

static void descriptions(void **state)
{
    const struct {
        struct ptog_bag bag;
        const char *message;
    } wrong[] = {
        {{.table = PTOG_HIF8, .dst = PTOG_F32, .idx = PTOG_I64, .rows = 3, .cols = 2}, "bag.table"},
        {{.table = PTOG_F32, .dst = PTOG_I8, .idx = PTOG_I64, .rows = 3, .cols = 2}, "bag.dst"},
        {{.table = PTOG_F32, .idx = PTOG_I16, .rows = 3, .cols = 2}, "bag.idx"},
        {{.table = PTOG_F32, .idx = PTOG_I64, .mode = (enum ptog_bag_mode)3, .rows = 3, .cols = 2}, "bag.mode"},
        {{.table = PTOG_F32, .idx = PTOG_I64, .rows = -1, .cols = 2}, "bag.rows"},
        {{.table = PTOG_F32, .idx = PTOG_I64, .rows = 3}, "bag.cols"},
        {{.table = PTOG_F32, .idx = PTOG_I64, .rows = 3, .cols = 2, .pitch = 1}, "bag.pitch"},
        {{.table = PTOG_F32, .idx = PTOG_I64, .rows = INT64_MAX, .cols = INT64_MAX}, "bag.rows"},
        {{.table = PTOG_F32, .idx = PTOG_I64, .rows = 3, .cols = 2, .reserved = {1}}, "reserved"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ptog_bag_plan *plan = (ptog_bag_plan *)&plan;
        ptog_diags *diags = ptog_diags_new();
        assert_int_equal(ptog_plan_bag(&plan, &wrong[i].bag, diags), PTOG_BAD_ARGUMENT);
        assert_null(plan);
        assert_non_null(strstr(ptog_diags_at(diags, 0)->message, wrong[i].message));
        ptog_diags_free(diags);
    }
    assert_int_equal(ptog_plan_bag(NULL, &wrong[0].bag, NULL), PTOG_BAD_ARGUMENT);
}

static void buffers(void **state)
{
    struct ptog_bag bag = small_bag();
    struct ptog_bag_run run;
    ptog_bag_plan *plan = NULL;
    (void)state;
    assert_int_equal(ptog_plan_bag(&plan, &bag, NULL), PTOG_OK);
#define REFUSED(status, change)                                                                                        \
    do {                                                                                                               \
        run = small_run();                                                                                             \
        change;                                                                                                        \
        dst[0][0] = -7;                                                                                                \
        assert_int_equal(ptog_bag_run(plan, &run, NULL), status);                                                      \
        assert_true(dst[0][0] == -7);                                                                                  \
    } while (0)
    REFUSED(PTOG_NO_ROOM, run.dst.bytes = sizeof dst - 1);
    REFUSED(PTOG_BAD_ARGUMENT, run.dst.data = NULL);
    REFUSED(PTOG_BAD_ARGUMENT, run.table.bytes--);
    REFUSED(PTOG_BAD_ARGUMENT, run.table.data = NULL);
    REFUSED(PTOG_BAD_ARGUMENT, run.idx.bytes--);
    REFUSED(PTOG_BAD_ARGUMENT, run.offsets.bytes--);
    REFUSED(PTOG_BAD_ARGUMENT, run.threads = -1);
    REFUSED(PTOG_BAD_ARGUMENT, run.reserved[5] = 1);
    REFUSED(PTOG_BAD_ARGUMENT, (run.weights = (struct ptog_cbuf){ones, 12}));
    REFUSED(PTOG_BAD_ARGUMENT, (run.scales = (struct ptog_cbuf){ones, 8}));
    REFUSED(PTOG_OVERLAP, (run.dst = (struct ptog_buf){table, sizeof dst}));
    assert_int_equal(ptog_bag_run(NULL, &run, NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_bag_run(plan, NULL, NULL), PTOG_BAD_ARGUMENT);
    run = small_run();
    assert_int_equal(ptog_bag_run(plan, &run, NULL), PTOG_OK);
    assert_true(dst[0][0] == 4 && dst[0][1] == 6 && dst[1][0] == 8 && dst[1][1] == 10);
    ptog_bag_plan_free(plan);
    ptog_bag_plan_free(NULL);
}

static void bad_indices(void **state)
{
    struct ptog_bag bag = small_bag();
    struct ptog_bag_fault fault;
    ptog_bag_plan *plan = NULL;
    int64_t wrong_idx[4] = {0, 1, 2, 1}, wrong_offsets[2] = {0, 2};
    (void)state;
    assert_int_equal(ptog_plan_bag(&plan, &bag, NULL), PTOG_OK);
    struct ptog_bag_run run = small_run();
    run.idx.data = wrong_idx;
    run.offsets.data = wrong_offsets;
    const struct {
        int64_t *at, value;
        bool is_offset;
        int64_t number;
    } wrong[] = {{&wrong_idx[3], 3, false, 3},    {&wrong_idx[0], -1, false, 0},   {&wrong_idx[1], INT64_MIN, false, 1},
                 {&wrong_offsets[0], 1, true, 0}, {&wrong_offsets[1], 5, true, 1}, {&wrong_offsets[1], -1, true, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        int64_t before = *wrong[i].at;
        *wrong[i].at = wrong[i].value;
        assert_int_equal(ptog_bag_run(plan, &run, &fault), PTOG_FAULT);
        assert_int_equal(fault.is_offset, wrong[i].is_offset);
        assert_int_equal(fault.at, wrong[i].number);
        assert_true(fault.value == wrong[i].value);
        *wrong[i].at = before;
    }
    assert_int_equal(ptog_bag_run(plan, &run, &fault), PTOG_OK);
    ptog_bag_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plain_bags),    cmocka_unit_test(avx2_bags),
                                       cmocka_unit_test(avx512_bags),   cmocka_unit_test(every_small_number),
                                       cmocka_unit_test(threads_agree), cmocka_unit_test(descriptions),
                                       cmocka_unit_test(buffers),       cmocka_unit_test(bad_indices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
