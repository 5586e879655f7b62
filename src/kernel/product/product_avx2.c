/* kernel: matrix products with AVX2; empty where the compiler has no such thing. */
#if defined(__AVX2__)
#define LANES 4
#define ROWS 6
#define NAME ptog_product_avx2
#include "kernel/product/product_stamp.h"
#else
#include "kernel/product/product.h"
ptog_product_fn *const ptog_product_avx2 = NULL;
#endif
