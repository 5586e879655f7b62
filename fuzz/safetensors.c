/* fuzz: any bytes as a safetensors file. The tensors of a file that is accepted are its data, each byte once, and each
 * has as many bytes as its shape says. */
#include <stdlib.h>
#include <string.h>

#include "io/safetensors.h"

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* Whether somebody else has a byte of it. */
static bool is_shared(const struct tool_safetensors *file, const struct tool_tensor *tensor)
{
    for (size_t i = 0; i < file->count; i++) {
        const struct tool_tensor *other = &file->tensors[i];
        if (other != tensor && other->begin < tensor->end && tensor->begin < other->end)
            return true;
    }
    return false;
}

static void look_at(const struct tool_safetensors *file, const struct tool_tensor *tensor)
{
    struct tool_npy array;
    const struct tool_tensor_type *type;
    struct tool_why why = {""};
    uint64_t bytes;
    check(!is_shared(file, tensor));
    check(strlen(tensor->name) != tensor->length || tool_safetensors_find(file, tensor->name) == tensor);
    if (!tool_safetensors_array(file, tensor, &array, &type, &why)) {
        check(why.text[0] != '\0');
        return;
    }
    check(tool_shape_bytes(array.item, array.rank, array.shape, &bytes) && bytes == array.bytes);
    check(array.data >= file->data && array.bytes <= file->bytes - (uint64_t)(array.data - file->data));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tool_safetensors file;
    struct tool_why why = {""};
    uint64_t bytes = 0;
    if (!tool_safetensors_open(&file, data, size, &why)) {
        check(why.text[0] != '\0');
        return 0;
    }
    for (size_t i = 0; i < file.count; i++) {
        bytes += file.tensors[i].end - file.tensors[i].begin;
        look_at(&file, &file.tensors[i]);
    }
    check(bytes == file.bytes);
    tool_safetensors_close(&file);
    return 0;
}
