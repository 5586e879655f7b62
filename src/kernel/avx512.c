/* kernel: x86 with AVX-512 (F, BW, VL, DQ): the bodies of AVX2 with vectors of 64 bytes. */
#include "kernel/kernel.h"

#if defined(__AVX512F__)
#include "kernel/vector.h"
#endif
#define ISA "avx512"
#define TABLE ptog_kernels_avx512
#include "kernel/stamp.h"
