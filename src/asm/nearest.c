/* asm: the known name that a misspelled one was probably meant to be. */
#include "asm/nearest.h"

#include <stdbool.h>
#include <string.h>

#define LONGEST ((size_t)64) /* no known name is longer */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Whether they are one letter, large or small. */
static bool same(char a, char b)
{
    bool letters = ((a | 0x20) >= 'a' && (a | 0x20) <= 'z');
    return a == b || (letters && (a | 0x20) == (b | 0x20));
}

/* Edit distance with swaps (optimal string alignment), three rows of the table at a time. */
static unsigned distance(const char *a, size_t an, const char *b, size_t bn)
{
    unsigned rows[3][LONGEST + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];
    for (unsigned j = 0; j <= bn; j++)
        last[j] = j;
    for (size_t i = 1; i <= an; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= bn; j++) {
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        unsigned *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[bn];
}

void ptog_nearest_start(struct ptog_nearest *nearest, const char *text, size_t length)
{
    unsigned most = length < 9 ? (unsigned)(length / 3) : 3;
    *nearest = (struct ptog_nearest){text, length, NULL, most + 1};
}

void ptog_nearest_offer(struct ptog_nearest *nearest, const char *candidate)
{
    size_t length = strlen(candidate);
    size_t apart = length > nearest->length ? length - nearest->length : nearest->length - length;
    if (nearest->length > LONGEST || length > LONGEST || apart >= nearest->distance)
        return;
    unsigned d = distance(nearest->text, nearest->length, candidate, length);
    if (d < nearest->distance) {
        nearest->distance = d;
        nearest->best = candidate;
    }
}
