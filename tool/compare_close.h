/* tool: when two results of an instruction that rounds count as equal. No bound is published, so those of the vendor's
 * tests are taken. */
#ifndef TOOL_COMPARE_CLOSE_H
#define TOOL_COMPARE_CLOSE_H

#include <ptog/ptog.h>

enum compare_closeness {
    COMPARE_SAME,   /* bit by bit, or both NaN, or both zero or subnormal */
    COMPARE_NEAR,   /* two units in the last place, of 16-bit types one */
    COMPARE_WITHIN, /* the bound */
    COMPARE_FAR,
};

/* Of two elements: near in the last place, or within relative * |larger of them| + absolute. Integers are equal or far.
 */
struct compare_tolerance {
    double relative, absolute;
};
enum compare_closeness compare_closeness(enum ptog_dtype dtype, const void *a, const void *b,
                                         const struct compare_tolerance *tolerance);

/* An element as a number; hif8, which has no published numbers, as NaN. */
double compare_value(enum ptog_dtype dtype, const void *bits);

/* The bound for a program on a target: the largest of those of its instructions that round; below 0: it has none such,
 * so that results must be the same bit by bit. */
double compare_bound(const ptog_program *program, const struct ptog_target *target, enum ptog_dtype dtype);

#endif
