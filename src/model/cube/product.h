/* model: matrix products, and what moves matrices between the memories of a cube core.
 *
 *   tmatmul        dst[i,j] = a[i,0]*b[0,j] + a[i,1]*b[1,j] + ...      over m rows of a, n columns of b
 *   tmatmul.acc    the same, added to what dst holds
 *   tmatmul.bias   the same, added to bias[0,j]
 *   tgemv, ...     the same for one row, with as many products as b has rows
 *
 * Where targets differ: host adds in f64 and rounds once; cpu starts at 0, each step a fused multiply-add in f32, and adds
 * what was there at the end; a2a3 and a5 start with what was there. All in ascending k. Integers wrap around. */
#ifndef PTOG_MODEL_CUBE_PRODUCT_H
#define PTOG_MODEL_CUBE_PRODUCT_H

#include "model/insn.h"

struct ptog_product {
    int64_t m, k, n;
    int left, right, start;     /* positions of the operands; `start`: what is added to, -1: nothing */
    enum ptog_dtype in, out;    /* element types: of both matrices, of the result */
    bool has_bias, adds_to_sum; /* what `start` is: a row for all rows, or an accumulator */
    bool rounds_once, adds_last; /* as on host, as on cpu */
};

enum ptog_form ptog_product_form(const struct ptog_target *target, const struct ptog_insn *insn);

/* Of a resolved instruction. */
struct ptog_product ptog_product_of(const struct ptog_target *target, const struct ptog_insn *insn);

/* One element: k products, of elements `a` and `b`, and the element that they are added to, as bits of p->out. */
uint64_t ptog_product_lane(const struct ptog_product *p, const double *a, const double *b, uint64_t start);

/* An element of a matrix as a number; all element types of products fit in a double. */
double ptog_product_number(enum ptog_dtype dtype, uint64_t bits);

/* The same for n elements side by side: sums[j] += a[0]*b[0][j] + a[1]*b[1][j] + ..., for matrices of which every product
 * is exact in f32 (then a fused multiply-add and two operations are the same), and for integers, which wrap around. */
void ptog_product_row(int64_t k, int64_t n, const float *a, const float *b, float *sums);
void ptog_product_int_row(int64_t k, int64_t n, const int32_t *a, const int32_t *b, int32_t *sums);

/* Whether a product that adds to an accumulator may start before the product before it has written that. On A2/A3 the
 * unit takes them one after the other, but libraries put a barrier between products of fewer than 10 boxes of 16x16; other
 * kernels, and compilers, do it otherwise. */
bool ptog_product_is_hasty(const struct ptog_target *target, const struct ptog_product *p);

/* An operand as the unit of a2a3 and a5 sees it: `rows` by `cols` of it valid, and packed. */
struct ptog_tile ptog_product_packed(const struct ptog_tile *tile, int64_t rows, int64_t cols);

/* ---- transfers and copies of the cube core */

/* What a load into L1 moves: as much of the view as the tile holds. */
struct ptog_cube_region {
    int64_t rows, cols;
};
struct ptog_cube_region ptog_loaded_region(const struct ptog_insn *insn);

/* A copy from L1 to L0: where its window starts, how much moves, and what becomes of an element. */
struct ptog_l0_copy {
    int64_t row, col, rows, cols;
    bool widens; /* to the f32 of a bias */
};
struct ptog_l0_copy ptog_l0_copy_of(const struct ptog_known_insn *known);
uint64_t ptog_l0_element(const struct ptog_known_insn *known, uint64_t bits);

#endif
