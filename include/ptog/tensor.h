/* A tensor: a view of global memory (GM). It has five dimensions, the last of which is the innermost; a tensor of a
 * lower rank has leading 1s. Element (a, b, c, d, e) lies a*stride[0] + b*stride[1] + ... + e*stride[4] elements from
 * the start.
 *
 *     shape  {1, 1, 1, 64, 32}        64 rows of 32
 *     stride {0, 0, 0, 48,  1}        and 48 elements from one row to the next
 *
 * Like a tile, a tensor is a description and owns no memory. As the table of MGATHER it is what the indices point into;
 * as the view of TLOAD and TSTORE it is what is moved. */
#ifndef PTOG_TENSOR_H
#define PTOG_TENSOR_H

#include <stdint.h>

#include <ptog/dtype.h>

/* What the dimensions mean. ND and DN are plain rows and columns, row after row or column after column. NZ is the order
 * of the cube core: blocks of 16 rows and 32 bytes. */
enum ptog_layout { PTOG_ND = 0, PTOG_DN = 1, PTOG_NZ = 2 }; /* the PTO headers' numbers */

/* The description. Zero is the default of layout and strides. */
struct ptog_tensor {
    enum ptog_dtype dtype;
    enum ptog_layout layout;
    int64_t shape[5];  /* PTOG_DYN: known at run time */
    int64_t stride[5]; /* in elements; 0: packed, from the dimensions inside it; PTOG_DYN: known at run time */
    const char *name;  /* what messages call it, as in struct ptog_tile; NULL: "the table", "the view" */
    uint64_t reserved[3];
};

/* A packed ND table of `rows` x `cols`. */
PTOG_API struct ptog_tensor ptog_tensor_2d(enum ptog_dtype dtype, int64_t rows, int64_t cols);

/* The same with `pitch` elements from one row to the next. */
PTOG_API struct ptog_tensor ptog_tensor_2d_pitch(enum ptog_dtype dtype, int64_t rows, int64_t cols, int64_t pitch);

/* A packed ND tensor of five dimensions. Without a shape, NULL, one without extents, which every call refuses. */
PTOG_API struct ptog_tensor ptog_tensor_5d(enum ptog_dtype dtype, const int64_t shape[5]);

/* A packed NZ table: shape <batches, block_cols, block_rows, 16, C0>, that is block_rows*16 logical rows of
 * batches*block_cols*C0 logical columns. */
PTOG_API struct ptog_tensor ptog_tensor_nz(enum ptog_dtype dtype, int64_t batches, int64_t block_cols,
                                           int64_t block_rows);

#endif
