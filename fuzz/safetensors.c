/* fuzz: any bytes as a safetensors file. A tensor that is accepted lies inside the input, and has as many bytes as its
 * shape says. */
#include <stdlib.h>

#include "io/safetensors.h"

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void parse(const uint8_t *data, size_t size, const char *name)
{
    struct tool_npy tensor;
    struct tool_why why = {""};
    uint64_t bytes;
    if (!tool_safetensors_parse(&tensor, data, size, name, &why)) {
        check(why.text[0] != '\0');
        return;
    }
    check(tool_shape_bytes(tensor.item, tensor.rank, tensor.shape, &bytes) && bytes == tensor.bytes);
    check(tensor.data >= data && tensor.bytes <= size - (size_t)(tensor.data - data));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parse(data, size, NULL);
    parse(data, size, "w");
    return 0;
}
