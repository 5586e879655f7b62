/* sanitize: shadow memory for races. For each byte, and each pipe, the last entry that wrote it and the last that read
 * it, in a cell that as many bytes share as were always touched together: a page of 4096, made when it is touched; a
 * block of 32, once the page is touched in part; or what an access needs, an aligned word of four bytes for instance,
 * once the block is. Bytes that are alike again share again.
 *
 * Keeping the last entry per pipe is exact: what a clock knows of a pipe is always a prefix of its entries. Only an
 * instruction's own write on S is another matter for its later phases, and must not hide from them what S wrote
 * before. */
#ifndef PTOG_SANITIZE_SHADOW_H
#define PTOG_SANITIZE_SHADOW_H

#include "model/events.h"

#define PTOG_SHADOW_BLOCK ((uint64_t)32)
#define PTOG_SHADOW_PAGE ((uint64_t)4096)
#define PTOG_SHADOW_BLOCKS (PTOG_SHADOW_PAGE / PTOG_SHADOW_BLOCK)
#define PTOG_MANY_CORES UINT32_MAX

struct ptog_cell {
    uint32_t written[PTOG_PIPES], write_site[PTOG_PIPES];
    uint32_t read[PTOG_PIPES], read_site[PTOG_PIPES];
    uint32_t under, under_site; /* the write of S before written[PTOG_S], by another instruction: see ptog_is_self */
    uint32_t writer, reader;    /* GM: the core whose entries they are; 0: none */
};

/* A block that was touched in part. */
struct ptog_shadow_parts {
    uint32_t grain;           /* bytes of a cell, a power of two */
    bool written;             /* since the split; if not, the block's one cell still says all about writes */
    struct ptog_cell cells[]; /* one for each grain of the block */
};

/* The blocks of a page. */
struct ptog_shadow_blocks {
    uint32_t split; /* how many have parts */
    struct ptog_cell cells[PTOG_SHADOW_BLOCKS];
    struct ptog_shadow_parts *parts[PTOG_SHADOW_BLOCKS]; /* NULL: the block has one cell */
};

struct ptog_shadow_page {
    struct ptog_cell cell;             /* of all bytes, while there are no blocks */
    struct ptog_shadow_blocks *blocks; /* NULL: the page has one cell */
};

struct ptog_shadow {
    struct ptog_shadow_page **pages;
    uint64_t size; /* bytes shadowed */
    bool failed;
};

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

/* Each is NULL when out of memory. Splitting a block, for the second time perhaps, lets no cell reach across the start
 * or the end of the bytes. */
struct ptog_shadow_page *ptog_shadow_page(struct ptog_shadow *shadow, uint64_t at);
struct ptog_shadow_blocks *ptog_shadow_blocks(struct ptog_shadow *shadow, struct ptog_shadow_page *page);
struct ptog_shadow_parts *ptog_shadow_parts(struct ptog_shadow *shadow, struct ptog_shadow_blocks *blocks, uint64_t at,
                                            uint64_t bytes);

/* The cells of an access as they are; bytes that nobody has touched may be left out. Of cells that differ in their
 * reads only, an access that reads is shown one. */
typedef void (*ptog_cell_visitor)(void *user, const struct ptog_cell *cell, uint64_t at, uint64_t bytes);
void ptog_shadow_visit(const struct ptog_shadow *shadow, const struct ptog_access *access, ptog_cell_visitor visit,
                       void *user);

/* Is there, of any pipe, a later entry than was seen? Written out, without branches: it is asked of every cell, and of
 * most there is none. */
_Static_assert(PTOG_PIPES == 4, "one comparison for each pipe");
static inline bool ptog_is_news(const uint32_t last[PTOG_PIPES], const uint32_t seen[PTOG_PIPES])
{
    return (last[0] > seen[0]) | (last[1] > seen[1]) | (last[2] > seen[2]) | (last[3] > seen[3]);
}

/* Where an access ends: the parts of its last block, and the blocks of its page, are one again if they are alike. */
void ptog_shadow_join_parts(struct ptog_shadow_blocks *blocks, uint64_t block);
void ptog_shadow_join_blocks(struct ptog_shadow_page *page, uint64_t bytes);

#endif
