/* unit: malloc, calloc and realloc that refuse from some allocation on. For one program: it is built to call these. */
#ifndef PTOG_TESTS_UNIT_REFUSING_H
#define PTOG_TESTS_UNIT_REFUSING_H

#include <stdbool.h>
#include <stdlib.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

static long allocations_left = -1; /* that still succeed; -1: all do */
static bool refuses_once;          /* one is refused, and those after it succeed again */
static bool ran_out;               /* one was refused; never reset here */

static bool is_refused(void)
{
    if (allocations_left < 0 || allocations_left-- > 0)
        return false;
    allocations_left = refuses_once ? -1 : 0;
    return ran_out = true;
}

/* The allocation to refuse after the n-th. PTOG_REFUSAL_STEP=5 passes over four of five, where each try is slow. */
static inline long next_refusal(long n)
{
    const char *step = getenv("PTOG_REFUSAL_STEP");
    long by = step ? strtol(step, NULL, 10) : 1;
    if (by < 1)
        by = 1;
    return n + by;
}

void *__wrap_malloc(size_t bytes)
{
    return is_refused() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return is_refused() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return is_refused() ? NULL : __real_realloc(old, bytes);
}

#endif
