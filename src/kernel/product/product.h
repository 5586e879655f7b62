/* kernel: sums of products of two matrices, one function per instruction set, all stamped from product_stamp.h. */
#ifndef PTOG_KERNEL_PRODUCT_H
#define PTOG_KERNEL_PRODUCT_H

#include "kernel/kernel.h"

/* Columns of the right matrix that lie together: its column c, row k is element (c / PANEL * depth + k) * PANEL + c % PANEL. */
#define PTOG_PRODUCT_PANEL 8

/* sums[i * pitch + c] += left[i * depth + k] * panel[k * PANEL + c], for `rows` rows, all columns of one panel, and every k
 * below `depth` in its order. The products are exact in f64 or are fused with the sum: callers know that they are exact. */
typedef void ptog_product_fn(double *sums, int64_t pitch, const double *left, int64_t rows, int64_t depth,
                             const double *panel);

/* NULL: the compiler cannot make it. */
extern ptog_product_fn *const ptog_product_plain, *const ptog_product_avx2, *const ptog_product_avx512;

/* The best function of an instruction set. */
ptog_product_fn *ptog_product_find(enum ptog_isa isa);

#endif
