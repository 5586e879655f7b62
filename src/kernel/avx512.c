/* kernel: x86 with AVX-512 (F, BW, VL, DQ). Never chosen unless PTOG_ISA asks for it: it was not measured. */
#include "kernel/vector.h"

#if defined(__AVX512F__)
#include "kernel/vector_compact.h"
#include "kernel/vector_rows.h"
#define BODY_WHOLE_ROW ptog_whole_row_blocks
#define BODY_ELEM ptog_elem_blocks
#define BODY_COMPACT ptog_compact_vectors
#endif
#define ISA "avx512"
#define TABLE ptog_kernels_avx512
#include "kernel/stamp.h"
