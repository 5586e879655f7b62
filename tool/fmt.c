/* tool: ptog fmt, programs in their canonical text, or in another form. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

struct fmt_request {
    const char *form_name; /* --form; NULL: not given */
    enum ptog_form_text form;
    bool in_place, check;
};

/* ---- one file ---- */

/* Prints the new text, puts it in the place of the old one, or with --check says whether they differ; the exit
 * status. */
static int deliver_text(const struct fmt_request *request, const char *path, const struct tool_text *old,
                        const struct ptog_output *buffer)
{
    bool same = old->size == buffer->used && (old->size == 0 || memcmp(old->bytes, buffer->bytes, old->size) == 0);
    if (request->check) {
        if (!same)
            puts(path);
        if (same)
            return TOOL_OK;
        return TOOL_WRONG;
    }
    if (request->in_place)
        return same || tool_output_write("fmt", buffer, path) ? TOOL_OK : TOOL_USAGE;
    if (buffer->used > 0)
        fwrite(buffer->bytes, 1, buffer->used, stdout);
    return TOOL_OK;
}

/* Prints a program in the wanted form; the exit status. */
static int print_program(const struct fmt_request *request, const char *path, const ptog_program *program,
                         const struct tool_text *old, ptog_diags *diags)
{
    struct ptog_output buffer = {0};
    const struct ptog_sink sink = ptog_output_sink(&buffer);
    enum ptog_status status = ptog_program_print(program, request->form, &sink, diags);
    int result = TOOL_WRONG;
    if (buffer.no_memory)
        status = PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        result = deliver_text(request, path, old, &buffer);
    else if (status != PTOG_ILLEGAL)
        result = tool_fail("fmt", "%s: %s", path, ptog_status_text(status));
    ptog_output_free(&buffer);
    return result;
}

/* Formats a file, or checks that it is formatted; reports what is wrong with it, and returns the exit status. */
static int format_file(const struct fmt_request *request, const char *path)
{
    struct tool_text old = {NULL, 0};
    ptog_program *program = NULL;
    ptog_diags *diags = ptog_diags_new();
    if (!diags)
        return tool_fail("fmt", "%s: out of memory", path);
    int result = tool_open("fmt", path, &program, diags, &old);
    if (result == TOOL_OK)
        result = print_program(request, path, program, &old, diags);
    tool_report(diags, TOOL_TEXT);
    ptog_program_free(program);
    ptog_diags_free(diags);
    free(old.bytes);
    return result;
}

/* ---- the command line ---- */

/* The form of that name; false, with a message, when there is none. */
static bool find_form(const char *name, enum ptog_form_text *form)
{
    static const char *const names[] = {"dps", "ssa", "as"};
    *form = PTOG_AS_WRITTEN;
    for (int i = 0; name && i < 3; i++)
        if (strcmp(names[i], name) == 0) {
            *form = (enum ptog_form_text)(PTOG_AS_DPS + i);
            return true;
        }
    if (name)
        tool_usage("fmt", "unknown form '%s'; expected dps, ssa or as", name);
    return !name;
}

/* What is wrong with the combination of arguments; NULL when nothing is. */
static const char *problem_of(const struct fmt_request *request, const char *const *paths)
{
    if (!paths[0])
        return "needs a file; '-' is standard input";
    if (request->in_place && request->check)
        return "-i and --check cannot be combined";
    if (!request->in_place && !request->check && paths[1])
        return "several files need -i or --check";
    for (int i = 0; request->in_place && paths[i]; i++)
        if (strcmp(paths[i], "-") == 0)
            return "-i cannot rewrite standard input";
    return NULL;
}

/* ptog fmt: the exit status. */
static int fmt_run(int argc, char **argv)
{
    struct fmt_request request = {0};
    const char **paths = calloc((size_t)argc + 1, sizeof *paths);
    int result = TOOL_USAGE;
    if (!paths)
        return tool_fail("fmt", "out of memory");
    if (tool_parse(argc, argv, &tool_fmt, &request, paths, argc) && find_form(request.form_name, &request.form)) {
        const char *problem = problem_of(&request, paths);
        result = problem ? tool_usage("fmt", "%s", problem) : TOOL_OK;
        for (int i = 0; !problem && paths[i]; i++) {
            int one = format_file(&request, paths[i]);
            if (one > result)
                result = one;
        }
    }
    free(paths);
    return result;
}

static const struct tool_option options[] = {
    {"--form", "dps", "levels 2 and 3: ins(...) outs(...), short types, defaults omitted", "dps ssa as",
     .at = offsetof(struct fmt_request, form_name)},
    {"--form", "ssa", "level 1: %d = pto.mgather %t, %i : (...) -> ...", .offers = NULL},
    {"--form", "as", "PTO-AS: %d = mgather.row %t, %i : (...) -> ...", .offers = NULL},
    {"-i", NULL, "rewrite the files whose text changes", .at = offsetof(struct fmt_request, in_place)},
    {"--check", NULL, "list the files whose text would change, and exit with 1",
     .at = offsetof(struct fmt_request, check)},
    {.name = NULL},
};

const struct tool_command tool_fmt = {
    .name = "fmt",
    .arguments = "FILE... [--form dps|ssa|as] [-i | --check]",
    .summary = "print a program in canonical text, or in another form",
    .about =
        "Reads a program in any form, '-' from standard input, and prints it: one statement per line, comments and "
        "single empty lines where they are, every statement in the form it was written in.",
    .options = options,
    .offers = TOOL_FILES,
    .run = fmt_run,
};
