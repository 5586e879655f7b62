/* tool: strict command lines. Whatever is not understood is named, never ignored. */
#include "tool.h"

#include <string.h>

#include <ptog/target.h>

#include "io/pick.h"

const struct tool_option tool_common_options[] = {
    {"--color", "WHEN", "use colours: auto (on a terminal), always or never", .offers = "auto always never"},
    {"--help", NULL, "show this help", .offers = NULL},
    {.name = NULL},
};

/* The option that a word names: all of it, or what stands before '='. */
static const struct tool_option *find_option(const struct tool_option *options, const char *word)
{
    size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word, "=") : strlen(word);
    for (; options->name; options++)
        if (strlen(options->name) == length && strncmp(options->name, word, length) == 0)
            return options;
    return NULL;
}

/* Prints that a command has no such option, with the nearest one; always false. */
static bool unknown_option(const struct tool_command *command, const char *name)
{
    struct tool_nearest nearest = {.word = name};
    for (const struct tool_option *option = command->options; option->name; option++)
        tool_nearest_offer(&nearest, option->name);
    for (const struct tool_option *option = tool_common_options; option->name; option++)
        tool_nearest_offer(&nearest, option->name);
    if (nearest.best)
        tool_usage(command->name, "unknown option '%s'; did you mean '%s'?", name, nearest.best);
    else
        tool_usage(command->name, "unknown option '%s'", name);
    return false;
}

/* Takes an option without a value; false, with a message, when one was given. */
static bool take_switch(const char *command, const struct tool_option *option, const char *word, bool *given)
{
    if (strcmp(word, option->name) != 0) {
        tool_usage(command, "%s does not take a value", option->name);
        return false;
    }
    *given = true;
    return true;
}

/* The value stands in the same word after '=', or it is the next word. NULL after a message. */
static const char *value_of(const char *command, const struct tool_option *option, const char *word, const char *next)
{
    size_t length = strlen(option->name);
    const char *value = word[length] == '=' ? word + length + 1 : next;
    if (!value)
        tool_usage(command, "%s needs a value", option->name);
    return value;
}

/* Takes the value of an option into the request; false, with a message, when it was given before. */
static bool take_value(const char *command, const struct tool_option *option, const char *value, void *at)
{
    const char **text = at;
    if (option->take)
        return option->take(at, value, option->kind);
    if (*text) {
        tool_usage(command, "%s is given twice", option->name);
        return false;
    }
    *text = value;
    return true;
}

/* Takes the option at argv[*i], and the value that follows it. `--help` never comes here: main answers it. */
static bool take_option(const struct tool_command *command, char **argv, int *i, void *request)
{
    const char *word = argv[*i], *value;
    const struct tool_option *own = find_option(command->options, word),
                             *common = find_option(tool_common_options, word);
    const struct tool_option *option = own ? own : common;
    if (!option)
        return unknown_option(command, word);
    if (!option->value)
        return take_switch(command->name, option, word, (bool *)((char *)request + option->at));
    if (!(value = value_of(command->name, option, word, argv[*i + 1])))
        return false;
    *i += word[strlen(option->name)] != '=';
    if (own)
        return take_value(command->name, own, value, (char *)request + own->at);
    return tool_set_colour(value);
}

bool tool_parse(int argc, char **argv, const struct tool_command *command, void *request, const char **arguments,
                int most)
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
            if (!take_option(command, argv, &i, request))
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

static void add_name(char *names, size_t size, const char *name)
{
    size_t used = strlen(names);
    snprintf(names + used, size - used, "%s%s", tool_when(used > 0, ", "), name);
}

const struct ptog_target *tool_target(const char *command, const char *name)
{
    const struct ptog_target *target = ptog_target_find(name);
    char names[256] = "";
    if (target)
        return target;
    for (size_t i = 0; ptog_target_at(i); i++)
        add_name(names, sizeof names, ptog_target_at(i)->name);
    for (size_t i = 0; ptog_target_alias_at(i); i++)
        add_name(names, sizeof names, ptog_target_alias_at(i)->name);
    tool_usage(command, "unknown target '%s'; expected one of %s", name, names);
    return NULL;
}

bool tool_take_aicore(const char *command, const struct ptog_target **target)
{
    const struct ptog_target *built = ptog_target_aicore(*target);
    if (built == *target) {
        tool_usage(command, "--aicore is for --target cpu and cpusim: it adds nothing to other targets");
        return false;
    }
    *target = built;
    return true;
}

bool tool_format(const char *command, const char *name, enum tool_format *format)
{
    const char *word = TOOL_FORMATS;
    *format = TOOL_TEXT;
    for (int i = 0; name && *word; i++) {
        size_t length = strcspn(word, " ");
        if (strlen(name) == length && strncmp(word, name, length) == 0) {
            *format = (enum tool_format)i;
            return true;
        }
        word += length;
        word += *word == ' ';
    }
    if (name)
        tool_usage(command, "unknown format '%s'; expected one of %s", name, TOOL_FORMATS);
    return !name;
}
