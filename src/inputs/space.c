/* inputs: address space for arguments of unknown size. The system provides a page of it when it is first touched. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "inputs/inputs.h"

#include <sys/mman.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

void *ptog_space_new(void)
{
    void *space =
        mmap(NULL, MAX_INPUT_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED)
        return NULL;
    return space;
}

void ptog_space_clear(void *space)
{
    if (space)
        madvise(space, MAX_INPUT_BYTES, MADV_DONTNEED);
}

void ptog_space_free(void *space)
{
    if (space)
        munmap(space, MAX_INPUT_BYTES);
}
