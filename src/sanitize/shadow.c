/* sanitize: shadow memory for races. */
#include "sanitize/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "base/zeroed.h"

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

/* The memory that some cells take. */
static uint64_t bytes_of(const struct ptog_shadow_cells *cells)
{
    return cells ? sizeof *cells + cells->period / cells->grain * sizeof cells->of[0] : 0;
}

/* Frees a page with its cells and parts. NULL may be given. */
static void free_page(struct ptog_shadow_page *page)
{
    for (uint64_t b = 0; page && page->parts && b < PTOG_SHADOW_BLOCKS; b++)
        free(page->parts[b]);
    if (page) {
        free(page->parts);
        free(page->cells);
    }
    free(page);
}

void ptog_shadow_clear(struct ptog_shadow *shadow)
{
    for (uint64_t p = shadow->first; p < shadow->end; p++) {
        free_page(shadow->pages[p]);
        shadow->pages[p] = NULL;
    }
    shadow->first = shadow->end = shadow->held = 0;
}

void ptog_shadow_close(struct ptog_shadow *shadow)
{
    ptog_shadow_clear(shadow);
    free(shadow->pages);
    shadow->pages = NULL;
}

/* The page of an address, made at first use. NULL when out of memory. */
struct ptog_shadow_page *ptog_shadow_page(struct ptog_shadow *shadow, uint64_t at)
{
    uint64_t p = at / PTOG_SHADOW_PAGE;
    struct ptog_shadow_page **page = &shadow->pages[p];
    if (*page)
        return *page;
    *page = ptog_zeroed(sizeof **page);
    if (!*page)
        shadow->failed = true;
    shadow->held += sizeof **page;
    if (shadow->end == 0 || p < shadow->first)
        shadow->first = p;
    shadow->end = ptog_max(shadow->end, p + 1);
    return *page;
}

/* ---- splitting */

/* The largest power of two, at most `most`, that divides both. */
static uint32_t grain_of(uint64_t at, uint64_t bytes, uint64_t most)
{
    uint64_t both = at | bytes | most;
    return (uint32_t)(both & -both);
}

/* Replaces `old`, or the one cell that the bytes share so far, by cells of `grain` bytes for `period` bytes. NULL when
 * out of memory; `old` stays then. */
static struct ptog_shadow_cells *cut_cells(struct ptog_shadow *shadow, struct ptog_shadow_cells *old,
                                           const struct ptog_cell *shared, uint64_t period, uint32_t grain)
{
    size_t count = (size_t)(period / grain);
    struct ptog_shadow_cells *cells = malloc(sizeof *cells + count * sizeof cells->of[0]);
    if (!cells) {
        shadow->failed = true;
        return NULL;
    }
    cells->grain = grain;
    cells->period = (uint32_t)period;
    cells->written = old && old->written;
    for (size_t i = 0; i < count; i++)
        cells->of[i] = old ? *ptog_shadow_cell_at(old, i * grain) : *shared;
    shadow->held += bytes_of(cells) - bytes_of(old);
    free(old);
    return cells;
}

/* Whether cells are fine enough for this piece. */
static bool is_fine(const struct ptog_shadow_cells *cells, uint64_t at, uint64_t bytes)
{
    return cells && ((at | bytes) & (cells->grain - 1)) == 0;
}

/* Gives a page room for parts of blocks, if it has none, and counts the bytes. False when out of memory, which sets
 * `failed`. */
static bool has_parts(struct ptog_shadow *shadow, struct ptog_shadow_page *page)
{
    if (page->parts)
        return true;
    page->parts = calloc(PTOG_SHADOW_BLOCKS, sizeof(struct ptog_shadow_cells *));
    shadow->failed |= !page->parts;
    shadow->held += PTOG_SHADOW_BLOCKS * sizeof(struct ptog_shadow_cells *);
    return page->parts != NULL;
}

/* Cells for the `period` bytes of a page from `at` on, as its stripes have them. */
static struct ptog_shadow_cells *unrolled(struct ptog_shadow *shadow, struct ptog_shadow_cells *stripes, uint64_t at,
                                          uint64_t period, uint64_t grain)
{
    struct ptog_shadow_cells *cells = cut_cells(shadow, NULL, stripes->of, period, (uint32_t)grain);
    for (uint64_t i = 0; cells && i < period; i += grain)
        *ptog_shadow_cell_at(cells, i) = *ptog_shadow_cell_at(stripes, at + i);
    return cells;
}

/* Replaces the stripes of a page by cells for each block, and smaller ones where the stripes were smaller. False when
 * out of memory. */
static bool end_stripes(struct ptog_shadow *shadow, struct ptog_shadow_page *page)
{
    struct ptog_shadow_cells *stripes = page->cells;
    uint64_t grain = ptog_max(stripes->grain, PTOG_SHADOW_BLOCK);
    struct ptog_shadow_cells *cells = unrolled(shadow, stripes, 0, PTOG_SHADOW_PAGE, grain);
    if (!cells)
        return false;
    for (uint64_t b = 0; stripes->grain < grain && b < PTOG_SHADOW_BLOCKS && has_parts(shadow, page); b++) {
        struct ptog_shadow_cells *parts =
            unrolled(shadow, stripes, b * PTOG_SHADOW_BLOCK, PTOG_SHADOW_BLOCK, stripes->grain);
        page->split += parts != NULL;
        if (parts)
            parts->written = true;
        page->parts[b] = parts;
    }
    shadow->held -= bytes_of(stripes);
    free(stripes);
    page->cells = cells;
    return true;
}

struct ptog_shadow_cells *ptog_shadow_stripes(struct ptog_shadow *shadow, struct ptog_shadow_page *page, uint64_t at,
                                              uint64_t bytes, uint64_t pitch)
{
    struct ptog_shadow_cells *old = page->cells;
    if ((pitch & (pitch - 1)) != 0 || at % pitch + bytes > pitch || (old && !ptog_shadow_has_stripes(page)))
        return NULL;
    if (old && old->period >= pitch && is_fine(old, at, bytes))
        return old;
    uint64_t period = old ? ptog_max(old->period, pitch) : pitch;
    uint64_t grain = grain_of(at % pitch, bytes, old ? old->grain : pitch);
    struct ptog_shadow_cells *cells = cut_cells(shadow, old, &page->cell, period, (uint32_t)grain);
    if (cells)
        page->cells = cells;
    return cells;
}

struct ptog_shadow_cells *ptog_shadow_cells(struct ptog_shadow *shadow, struct ptog_shadow_page *page, uint64_t at,
                                            uint64_t bytes)
{
    uint32_t grain = grain_of(at, bytes, PTOG_SHADOW_PAGE);
    if (ptog_shadow_has_stripes(page) && !end_stripes(shadow, page))
        return NULL;
    if (is_fine(page->cells, at, bytes) || (page->cells && page->cells->grain == PTOG_SHADOW_BLOCK))
        return page->cells;
    if (grain < PTOG_SHADOW_BLOCK)
        grain = PTOG_SHADOW_BLOCK;
    struct ptog_shadow_cells *cells = cut_cells(shadow, page->cells, &page->cell, PTOG_SHADOW_PAGE, grain);
    if (cells)
        page->cells = cells;
    return cells;
}

struct ptog_shadow_cells *ptog_shadow_parts(struct ptog_shadow *shadow, struct ptog_shadow_page *page, uint64_t at,
                                            uint64_t bytes)
{
    struct ptog_shadow_cells *old = ptog_shadow_parts_at(page, at);
    if (is_fine(old, at, bytes))
        return old;
    if (!has_parts(shadow, page))
        return NULL;
    struct ptog_shadow_cells *parts = cut_cells(shadow, old, ptog_shadow_cell_at(page->cells, at), PTOG_SHADOW_BLOCK,
                                                grain_of(at, bytes, PTOG_SHADOW_BLOCK));
    if (!parts)
        return NULL;
    page->split += !old;
    return page->parts[at % PTOG_SHADOW_PAGE / PTOG_SHADOW_BLOCK] = parts;
}

/* ---- looking */

/* Calls `visit` for each cell of a block that is split, with the bytes of the range in it. */
static void visit_parts(struct ptog_shadow_cells *parts, uint64_t at, uint64_t bytes, ptog_cell_visitor visit,
                        void *user)
{
    uint64_t end = at + bytes;
    while (at < end) {
        uint64_t next = (at / parts->grain + 1) * parts->grain, to = next < end ? next : end;
        visit(user, ptog_shadow_cell_at(parts, at), at, to - at);
        at = to;
    }
}

/* Calls `visit` for each cell of a page that the range touches; blocks that are split are visited by part. */
static void visit_cells(const struct ptog_shadow_page *page, uint64_t at, uint64_t bytes, bool writes,
                        ptog_cell_visitor visit, void *user)
{
    uint64_t end = at + bytes;
    while (at < end) {
        uint64_t next = (at / page->cells->grain + 1) * page->cells->grain, to = next < end ? next : end;
        struct ptog_shadow_cells *parts = ptog_shadow_parts_at(page, at);
        if (parts && (writes || parts->written))
            visit_parts(parts, at, to - at, visit, user);
        else
            visit(user, ptog_shadow_cell_at(page->cells, at), at, to - at);
        at = to;
    }
}

/* Calls `visit` for each cell that a range of bytes touches; bytes past the end, and pages nothing was noted in, are
 * left out. */
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
        if (page && page->cells)
            visit_cells(page, at, here, writes, visit, user);
        else if (page)
            visit(user, &page->cell, at, here);
        at += here;
        bytes -= here;
    }
}

/* Calls the visitor for the cells that an access touches, piece by piece. */
void ptog_shadow_visit(const struct ptog_shadow *shadow, const struct ptog_access *access, ptog_cell_visitor visit,
                       void *user)
{
    bool writes = ptog_access_writes(access);
    for (uint64_t k = 0; k < access->count; k++)
        visit_piece(shadow, access->at + k * access->pitch, access->bytes, writes, visit, user);
}

/* ---- joining */

/* Whether all cells say the same. */
static bool all_alike(const struct ptog_cell *cells, uint64_t count)
{
    return memcmp(cells, cells + 1, (count - 1) * sizeof *cells) == 0;
}

void ptog_shadow_join_parts(struct ptog_shadow *shadow, struct ptog_shadow_page *page, uint64_t at)
{
    struct ptog_shadow_cells **parts = &page->parts[at % PTOG_SHADOW_PAGE / PTOG_SHADOW_BLOCK];
    if (!all_alike((*parts)->of, PTOG_SHADOW_BLOCK / (*parts)->grain))
        return;
    *ptog_shadow_cell_at(page->cells, at) = (*parts)->of[0];
    shadow->held -= bytes_of(*parts);
    free(*parts);
    *parts = NULL;
    page->split--;
}

void ptog_shadow_join_cells(struct ptog_shadow *shadow, struct ptog_shadow_page *page, uint64_t bytes)
{
    uint64_t grain = page->cells->grain, apart = ptog_min(page->cells->period, bytes);
    if (page->split > 0 || !all_alike(page->cells->of, (apart + grain - 1) / grain))
        return;
    page->cell = page->cells->of[0];
    shadow->held -= bytes_of(page->cells);
    free(page->cells);
    page->cells = NULL;
}
