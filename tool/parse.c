/* tool: strict command lines. Whatever is not understood is named, never ignored. */
#include "tool.h"

#include <string.h>

#include <ptog/target.h>

/* The option that a word names: all of it, or what stands before '='. */
static const struct tool_option *find(const struct tool_option *options, const char *word)
{
    size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word, "=") : strlen(word);
    for (; options->name; options++)
        if (strlen(options->name) == length && strncmp(options->name, word, length) == 0)
            return options;
    return NULL;
}

static bool unknown_option(const char *command, const struct tool_option *options, const char *name)
{
    struct tool_nearest nearest = {.word = name};
    for (; options->name; options++)
        tool_nearest_offer(&nearest, options->name);
    if (nearest.best)
        tool_usage(command, "unknown option '%s'; did you mean '%s'?", name, nearest.best);
    else
        tool_usage(command, "unknown option '%s'", name);
    return false;
}

static bool take_switch(const char *command, const struct tool_option *option, const char *word)
{
    if (strcmp(word, option->name) != 0) {
        tool_usage(command, "%s takes no value", option->name);
        return false;
    }
    *option->given = true;
    return true;
}

/* The value stands in the same word after '=', or it is the next word. */
static bool take_value(const char *command, const struct tool_option *option, const char *word, const char *next)
{
    const char *equals = word[strlen(option->name)] == '=' ? word + strlen(option->name) + 1 : NULL;
    const char *value = equals ? equals : next;
    if (!value) {
        tool_usage(command, "%s needs a value", option->name);
        return false;
    }
    if (option->take)
        return option->take(option->user, value, option->kind);
    if (*option->value) {
        tool_usage(command, "%s is given twice", option->name);
        return false;
    }
    *option->value = value;
    return true;
}

/* Takes the option at argv[*i], and the value that follows it. */
static bool take_option(char **argv, int *i, const struct tool_option *options)
{
    const char *word = argv[*i];
    const struct tool_option *option = find(options, word);
    if (!option)
        return unknown_option(argv[0], options, word);
    if (option->given)
        return take_switch(argv[0], option, word);
    if (!take_value(argv[0], option, word, argv[*i + 1]))
        return false;
    *i += word[strlen(option->name)] != '=';
    return true;
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
            if (!take_option(argv, &i, options))
                return false;
        } else if (count == most) {
            tool_usage(argv[0], "unexpected argument '%s'", word);
            return false;
        } else {
            arguments[count++] = word;
        }
    }
    return true;
}

const struct ptog_target *tool_target(const char *command, const char *name)
{
    const struct ptog_target *target = ptog_target_find(name);
    if (target)
        return target;
    char names[256] = "";
    for (size_t i = 0; i < ptog_target_count(); i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", ptog_target_at(i)->name);
    }
    tool_usage(command, "unknown target '%s'; expected one of %s", name, names);
    return NULL;
}

bool tool_format(const char *command, const char *name, enum tool_format *format)
{
    static const char *const names[] = {"text", "json", "sarif"};
    *format = TOOL_TEXT;
    for (int i = 0; name && i < 3; i++)
        if (strcmp(names[i], name) == 0) {
            *format = (enum tool_format)i;
            return true;
        }
    if (name)
        tool_usage(command, "unknown format '%s'; expected text, json or sarif", name);
    return !name;
}
