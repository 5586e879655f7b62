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

static void free_blocks(struct ptog_shadow_blocks *blocks)
{
    for (uint64_t b = 0; blocks && blocks->split > 0 && b < PTOG_SHADOW_BLOCKS; b++)
        free(blocks->parts[b]);
    free(blocks);
}

void ptog_shadow_clear(struct ptog_shadow *shadow)
{
    for (uint64_t p = 0; shadow->pages && p < pages_in(shadow); p++) {
        if (!shadow->pages[p])
            continue;
        free_blocks(shadow->pages[p]->blocks);
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

struct ptog_shadow_blocks *ptog_shadow_blocks(struct ptog_shadow *shadow, struct ptog_shadow_page *page)
{
    if (page->blocks)
        return page->blocks;
    struct ptog_shadow_blocks *blocks = malloc(sizeof *blocks);
    if (!blocks) {
        shadow->failed = true;
        return NULL;
    }
    blocks->split = 0;
    memset(blocks->parts, 0, sizeof blocks->parts);
    for (uint64_t i = 0; i < PTOG_SHADOW_BLOCKS; i++)
        blocks->cells[i] = page->cell;
    return page->blocks = blocks;
}

/* The largest power of two, at most a block, that divides both. */
static uint32_t grain_of(uint64_t at, uint64_t bytes)
{
    uint64_t both = at | bytes | PTOG_SHADOW_BLOCK;
    return (uint32_t)(both & -both);
}

static struct ptog_shadow_parts *cut(struct ptog_shadow *shadow, struct ptog_shadow_blocks *blocks, uint64_t block,
                                     uint32_t grain)
{
    const struct ptog_shadow_parts *old = blocks->parts[block];
    size_t cells = PTOG_SHADOW_BLOCK / grain;
    struct ptog_shadow_parts *parts = malloc(sizeof *parts + cells * sizeof parts->cells[0]);
    if (!parts) {
        shadow->failed = true;
        return NULL;
    }
    parts->grain = grain;
    parts->written = old && old->written;
    for (size_t i = 0; i < cells; i++)
        parts->cells[i] = old ? old->cells[i * grain / old->grain] : blocks->cells[block];
    blocks->split += !old;
    free(blocks->parts[block]);
    return blocks->parts[block] = parts;
}

struct ptog_shadow_parts *ptog_shadow_parts(struct ptog_shadow *shadow, struct ptog_shadow_blocks *blocks, uint64_t at,
                                            uint64_t bytes)
{
    uint64_t block = at % PTOG_SHADOW_PAGE / PTOG_SHADOW_BLOCK;
    struct ptog_shadow_parts *parts = blocks->parts[block];
    if (parts && ((at | bytes) & (parts->grain - 1)) == 0)
        return parts;
    return cut(shadow, blocks, block, grain_of(at, bytes));
}

/* ---- looking */

static void visit_parts(const struct ptog_shadow_parts *parts, uint64_t at, uint64_t bytes, ptog_cell_visitor visit,
                        void *user)
{
    uint64_t end = at + bytes;
    while (at < end) {
        uint64_t next = (at / parts->grain + 1) * parts->grain, to = next < end ? next : end;
        visit(user, &parts->cells[at % PTOG_SHADOW_BLOCK / parts->grain], at, to - at);
        at = to;
    }
}

static void visit_blocks(const struct ptog_shadow_blocks *blocks, uint64_t at, uint64_t bytes, bool writes,
                         ptog_cell_visitor visit, void *user)
{
    while (bytes > 0) {
        uint64_t block = at % PTOG_SHADOW_PAGE / PTOG_SHADOW_BLOCK, left = PTOG_SHADOW_BLOCK - at % PTOG_SHADOW_BLOCK;
        uint64_t here = left < bytes ? left : bytes;
        const struct ptog_shadow_parts *parts = blocks->parts[block];
        if (parts && (writes || parts->written))
            visit_parts(parts, at, here, visit, user);
        else
            visit(user, &blocks->cells[block], at, here);
        at += here;
        bytes -= here;
    }
}

static void visit_piece(const struct ptog_shadow *shadow, uint64_t at, uint64_t bytes, bool writes,
                        ptog_cell_visitor visit, void *user)
{
    if (at >= shadow->size)
        return;
    if (bytes > shadow->size - at)
        bytes = shadow->size - at;
    while (bytes > 0) {
        const struct ptog_shadow_page *page = shadow->pages[at / PTOG_SHADOW_PAGE];
        uint64_t left = PTOG_SHADOW_PAGE - at % PTOG_SHADOW_PAGE, here = left < bytes ? left : bytes;
        if (page && page->blocks)
            visit_blocks(page->blocks, at, here, writes, visit, user);
        else if (page)
            visit(user, &page->cell, at, here);
        at += here;
        bytes -= here;
    }
}

void ptog_shadow_visit(const struct ptog_shadow *shadow, const struct ptog_access *access, ptog_cell_visitor visit,
                       void *user)
{
    bool writes = ptog_access_writes(access);
    for (uint64_t k = 0; k < access->count; k++)
        visit_piece(shadow, access->at + k * access->pitch, access->bytes, writes, visit, user);
}

/* ---- joining */

static bool all_alike(const struct ptog_cell *cells, uint64_t count)
{
    return memcmp(cells, cells + 1, (count - 1) * sizeof *cells) == 0;
}

void ptog_shadow_join_parts(struct ptog_shadow_blocks *blocks, uint64_t block)
{
    struct ptog_shadow_parts *parts = blocks->parts[block];
    if (!all_alike(parts->cells, PTOG_SHADOW_BLOCK / parts->grain))
        return;
    blocks->cells[block] = parts->cells[0];
    free(parts);
    blocks->parts[block] = NULL;
    blocks->split--;
}

void ptog_shadow_join_blocks(struct ptog_shadow_page *page, uint64_t bytes)
{
    struct ptog_shadow_blocks *blocks = page->blocks;
    uint64_t count = (bytes + PTOG_SHADOW_BLOCK - 1) / PTOG_SHADOW_BLOCK;
    if (blocks->split > 0 || !all_alike(blocks->cells, count))
        return;
    page->cell = blocks->cells[0];
    free(blocks);
    page->blocks = NULL;
}
