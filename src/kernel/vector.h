/* kernel: the bodies for vector instruction sets, in the compiler's vector types. A set is little more than the flags
 * its file is compiled with. */
#ifndef PTOG_KERNEL_VECTOR_H
#define PTOG_KERNEL_VECTOR_H

#include "kernel/vector_compact.h"
#include "kernel/vector_elem.h"
#include "kernel/vector_rows.h"

#define BODY_WHOLE_ROW ptog_near_row_blocks
#define BODY_FAR_ROW ptog_far_row_blocks
#define BODY_ELEM ptog_elem_blocks
#define BODY_COMPACT ptog_compact_vectors

#endif
