/* base: a stack of lists in one growing array of bytes: lists inside lists are pushed, and taken off as one piece each.
 */
#include "base/stack.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"

bool ptog_stack_reserve(struct ptog_stack *stack, size_t bytes)
{
    return bytes <= SIZE_MAX - stack->used && ptog_array_reserve(&stack->data, stack->used + bytes, &stack->room);
}

void *ptog_stack_take(struct ptog_stack *stack, size_t from, struct ptog_arena *arena)
{
    size_t bytes = stack->used - from;
    stack->used = from;
    if (bytes == 0)
        return NULL;
    void *piece = ptog_arena_alloc(arena, bytes);
    if (piece)
        memcpy(piece, stack->data + from, bytes);
    return piece;
}

void ptog_stack_free(struct ptog_stack *stack)
{
    free(stack->data);
    *stack = (struct ptog_stack){0};
}
