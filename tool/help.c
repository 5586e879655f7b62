/* tool: ptog help, the list of subcommands and the page of each. */
#include "tool.h"

static void print_usage(FILE *to, const struct tool_command *command)
{
    fprintf(to, "ptog %s%s%s", command->name, command->arguments[0] ? " " : "", command->arguments);
}

void tool_print_help(FILE *to)
{
    fputs("ptog: run, check and explain PTO gather kernels without an NPU\n\n", to);
    for (const struct tool_command *const *command = tool_commands; *command; command++) {
        fputs("  ", to);
        print_usage(to, *command);
        fprintf(to, "\n      %s\n", (*command)->summary);
    }
    fputs("  ptog --version\n"
          "      the version of the library\n"
          "\n"
          "Exit status: 0 clean, 1 what was looked at is wrong, 2 wrong usage, or reading or writing failed.\n",
          to);
}

void tool_print_command_help(const struct tool_command *command)
{
    fputs("usage: ", stdout);
    print_usage(stdout, command);
    printf("\n\n%s", command->help);
}

static int run(int argc, char **argv)
{
    const char *name;
    const struct tool_option none[] = {{.name = NULL}};
    if (!tool_parse(argc, argv, none, &name, 1))
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

const struct tool_command tool_help = {
    .name = "help",
    .arguments = "[CMD]",
    .summary = "this list, or all about one command",
    .help = "Without CMD, lists the commands. With CMD, says what that command does and which options it takes;\n"
            "'ptog CMD --help' says the same.\n",
    .run = run,
};
