/* model: what the other modules ask of tensors beyond ptog/tensor.h. All but the first two want every extent known and
 * ptog_tensor_elements() to hold. */
#ifndef PTOG_MODEL_TENSOR_H
#define PTOG_MODEL_TENSOR_H

#include <stdbool.h>

#include <ptog/tensor.h>

#define PTOG_NZ_ROWS 16 /* rows of a fractal block */

/* Replaces "0: packed" strides by numbers where they are known. */
void ptog_tensor_fill_defaults(struct ptog_tensor *tensor);

/* The number of elements; false when it, or the bytes the strides span, do not fit in 63 bits. */
bool ptog_tensor_elements(const struct ptog_tensor *tensor, int64_t *elements);

/* No gap between elements: the fastest dimension of its layout has stride 1, and so on outwards. */
bool ptog_tensor_is_packed(const struct ptog_tensor *tensor);

/* Row i of all rows, outer dimensions included, starts at i*stride3. */
bool ptog_tensor_rows_collapse(const struct ptog_tensor *tensor);

/* Logical columns of an NZ tensor. */
int64_t ptog_tensor_nz_cols(const struct ptog_tensor *tensor);

#endif
