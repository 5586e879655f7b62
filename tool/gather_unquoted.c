/* tool: arguments that ptog gather does not take, most often those of a pattern that the shell expanded: of
 * --table s*.npy it makes --table s0.npy s1.npy s2.npy. */
#define _POSIX_C_SOURCE 200809L /* stat */
#include "gather.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Cuts *prefix and *suffix down to what both names have at their start and end. */
static void keep_common(const char *a, const char *b, size_t *prefix, size_t *suffix)
{
    size_t n = strlen(a), m = strlen(b), same = 0;
    while (same < *prefix && same < n && same < m && a[same] == b[same])
        same++;
    *prefix = same;
    same = 0;
    while (same < *suffix && same < n - *prefix && same < m - *prefix && a[n - 1 - same] == b[m - 1 - same])
        same++;
    *suffix = same;
}

/* Prints that arguments are not expected: the shell may have expanded a pattern, which is guessed from them. Returns
 * the exit status. */
static int refuse_arguments(const struct gather_specs *tables, const char *const *arguments)
{
    struct stat info;
    const char *first = tables->count > 0 ? tables->list[tables->count - 1] : NULL;
    if (!first || stat(arguments[0], &info) != 0)
        return tool_usage(tables->command, "unexpected argument '%s'", arguments[0]);
    size_t prefix = strlen(first), suffix = prefix;
    for (size_t i = 0; arguments[i]; i++)
        keep_common(first, arguments[i], &prefix, &suffix);
    return tool_usage(tables->command,
                      "unexpected argument '%s': if the shell expanded a pattern, quote the pattern: --table '%.*s*%s'",
                      arguments[0], (int)prefix, first, first + strlen(first) - suffix);
}

bool gather_parse(int argc, char **argv, const struct tool_command *command, void *request,
                  const struct gather_specs *tables)
{
    const char **arguments = calloc((size_t)argc + 1, sizeof *arguments);
    if (!arguments)
        return tool_fail(command->name, "out of memory"), false;
    bool done = tool_parse(argc, argv, command, request, arguments, argc);
    if (done && arguments[0])
        done = refuse_arguments(tables, arguments) == TOOL_OK;
    free(arguments);
    return done;
}
