/* A tensor: a view of global memory (GM), five dimensions, strides in elements. Lower ranks have leading 1s. */
#ifndef PTOG_TENSOR_H
#define PTOG_TENSOR_H

#include <stdint.h>

#include <ptog/dtype.h>

enum ptog_layout { PTOG_ND = 0, PTOG_DN = 1, PTOG_NZ = 2 }; /* the PTO headers' numbers */

struct ptog_tensor {
    enum ptog_dtype dtype;
    enum ptog_layout layout;
    int64_t shape[5];  /* PTOG_DYN: known at run time */
    int64_t stride[5]; /* in elements; 0: packed, from the dimensions inside it; PTOG_DYN: known at run time */
    uint64_t reserved[4];
};

/* A packed ND table of `rows` x `cols`. */
PTOG_API struct ptog_tensor ptog_tensor_2d(enum ptog_dtype dtype, int64_t rows, int64_t cols);

/* The same with `pitch` elements from one row to the next. */
PTOG_API struct ptog_tensor ptog_tensor_2d_pitch(enum ptog_dtype dtype, int64_t rows, int64_t cols, int64_t pitch);

/* A packed ND tensor of five dimensions. */
PTOG_API struct ptog_tensor ptog_tensor_5d(enum ptog_dtype dtype, const int64_t shape[5]);

/* A packed NZ table: shape <batches, block_cols, block_rows, 16, C0>, that is block_rows*16 logical rows of
 * batches*block_cols*C0 logical columns. */
PTOG_API struct ptog_tensor ptog_tensor_nz(enum ptog_dtype dtype, int64_t batches, int64_t block_cols,
                                           int64_t block_rows);

#endif
