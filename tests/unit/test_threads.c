/* unit: gathers on several threads give the bytes and the faults of one; a plan is shared by threads of the caller.
 * Also built with the thread sanitizer. */
#include "unit/check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 4099 /* a prime: no number of threads divides it */
#define COLS 128  /* 2 MiB of float32: above the size at which threads are used */

/* Asked by the leak sanitizer: clang's OpenMP runtime keeps memory for every thread that ever used it. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libomp.so";
}

static float *table, *one, *many;
static int64_t *indices;

static int set_up(void **state)
{
    (void)state;
    table = malloc(sizeof(float) * 1000 * COLS);
    one = malloc(sizeof(float) * ROWS * COLS);
    many = malloc(sizeof(float) * ROWS * COLS);
    indices = malloc(sizeof *indices * ROWS * COLS);
    for (int i = 0; i < 1000 * COLS; i++)
        table[i] = (float)i;
    for (int64_t i = 0; i < ROWS * COLS; i++)
        indices[i] = i * 7919 % 1000;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(table), free(one), free(many), free(indices);
    return 0;
}

static struct ptog_mgather gather_of(enum ptog_coalesce mode, bool padded)
{
    int64_t cols = padded ? COLS - 1 : COLS;
    struct ptog_mgather op = {.dst = ptog_tile_valid(ptog_tile_vec(PTOG_F32, ROWS, COLS), ROWS, cols),
                              .table = ptog_tensor_2d(PTOG_F32, 1000, cols),
                              .idx = ptog_tile_vec(PTOG_I64, 1, ROWS),
                              .coalesce = mode};
    if (mode == PTOG_ELEM)
        op.idx = ptog_tile_valid(ptog_tile_vec(PTOG_I64, ROWS, COLS), ROWS, cols);
    return op;
}

static enum ptog_status run_on(const ptog_plan *plan, int threads, float *dst, struct ptog_fault *fault)
{
    struct ptog_run run = {.dst = {dst, sizeof(float) * ROWS * COLS},
                           .src = {table, sizeof(float) * 1000 * COLS},
                           .idx = {indices, sizeof *indices * ROWS * COLS},
                           .threads = threads};
    memset(dst, 0x55, sizeof(float) * ROWS * COLS);
    return ptog_plan_run(plan, &run, fault);
}

static void compare(enum ptog_coalesce mode, bool padded, enum ptog_status expected)
{
    static const int threads[] = {-1, 0, 2, 3, 5};
    struct ptog_mgather op = gather_of(mode, padded);
    struct ptog_fault first, fault;
    ptog_plan *plan;
    assert_int_equal(ptog_plan_mgather(&plan, ptog_target_find("host"), &op, NULL), PTOG_OK);
    assert_int_equal(run_on(plan, 1, one, &first), expected);
    for (size_t t = 0; t < COUNT_OF(threads); t++) {
        assert_int_equal(run_on(plan, threads[t], many, &fault), expected);
        assert_memory_equal(one, many, sizeof(float) * ROWS * COLS);
        assert_memory_equal(&first, &fault, sizeof fault);
    }
    ptog_plan_free(plan);
}

static void threads_give_the_same_bytes(void **state)
{
    (void)state;
    for (int padded = 0; padded < 2; padded++) {
        compare(PTOG_ROW, padded, PTOG_OK);
        compare(PTOG_ELEM, padded, PTOG_OK);
    }
}

static void threads_report_the_same_fault(void **state)
{
    int64_t kept[2] = {indices[4000], indices[37]};
    (void)state;
    indices[4000] = 1000000, indices[37] = 900000; /* in the last part, and in the first: the first is reported */
    compare(PTOG_ROW, false, PTOG_FAULT);
    compare(PTOG_ELEM, false, PTOG_FAULT);
    indices[4000] = kept[0], indices[37] = kept[1];
}

struct user {
    const ptog_plan *plan;
    float *dst;
    enum ptog_status status;
};

static void *use(void *data)
{
    struct user *user = data;
    user->status = run_on(user->plan, 2, user->dst, NULL);
    return NULL;
}

static void a_plan_is_shared(void **state)
{
    struct ptog_mgather op = gather_of(PTOG_ROW, false);
    struct user users[2] = {{.dst = one}, {.dst = many}};
    pthread_t threads[2];
    ptog_plan *plan;
    (void)state;
    assert_int_equal(ptog_plan_mgather(&plan, ptog_target_find("host"), &op, NULL), PTOG_OK);
    for (int i = 0; i < 2; i++) {
        users[i].plan = plan;
        assert_int_equal(pthread_create(&threads[i], NULL, use, &users[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(users[i].status, PTOG_OK);
    }
    assert_memory_equal(one, many, sizeof(float) * ROWS * COLS);
    ptog_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_give_the_same_bytes),
        cmocka_unit_test(threads_report_the_same_fault),
        cmocka_unit_test(a_plan_is_shared),
    };
    return cmocka_run_group_tests_name("threads", tests, set_up, tear_down);
}
