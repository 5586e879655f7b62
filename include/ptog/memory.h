/* Memory for large tables and destinations, for callers who have none of their own yet. The library does not require
 * it: a run works with any memory. Random rows of a large table are found faster in huge pages, and a loop that runs
 * off the end of a buffer is stopped by the page behind it.
 *
 *     float *table = ptog_alloc(rows * cols * sizeof *table);
 *     ...
 *     ptog_free(table); */
#ifndef PTOG_MEMORY_H
#define PTOG_MEMORY_H

#include <stddef.h>

#include <ptog/export.h>

/* At least `bytes` bytes of zeros, at an address that is a multiple of a page, and of 2 MiB from that size on: then the
 * system may use huge pages. Pages before and behind it end a program that touches them; the
 * end of the last page is the end of what may be touched. NULL when there is no memory, or `bytes` is 0. */
PTOG_API void *ptog_alloc(size_t bytes);

/* Gives back what ptog_alloc returned, and nothing else. NULL is fine. */
PTOG_API void ptog_free(void *memory);

#endif
