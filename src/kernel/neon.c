/* kernel: 64-bit Arm; every such CPU has these instructions. Empty elsewhere. */
#include "kernel/vector.h"

#if defined(__aarch64__)
#include "kernel/vector_compact.h"
#include "kernel/vector_rows.h"
#define BODY_WHOLE_ROW ptog_whole_row_blocks
#define BODY_ELEM ptog_elem_blocks
#define BODY_COMPACT ptog_compact_vectors
#endif
#define ISA "neon"
#define TABLE ptog_kernels_neon
#include "kernel/stamp.h"
