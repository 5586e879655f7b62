/* kernel: embedding bags as every CPU can do them; and which set of functions is used. */
#define LANES 2
#define WIDE 4
#define SET ptog_bags_plain
#include "kernel/bag/bag_stamp.h"

const struct ptog_bag_set *ptog_bag_set_find(enum ptog_isa isa)
{
    if (ptog_isa_has_avx512(isa) && ptog_bags_avx512.kernels)
        return &ptog_bags_avx512;
    if (ptog_isa_has_avx2(isa) && ptog_bags_avx2.kernels)
        return &ptog_bags_avx2;
    return &ptog_bags_plain;
}

const struct ptog_bag_kernel *ptog_bag_kernel_find(const struct ptog_bag_set *set, enum ptog_dtype dtype)
{
    for (const struct ptog_bag_kernel *kernel = set->kernels; kernel->dtype != PTOG_DTYPE_NONE; kernel++)
        if (kernel->dtype == dtype)
            return kernel;
    return NULL;
}
