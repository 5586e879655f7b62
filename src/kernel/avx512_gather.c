/* kernel: x86 with AVX-512, elements by the gather instruction: faster than single loads on some processors, and much
 * slower on others (tune.def). */
#include "kernel/kernel.h"

#if defined(__AVX512F__)
#include "kernel/vector_gather.h"
#define BODY_ELEM ptog_elem_gathers
#endif
#define ONLY_GATHERED
#define ISA "avx512-gather"
#define TABLE ptog_kernels_avx512_gather
#include "kernel/stamp.h"
