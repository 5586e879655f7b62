/* tool/io: npy files in another order than the program's: big-endian elements, and arrays whose first index runs
 * fastest.
 */
#include "npy.h"

#include <string.h>

/* Copies one element; the two numbers of a complex one are turned round each for itself. */
static void copy_element(const struct tool_npy *npy, const unsigned char *from, unsigned char *to)
{
    size_t word = npy->kind == 'c' ? npy->item / 2 : npy->item;
    if (!npy->big_endian) {
        memcpy(to, from, npy->item);
        return;
    }
    for (size_t i = 0; i < npy->item; i++)
        to[i] = from[i - i % word + word - 1 - i % word];
}

/* The place in the file of the element that comes next, after `place`, when the last index runs fastest. */
static size_t next_place(const struct tool_npy *npy, int64_t *index, const size_t *step, size_t place)
{
    for (int d = npy->rank - 1; d >= 0; d--) {
        place += step[d];
        if (++index[d] < npy->shape[d])
            return place;
        place -= step[d] * (size_t)npy->shape[d];
        index[d] = 0;
    }
    return place;
}

void tool_npy_to_plain(const struct tool_npy *npy, unsigned char *to)
{
    int64_t index[TOOL_NPY_MAX_RANK] = {0};
    size_t step[TOOL_NPY_MAX_RANK], place = 0, size = npy->item;
    for (int i = 0; i < npy->rank; i++) {
        int d = npy->fortran ? i : npy->rank - 1 - i;
        step[d] = size;
        size *= (size_t)npy->shape[d];
    }
    for (size_t done = 0; done < npy->bytes; done += npy->item) {
        copy_element(npy, npy->data + place, to + done);
        place = next_place(npy, index, step, place);
    }
}
