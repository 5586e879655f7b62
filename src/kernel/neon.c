/* kernel: 64-bit Arm; every such CPU has these instructions. Empty elsewhere. */
#include "kernel/kernel.h"

#if defined(__aarch64__)
#include "kernel/vector.h"
#endif
#define ISA "neon"
#define TABLE ptog_kernels_neon
#include "kernel/stamp.h"
