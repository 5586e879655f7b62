/* model: tensors, views of global memory. */
#include "model/tensor.h"

#include "base/arith.h"
#include "base/pick.h"
#include "model/tile.h"

struct ptog_tensor ptog_tensor_5d(enum ptog_dtype dtype, const int64_t shape[5])
{
    struct ptog_tensor tensor = {.dtype = dtype};
    for (int d = 0; shape && d < 5; d++)
        tensor.shape[d] = shape[d];
    return tensor;
}

struct ptog_tensor ptog_tensor_2d(enum ptog_dtype dtype, int64_t rows, int64_t cols)
{
    return (struct ptog_tensor){.dtype = dtype, .shape = {1, 1, 1, rows, cols}};
}

struct ptog_tensor ptog_tensor_2d_pitch(enum ptog_dtype dtype, int64_t rows, int64_t cols, int64_t pitch)
{
    struct ptog_tensor tensor = ptog_tensor_2d(dtype, rows, cols);
    tensor.stride[3] = pitch;
    tensor.stride[4] = 1;
    return tensor;
}

struct ptog_tensor ptog_tensor_nz(enum ptog_dtype dtype, int64_t batches, int64_t block_cols, int64_t block_rows)
{
    int64_t c0 = ptog_dtype_size(dtype) ? ptog_c0(dtype) : 0;
    struct ptog_tensor tensor =
        ptog_tensor_5d(dtype, (const int64_t[5]){batches, block_cols, block_rows, PTOG_NZ_ROWS, c0});
    tensor.layout = PTOG_NZ;
    return tensor;
}

/* Dimensions from the fastest to the slowest; DN swaps the two inner ones. */
static const int *inside_out(const struct ptog_tensor *tensor)
{
    static const int nd[5] = {4, 3, 2, 1, 0}, dn[5] = {3, 4, 2, 1, 0};
    if (tensor->layout == PTOG_DN)
        return dn;
    return nd;
}

void ptog_tensor_fill_defaults(struct ptog_tensor *tensor)
{
    const int *order = inside_out(tensor);
    int64_t packed =
        1; /* PTOG_DYN once it depends on an unknown or a bad extent; 0 on overflow, which a rule reports */
    for (int i = 0; i < 5; i++) {
        int d = order[i];
        if (tensor->stride[d] == 0)
            tensor->stride[d] = packed;
        if (tensor->shape[d] < 0 || tensor->stride[d] < 0 || packed < 0)
            packed = PTOG_DYN;
        else if (!ptog_mul_i64(tensor->stride[d], tensor->shape[d], &packed))
            packed = 0;
    }
}

/* From dimension order[first] outwards, each stride is the extent of what lies inside it; extents of 1 do not matter.
 */
static bool nests(const struct ptog_tensor *tensor, const int order[5], int first, int64_t inside)
{
    for (int i = first; i < 5; i++) {
        int d = order[i];
        if (tensor->shape[d] > 1 && tensor->stride[d] != inside)
            return false;
        if (!ptog_mul_i64(inside, tensor->shape[d], &inside))
            return false;
    }
    return true;
}

bool ptog_tensor_is_packed(const struct ptog_tensor *tensor)
{
    return nests(tensor, inside_out(tensor), 0, 1);
}

bool ptog_tensor_rows_collapse(const struct ptog_tensor *tensor)
{
    return nests(tensor, inside_out(tensor), 2, tensor->shape[3] * tensor->stride[3]);
}

bool ptog_tensor_elements(const struct ptog_tensor *tensor, int64_t *elements)
{
    int64_t last = 0, bytes;
    *elements = 1;
    for (int d = 0; d < 5; d++) {
        int64_t reach;
        if (!ptog_mul_i64(*elements, tensor->shape[d], elements) ||
            !ptog_mul_i64(tensor->shape[d], tensor->stride[d], &reach) || !ptog_add_i64(last, reach, &last))
            return false;
    }
    return ptog_mul_i64(ptog_max(last, *elements), (int64_t)ptog_dtype_size(tensor->dtype), &bytes);
}

int64_t ptog_tensor_nz_cols(const struct ptog_tensor *tensor)
{
    return (int64_t)((uint64_t)tensor->shape[0] * (uint64_t)tensor->shape[1] * (uint64_t)tensor->shape[4]);
}
