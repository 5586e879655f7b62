/* tool: strict command lines. Whatever is not understood is named, never ignored. */
#include "tool.h"

#include <string.h>

static const struct tool_option *find(const struct tool_option *options, const char *name)
{
    for (; options->name; options++)
        if (strcmp(options->name, name) == 0)
            return options;
    return NULL;
}

static void unknown_option(const char *command, const struct tool_option *options, const char *name)
{
    struct tool_nearest nearest = {.word = name};
    for (; options->name; options++)
        tool_nearest_offer(&nearest, options->name);
    if (nearest.best)
        tool_usage(command, "unknown option '%s'; did you mean '%s'?", name, nearest.best);
    else
        tool_usage(command, "unknown option '%s'", name);
}

bool tool_parse(int argc, char **argv, const struct tool_option *options, const char **arguments, int most)
{
    int count = 0;
    bool options_end = false;
    for (int i = 0; i < most; i++)
        arguments[i] = NULL;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!options_end && strcmp(word, "--") == 0) {
            options_end = true;
        } else if (!options_end && word[0] == '-' && word[1] != '\0') {
            const struct tool_option *option = find(options, word);
            if (!option) {
                unknown_option(argv[0], options, word);
                return false;
            }
            *option->given = true;
        } else if (count == most) {
            tool_usage(argv[0], "unexpected argument '%s'", word);
            return false;
        } else {
            arguments[count++] = word;
        }
    }
    return true;
}
