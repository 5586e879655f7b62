/* kernel: embedding bags with AVX-512; empty where the compiler has no such thing. */
#if defined(__AVX512BW__) && defined(__AVX512VL__)
#define LANES 8
#define WIDE 16
#define SET ptog_bags_avx512
#include "kernel/bag/bag_stamp.h"
#else
#include "kernel/bag/bag.h"
const struct ptog_bag_set ptog_bags_avx512 = {NULL, {NULL, NULL}, NULL, NULL, NULL, NULL, NULL};
#endif
