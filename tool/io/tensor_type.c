/* tool/io: the element types of safetensors files. */
#include "tensor_type.h"

#include <string.h>

/* The first of a kind and size is what an npy file of it becomes. */
static const struct tool_tensor_type types[] = {
    {"BOOL", 'b', 1}, {"U8", 'u', 1},      {"I8", 'i', 1},      {"U16", 'u', 2},     {"I16", 'i', 2},  {"F16", 'f', 2},
    {"U32", 'u', 4},  {"I32", 'i', 4},     {"F32", 'f', 4},     {"U64", 'u', 8},     {"I64", 'i', 8},  {"F64", 'f', 8},
    {"C64", 'c', 8},  {"F8_E4M3", 'u', 1}, {"F8_E5M2", 'u', 1}, {"F8_E8M0", 'u', 1}, {"BF16", 'u', 2},
};
#define TYPES (sizeof types / sizeof types[0])

const struct tool_tensor_type *tool_tensor_type_named(const char *name)
{
    for (size_t i = 0; i < TYPES; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

const struct tool_tensor_type *tool_tensor_type_of(const struct tool_npy *array)
{
    for (size_t i = 0; i < TYPES; i++)
        if (types[i].kind == array->kind && types[i].item == array->item)
            return &types[i];
    return NULL;
}
