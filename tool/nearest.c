/* tool: the word the user may have meant. */
#include "tool.h"

#include <string.h>

#define LONGEST 256 /* no id, option or tensor that people type is longer; more is not compared */

/* Levenshtein: the least number of characters to insert, delete or replace. One row of the table is kept. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[LONGEST + 1], length = strlen(b);
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t replaced = diagonal + (a[i] != b[j]);
            size_t shorter = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = replaced < shorter ? replaced : shorter;
        }
    }
    return row[length];
}

size_t tool_distance(const char *a, const char *b)
{
    return strlen(a) > LONGEST || strlen(b) > LONGEST ? SIZE_MAX : edit_distance(a, b);
}

void tool_nearest_offer(struct tool_nearest *nearest, const char *candidate)
{
    size_t length = strlen(nearest->word);
    size_t distance = tool_distance(nearest->word, candidate);
    if (distance == SIZE_MAX)
        return;
    if (distance * 5 > length * 2) /* more than two of five characters wrong is another word, not a typing error */
        return;
    if (!nearest->best || distance < nearest->distance) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}
