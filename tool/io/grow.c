/* tool/io: growable arrays: the step to a larger block, at least twice as large. */
#include "grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pick.h"

bool tool_grow(void *at, size_t needed, size_t *room, size_t size)
{
    size_t doubled = *room < 8 ? 16 : *room * 2, more = tool_max(needed, doubled);
    void *array;
    memcpy(&array, at, sizeof array); /* its type is the caller's */
    array = more < SIZE_MAX / 2 / size ? realloc(array, more * size) : NULL;
    if (!array)
        return false;
    memcpy(at, &array, sizeof array);
    *room = more;
    return true;
}
