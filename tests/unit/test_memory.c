/* unit: ptog_alloc and ptog_free: zeros, alignment, the pages around, and sizes that cannot be had. */
#define _DEFAULT_SOURCE /* fork */
#include "unit/check.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ptog/memory.h>

static const size_t sizes[] = {1,       63,      64, 4095, 4096, 4097, 100000, (2 << 20) - 1, 2 << 20, (2 << 20) + 1,
                               5000001, 16 << 20};

static void memory_is_zero_and_aligned(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        unsigned char *memory = ptog_alloc(sizes[i]);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % (sizes[i] < 2 << 20 ? 4096 : 2 << 20), 0);
        for (size_t k = 0; k < sizes[i]; k += k < 8192 ? 1 : 4099)
            assert_int_equal(memory[k], 0);
        memory[0] = memory[sizes[i] - 1] = 1;
        ptog_free(memory);
    }
}

/* The signal that ends a process that touches `at`; 0: none. */
static int touch(volatile unsigned char *at, bool write)
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        if (write)
            *at = 1;
        else
            (void)*at;
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void pages_around_stop_whoever_touches_them(void **state)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        unsigned char *memory = ptog_alloc(sizes[i]);
        size_t end = (sizes[i] + page - 1) / page * page;
        assert_non_null(memory);
        assert_int_equal(touch(memory + sizes[i] - 1, true), 0);
        assert_int_not_equal(touch(memory + end, true), 0);
        assert_int_not_equal(touch(memory + end, false), 0);
        assert_int_not_equal(touch(memory - 1, true), 0);
        ptog_free(memory);
    }
}

static void sizes_that_cannot_be_had(void **state)
{
    (void)state;
    assert_null(ptog_alloc(0));
    assert_null(ptog_alloc(SIZE_MAX));
    assert_null(ptog_alloc(SIZE_MAX / 2));
    assert_null(ptog_alloc(SIZE_MAX / 2 + 1));
    ptog_free(NULL);
}

static void memory_is_given_back(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; i++) /* 1.6 TB in all */
        ptog_free(ptog_alloc(16 << 20));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zero_and_aligned),
        cmocka_unit_test(pages_around_stop_whoever_touches_them),
        cmocka_unit_test(sizes_that_cannot_be_had),
        cmocka_unit_test(memory_is_given_back),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
