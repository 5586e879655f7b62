/* sanitize: shadow memory for races. For each byte, and each pipe, the last entry that wrote it and the last that read
 * it, in a cell that bytes share as long as they are touched together. A page of 4096 bytes, made when it is touched,
 * has one cell. Touched in part, it gets cells as small as that access needs, but not below 32 bytes: a block. A block
 * that is touched in part has cells of its own, again as small as need be. Bytes that are alike again share again.
 *
 * A page that is touched in steps, every so many bytes from its start to its end, has stripes: cells for the bytes of
 * one step, which the bytes of all other steps share. They last until a part of the page is touched in another way.
 *
 *     of 8 bytes, the first 4 are read       |a a a a b b b b|a a a a b b b b|a a a a ...     two cells, period 8
 *
 * Keeping the last entry per pipe is exact: what a clock knows of a pipe is always a prefix of its entries. Only an
 * instruction's own write on S is another matter for its later phases, and must not hide from them what S wrote
 * before. Adds never race with each other, so they are kept apart from plain writes. Entries are those of one core, the
 * owner of the cell; of the others, which are not ordered, it is enough to know that there are some. */
#ifndef PTOG_SANITIZE_SHADOW_H
#define PTOG_SANITIZE_SHADOW_H

#include "model/events.h"

#define PTOG_SHADOW_BLOCK ((uint64_t)32)
#define PTOG_SHADOW_PAGE ((uint64_t)4096)
#define PTOG_SHADOW_BLOCKS (PTOG_SHADOW_PAGE / PTOG_SHADOW_BLOCK)
#define PTOG_MANY_CORES UINT32_MAX

/* Who has done something to a byte of GM: 0: nobody; a core; or PTOG_MANY_CORES, each of which meets another one. */
struct ptog_cell_cores {
    uint32_t core;
    uint32_t site; /* where another core than the owner of the cell did it last */
};

struct ptog_cell {
    uint32_t written[PTOG_PIPES], write_site[PTOG_PIPES]; /* plain writes */
    uint32_t read[PTOG_PIPES], read_site[PTOG_PIPES];
    uint32_t under, under_site; /* the write of S before written[PTOG_S], by another instruction: see ptog_is_self */
    uint32_t added, add_site;   /* the last PTOG_ADDS, all of which are MTE3's, or FIX's on a cube core */
    uint32_t owner;             /* GM: the core whose entries those are; 0: none */
    struct ptog_cell_cores writers, adders, readers; /* GM: since the beginning */
};

/* Cells of one size, side by side. */
struct ptog_shadow_cells {
    uint32_t grain;  /* bytes of a cell, a power of two */
    uint32_t period; /* bytes of them all: a page's or a block's; fewer: those of the next so many bytes, too */
    bool written;    /* a block's: since it was split. If not, its one cell still says all about writes */
    struct ptog_cell of[];
};

struct ptog_shadow_page {
    struct ptog_cell cell;            /* of all bytes, while there are no cells */
    struct ptog_shadow_cells *cells;  /* NULL: the page has one */
    struct ptog_shadow_cells **parts; /* of blocks; NULL, or of one block NULL: it has one cell */
    uint32_t split;                   /* how many blocks have parts */
};

struct ptog_shadow {
    struct ptog_shadow_page **pages;
    uint64_t size;       /* bytes shadowed */
    uint64_t first, end; /* no page before the first of these, or from the end on, was ever used */
    uint64_t held;       /* bytes allocated for pages and cells */
    bool failed;
};

/* A shadow of `size` bytes of which none was accessed yet. False when out of memory. */
bool ptog_shadow_open(struct ptog_shadow *shadow, uint64_t size);
void ptog_shadow_close(struct ptog_shadow *shadow);

/* Forgets everything. */
void ptog_shadow_clear(struct ptog_shadow *shadow);

/* The bytes of the page that holds the byte at `at`: the last one may be shorter. */
static inline uint64_t ptog_shadow_page_bytes(const struct ptog_shadow *shadow, uint64_t at)
{
    uint64_t left = shadow->size - at / PTOG_SHADOW_PAGE * PTOG_SHADOW_PAGE;
    return left < PTOG_SHADOW_PAGE ? left : PTOG_SHADOW_PAGE;
}

/* NULL when out of memory. */
struct ptog_shadow_page *ptog_shadow_page(struct ptog_shadow *shadow, uint64_t at);

/* The cells of a page, the smallest of which are blocks, and those of a block, split so that none reaches across the
 * start or the end of the bytes. NULL when out of memory. */
struct ptog_shadow_cells *ptog_shadow_cells(struct ptog_shadow *shadow, struct ptog_shadow_page *page, uint64_t at,
                                            uint64_t bytes);
struct ptog_shadow_cells *ptog_shadow_parts(struct ptog_shadow *shadow, struct ptog_shadow_page *page, uint64_t at,
                                            uint64_t bytes);

/* The stripes of a page for an access of `bytes` bytes in every `pitch`, all over the page, that begins at `at`. NULL:
 * its steps are no stripes, the page has other cells, or out of memory. */
struct ptog_shadow_cells *ptog_shadow_stripes(struct ptog_shadow *shadow, struct ptog_shadow_page *page, uint64_t at,
                                              uint64_t bytes, uint64_t pitch);

/* Whether a page keeps its cells for a pattern that repeats. */
static inline bool ptog_shadow_has_stripes(const struct ptog_shadow_page *page)
{
    return page->cells && page->cells->period < PTOG_SHADOW_PAGE;
}

/* The parts of the block that holds the byte; NULL: it has one cell. */
static inline struct ptog_shadow_cells *ptog_shadow_parts_at(const struct ptog_shadow_page *page, uint64_t at)
{
    return page->parts ? page->parts[at % PTOG_SHADOW_PAGE / PTOG_SHADOW_BLOCK] : NULL;
}

/* The cell of a byte. */
static inline struct ptog_cell *ptog_shadow_cell_at(struct ptog_shadow_cells *cells, uint64_t at)
{
    return &cells->of[(at & (cells->period - 1)) / cells->grain];
}

/* The cells of an access as they are; bytes that nobody has touched may be left out. Of cells that differ in their
 * reads only, an access that reads is shown one. */
typedef void (*ptog_cell_visitor)(void *user, const struct ptog_cell *cell, uint64_t at, uint64_t bytes);
void ptog_shadow_visit(const struct ptog_shadow *shadow, const struct ptog_access *access, ptog_cell_visitor visit,
                       void *user);

/* Is there, of any pipe, a later entry than was seen? Written out, without branches: it is asked of every cell, and of
 * most there is none. */
_Static_assert(PTOG_PIPES == 7, "one comparison for each pipe");
static inline bool ptog_is_news(const uint32_t last[PTOG_PIPES], const uint32_t seen[PTOG_PIPES])
{
    return (last[0] > seen[0]) | (last[1] > seen[1]) | (last[2] > seen[2]) | (last[3] > seen[3]) | (last[4] > seen[4]) |
           (last[5] > seen[5]) | (last[6] > seen[6]);
}

/* Where an access ends, at the end of a block or of a page: cells that are all alike become one again. */
void ptog_shadow_join_parts(struct ptog_shadow *shadow, struct ptog_shadow_page *page, uint64_t at);
void ptog_shadow_join_cells(struct ptog_shadow *shadow, struct ptog_shadow_page *page, uint64_t bytes);

#endif
