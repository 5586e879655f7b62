/* base: the known name that a misspelled one was probably meant to be. */
#ifndef PTOG_BASE_NEAREST_H
#define PTOG_BASE_NEAREST_H

#include <stddef.h>

struct ptog_nearest {
    const char *text;
    size_t length;
    const char *best; /* NULL: none is near */
    unsigned distance;
};

/* Start with the word as it was written, offer every candidate, read `best`. Near means: at most a third of the letters
 * differ, and at most 3; two letters in the wrong order count as one, and large and small letters are the same. */
void ptog_nearest_start(struct ptog_nearest *nearest, const char *text, size_t length);
void ptog_nearest_offer(struct ptog_nearest *nearest, const char *candidate);

#endif
