/* tool: how close two floating-point results are. */
#include "compare_close.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- two elements */

static bool is_float(enum ptog_dtype dtype)
{
    return dtype == PTOG_F32 || dtype == PTOG_F16 || dtype == PTOG_BF16;
}

/* The bits as a number that grows with the value. */
static int64_t rank_of(const void *bits, size_t size)
{
    uint64_t word = 0;
    memcpy(&word, bits, size);
    uint64_t sign = UINT64_C(1) << (8 * size - 1);
    return word & sign ? -(int64_t)(word & ~sign) : (int64_t)word;
}

double compare_value(enum ptog_dtype dtype, const void *bits)
{
    char text[40];
    ptog_dtype_format(text, sizeof text, dtype, bits);
    if (dtype == PTOG_HIF8)
        return NAN;
    return strtod(text, NULL);
}

static double smallest_normal(enum ptog_dtype dtype)
{
    return dtype == PTOG_F16 ? 0x1p-14 : 0x1p-126;
}

/* How close two elements of a type are: same, near (a few units in the last place), within the tolerance, or far
 * apart. Two NaN are the same. */
enum compare_closeness compare_closeness(enum ptog_dtype dtype, const void *a, const void *b,
                                         const struct compare_tolerance *tolerance)
{
    size_t size = ptog_dtype_size(dtype);
    if (memcmp(a, b, size) == 0)
        return COMPARE_SAME;
    if (!is_float(dtype))
        return COMPARE_FAR;
    double x = compare_value(dtype, a), y = compare_value(dtype, b), small = smallest_normal(dtype);
    if ((isnan(x) && isnan(y)) || (fabs(x) < small && fabs(y) < small))
        return COMPARE_SAME;
    if (!isfinite(x) || !isfinite(y))
        return COMPARE_FAR;
    if (llabs(rank_of(a, size) - rank_of(b, size)) <= (size == 2 ? 1 : 2))
        return COMPARE_NEAR;
    if (fabs(x - y) <= tolerance->relative * fmax(fabs(x), fabs(y)) + tolerance->absolute)
        return COMPARE_WITHIN;
    return COMPARE_FAR;
}

/* ---- a program: relative bounds of f32 and of 16-bit types, on a2a3 and on a5 */

static const struct bound {
    const char *name;
    double a2a3[2], a5[2];
    size_t values; /* so many operands and results; 0: any number */
} bounds[] = {
    {"pto.texp", {1e-4, 1e-3}, {5e-5, 5e-4}, 0},   {"pto.tlog", {1e-4, 1e-3}, {1e-4, 5e-4}, 0},
    {"pto.tsqrt", {1e-4, 1e-3}, {5e-5, 5e-4}, 0},  {"pto.trsqrt", {3e-3, 3e-3}, {5e-5, 5e-4}, 2},
    {"pto.trsqrt", {1e-4, 1e-3}, {5e-5, 5e-4}, 3}, /* with a tmp it is refined */
    {"pto.trecip", {1e-3, 1e-3}, {1e-3, 1e-3}, 0}, {"pto.tdiv", {1e-3, 1e-3}, {1e-3, 1e-3}, 0},
    {"pto.tdivs", {1e-3, 1e-3}, {1e-3, 1e-3}, 0},  {"pto.tpow", {5e-4, 1e-3}, {5e-4, 5e-4}, 0},
    {"pto.tpows", {5e-4, 1e-3}, {5e-4, 5e-4}, 0},  {"pto.taxpy", {0, 0}, {0, 0}, 0},
};

struct bound_search {
    const struct ptog_target *target;
    bool half;
    double most;
};

/* Notes the tolerance that an operation of the program allows on the device. */
static bool look_at_op(void *user, const struct ptog_op_seen *op)
{
    struct bound_search *search = user;
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        size_t values = op->operand_count + op->result_count;
        if (strcmp(bounds[i].name, op->name) != 0 || (bounds[i].values > 0 && bounds[i].values != values))
            continue;
        const double *of = search->target->compare_a5 ? bounds[i].a5 : bounds[i].a2a3;
        search->most = fmax(search->most, search->target->ub_bytes > 0 ? of[search->half] : 0);
    }
    return true;
}

double compare_bound(const ptog_program *program, const struct ptog_target *target, enum ptog_dtype dtype)
{
    struct bound_search search = {target, ptog_dtype_size(dtype) == 2, -1};
    ptog_program_walk(program, look_at_op, &search);
    return search.most;
}
