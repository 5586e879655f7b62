/* unit: plan and run as a caller sees them. Statuses, buffers of any size, run-time extents, sharing, memory running
 * out. */
#include "unit/check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/refusing.h"

/* ---- a small gather
 * ----------------------------------------------------------------------------------------------------- */

static const float table[6][8] = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23},
                                  {30, 31},     {40, 41},         {50, 51, 0, 0, 0, 0, 0, 57}};
static const int32_t three[8] = {5, 0, 2};

static struct ptog_mgather small_gather(void)
{
    return (struct ptog_mgather){
        .dst = ptog_tile_vec(PTOG_F32, 3, 8),
        .table = ptog_tensor_2d(PTOG_F32, 6, 8),
        .idx = ptog_tile_valid(ptog_tile_vec(PTOG_I32, 1, 8), 1, 3),
        .coalesce = PTOG_ROW,
        .oob = PTOG_OOB_CLAMP,
    };
}

static struct ptog_run small_run(float dst[3][8])
{
    return (struct ptog_run){.dst = {dst, 96}, .src = {table, sizeof table}, .idx = {three, sizeof three}};
}

static ptog_plan *plan_on(const char *target, const struct ptog_mgather *op)
{
    ptog_plan *plan = NULL;
    assert_int_equal(ptog_plan_mgather(&plan, ptog_target_find(target), op, NULL), PTOG_OK);
    assert_non_null(plan);
    return plan;
}

static void a_plan_runs_as_often_as_wanted(void **state)
{
    struct ptog_mgather op = small_gather();
    ptog_plan *plan = plan_on("host", &op);
    float dst[3][8];
    struct ptog_run run = small_run(dst);
    (void)state;
    for (int n = 0; n < 3; n++) {
        memset(dst, 0, sizeof dst);
        assert_int_equal(ptog_plan_run(plan, &run, NULL), PTOG_OK);
        assert_memory_equal(dst[0], table[5], 32);
        assert_memory_equal(dst[1], table[0], 32);
        assert_memory_equal(dst[2], table[2], 32);
    }
    assert_memory_equal(ptog_plan_kernel(plan), "row.32.i4.CLAMP.", 16); /* and the instruction set */
    ptog_plan_free(plan);
    ptog_plan_free(NULL);
}

static void missing_arguments_are_refused(void **state)
{
    struct ptog_mgather op = small_gather();
    ptog_plan *plan = plan_on("host", &op), *none = (ptog_plan *)&op;
    float dst[3][8];
    struct ptog_run run = small_run(dst);
    (void)state;
    assert_int_equal(ptog_plan_mgather(&none, NULL, &op, NULL), PTOG_BAD_ARGUMENT);
    assert_null(none);
    assert_int_equal(ptog_plan_mgather(&none, ptog_target_find("host"), NULL, NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_plan_mgather(NULL, ptog_target_find("host"), &op, NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_plan_tgather(&none, NULL, NULL, NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_plan_run(NULL, &run, NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_plan_run(plan, NULL, NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_plan_check(plan, NULL, NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_verify_mgather(NULL, &op, NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_verify_tgather(ptog_target_find("host"), NULL, NULL), PTOG_BAD_ARGUMENT);
    run.src.data = NULL;
    assert_int_equal(ptog_plan_run(plan, &run, NULL), PTOG_BAD_ARGUMENT);
    ptog_plan_free(plan);
}

/* A table that ends early: whole elements inside are read, the others are 0xAA and counted. */
static void short_buffers_fault_by_lane(void **state)
{
    struct ptog_mgather op = small_gather();
    ptog_plan *plan = plan_on("host", &op);
    float dst[3][8];
    uint32_t word;
    struct ptog_fault fault;
    struct ptog_run run = small_run(dst);
    (void)state;
    run.src.bytes = 5 * 32 + 3 * 4 + 2; /* row 5 has three elements and half of a fourth */
    assert_int_equal(ptog_plan_run(plan, &run, &fault), PTOG_FAULT);
    assert_int_equal(fault.count, 5);
    assert_int_equal(fault.row, 0);
    assert_int_equal(fault.col, 3);
    assert_int_equal(fault.index, 5);
    assert_int_equal(fault.capacity, 6);
    assert_int_equal(fault.kind, PTOG_FAULT_GM_OUT_OF_BOUNDS);
    assert_memory_equal(dst[0], table[5], 12);
    memcpy(&word, &dst[0][3], 4);
    assert_int_equal(word, 0xAAAAAAAA);
    assert_memory_equal(dst[1], table[0], 32);
    run = small_run(dst);
    run.idx.bytes = 8; /* the third index is missing */
    assert_int_equal(ptog_plan_run(plan, &run, &fault), PTOG_FAULT);
    assert_int_equal(fault.of[PTOG_FAULT_SHORT_BUFFER].count, 8);
    assert_int_equal(fault.of[PTOG_FAULT_SHORT_BUFFER].row, 2);
    run = small_run(dst);
    run.dst.bytes = 90; /* the last element and half of the one before have no room */
    dst[2][7] = -1;
    assert_int_equal(ptog_plan_run(plan, &run, &fault), PTOG_FAULT);
    assert_int_equal(fault.of[PTOG_FAULT_SHORT_BUFFER].count, 2);
    assert_true(dst[2][7] == -1);
    ptog_plan_free(plan);
}

static void overlapping_buffers_are_refused(void **state)
{
    struct ptog_mgather op = small_gather();
    ptog_plan *plan = plan_on("host", &op);
    static unsigned char memory[512];
    struct ptog_run run = {.dst = {memory, 96}, .src = {memory + 95, 192}, .idx = {three, sizeof three}};
    (void)state;
    assert_int_equal(ptog_plan_run(plan, &run, NULL), PTOG_OVERLAP);
    run.src.data = memory + 96;
    assert_int_equal(ptog_plan_run(plan, &run, NULL), PTOG_OK);
    /* buffers larger than their operands may overlap, as long as the operands do not: tiles in one on-chip buffer */
    run.dst.bytes = 512;
    assert_int_equal(ptog_plan_run(plan, &run, NULL), PTOG_OK);
    ptog_plan_free(plan);
}

/* The kernels read indices ahead, so elements that replace their indices are gathered by the reference loop. */
static void elements_may_replace_their_indices(void **state)
{
    enum { COUNT = 64 };
    static const struct {
        const char *target;
        enum ptog_status status;
    } cases[] = {{"a2a3", PTOG_OK}, {"a5", PTOG_OVERLAP}, {"host", PTOG_OVERLAP}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, 8, COUNT / 8),
                                  .table = ptog_tensor_2d(PTOG_F32, 6, 8),
                                  .idx = ptog_tile_vec(PTOG_I32, 8, COUNT / 8),
                                  .coalesce = PTOG_ELEM};
        ptog_plan *plan = plan_on(cases[i].target, &op);
        union {
            int32_t ids[COUNT + 1];
            float data[COUNT + 1];
        } both;
        struct ptog_run run = small_run(NULL);
        for (int e = 0; e <= COUNT; e++)
            both.ids[e] = (e * 29 + 5) % 48;
        run.dst = (struct ptog_buf){both.ids, COUNT * sizeof both.ids[0]};
        run.idx = (struct ptog_cbuf){both.ids, COUNT * sizeof both.ids[0]};
        assert_int_equal(ptog_plan_run(plan, &run, NULL), cases[i].status);
        for (int e = 0; e < COUNT && cases[i].status == PTOG_OK; e++)
            assert_true(both.data[e] == table[(e * 29 + 5) % 48 / 8][(e * 29 + 5) % 8]);
        run.dst.data = both.ids + 1; /* each element on the next index */
        assert_int_equal(ptog_plan_run(plan, &run, NULL), PTOG_OVERLAP);
        ptog_plan_free(plan);
    }
}

static void extents_may_come_with_the_run(void **state)
{
    struct ptog_mgather op = small_gather();
    float dst[3][8] = {{0}};
    struct ptog_run run = small_run(dst);
    ptog_diags *diags = ptog_diags_new();
    (void)state;
    op.dst = ptog_tile_valid(op.dst, PTOG_DYN, PTOG_DYN);
    op.idx = ptog_tile_valid(op.idx, 1, PTOG_DYN);
    op.table = ptog_tensor_2d(PTOG_F32, PTOG_DYN, PTOG_DYN);
    ptog_plan *plan = plan_on("a2a3", &op);
    assert_int_equal(ptog_plan_run(plan, &run, NULL), PTOG_ILLEGAL);
    run.dst_valid[0] = 2, run.dst_valid[1] = 5, run.idx_valid[1] = 2, run.shape[3] = 6, run.shape[4] = 8;
    assert_int_equal(ptog_plan_run(plan, &run, NULL), PTOG_OK);
    assert_memory_equal(dst[0], table[5], 20);
    assert_true(dst[0][5] == 0 && dst[2][0] == 0);
    run.dst_valid[1] = 9;
    assert_int_equal(ptog_plan_run(plan, &run, NULL), PTOG_ILLEGAL);
    assert_int_equal(ptog_plan_check(plan, &run, diags), PTOG_ILLEGAL);
    assert_string_equal(ptog_diags_at(diags, 0)->id, "tile-valid");
    ptog_diags_free(diags);
    ptog_plan_free(plan);
}

/* A stride that was planned as packed has a value once the shape is known: the run may repeat it, not change it. */
static void packed_strides_may_come_with_the_run(void **state)
{
    struct ptog_mgather op = small_gather();
    float dst[3][8] = {{0}};
    struct ptog_run run = small_run(dst);
    ptog_diags *diags = ptog_diags_new();
    (void)state;
    op.table = ptog_tensor_2d(PTOG_F32, PTOG_DYN, PTOG_DYN);
    ptog_plan *plan = plan_on("a2a3", &op);
    run.shape[3] = 6, run.shape[4] = 8, run.stride[3] = 8, run.stride[4] = 1;
    assert_int_equal(ptog_plan_run(plan, &run, NULL), PTOG_OK);
    assert_memory_equal(dst[0], table[5], 32);
    run.stride[3] = 9;
    assert_int_equal(ptog_plan_check(plan, &run, diags), PTOG_ILLEGAL);
    assert_string_equal(ptog_diags_at(diags, 0)->id, "extent-fixed");
    ptog_diags_clear(diags);
    run.shape[4] = 0; /* the stride cannot be judged without it */
    assert_int_equal(ptog_plan_check(plan, &run, diags), PTOG_ILLEGAL);
    assert_int_equal(ptog_diags_count(diags), 1);
    assert_string_equal(ptog_diags_at(diags, 0)->id, "extent-missing");
    ptog_diags_free(diags);
    ptog_plan_free(plan);
}

static void a_refused_plan_says_why(void **state)
{
    struct ptog_tgather op = {.form = PTOG_BY_MASK,
                              .dst = ptog_tile_vec(PTOG_F32, 1, 16),
                              .src = ptog_tile_vec(PTOG_F32, 16, 16),
                              .pattern = PTOG_P0101,
                              .axis = PTOG_AXIS_COL};
    ptog_diags *diags = ptog_diags_new();
    ptog_plan *plan = (ptog_plan *)&op;
    (void)state;
    assert_int_equal(ptog_plan_tgather(&plan, ptog_target_find("a2a3"), &op, diags), PTOG_ILLEGAL);
    assert_null(plan);
    assert_int_equal(ptog_diags_count(diags), 1);
    const struct ptog_diag *diag = ptog_diags_at(diags, 0);
    assert_string_equal(diag->id, "tgather-mask-room");
    assert_string_equal(
        diag->message,
        "P0101 keeps 8 rows of 16 elements of the source tile (16x16) along axis col, but the destination tile (1x16) has room for 1 rows of 16");
    assert_string_equal(fix_of(diag), "make the destination tile 8x16");
    ptog_diags_clear(diags);
    assert_int_equal(ptog_diags_count(diags), 0);
    assert_null(ptog_diags_at(diags, 0));
    ptog_diags_free(diags);
    ptog_diags_free(NULL);
}

static void too_many_matches_write_nothing(void **state)
{
    static const float src[2][8] = {{1, 2, 3, 4, 5, 6, 7, 8}, {9, 9, 9, 9, 9, 9, 9, 9}}, k = 4;
    int32_t dst[2][4], cdst[2];
    struct ptog_tgather op = {.form = PTOG_BY_COMPARE,
                              .dst = ptog_tile_vec(PTOG_I32, 2, 4),
                              .src = ptog_tile_vec(PTOG_F32, 2, 8),
                              .k = ptog_tile_vec(PTOG_F32, 1, 1),
                              .cdst = ptog_tile_vec(PTOG_I32, 1, 2),
                              .cmp = PTOG_CMP_GT};
    struct ptog_run run = {
        .dst = {dst, sizeof dst}, .src = {src, sizeof src}, .k = {&k, 4}, .cdst = {cdst, sizeof cdst}};
    struct ptog_fault fault;
    ptog_plan *plan;
    (void)state;
    memset(dst, 0x77, sizeof dst);
    assert_int_equal(ptog_plan_tgather(&plan, ptog_target_find("host"), &op, NULL), PTOG_OK);
    for (int reference = 0; reference < 2; reference++) {
        run.reference = reference;
        assert_int_equal(ptog_plan_run(plan, &run, &fault), PTOG_NO_ROOM);
        assert_int_equal(fault.row, 1);
        assert_int_equal(dst[0][0], 0x77777777);
    }
    ptog_plan_free(plan);
}

static void *run_often(void *plan)
{
    float dst[3][8];
    struct ptog_run run = small_run(dst);
    for (int n = 0; n < 2000; n++)
        if (ptog_plan_run(plan, &run, NULL) != PTOG_OK || memcmp(dst[0], table[5], 32) != 0)
            return plan;
    return NULL;
}

static void a_plan_is_shared_by_threads(void **state)
{
    struct ptog_mgather op = small_gather();
    ptog_plan *plan = plan_on("host", &op);
    pthread_t threads[4];
    void *failed;
    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_often, plan), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    ptog_plan_free(plan);
}

/* Planning a thing with ten diagnostics, with memory for 0, 1, 2, ... allocations. */
static void running_out_of_memory_is_a_status(void **state)
{
    struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_I64, 3, 7),
                              .table = ptog_tensor_2d(PTOG_F32, 0, 3),
                              .idx = ptog_tile_vec(PTOG_U8, 2, 2)};
    struct ptog_mgather good = small_gather();
    enum ptog_status status = PTOG_NO_MEMORY;
    (void)state;
    for (long allowed = 0; status == PTOG_NO_MEMORY; allowed++) {
        ptog_plan *plan = NULL;
        allocations_left = allowed;
        ptog_diags *diags = ptog_diags_new();
        status = diags ? ptog_plan_mgather(&plan, ptog_target_find("a5"), &op, diags) : PTOG_NO_MEMORY;
        if (status == PTOG_ILLEGAL)
            status = ptog_plan_mgather(&plan, ptog_target_find("a5"), &good, diags);
        allocations_left = -1;
        assert_true(status == PTOG_NO_MEMORY || (status == PTOG_OK && allowed > 3));
        assert_true(ptog_diags_count(diags) <= 16);
        ptog_plan_free(plan);
        ptog_diags_free(diags);
    }
    /* and a run allocates nothing */
    float dst[3][8];
    struct ptog_run run = small_run(dst);
    ptog_plan *plan = plan_on("host", &good);
    allocations_left = 0;
    status = ptog_plan_run(plan, &run, NULL);
    run.reference = true;
    enum ptog_status again = ptog_plan_run(plan, &run, NULL);
    allocations_left = -1;
    assert_int_equal(status, PTOG_OK);
    assert_int_equal(again, PTOG_OK);
    ptog_plan_free(plan);
}

/* Nor does one that is long enough to choose among kernels; and a plan that has no memory to measure with is made. */
static void choosing_needs_no_memory(void **state)
{
    enum { LANES = 1 << 19, TABLE = 1000 };
    static float table[TABLE], dst[LANES];
    static int32_t idx[LANES];
    struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, 1, LANES),
                              .table = ptog_tensor_2d(PTOG_F32, 1, TABLE),
                              .idx = ptog_tile_vec(PTOG_I32, 1, LANES),
                              .coalesce = PTOG_ELEM};
    struct ptog_run run = {.dst = {dst, sizeof dst}, .src = {table, sizeof table}, .idx = {idx, sizeof idx}};
    ptog_plan *plan = plan_on("host", &op), *small;
    struct ptog_mgather few = small_gather();
    struct ptog_insn insn;
    (void)state;
    for (int i = 0; i < TABLE; i++)
        table[i] = (float)i;
    for (int i = 0; i < LANES; i++)
        idx[i] = i * 79 % TABLE;
    allocations_left = 0;
    enum ptog_status status = ptog_plan_run(plan, &run, NULL);
    allocations_left = -1;
    assert_int_equal(status, PTOG_OK);
    for (int i = 0; i < LANES; i++)
        assert_true(dst[i] == table[idx[i]]);
    ptog_plan_free(plan);
    ptog_insn_mgather(&insn, &few);
    for (long allowed = 1; allowed < 4; allowed++) {
        allocations_left = allowed;
        status = ptog_plan_insn_with(&small, ptog_target_find("host"), &insn, PTOG_PLAN_MEASURE, NULL);
        allocations_left = -1;
        assert_int_equal(status, PTOG_OK);
        ptog_plan_free(small);
    }
}

static void append(void *user, const char *text, size_t length)
{
    strncat(user, text, length);
}

static void reports_are_readable(void **state)
{
    struct ptog_mgather op = small_gather();
    int32_t bad[8] = {-1, 9, 2};
    float dst[3][8];
    char text[1024] = "";
    struct ptog_sink sink = {.write = append, .user = text};
    struct ptog_run run = small_run(dst);
    struct ptog_fault fault;
    ptog_plan *plan = plan_on("a2a3", &op);
    (void)state;
    run.idx.data = bad;
    assert_int_equal(ptog_plan_run(plan, &run, &fault), PTOG_OK);
    ptog_report_fault(&fault, &sink);
    assert_string_equal(text,
                        "warning: a negative index (4294967295 as unsigned) was clamped or wrapped; first at (0, 0) "
                        "[index-negative]\n");
    ptog_plan_free(plan);
}

/* An index is shown as the number that the target reads: on host unsigned in all its 64 bits, on cpu signed. */
static void large_indices_are_not_negative(void **state)
{
    static const uint64_t huge[8] = {UINT64_MAX, 0, 1};
    static const int32_t minus[3][8] = {{-1}};
    struct ptog_mgather op = small_gather();
    float dst[3][8];
    char text[1024] = "";
    struct ptog_sink sink = {.write = append, .user = text};
    struct ptog_run run = small_run(dst);
    struct ptog_fault fault;
    (void)state;
    op.oob = PTOG_OOB_UNDEFINED;
    op.idx.dtype = PTOG_U64;
    ptog_plan *plan = plan_on("host", &op);
    run.idx = (struct ptog_cbuf){huge, sizeof huge};
    assert_int_equal(ptog_plan_run(plan, &run, &fault), PTOG_FAULT);
    ptog_report_fault(&fault, &sink);
    assert_non_null(strstr(text, "index 18446744073709551615 is out of bounds: the capacity is 6"));
    ptog_plan_free(plan);
    op.idx = ptog_tile_vec(PTOG_I32, op.dst.rows, op.dst.cols);
    plan = plan_on("cpu", &op);
    run.idx = (struct ptog_cbuf){minus, sizeof minus};
    assert_int_equal(ptog_plan_run(plan, &run, &fault), PTOG_FAULT);
    text[0] = '\0';
    ptog_report_fault(&fault, &sink);
    assert_non_null(strstr(text, "index -1 is out of bounds: the capacity is 48"));
    ptog_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_runs_as_often_as_wanted),
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(short_buffers_fault_by_lane),
        cmocka_unit_test(overlapping_buffers_are_refused),
        cmocka_unit_test(elements_may_replace_their_indices),
        cmocka_unit_test(extents_may_come_with_the_run),
        cmocka_unit_test(packed_strides_may_come_with_the_run),
        cmocka_unit_test(a_refused_plan_says_why),
        cmocka_unit_test(too_many_matches_write_nothing),
        cmocka_unit_test(a_plan_is_shared_by_threads),
        cmocka_unit_test(running_out_of_memory_is_a_status),
        cmocka_unit_test(choosing_needs_no_memory),
        cmocka_unit_test(reports_are_readable),
        cmocka_unit_test(large_indices_are_not_negative),
    };
    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
