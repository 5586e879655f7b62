/* Fuzz: any bytes are read without harm, and every diagnostic has a place in them. */
#include <stdint.h>
#include <stdlib.h>

#include "asm/asm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ptog_source source;
    struct ptog_tree tree;
    struct ptog_diag_list diags = {0};
    if (ptog_source_open(&source, "fuzz.pto", data, size) != PTOG_OK)
        abort();
    enum ptog_status status = ptog_parse(&tree, &source, &diags);
    if ((status == PTOG_ILLEGAL) != (diags.errors > 0))
        abort();
    for (size_t i = 0; i < diags.count; i++) {
        struct ptog_place place = ptog_source_place(&source, diags.list[i].span);
        if (diags.list[i].span.at > size || place.line < 1 || place.line > source.line_count ||
            !diags.list[i].diag.message[0])
            abort();
    }
    ptog_tree_free(&tree);
    ptog_diag_list_free(&diags);
    ptog_source_close(&source);
    return 0;
}
