/* kernel: embedding bags with AVX2; empty where the compiler has no such thing. */
#if defined(__AVX2__)
#define LANES 4
#define WIDE 8
#define SET ptog_bags_avx2
#include "kernel/bag/bag_stamp.h"
#else
#include "kernel/bag/bag.h"
const struct ptog_bag_set ptog_bags_avx2 = {NULL, {NULL, NULL}, NULL, NULL, NULL, NULL, NULL};
#endif
