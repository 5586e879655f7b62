/* tool: ptog help, the list of subcommands and the page of each, from the table of each: lines of at most 80 columns.
 */
#include "tool.h"

#include <string.h>

#include "io/pick.h"

#define MAX_LABEL 22 /* columns of "--in NAME=FILE"; what is longer has a line of its own */

static void print_usage(FILE *to, const struct tool_command *command)
{
    fprintf(to, "ptog %s%s%s", command->name, tool_when(command->arguments[0], " "), command->arguments);
}

void tool_print_help(FILE *to)
{
    fputs("ptog: run, check and explain PTO gather kernels without an NPU\n\n", to);
    for (const struct tool_command *const *command = tool_commands; *command; command++) {
        fputs("  ", to);
        print_usage(to, *command);
        fprintf(to, "\n      %s\n", (*command)->summary);
    }
    fputs(
        "  ptog --version\n      show the version, how it was built, and its instruction sets\n\nEvery command accepts --help, and --color=auto, always or never.\nExit status: 0 clean, 1 problems were found, 2 usage error, or reading or\nwriting failed.\n",
        to);
}

/* Paragraphs, each ended by a newline; the last one's may be missing. */
static void print_paragraphs(const char *text)
{
    char paragraph[2048];
    while (*text) {
        int length = (int)strcspn(text, "\n");
        snprintf(paragraph, sizeof paragraph, "%.*s", length, text);
        tool_print_wrapped(0, paragraph);
        text += length;
        text += *text == '\n';
    }
}

static int label_of(char *label, size_t size, const struct tool_option *option)
{
    return snprintf(label, size, "%s%s%s", option->name, tool_when(option->value, " "), tool_or(option->value, ""));
}

/* The columns of the longest label that is not too long. */
static int widest(const struct tool_option *options)
{
    char label[80];
    int most = 0;
    for (; options->name; options++) {
        int width = label_of(label, sizeof label, options);
        if (width > most && width <= MAX_LABEL)
            most = width;
    }
    return most;
}

/* Prints options with their help, in two columns. */
static void print_options(const struct tool_option *options)
{
    int width = widest(options), indent = width + 4;
    for (; options->name; options++) {
        char label[80];
        int used = label_of(label, sizeof label, options);
        printf("  %-*s", width, label);
        if (used > width)
            printf("\n%*s", indent, "");
        else
            fputs("  ", stdout);
        tool_print_wrapped(indent, options->help);
    }
}

void tool_print_command_help(const struct tool_command *command)
{
    fputs("usage: ", stdout);
    print_usage(stdout, command);
    fputs("\n\n", stdout);
    print_paragraphs(command->about);
    if (command->options->name) {
        putchar('\n');
        print_options(command->options);
    }
    if (command->after) {
        putchar('\n');
        print_paragraphs(command->after);
    }
}

/* ptog help: the exit status. */
static int help_run(int argc, char **argv)
{
    const char *name;
    if (!tool_parse(argc, argv, &tool_help, NULL, &name, 1))
        return TOOL_USAGE;
    if (!name) {
        tool_print_help(stdout);
        return TOOL_OK;
    }
    const struct tool_command *command = tool_command_find(name);
    if (!command)
        return tool_unknown_command(name);
    tool_print_command_help(command);
    return TOOL_OK;
}

static const struct tool_option none[] = {{.name = NULL}};

const struct tool_command tool_help = {
    .name = "help",
    .arguments = "[CMD]",
    .summary = "list the commands, or describe one",
    .about =
        "Without CMD, lists the commands. With CMD, describes the command and its options; 'ptog CMD --help' does the same.",
    .options = none,
    .offers = TOOL_COMMANDS,
    .run = help_run,
};
