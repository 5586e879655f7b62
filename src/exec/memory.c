/* exec: memory in pages of its own, for ptog/memory.h.
 *
 *   | header, read-only | bytes, up to the end of a page | no access |
 *                       ^ what the caller gets
 *
 * The header is a page that says how much was mapped. It can be read, but a write before the first byte is stopped. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include <ptog/memory.h>

#include <stdint.h>
#include <stdlib.h>

#if defined(__unix__) || defined(__APPLE__)

#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE ((size_t)2 << 20)

struct header {
    void *start; /* of the mapping */
    size_t bytes;
};

/* The next multiple of `step`. */
static size_t round_up(size_t n, size_t step)
{
    return (n + step - 1) / step * step;
}

/* The first place for the data, in a mapping at `start`: a multiple of `step` with a page before it. */
static uintptr_t first_aligned(const void *start, size_t page, size_t step)
{
    return round_up((uintptr_t)start + page, step);
}

void *ptog_alloc(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), step = bytes < HUGE_PAGE ? page : HUGE_PAGE;
    if (bytes == 0 || bytes > SIZE_MAX / 2)
        return NULL;
    struct header header = {.bytes = page + step + round_up(bytes, page) + page};
    header.start = mmap(NULL, header.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (header.start == MAP_FAILED)
        return NULL;
    unsigned char *data = (unsigned char *)first_aligned(header.start, page, step), *before = data - page;
    if (mprotect(before, page + round_up(bytes, page), PROT_READ | PROT_WRITE) != 0) {
        munmap(header.start, header.bytes);
        return NULL;
    }
    *(struct header *)(void *)before = header;
    mprotect(before, page, PROT_READ);
#if defined(MADV_HUGEPAGE)
    if (bytes >= HUGE_PAGE)
        madvise(data, round_up(bytes, page), MADV_HUGEPAGE);
#endif
    return data;
}

void ptog_free(void *memory)
{
    if (!memory)
        return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const struct header *header = (const void *)((unsigned char *)memory - page);
    munmap(header->start, header->bytes);
}

#else /* no pages to be had */

void *ptog_alloc(size_t bytes)
{
    return bytes ? calloc(bytes, 1) : NULL;
}

void ptog_free(void *memory)
{
    free(memory);
}

#endif
