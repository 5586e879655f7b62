/* tool: which function of a program runs. */
#include "run.h"

#include <string.h>

#include "io/pick.h"

static int several_functions(const char *command, const ptog_program *program)
{
    fprintf(tool_err(), "ptog %s: the program has several functions: give --func with one of", command);
    for (size_t i = 0; ptog_program_function_at(program, i); i++)
        fprintf(tool_err(), "%s %s", tool_when(i > 0, ","), ptog_program_function_at(program, i));
    fputc('\n', tool_err());
    return TOOL_USAGE;
}

int run_choose_function(const char *command, const ptog_program *program, const char *function)
{
    struct tool_nearest nearest = {.word = function};
    const char *name;
    if (!function)
        return ptog_program_function_at(program, 0) && !ptog_program_entry(program)
                   ? several_functions(command, program)
                   : TOOL_OK;
    for (size_t i = 0; (name = ptog_program_function_at(program, i)) != NULL; i++) {
        if (strcmp(name, function) == 0)
            return TOOL_OK;
        tool_nearest_offer(&nearest, name);
    }
    if (nearest.best)
        return tool_fail(command, "unknown function @%s; did you mean @%s?", function, nearest.best);
    return tool_fail(command, "unknown function @%s", function);
}
