/* kernel: x86 with AVX2. Compiled with -mavx2 (CMakeLists.txt); empty where the compiler has no such thing. */
#include "kernel/kernel.h"

#if defined(__AVX2__)
#include "kernel/vector.h"
#endif
#define ISA "avx2"
#define TABLE ptog_kernels_avx2
#include "kernel/stamp.h"
