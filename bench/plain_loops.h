/* bench: the loops one writes by hand. plain_loops.c is compiled by gcc and by clang, as gcc_... and clang_... */
#ifndef PTOG_BENCH_PLAIN_LOOPS_H
#define PTOG_BENCH_PLAIN_LOOPS_H

#include <stdint.h>

struct plain_loops {
    const char *compiler;
    void (*elem)(void *dst, const void *src, const void *idx, int64_t n, int size, int index_size);
    void (*rows)(void *dst, const void *src, const int32_t *idx, int64_t n, int64_t bytes);
    void (*rows_512)(void *dst, const void *src, const int32_t *idx, int64_t n);
    /* Tests bit c % 4 of `pattern` for every element of a row of n. */
    void (*mask)(void *dst, const void *src, int64_t n, int size, unsigned pattern);
};

extern const struct plain_loops gcc_loops, clang_loops;

#endif
