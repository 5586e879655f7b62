/* playground: address space for arguments of unknown size, as src/inputs/space.c, where memory only grows: new pages
 * are zeros, and pages that were given back are used again. */
#include <string.h>

#include "inputs/inputs.h"

#define WASM_PAGE 65536

/* A space that was given back has the next one in its first bytes. */
static void *first_free;

void *ptog_space_new(void)
{
    void *space = first_free;
    if (space) {
        memcpy(&first_free, space, sizeof first_free);
        memset(space, 0, sizeof first_free);
        return space;
    }
    size_t page = __builtin_wasm_memory_grow(0, MAX_INPUT_BYTES / WASM_PAGE);
    return page == SIZE_MAX ? NULL : (void *)(page * WASM_PAGE);
}

/* Few pages were written, and writing to the others would make them real. */
void ptog_space_clear(void *space)
{
    uint64_t *page = space;
    for (size_t i = 0; page && i < MAX_INPUT_BYTES / 4096; i++, page += 512) {
        uint64_t any = 0;
        for (size_t k = 0; k < 512; k++)
            any |= page[k];
        if (any)
            memset(page, 0, 4096);
    }
}

void ptog_space_free(void *space)
{
    if (!space)
        return;
    ptog_space_clear(space);
    memcpy(space, &first_free, sizeof first_free);
    first_free = space;
}
