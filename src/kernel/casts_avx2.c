/* kernel: the casts with AVX2. Compiled with -mavx2 (CMakeLists.txt); empty where the compiler has no such thing. */
#if defined(__AVX2__)
#define TABLE ptog_cast_kernels_avx2
#define VECTOR 32
#include "kernel/casts_stamp.h"
#else
#include "kernel/casts.h"
const struct ptog_cast_kernel ptog_cast_kernels_avx2[] = {{PTOG_DTYPE_NONE, PTOG_DTYPE_NONE, 0, NULL, NULL}};
#endif
