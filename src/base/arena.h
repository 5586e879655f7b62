/* base: memory that is freed all at once. Every allocation may fail; nothing else does. */
#ifndef PTOG_BASE_ARENA_H
#define PTOG_BASE_ARENA_H

#include <stddef.h>

struct ptog_arena {
    struct ptog_arena_block *last;
};

/* Aligned for any type and zeroed; NULL when out of memory. */
void *ptog_arena_alloc(struct ptog_arena *arena, size_t bytes);

/* A copy of `length` bytes with a terminator; NULL when out of memory. */
char *ptog_arena_copy(struct ptog_arena *arena, const char *text, size_t length);

void ptog_arena_free(struct ptog_arena *arena);

#endif
