/* tool: the ptog command. Finds the subcommand, runs it, and makes sure that what it wrote arrived. */
#include "tool.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/ptog.h>

#include "io/pick.h"
#include "io/stream.h"

const struct tool_command *const tool_commands[] = {
    &tool_run,     &tool_check,   &tool_prove,   &tool_reduce, &tool_compare,    &tool_draw, &tool_fmt, &tool_gather,
    &tool_scatter, &tool_explain, &tool_targets, &tool_lsp,    &tool_completion, &tool_help, NULL};

const struct tool_command *tool_command_find(const char *name)
{
    if (strcmp(name, tool_mpi_info.name) == 0) /* not in the list: who has no MPI sees nothing of it */
        return &tool_mpi_info;
    for (const struct tool_command *const *command = tool_commands; *command; command++)
        if (strcmp((*command)->name, name) == 0)
            return *command;
    return NULL;
}

/* Prints a message about wrong usage to stderr, with the command that helps; returns the exit status. */
int tool_usage(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "ptog%s%s: ", tool_when(command, " "), tool_or(command, ""));
    vfprintf(stderr, format, args);
    fprintf(stderr, "\ntry 'ptog help%s%s'\n", tool_when(command, " "), tool_or(command, ""));
    va_end(args);
    return TOOL_USAGE;
}

/* Prints a message of a command to stderr; returns the exit status for usage and I/O. */
int tool_fail(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(tool_err(), "ptog %s: ", command);
    vfprintf(tool_err(), format, args);
    fputc('\n', tool_err());
    va_end(args);
    return TOOL_USAGE;
}

int tool_unknown_command(const char *name)
{
    struct tool_nearest nearest = {.word = name};
    for (const struct tool_command *const *command = tool_commands; *command; command++)
        tool_nearest_offer(&nearest, (*command)->name);
    tool_nearest_offer(&nearest, "--version");
    tool_nearest_offer(&nearest, "--help");
    const char *what = name[0] == '-' ? "option" : "command";
    if (nearest.best)
        return tool_usage(NULL, "unknown %s '%s'; did you mean '%s'?", what, name, nearest.best);
    return tool_usage(NULL, "unknown %s '%s'", what, name);
}

static bool wants_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

/* Runs the command that is named, or prints help or the version; the exit status. */
static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        tool_print_help(stderr);
        return TOOL_USAGE;
    }
    bool version = strcmp(argv[1], "--version") == 0, help = wants_help(argv[1]);
    if ((version || help) && argc > 2)
        return tool_usage(NULL, "unexpected argument '%s' after %s", argv[2], argv[1]);
    if (version)
        tool_print_version();
    if (help)
        tool_print_help(stdout);
    if (version || help)
        return TOOL_OK;
    const struct tool_command *command = tool_command_find(argv[1]);
    if (!command)
        return tool_unknown_command(argv[1]);
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (wants_help(argv[i])) { /* whatever else was typed before somebody needed it */
            tool_print_command_help(command);
            return TOOL_OK;
        }
    return command->run(argc - 1, argv + 1);
}

/* What cannot be used of the file that PTOG_TUNE names. */
static void warn_of_tuning(void)
{
    if (!getenv("PTOG_TUNE"))
        return;
    ptog_diags *diags = ptog_diags_new();
    ptog_tuning(diags);
    for (size_t i = 0; i < ptog_diags_count(diags) && i < 5; i++)
        fprintf(stderr, "ptog: warning: %s\n", ptog_diags_at(diags, i)->message);
    ptog_diags_free(diags);
}

/* ptog: runs a command; what cannot be written to standard output is an error, too. */
int main(int argc, char **argv)
{
    tool_streams_start();
    warn_of_tuning();
    int status = dispatch(argc, argv);
    int error = tool_stdout_end();
    if (error) {
        fprintf(stderr, "ptog: cannot write standard output: %s\n", strerror(error));
        return TOOL_USAGE;
    }
    return status;
}
