/* sanitize: shadow memory for races. */
#include "sanitize/shadow.h"

#include <stdlib.h>
#include <string.h>

static uint64_t pages_in(const struct ptog_shadow *shadow)
{
    return shadow->size / PTOG_SHADOW_PAGE + 1;
}

bool ptog_shadow_open(struct ptog_shadow *shadow, uint64_t size)
{
    *shadow = (struct ptog_shadow){.size = size};
    shadow->pages = calloc(pages_in(shadow), sizeof *shadow->pages);
    return shadow->pages != NULL;
}

void ptog_shadow_clear(struct ptog_shadow *shadow)
{
    for (uint64_t p = 0; shadow->pages && p < pages_in(shadow); p++) {
        for (uint64_t b = 0; shadow->pages[p] && b < PTOG_SHADOW_BLOCKS; b++)
            free(shadow->pages[p]->bytes[b]);
        free(shadow->pages[p]);
        shadow->pages[p] = NULL;
    }
}

void ptog_shadow_close(struct ptog_shadow *shadow)
{
    ptog_shadow_clear(shadow);
    free(shadow->pages);
    shadow->pages = NULL;
}

struct ptog_shadow_page *ptog_shadow_page(struct ptog_shadow *shadow, uint64_t at)
{
    struct ptog_shadow_page **page = &shadow->pages[at / PTOG_SHADOW_PAGE];
    if (!*page)
        *page = calloc(1, sizeof **page);
    if (!*page)
        shadow->failed = true;
    return *page;
}

struct ptog_cell *ptog_shadow_split(struct ptog_shadow *shadow, struct ptog_shadow_page *page, uint64_t block)
{
    struct ptog_cell *cells = malloc(PTOG_SHADOW_BLOCK * sizeof *cells);
    if (!cells)
        shadow->failed = true;
    for (uint64_t i = 0; cells && i < PTOG_SHADOW_BLOCK; i++)
        cells[i] = page->whole[block];
    return page->bytes[block] = cells;
}

static void visit_piece(const struct ptog_shadow *shadow, uint64_t at, uint64_t bytes, ptog_cell_visitor visit,
                        void *user)
{
    if (at >= shadow->size)
        return;
    if (bytes > shadow->size - at)
        bytes = shadow->size - at;
    while (bytes > 0) {
        const struct ptog_shadow_page *page = shadow->pages[at / PTOG_SHADOW_PAGE];
        uint64_t block = at % PTOG_SHADOW_PAGE / PTOG_SHADOW_BLOCK, left = PTOG_SHADOW_BLOCK - at % PTOG_SHADOW_BLOCK;
        uint64_t here = left < bytes ? left : bytes;
        if (page && !page->bytes[block])
            visit(user, &page->whole[block], at, here);
        for (uint64_t i = 0; page && page->bytes[block] && i < here; i++)
            visit(user, &page->bytes[block][(at + i) % PTOG_SHADOW_BLOCK], at + i, 1);
        at += here;
        bytes -= here;
    }
}

void ptog_shadow_visit(const struct ptog_shadow *shadow, const struct ptog_access *access, ptog_cell_visitor visit,
                       void *user)
{
    for (uint64_t k = 0; k < access->count; k++)
        visit_piece(shadow, access->at + k * access->pitch, access->bytes, visit, user);
}

void ptog_shadow_join(struct ptog_shadow_page *page, uint64_t block)
{
    struct ptog_cell *cells = page->bytes[block];
    if (memcmp(cells, cells + 1, (PTOG_SHADOW_BLOCK - 1) * sizeof *cells) != 0)
        return;
    page->whole[block] = cells[0];
    free(cells);
    page->bytes[block] = NULL;
}
