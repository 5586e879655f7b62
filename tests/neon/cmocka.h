/* As much of cmocka as tests/unit/test_kernel_calls.c uses, for machines that have no cmocka. The first failure ends
 * the program. */
#ifndef PTOG_TESTS_NEON_CMOCKA_H
#define PTOG_TESTS_NEON_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
};

#define cmocka_unit_test(function)                                                                                     \
    {                                                                                                                  \
#function, function                                                                                            \
    }
#define fail() (fprintf(stderr, "%s:%d: failed\n", __FILE__, __LINE__), exit(1))
#define assert_true(what) ((what) ? (void)0 : fail())
#define assert_false(what) assert_true(!(what))
#define assert_int_equal(a, b) assert_true((a) == (b))

#define cmocka_run_group_tests_name(name, tests, before, after) run_tests(name, tests, sizeof(tests) / sizeof(tests)[0])

static inline int run_tests(const char *name, const struct CMUnitTest *tests, size_t count)
{
    void *state = NULL;
    for (size_t i = 0; i < count; i++) {
        tests[i].test(&state);
        printf("%s: %s\n", name, tests[i].name);
    }
    return 0;
}

#endif
