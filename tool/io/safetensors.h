/* tool/io: safetensors files, read from memory and written.
 *
 *   8 bytes       length of the header
 *   header        {"__metadata__": {...}, "embed": {"dtype": "F32", "shape": [6, 8], "data_offsets": [0, 192]}, ...}
 *   data          of all tensors, one after another without a gap, in the order of their offsets
 *
 * The whole header is held against the format before anything of it is used. */
#ifndef TOOL_IO_SAFETENSORS_H
#define TOOL_IO_SAFETENSORS_H

#include "npy.h"
#include "tensor_type.h"

struct tool_tensor {
    const char *name; /* UTF-8, and a zero byte behind it; it may contain others */
    size_t length;
    size_t at;           /* where its description begins in the header */
    uint64_t begin, end; /* its bytes of the data */
};

struct tool_safetensors {
    const char *header; /* inside the bytes that were parsed, as the data */
    size_t header_bytes;
    const unsigned char *data;
    uint64_t bytes;
    struct tool_tensor *tensors; /* by name */
    size_t count;
    char *names; /* of all */
};

/* False, and nothing to close, for everything that the format forbids: among others repeated keys, bytes of the data
 * that belong to no tensor or to two, and text that is not UTF-8. */
bool tool_safetensors_open(struct tool_safetensors *file, const void *bytes, size_t size, struct tool_why *why);
void tool_safetensors_close(struct tool_safetensors *file);

/* NULL: there is none of that name. */
const struct tool_tensor *tool_safetensors_find(const struct tool_safetensors *file, const char *name);

/* Describes a tensor as the npy file that would hold it. False when npy has no such elements. */
bool tool_safetensors_array(const struct tool_safetensors *file, const struct tool_tensor *tensor,
                            struct tool_npy *array, const struct tool_tensor_type **type, struct tool_why *why);

/* What stands before the data of a file with one tensor: bytes written, a multiple of 8; 0 when the name is no UTF-8 or
 * longer than TOOL_TENSOR_NAME. */
#define TOOL_TENSOR_NAME 512
#define TOOL_TENSOR_HEADER (8 * TOOL_TENSOR_NAME)
size_t tool_safetensors_header(char header[TOOL_TENSOR_HEADER], const char *name, const struct tool_tensor_type *type,
                               int rank, const int64_t *shape);

#endif
