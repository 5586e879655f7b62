/* sanitize: the data cache of S. S reads and writes global memory through lines of 64 bytes that stay in the cache:
 * a line that is there is not read again, and what S stores stays there until dcci writes the line back and dsb has
 * waited for it. MTE2 and MTE3 go past the cache, and other cores have caches of their own. Four things go wrong:
 *
 *     S reads a line that MTE3 has written since it came into the cache       scalar-stale
 *     MTE2 reads what S stored, or the kernel ends, without dcci and dsb      scalar-unflushed
 *     S of two cores store to one line: each writes back all of it            line-shared
 *     S and MTE3 write to one line                                            line-mixed
 *
 * Only accesses of S and of the two DMA pipes count, in the order of issue, and only for buffers that are written. */
#ifndef PTOG_SANITIZE_SCALAR_CACHE_H
#define PTOG_SANITIZE_SCALAR_CACHE_H

#include "base/index.h"
#include "model/events.h"
#include "sanitize/shadow.h"

#define PTOG_LINE_BYTES ((uint64_t)64)
#define PTOG_LINES 64u /* of a page */

/* A line that S has touched. Times count the dcci and dsb of its core; 0 is never. */
struct ptog_scalar_line {
    uint32_t core;                  /* whose cache the next members are about; 0: nobody's yet */
    uint32_t fetched;               /* when it came into the cache */
    uint32_t stored;                /* when S stored to it last */
    uint32_t flushed;               /* when dcci of this line first came after that */
    uint32_t pending_at;            /* when `pending` was flushed, at the latest */
    uint32_t store_site;            /* the last store */
    uint32_t newer_site;            /* the last write of `newer` */
    uint64_t dirty;                 /* bytes that S stored, up to the last of these stores */
    uint64_t pending;               /* bytes that it stored before, and that were flushed since: they wait for dsb */
    uint64_t newer;                 /* bytes that MTE3 wrote since the line came into the cache */
    uint64_t mine, others;          /* bytes that S of this core stored, and S of earlier cores */
    struct ptog_cell_cores storers; /* cores whose S stored to it */
};

struct ptog_line_page {
    int32_t buffer;
    uint64_t number;                          /* of the page in its buffer */
    struct ptog_cell_cores moved[PTOG_LINES]; /* by line: who has written it on MTE3 last */
    struct ptog_scalar_line *lines;           /* by line; NULL: S has touched none */
    uint32_t listed_by, next;                 /* the core whose S stored here last, and the page before in its list */
};

/* Of all cores of a launch. */
struct ptog_line_pages {
    struct ptog_line_page *of;
    uint32_t count, last; /* last: number of the page that was found last, from 1 */
    uint32_t with_lines;  /* pages that S has touched */
    size_t room;
    struct ptog_index index;
    bool failed;
};

/* Of one core. */
struct ptog_scalar_cache {
    uint32_t now;                              /* counts dcci and dsb, from 1 */
    uint32_t all_flushed, all_written, fenced; /* the last dcci of all lines; of those a dsb waited for; the last dsb */
    uint32_t stored_pages;                     /* the last page that S stored to; from 1, 0: none */
};

void ptog_line_pages_clear(struct ptog_line_pages *pages);

struct ptog_sanitizer;

/* An access of an instruction, in the order of issue. */
void ptog_scalar_cache_access(struct ptog_sanitizer *s, enum ptog_pipe pipe, const struct ptog_access *access,
                              uint32_t site, uint64_t insn);

/* dcci of a line, or of all lines with `buffer` below 0; dsb; the end of the kernel. */
void ptog_scalar_cache_flush(struct ptog_sanitizer *s, int buffer, uint64_t at);
void ptog_scalar_cache_fence(struct ptog_sanitizer *s);
void ptog_scalar_cache_end(struct ptog_sanitizer *s);

#endif
