/* tool/io: growable arrays for the commands, which see no header of the library but the public ones. An array is a
 * pointer, NULL at first, and beside it the number of elements that fit, 0 at first. */
#ifndef TOOL_IO_GROW_H
#define TOOL_IO_GROW_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the array that `*at` points to has room for `needed` elements, after growing if it must; `room` is the
 * address of a size_t. False when out of memory: array and room are then as they were. */
#define tool_reserve(at, needed, room)                                                                                 \
    ((size_t)(needed) <= *(room) || tool_grow((at), (size_t)(needed), (room), sizeof **(at)))

/* The slow way of tool_reserve, for elements of `size` bytes. `at` is the address of a pointer to any type. */
bool tool_grow(void *at, size_t needed, size_t *room, size_t size);

#endif
