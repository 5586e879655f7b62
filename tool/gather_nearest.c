/* tool: "did you mean ...?" of ptog gather, for the name of a tensor that a file does not have: the few nearest names,
 * by edit distance, of the thousands that it may have. */
#include "gather.h"

#include <string.h>

#include "io/pick.h"

/* Offers a name as one of those that are nearest to the word. */
void gather_nearest_offer(struct gather_nearest *nearest, const char *name)
{
    size_t score = ptog_word_distance(nearest->word, name);
    nearest->offered++;
    if (score == SIZE_MAX)
        return;
    if (!strstr(name, nearest->word))
        score += SIZE_MAX / 2;
    int at = nearest->count < GATHER_NEAREST ? nearest->count++ : GATHER_NEAREST;
    for (; at > 0 && score < nearest->scores[at - 1]; at--)
        if (at < GATHER_NEAREST) {
            memcpy(nearest->names[at], nearest->names[at - 1], sizeof nearest->names[at]);
            nearest->scores[at] = nearest->scores[at - 1];
        }
    if (at < GATHER_NEAREST) {
        snprintf(nearest->names[at], sizeof nearest->names[at], "%.60s", name);
        nearest->scores[at] = score;
    }
}

void gather_nearest_list(const struct gather_nearest *nearest, struct tool_why *why)
{
    char text[120];
    for (int i = 0; i < nearest->count; i++) {
        snprintf(text, sizeof text, "%s'%s'", i > 0 ? ", " : "; it has ", nearest->names[i]);
        tool_why_add(why, text);
    }
    size_t others = nearest->offered - (size_t)nearest->count;
    snprintf(text, sizeof text, " and %zu other%s", others, tool_plural(others));
    if (nearest->count > 0 && others > 0)
        tool_why_add(why, text);
}
