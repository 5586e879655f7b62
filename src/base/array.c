/* base: growable arrays: the step to a larger block of memory. */
#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/pick.h"

#define FIRST_ROOM ((size_t)16)

bool ptog_array_grow(void *at, size_t needed, size_t *room, size_t size)
{
    size_t most = SIZE_MAX / 2 / size;
    size_t more = ptog_max(*room, FIRST_ROOM / 2);
    if (needed > most || more > most / 2)
        return false;
    more *= 2;
    if (more < needed)
        more = needed;
    void *old, *grown;
    memcpy(&old, at, sizeof old); /* the pointer's type is the caller's: it is read and written as bytes */
    grown = realloc(old, more * size);
    if (!grown)
        return false;
    memcpy(at, &grown, sizeof grown);
    *room = more;
    return true;
}
