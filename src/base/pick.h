/* base: small choices by their names: the smaller of two numbers, the larger, what is left of a room, which of two
 * comes first, a word or another one. */
#ifndef PTOG_BASE_PICK_H
#define PTOG_BASE_PICK_H

#include <stdbool.h>
#include <stdint.h>

static inline int64_t ptog_min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t ptog_min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Where one is not a number it is b, as with `a < b ? a : b`. */
static inline double ptog_min_f64(double a, double b)
{
    return a < b ? a : b;
}

static inline int64_t ptog_max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t ptog_max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline double ptog_max_f64(double a, double b)
{
    return a > b ? a : b;
}

/* The same for the types of most counts and columns, which stay as wide as they are. */
static inline int ptog_min_int(int a, int b)
{
    return a < b ? a : b;
}

static inline int ptog_max_int(int a, int b)
{
    return a > b ? a : b;
}

static inline uint32_t ptog_min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t ptog_max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* One of three functions, by the type that the operands have in common: signed, unsigned or floating-point. */
#define PTOG_BY_TYPE(name, a, b)                                                                                       \
    _Generic((a) + (b), unsigned                                                                                       \
             : name##_u64, unsigned long                                                                               \
             : name##_u64, unsigned long long                                                                          \
             : name##_u64, float                                                                                       \
             : name##_f64, double                                                                                      \
             : name##_f64, default                                                                                     \
             : name##_i64)(a, b)

#define ptog_min(a, b) PTOG_BY_TYPE(ptog_min, a, b)
#define ptog_max(a, b) PTOG_BY_TYPE(ptog_max, a, b)

/* What is left of `all` when `used` is taken away: 0 when that is more than there is. */
static inline uint64_t ptog_left(uint64_t all, uint64_t used)
{
    return all > used ? all - used : 0;
}

/* For qsort: -1 when a comes first, 1 when b does, 0 when they are equal. */
static inline int ptog_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* The bits of a number, or of its negative in two's complement. */
static inline uint64_t ptog_negated_if(bool negative, uint64_t bits)
{
    return negative ? 0 - bits : bits;
}

/* A number, or another one where it is 0, that is, not given. */
static inline int64_t ptog_given(int64_t number, int64_t otherwise)
{
    return number ? number : otherwise;
}

/* A word, or another one where there is none. */
static inline const char *ptog_or(const char *word, const char *otherwise)
{
    return word ? word : otherwise;
}

/* A word where it is wanted, else nothing. */
static inline const char *ptog_when(bool wanted, const char *word)
{
    return wanted ? word : "";
}

/* What makes a noun a plural: "file", "files". */
static inline const char *ptog_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* How JSON, TOML and the text forms write a bool. */
static inline const char *ptog_bool_name(bool value)
{
    return value ? "true" : "false";
}

#endif
