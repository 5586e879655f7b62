/* base: a growing array of bytes, used as a stack of lists. */
#include "base/stack.h"

#include <stdint.h>
#include <stdlib.h>

#define FIRST_ROOM ((size_t)1024)

bool ptog_stack_reserve(struct ptog_stack *stack, size_t bytes)
{
    if (stack->room - stack->used >= bytes)
        return true;
    if (bytes > SIZE_MAX / 2 - stack->used)
        return false;
    size_t room = stack->room ? stack->room : FIRST_ROOM;
    while (room < stack->used + bytes)
        room *= 2;
    char *data = realloc(stack->data, room);
    if (!data)
        return false;
    stack->data = data;
    stack->room = room;
    return true;
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
