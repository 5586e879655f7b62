/* kernel: x86 with AVX-512 and its permutations of bytes (VBMI), for mask patterns. */
#include "kernel/kernel.h"

#if defined(__AVX512VBMI__)
#include "kernel/vector_bytes.h"
#define BODY_COMPACT ptog_compact_bytes
#endif
#define ISA "avx512-vbmi"
#define TABLE ptog_kernels_avx512_vbmi
#include "kernel/stamp.h"
