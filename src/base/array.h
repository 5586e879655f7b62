/* base: growable arrays. An array is a pointer that starts as NULL, and beside it the number of elements that fit,
 * which starts as 0; whoever owns the two counts the elements that are used, and frees the pointer.
 *
 *     struct list { struct thing *of; size_t count, room; };
 *
 *     if (!ptog_array_reserve(&list->of, list->count + 1, &list->room))
 *         return false;                                         // out of memory: the list is as it was
 *     list->of[list->count++] = thing;
 *
 * Room doubles, so that adding n elements one by one moves each of them about once. Elements move when the array
 * grows: keep their numbers, not pointers to them. */
#ifndef PTOG_BASE_ARRAY_H
#define PTOG_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the array that `*at` points to has room for `needed` elements, after growing if it must. False when out of
 * memory; array and room are then unchanged. `at` is the address of the pointer, `room` that of a size_t. */
#define ptog_array_reserve(at, needed, room)                                                                           \
    ((size_t)(needed) <= *(room) || ptog_array_grow((at), (size_t)(needed), (room), sizeof **(at)))

/* The slow way of ptog_array_reserve, for elements of `size` bytes. `at` is the address of a pointer to any type. */
bool ptog_array_grow(void *at, size_t needed, size_t *room, size_t size);

#endif
