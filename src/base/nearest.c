/* base: the known name that a misspelled one was probably meant to be. */
#include "base/nearest.h"

#include <string.h>

#include "base/distance.h"

#define MAX_NAME ((size_t)64) /* no known name is longer */

void ptog_nearest_start(struct ptog_nearest *nearest, const char *text, size_t length)
{
    unsigned most = length < 9 ? (unsigned)(length / 3) : 3;
    *nearest = (struct ptog_nearest){text, length, NULL, most + 1};
}

void ptog_nearest_offer(struct ptog_nearest *nearest, const char *candidate)
{
    size_t length = strlen(candidate);
    size_t apart = length > nearest->length ? length - nearest->length : nearest->length - length;
    if (nearest->length > MAX_NAME || length > MAX_NAME || apart >= nearest->distance)
        return;
    size_t d = ptog_distance(nearest->text, nearest->length, candidate, length);
    if (d < nearest->distance) {
        nearest->distance = (unsigned)d;
        nearest->best = candidate;
    }
}
