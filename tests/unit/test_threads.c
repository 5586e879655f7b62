/* unit: gathers on several threads give the bytes and the faults of one, with a pool and without, also when the system
 * starts no thread; a plan and a pool are shared by threads of the caller. Also built with the thread sanitizer, and
 * without threads. */
#define _POSIX_C_SOURCE 200809L /* kill, sigaction */
#include "unit/check.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS 16411 /* a prime: no number of threads divides it */
#define COLS 128   /* 8 MiB of float32: above the size at which threads are started */

/* ---- threads that do not start, and those that do */

typedef void *thread_fn(void *);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *how, thread_fn *body, void *data);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, thread_fn *body, void *data);
int __real_pthread_cond_broadcast(pthread_cond_t *condition);
int __wrap_pthread_cond_broadcast(pthread_cond_t *condition);

static atomic_int asked;              /* threads that somebody wanted to start */
static atomic_int woken;              /* calls that wake the threads of a pool */
static atomic_int startable = 100000; /* so many more are started; the others are refused */

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, thread_fn *body, void *data)
{
    asked++;
    if (startable-- <= 0)
        return EAGAIN;
    return __real_pthread_create(thread, how, body, data);
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *condition)
{
    woken++;
    return __real_pthread_cond_broadcast(condition);
}

/* Whether this library has threads at all. */
static bool has_threads(void)
{
#if PTOG_THREADS
    return true;
#else
    return false;
#endif
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

static ptog_pool *pool; /* of the runs below; NULL: they start threads of their own */

static enum ptog_status run_on(const ptog_plan *plan, int threads, float *dst, struct ptog_fault *fault)
{
    struct ptog_run run = {.dst = {dst, sizeof(float) * ROWS * COLS},
                           .src = {table, sizeof(float) * 1000 * COLS},
                           .idx = {indices, sizeof *indices * ROWS * COLS},
                           .threads = threads,
                           .pool = pool};
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

static void all_cases(void)
{
    for (int padded = 0; padded < 2; padded++) {
        compare(PTOG_ROW, padded, PTOG_OK);
        compare(PTOG_ELEM, padded, PTOG_OK);
    }
}

static void threads_give_the_same_bytes(void **state)
{
    (void)state;
    all_cases();
}

static void threads_report_the_same_fault(void **state)
{
    int64_t kept[2] = {indices[16000], indices[37]};
    (void)state;
    indices[16000] = 1000000, indices[37] = 900000; /* in the last part, and in the first: the first is reported */
    compare(PTOG_ROW, false, PTOG_FAULT);
    compare(PTOG_ELEM, false, PTOG_FAULT);
    indices[16000] = kept[0], indices[37] = kept[1];
}

static void threads_are_started_for_a_run(void **state)
{
    struct ptog_mgather op = gather_of(PTOG_ROW, false);
    ptog_plan *plan;
    (void)state;
    assert_int_equal(ptog_plan_mgather(&plan, ptog_target_find("host"), &op, NULL), PTOG_OK);
    asked = 0;
    assert_int_equal(run_on(plan, 1, one, NULL), PTOG_OK);
    assert_int_equal(asked, 0);
    assert_int_equal(run_on(plan, 3, many, NULL), PTOG_OK);
    assert_int_equal(asked, has_threads() ? 2 : 0);
    ptog_plan_free(plan);
}

static void a_pool_gives_the_same_bytes(void **state)
{
    (void)state;
    assert_int_equal(ptog_pool_new(&pool, 4), PTOG_OK);
    assert_int_equal(ptog_pool_threads(pool), has_threads() ? 4 : 1);
    asked = 0;
    all_cases();
    threads_report_the_same_fault(NULL);
    assert_int_equal(asked, 0); /* its threads are there */
    ptog_pool_free(pool);
    pool = NULL;
}

/* A run that says nothing about threads wakes those of its pool; one that asks for one thread does not. */
static void a_pool_helps_unasked(void **state)
{
    struct ptog_mgather op = gather_of(PTOG_ROW, false);
    ptog_plan *plan;
    (void)state;
    assert_int_equal(ptog_plan_mgather(&plan, ptog_target_find("host"), &op, NULL), PTOG_OK);
    assert_int_equal(ptog_pool_new(&pool, 4), PTOG_OK);
    woken = 0;
    assert_int_equal(run_on(plan, 1, one, NULL), PTOG_OK);
    assert_int_equal(woken, 0);
    assert_int_equal(run_on(plan, 0, many, NULL), PTOG_OK);
    assert_int_equal(woken, has_threads() ? 1 : 0);
    ptog_pool_free(pool);
    pool = NULL;
    ptog_plan_free(plan);
}

/* `most` threads can be started, then no more: what is missing is done by those who are there. */
static void nobody_is_needed(int most, int expected)
{
    startable = most;
    all_cases();
    startable = most;
    assert_int_equal(ptog_pool_new(&pool, 4), PTOG_OK);
    assert_int_equal(ptog_pool_threads(pool), has_threads() ? expected : 1);
    all_cases();
    ptog_pool_free(pool);
    pool = NULL;
    startable = 100000;
}

static void threads_that_do_not_start_are_not_missed(void **state)
{
    (void)state;
    nobody_is_needed(0, 1);
    nobody_is_needed(1, 2);
}

static void a_pool_has_a_size(void **state)
{
    ptog_pool *none;
    (void)state;
    assert_int_equal(ptog_pool_new(&none, 0), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_pool_new(&none, 4097), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_pool_new(NULL, 1), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_pool_new(&none, 1), PTOG_OK);
    assert_int_equal(ptog_pool_threads(none), 1);
    ptog_pool_free(none);
    ptog_pool_free(NULL);
}

/* ---- the caller's own threads and signals */

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

static void two_callers(void)
{
    struct ptog_mgather op = gather_of(PTOG_ROW, false);
    struct user users[2] = {{.dst = one}, {.dst = many}};
    pthread_t threads[2];
    ptog_plan *plan;
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

#define EIGHT 8

static void *use_often(void *data)
{
    struct user *user = data;
    for (int i = 0; i < 3 && user->status == PTOG_OK; i++)
        user->status = run_on(user->plan, 1, user->dst, NULL);
    return NULL;
}

/* Each run is long enough to choose among kernels, and notes in the plan what it found. */
static void eight_threads_choose_for_one_plan(void **state)
{
    struct ptog_mgather op = gather_of(PTOG_ROW, false);
    struct user users[EIGHT];
    pthread_t threads[EIGHT];
    ptog_plan *plan;
    (void)state;
    assert_int_equal(ptog_plan_mgather(&plan, ptog_target_find("host"), &op, NULL), PTOG_OK);
    assert_int_equal(run_on(plan, 1, one, NULL), PTOG_OK);
    for (int i = 0; i < EIGHT; i++) {
        users[i] = (struct user){.plan = plan, .dst = malloc(sizeof(float) * ROWS * COLS)};
        assert_non_null(users[i].dst);
        assert_int_equal(pthread_create(&threads[i], NULL, use_often, &users[i]), 0);
    }
    for (int i = 0; i < EIGHT; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(users[i].status, PTOG_OK);
        assert_memory_equal(users[i].dst, one, sizeof(float) * ROWS * COLS);
        free(users[i].dst);
    }
    ptog_plan_free(plan);
}

static void a_plan_and_a_pool_are_shared(void **state)
{
    (void)state;
    two_callers();
    assert_int_equal(ptog_pool_new(&pool, 3), PTOG_OK);
    for (int i = 0; i < 20; i++)
        two_callers();
    ptog_pool_free(pool);
    pool = NULL;
}

static pthread_t main_thread;
static atomic_int here, elsewhere; /* signals that it got, and that a thread of the library got */

static void on_signal(int number)
{
    (void)number;
    if (pthread_equal(pthread_self(), main_thread))
        here++;
    else
        elsewhere++;
}

/* A signal that the main thread does not want now waits for it: no helper takes it. */
static void signals_are_the_callers(void **state)
{
    struct sigaction old, now = {.sa_handler = on_signal};
    sigset_t set;
    (void)state;
    main_thread = pthread_self();
    assert_int_equal(sigaction(SIGUSR1, &now, &old), 0);
    assert_int_equal(ptog_pool_new(&pool, 4), PTOG_OK);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    kill(getpid(), SIGUSR1);
    ptog_pool_free(pool);
    pool = NULL;
    assert_int_equal(here + elsewhere, 0);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    sigaction(SIGUSR1, &old, NULL);
    assert_int_equal(here, 1);
}

/* On cpu, a device has them for its gathers, and gives the same bytes. */
static void a_device_has_threads(void **state)
{
    static const uint32_t threads[] = {0, 1, 3};
    struct ptog_mgather op = gather_of(PTOG_ELEM, false);
    int32_t *short_indices = malloc(sizeof *short_indices * ROWS * COLS);
    (void)state;
    op.idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, ROWS, COLS), 0);
    op.dst = ptog_tile_at(op.dst, sizeof *short_indices * ROWS * COLS);
    for (int64_t i = 0; i < ROWS * COLS; i++)
        short_indices[i] = (int32_t)indices[i];
    for (size_t t = 0; t < COUNT_OF(threads); t++) {
        struct ptog_device_options options = {.threads = threads[t]};
        ptog_device *device;
        ptog_core *core;
        assert_int_equal(ptog_device_open(&device, ptog_target_find("cpu"), &options), PTOG_OK);
        int gm = ptog_device_input(device, "table", table, sizeof(float) * 1000 * COLS);
        assert_int_equal(ptog_core_open(&core, device, 0), PTOG_OK);
        assert_int_equal(ptog_core_preset(core, &op.idx, short_indices), PTOG_OK);
        asked = 0;
        assert_int_equal(ptog_core_mgather(core, &op, gm, 0, NULL), PTOG_OK);
        assert_int_equal(asked, has_threads() && threads[t] > 1 ? (int)threads[t] - 1 : 0);
        assert_int_equal(ptog_core_peek(core, &op.dst, t == 0 ? one : many), PTOG_OK);
        if (t > 0)
            assert_memory_equal(one, many, sizeof(float) * ROWS * COLS);
        ptog_core_close(core);
        ptog_device_close(device);
    }
    struct ptog_device_options too_many = {.threads = 4097};
    ptog_device *device;
    assert_int_equal(ptog_device_open(&device, ptog_target_find("cpu"), &too_many), PTOG_BAD_ARGUMENT);
    free(short_indices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_give_the_same_bytes),
        cmocka_unit_test(threads_report_the_same_fault),
        cmocka_unit_test(threads_are_started_for_a_run),
        cmocka_unit_test(a_pool_gives_the_same_bytes),
        cmocka_unit_test(a_pool_helps_unasked),
        cmocka_unit_test(threads_that_do_not_start_are_not_missed),
        cmocka_unit_test(a_pool_has_a_size),
        cmocka_unit_test(a_plan_and_a_pool_are_shared),
        cmocka_unit_test(eight_threads_choose_for_one_plan),
        cmocka_unit_test(signals_are_the_callers),
        cmocka_unit_test(a_device_has_threads),
    };
    return cmocka_run_group_tests_name("threads", tests, set_up, tear_down);
}
