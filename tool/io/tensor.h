/* tool/io: one tensor as the header of a safetensors file describes it: name, element type, shape, and where its bytes
 * lie. */
#ifndef TOOL_IO_TENSOR_H
#define TOOL_IO_TENSOR_H

#include "json.h"
#include "npy.h"
#include "tensor_type.h"

/* What stands between the braces. */
struct tool_description {
    struct tool_npy array; /* but for its data */
    char type_name[24];
    const struct tool_tensor_type *type; /* NULL: not known here, and so not how long the tensor should be */
    int64_t offsets[2];
    bool has_type, has_shape, has_offsets;
};

/* Reads the description of the tensor called `name`, in a file with so many bytes of data. */
bool tool_description_read(struct tool_json *in, const char *name, uint64_t data_bytes, struct tool_description *of);

#endif
