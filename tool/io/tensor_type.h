/* tool/io: the element types of safetensors files, and how an npy file carries them. */
#ifndef TOOL_IO_TENSOR_TYPE_H
#define TOOL_IO_TENSOR_TYPE_H

#include "npy.h"

struct tool_tensor_type {
    const char *name; /* "BF16" */
    char kind;        /* numpy's letter; for types that numpy lacks, that of an unsigned integer */
    size_t item;
};

/* NULL: there is none, or it has no whole number of bytes. */
const struct tool_tensor_type *tool_tensor_type_named(const char *name);

/* The type that an array of a file has here; NULL: the format has none for it. */
const struct tool_tensor_type *tool_tensor_type_of(const struct tool_npy *array);

#endif
