/* kernel: matrix products as every CPU can do them; and which function is used. */
#define LANES 2
#define ROWS 2
#define NAME ptog_product_plain
#include "kernel/product/product_stamp.h"

ptog_product_fn *ptog_product_find(enum ptog_isa isa)
{
    if (ptog_isa_has_avx512(isa) && ptog_product_avx512)
        return ptog_product_avx512;
    if (ptog_isa_has_avx2(isa) && ptog_product_avx2)
        return ptog_product_avx2;
    return ptog_product_plain;
}
