/* base: how far one word is from another, for "did you mean". */
#ifndef PTOG_BASE_DISTANCE_H
#define PTOG_BASE_DISTANCE_H

#include <stddef.h>

#define PTOG_MAX_WORD ((size_t)256) /* that is compared; longer ones are far from everything */

/* The least number of letters to insert, leave out, replace, or exchange with the next one, that makes the one word the
 * other. Large and small letters are the same. SIZE_MAX when one is longer than PTOG_MAX_WORD. */
size_t ptog_distance(const char *a, size_t a_length, const char *b, size_t b_length);

#endif
