/* kernel: matrix products with AVX-512; empty where the compiler has no such thing. */
#if defined(__AVX512F__)
#define LANES 8
#define ROWS 8
#define NAME ptog_product_avx512
#include "kernel/product/product_stamp.h"
#else
#include "kernel/product/product.h"
ptog_product_fn *const ptog_product_avx512 = NULL;
#endif
