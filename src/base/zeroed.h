/* base: small blocks of zeros that come and go with every launch. glibc's calloc does not look into the thread's cache of
 * freed blocks (2.36), where malloc finds one at once: a launch on a2a3 made some forty of them, at 350 instructions each. */
#ifndef PTOG_BASE_ZEROED_H
#define PTOG_BASE_ZEROED_H

#include <stdlib.h>
#include <string.h>

/* A block of zeros for free(); NULL when out of memory. For large ones calloc is better: the system's pages are zero. */
static inline void *ptog_zeroed(size_t bytes)
{
    void *block = malloc(bytes);
    __asm__("" : "+r"(block)); /* else compilers make calloc of the two */
    if (block)
        memset(block, 0, bytes);
    return block;
}

#endif
