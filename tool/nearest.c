/* tool: the word that the user may have meant: of all that are offered, the nearest by edit distance, if it is near
 * enough. */
#include "tool.h"

#include <stdint.h>
#include <string.h>

/* Offers a word as the one that was meant; words that are too different are not. */
void tool_nearest_offer(struct tool_nearest *nearest, const char *candidate)
{
    size_t length = strlen(nearest->word);
    size_t distance = ptog_word_distance(nearest->word, candidate);
    if (distance == SIZE_MAX)
        return;
    bool short_word = distance == 1 && length >= 2 && nearest->word[0] != '-'; /* "rn" */
    if (distance * 5 > length * 2 && !short_word) /* more than two of five characters wrong is another word */
        return;
    if (!nearest->best || distance < nearest->distance) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}
