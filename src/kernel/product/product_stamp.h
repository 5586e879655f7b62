/* kernel: from LANES, doubles in a vector, and ROWS, rows of the left matrix at a time, to the function NAME. The sums
 * of so many rows and of a panel stay in registers while k goes by. */
#include "kernel/map.h"
#include "kernel/product/product.h"

#define VECTORS (PTOG_PRODUCT_PANEL / LANES)

typedef double product_lanes __attribute__((vector_size(LANES * 8), aligned(8), may_alias));

/* What is done for each vector of the sums of `rows` rows; unrolled, so that they are registers. */
#define EACH_SUM                                                                                                       \
    _Pragma("GCC unroll 8") for (int i = 0; i < rows; i++) _Pragma("GCC unroll 4") for (int v = 0; v < VECTORS; v++)

/* Adds the products of some rows with a panel to their sums. */
PTOG_INLINE void product_rows(double *sums, int64_t pitch, const double *left, int rows, int64_t depth,
                              const double *panel)
{
    product_lanes sum[ROWS][VECTORS];
    EACH_SUM sum[i][v] = *(const product_lanes *)(sums + i * pitch + v * LANES);
    for (int64_t k = 0; k < depth; k++) {
        const product_lanes *right = (const product_lanes *)(panel + k * PTOG_PRODUCT_PANEL);
        EACH_SUM sum[i][v] += left[i * depth + k] * right[v];
    }
    EACH_SUM *(product_lanes *)(sums + i * pitch + v * LANES) = sum[i][v];
}

/* Adds the products of all rows with a panel to their sums, as many rows at once as there are registers for. */
static void product_panel(double *sums, int64_t pitch, const double *left, int64_t rows, int64_t depth,
                          const double *panel)
{
    int64_t i = 0;
    for (; i + ROWS <= rows; i += ROWS)
        product_rows(sums + i * pitch, pitch, left + i * depth, ROWS, depth, panel);
    for (; i + 2 <= rows; i += 2)
        product_rows(sums + i * pitch, pitch, left + i * depth, 2, depth, panel);
    if (i < rows)
        product_rows(sums + i * pitch, pitch, left + i * depth, 1, depth, panel);
}

ptog_product_fn *const NAME = product_panel;
