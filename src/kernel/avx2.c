/* kernel: x86 with AVX2. Compiled with -mavx2 (CMakeLists.txt); empty where the compiler has no such thing. */
#include "kernel/vector.h"

#if defined(__AVX2__)
#include "kernel/vector_compact.h"
#include "kernel/vector_rows.h"
#define BODY_WHOLE_ROW ptog_whole_row_blocks
#define BODY_ELEM ptog_elem_blocks
#define BODY_COMPACT ptog_compact_vectors
#endif
#define ISA "avx2"
#define TABLE ptog_kernels_avx2
#include "kernel/stamp.h"
