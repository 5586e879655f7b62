/* tool: ptog check, everything that is wrong with programs, on one target or on all. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Checks one file; what there is to say goes to `diags`. `*target` becomes the target that it was checked for. */
static int check_file(const char *path, const struct ptog_target **target, ptog_diags *diags)
{
    ptog_program *program;
    size_t before = ptog_diags_count(diags);
    int result = tool_open("check", path, &program, diags, NULL);
    if (result != TOOL_OK)
        return result;
    enum ptog_status status = ptog_program_check(program, *target, diags);
    if (!*target)
        *target = ptog_program_target(program);
    if (!*target)
        *target = ptog_target_find("host");
    ptog_program_free(program);
    if (status != PTOG_OK && status != PTOG_ILLEGAL)
        return tool_fail("check", "%s: %s", path, ptog_status_text(status));
    return tool_has_errors(diags, before) ? TOOL_WRONG : TOOL_OK;
}

/* As text, every file is reported when it was checked; as an object, all are at the end. */
static int check_files(const char *const *paths, const struct ptog_target *target, enum tool_format format)
{
    ptog_diags *diags = ptog_diags_new();
    const struct ptog_target *all = target;
    int result = TOOL_OK;
    bool several = false; /* targets */
    if (!diags)
        return tool_fail("check", "out of memory");
    for (int i = 0; paths[i]; i++) {
        const struct ptog_target *own = target;
        int one = check_file(paths[i], &own, diags);
        result = one > result ? one : result;
        if (own)
            all = several || (all && all != own) ? NULL : own;
        several = several || (own && !all);
        if (format == TOOL_TEXT) {
            tool_report(diags, format, NULL);
            ptog_diags_clear(diags);
        }
    }
    if (format != TOOL_TEXT)
        tool_report(diags, format, all ? all->name : NULL);
    ptog_diags_free(diags);
    return result;
}

struct request {
    const char *target_text, *format_text; /* as given; NULL: not */
};

static int run(int argc, char **argv)
{
    struct request request = {0};
    const struct ptog_target *target = NULL;
    enum tool_format format;
    const char **paths = calloc((size_t)argc + 1, sizeof *paths);
    int result = TOOL_USAGE;
    if (!paths)
        return tool_fail("check", "out of memory");
    bool all = false, good = tool_parse(argc, argv, &tool_check, &request, paths, argc) &&
                             tool_format("check", request.format_text, &format);
    if (good && request.target_text) {
        all = strcmp(request.target_text, "all") == 0;
        good = all || (target = tool_target("check", request.target_text)) != NULL;
    }
    if (good && !paths[0])
        tool_usage("check", "needs a file; '-' is standard input");
    else if (good)
        result = all ? tool_check_all(paths, format) : check_files(paths, target, format);
    free(paths);
    return result;
}

#define AT(field) .at = offsetof(struct request, field)

static const struct tool_option options[] = {
    {"--target", "T",
     "the target to check for: see 'ptog targets'. Without it, the one that the module's attribute pto.target_arch names, "
     "or host",
     TOOL_TARGETS, AT(target_text)},
    {"--target", "all", "which targets accept each file, as a table, and why the others do not", .offers = NULL},
    {"--format", "F", TOOL_FORMAT_HELP, TOOL_FORMATS, AT(format_text)},
    {.name = NULL},
};

const struct tool_command tool_check = {
    .name = "check",
    .arguments = "FILE... [--target T|all] [--format F]",
    .summary = "everything that is wrong with programs",
    .about =
        "Checks programs without running them; '-' is standard input. What is wrong goes to standard error, each with "
        "its place, the reason, a fix where there is one, and an id for 'ptog explain'. Nothing is said about a program "
        "that is right. The exit status is 1 when there is an error; warnings and notes do not change it.",
    .options = options,
    .offers = TOOL_FILES,
    .run = run,
};
