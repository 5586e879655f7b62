/* bench: the loops one writes by hand, by size: a symbol of each library that plain.c is compiled into. */
#ifndef PTOG_BENCH_PLAIN_H
#define PTOG_BENCH_PLAIN_H

#include <stdint.h>

struct plain_loops {
    void (*elem)(void *dst, const void *table, const void *idx, int64_t lanes, int size, int index_size);
    void (*row)(void *dst, const void *table, const int32_t *idx, int64_t lanes,
                int64_t bytes); /* of 4-byte elements */
    void (*mask)(void *dst, const void *src, int64_t count, int size, unsigned pattern);
};

extern const struct plain_loops plain_loops;

#endif
