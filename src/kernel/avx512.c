/* kernel: x86 with AVX-512 (F, BW, VL, DQ). Never chosen unless PTOG_ISA asks for it: it was not measured. */
#include "kernel/kernel.h"

#if defined(__AVX512F__)
#include "kernel/vector.h"
#endif
#define ISA "avx512"
#define TABLE ptog_kernels_avx512
#include "kernel/stamp.h"
