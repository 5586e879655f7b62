/* base: memory that is freed all at once, in blocks of growing size. */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK ((size_t)4096) /* a list of a few diagnostics fits in one */
#define ALIGN _Alignof(max_align_t)

struct ptog_arena_block {
    struct ptog_arena_block *before;
    size_t used, size;
    max_align_t data[];
};

/* Appends a block of at least so many bytes, twice as large as the last; NULL when out of memory. */
static struct ptog_arena_block *add_block(struct ptog_arena *arena, size_t bytes)
{
    size_t size = arena->last ? arena->last->size : FIRST_BLOCK / 2;
    if (size < SIZE_MAX / 4)
        size = size * 2;
    if (size < bytes)
        size = bytes;
    if (size > SIZE_MAX - sizeof(struct ptog_arena_block))
        return NULL;
    struct ptog_arena_block *block = calloc(1, sizeof *block + size); /* large ones come zeroed from the system */
    if (!block)
        return NULL;
    block->before = arena->last;
    block->size = size;
    arena->last = block;
    return block;
}

void *ptog_arena_alloc(struct ptog_arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX - ALIGN)
        return NULL;
    bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    struct ptog_arena_block *block = arena->last;
    if (!block || block->size - block->used < bytes)
        block = add_block(arena, bytes);
    if (!block)
        return NULL;
    void *at = (char *)block->data + block->used;
    block->used += bytes;
    return at;
}

char *ptog_arena_copy(struct ptog_arena *arena, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? ptog_arena_alloc(arena, length + 1) : NULL;
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

/* Frees everything that was allocated from the arena, which may be used again. */
void ptog_arena_free(struct ptog_arena *arena)
{
    while (arena->last) {
        struct ptog_arena_block *block = arena->last;
        arena->last = block->before;
        free(block);
    }
}
