/* unit tests: buffers between two pages that no one may touch. */
#define _DEFAULT_SOURCE
#include "unit/guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct guard guard_new(size_t most)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), inside = (most / page + 1) * page;
    struct guard guard = {.mapped = inside + 2 * page};
    guard.pages = mmap(NULL, guard.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (guard.pages == MAP_FAILED || mprotect(guard.pages + page, inside, PROT_READ | PROT_WRITE) != 0) {
        perror("guard_new");
        exit(2);
    }
    return guard;
}

unsigned char *guard_place(struct guard *guard, size_t bytes, bool at_end)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    guard->bytes = bytes;
    guard->data = at_end ? guard->pages + guard->mapped - page - bytes : guard->pages + page;
    return guard->data;
}

void guard_free(struct guard *guard)
{
    munmap(guard->pages, guard->mapped);
}
