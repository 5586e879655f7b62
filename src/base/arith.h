/* base: overflow-checked arithmetic on extents and offsets. Each returns false when the result does not fit. */
#ifndef PTOG_BASE_ARITH_H
#define PTOG_BASE_ARITH_H

#include <stdbool.h>
#include <stdint.h>

static inline bool ptog_mul_i64(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline bool ptog_add_i64(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

static inline bool ptog_mul_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline bool ptog_add_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

/* *sum += a*b */
static inline bool ptog_mul_add_u64(uint64_t a, uint64_t b, uint64_t *sum)
{
    uint64_t product;
    return ptog_mul_u64(a, b, &product) && ptog_add_u64(*sum, product, sum);
}

#endif
