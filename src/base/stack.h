/* base: a growing array of bytes, used as a stack of lists: push to the end, then take the tail as one piece. */
#ifndef PTOG_BASE_STACK_H
#define PTOG_BASE_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"

struct ptog_stack {
    char *data;
    size_t used, room;
};

/* Makes room for `bytes` more; false when out of memory. */
bool ptog_stack_reserve(struct ptog_stack *stack, size_t bytes);

/* Copies `bytes` to the end; false when out of memory. */
static inline bool ptog_stack_push(struct ptog_stack *stack, const void *piece, size_t bytes)
{
    if (stack->room - stack->used < bytes && !ptog_stack_reserve(stack, bytes))
        return false;
    if (bytes > 0)
        memcpy(stack->data + stack->used, piece, bytes);
    stack->used += bytes;
    return true;
}

/* Moves everything from offset `from` on into the arena. NULL when that is empty, or when out of memory. */
void *ptog_stack_take(struct ptog_stack *stack, size_t from, struct ptog_arena *arena);

void ptog_stack_free(struct ptog_stack *stack);

#endif
