/* fuzz: any bytes as an npy file. What is accepted has as many bytes as its shape says, inside the input, and reads the
 * same when it is written anew. */
#include <stdlib.h>
#include <string.h>

#include "io/npy.h"

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_elements(const struct tool_npy *npy, const uint8_t *data, size_t size)
{
    size_t bytes = npy->item;
    check(npy->rank >= 0 && npy->rank <= TOOL_NPY_MAX_RANK && npy->item >= 1 && npy->item <= 16);
    for (int d = 0; d < npy->rank; d++) {
        check(npy->shape[d] >= 0);
        bytes = npy->shape[d] == 0 ? 0 : bytes * (size_t)npy->shape[d];
    }
    check(bytes == npy->bytes && npy->data >= data && npy->bytes <= size - (size_t)(npy->data - data));
}

static void check_again(const struct tool_npy *npy, enum ptog_dtype dtype)
{
    struct tool_why why;
    struct tool_npy again;
    char header[TOOL_NPY_HEADER];
    size_t length = tool_npy_header(header, dtype, npy->rank, npy->shape);
    char *file = malloc(length + npy->bytes);
    if (!file)
        return;
    memcpy(file, header, length);
    memcpy(file + length, npy->data, npy->bytes);
    check(tool_npy_parse(&again, file, length + npy->bytes, &why));
    check(tool_npy_holds(&again, dtype) && again.rank == npy->rank && again.bytes == npy->bytes);
    check(memcmp(again.shape, npy->shape, sizeof npy->shape) == 0);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tool_npy npy;
    struct tool_why why = {""};
    if (!tool_npy_parse(&npy, data, size, &why)) {
        check(why.text[0] != '\0');
        return 0;
    }
    check_elements(&npy, data, size);
    unsigned char *plain = malloc(npy.bytes + 1);
    if (plain)
        tool_npy_to_plain(&npy, plain);
    free(plain);
    for (int dtype = 1; dtype < PTOG_DTYPE_COUNT; dtype++)
        if (tool_npy_holds(&npy, (enum ptog_dtype)dtype))
            check_again(&npy, (enum ptog_dtype)dtype);
    return 0;
}
