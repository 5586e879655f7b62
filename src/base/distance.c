/* base: the edit distance with exchanges (optimal string alignment). Of its table, which has a row for each letter of
 * the one word and a column for each of the other, three rows are kept: the one at hand and the two before it. */
#include "base/distance.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <ptog/report.h>

#include "base/pick.h"

/* Whether they are one letter, large or small. */
static bool same(char a, char b)
{
    bool letters = (a | 0x20) >= 'a' && (a | 0x20) <= 'z';
    return a == b || (letters && (a | 0x20) == (b | 0x20));
}

size_t ptog_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][PTOG_MAX_WORD + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    if (a_length > PTOG_MAX_WORD || b_length > PTOG_MAX_WORD)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_length; j++)
        last[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = ptog_min(ptog_min(last[j], row[j - 1]) + 1, last[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = ptog_min(row[j], before[j - 2] + 1);
        }
        size_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[b_length];
}

size_t ptog_word_distance(const char *a, const char *b)
{
    if (a && b)
        return ptog_distance(a, strlen(a), b, strlen(b));
    return SIZE_MAX;
}
