/* tool: ptog reduce, the smallest program that still has a finding. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "run.h"
#include "search.h"

#define DEFAULT_SECONDS 20.0

struct reduce_request {
    const char *target_text, *function, *finding, *seconds_text;
    const char *to; /* the file to write; NULL: standard output */
    const struct ptog_target *target;
    double seconds;
    bool quiet;
};

/* ---- which finding ---- */

/* "race-raw", "race-raw:27" or ":27". False after a message. */
static bool take_finding(const struct reduce_request *request, struct ptog_reduce_options *options, char *id,
                         size_t size)
{
    int64_t line = 0;
    const char *colon = request->finding ? strrchr(request->finding, ':') : NULL;
    if (!request->finding)
        return true;
    if (colon && (!run_number(colon + 1, &line) || line < 1 || line > UINT32_MAX)) {
        tool_usage("reduce",
                   "--finding: expected an id, as in race-raw, or an id and a line, as in race-raw:27, not '%s'",
                   request->finding);
        return false;
    }
    snprintf(id, size, "%.*s", (int)(colon ? (size_t)(colon - request->finding) : strlen(request->finding)),
             request->finding);
    options->id = id[0] ? id : NULL;
    options->line = (uint32_t)line;
    return true;
}

/* ---- what is told ---- */

static const char *command_path(const struct reduce_request *request)
{
    if (request->to)
        return request->to;
    return "-";
}

/* "race-raw at line 9: 9 of 31 statements are left", and the command that shows it. */
static void print_summary(const struct reduce_request *request, const ptog_reduced *reduced,
                          const struct ptog_target *target)
{
    struct ptog_reduced_summary summary;
    ptog_reduced_summary(reduced, &summary);
    fprintf(stderr, "ptog reduce: %s at line %" PRIu32 ": %zu of %zu statements are left%s\n", summary.id, summary.line,
            summary.statements, summary.statements_before,
            summary.is_smallest ? "" : "; the search ended before all was tried: --seconds allows more");
    struct search_command command = {.path = command_path(request),
                                     .function = request->function,
                                     .target = target,
                                     .blocks = summary.blocks,
                                     .numbers = summary.numbers,
                                     .number_count = summary.number_count};
    fputs("ptog reduce: ", stderr);
    search_put_command(stderr, &command);
    for (size_t i = 0; i < summary.recipe_count; i++)
        search_put_option(stderr, "--in", summary.recipes[i].name, summary.recipes[i].text);
    fputc('\n', stderr);
}

/* Writes the reduced program to where the request says, then prints a summary; returns the exit status. */
static int write_reduced(const struct reduce_request *request, const ptog_reduced *reduced,
                         const struct ptog_target *target)
{
    struct ptog_output output = {0};
    struct ptog_sink sink = ptog_output_sink(&output);
    const char *text = ptog_reduced_text(reduced);
    sink.write(sink.user, text, strlen(text));
    int status = TOOL_USAGE;
    if (output.no_memory)
        status = tool_fail("reduce", "out of memory");
    else if (tool_output_write("reduce", &output, request->to))
        status = TOOL_OK;
    ptog_output_free(&output);
    if (status == TOOL_OK && !request->quiet)
        print_summary(request, reduced, target);
    return status;
}

/* ---- one program ---- */

/* The first target on which the finding is there decides. */
static int reduce_program(const struct reduce_request *request, const char *path, const ptog_program *program,
                          const struct ptog_reduce_options *options, struct judgement *judgement)
{
    enum ptog_status status = PTOG_ILLEGAL;
    for (size_t i = 0; i < judgement->count && status == PTOG_ILLEGAL; i++) {
        struct judged *judged = &judgement->of[i];
        struct ptog_execution how = {.target = judged->target, .function = request->function};
        ptog_reduced *reduced = NULL;
        status = ptog_program_reduce(&reduced, program, &how, options, judged->diags);
        int result = TOOL_OK;
        if (status == PTOG_OK)
            result = write_reduced(request, reduced, judged->target);
        ptog_reduced_free(reduced);
        if (status == PTOG_OK)
            return result;
    }
    if (status != PTOG_ILLEGAL)
        return tool_fail("reduce", "%s: %s", path, ptog_status_text(status));
    struct ptog_checked checked[JUDGE_MOST];
    struct tool_telling telling = {.format = TOOL_TEXT};
    size_t count = judge_checked(judgement, path, checked);
    tool_tell(&telling, checked, count);
    tool_fail("reduce", "%s: no inputs were found that show %s%s", path, request->finding ? "finding " : "a finding",
              request->finding ? request->finding : "");
    return TOOL_WRONG;
}

/* Reads a program and reduces it to the wanted finding within the time that is given; returns the exit status. */
static int reduce_file(const struct reduce_request *request, const char *path)
{
    char id[128] = "";
    struct search_deadline deadline = search_deadline_in(request->seconds);
    struct ptog_reduce_options options = {.go_on = search_is_in_time, .user = &deadline};
    struct judgement judgement = {.count = 0};
    ptog_program *program = NULL;
    ptog_diags *diags = ptog_diags_new();
    if (!take_finding(request, &options, id, sizeof id)) {
        ptog_diags_free(diags);
        return TOOL_USAGE;
    }
    int status = diags ? tool_open("reduce", path, &program, diags, NULL) : tool_fail("reduce", "out of memory");
    if (status != TOOL_OK)
        tool_report(diags, TOOL_TEXT);
    if (status == TOOL_OK)
        status = run_choose_function("reduce", program, request->function);
    if (status == TOOL_OK && !judge_open(&judgement, program, request->target))
        status = tool_fail("reduce", "out of memory");
    if (status == TOOL_OK)
        status = reduce_program(request, path, program, &options, &judgement);
    judge_close(&judgement);
    ptog_program_free(program);
    ptog_diags_free(diags);
    return status;
}

/* ---- the command line ---- */

/* ptog reduce: the exit status. */
static int run_reduce(int argc, char **argv)
{
    struct reduce_request request = {.seconds = DEFAULT_SECONDS};
    const char *path;
    if (!tool_parse(argc, argv, &tool_reduce, &request, &path, 1) ||
        !search_take_seconds("reduce", request.seconds_text, &request.seconds))
        return TOOL_USAGE;
    if (!path)
        return tool_usage("reduce", "needs a file; '-' is standard input");
    if (request.target_text && !(request.target = tool_target("reduce", request.target_text)))
        return TOOL_USAGE;
    return reduce_file(&request, path);
}

#define AT(field) .at = offsetof(struct reduce_request, field)

static const struct tool_option options[] = {
    {"--finding", "ID",
     "the finding to keep: its id, as in race-raw, or with its line, as in race-raw:27. Default: the first one",
     TOOL_IDS, AT(finding)},
    {"-o", "SMALL", "the file to write; default: standard output", TOOL_FILES, AT(to)},
    {"--target", "T",
     "the target to run on: see 'ptog targets'. Default: the target that the module's attribute pto.target_arch names, or the first of a2a3 and a5 that has the finding",
     TOOL_TARGETS, AT(target_text)},
    {"--func", "NAME", "the function to run, if there are several", NULL, AT(function)},
    {"--seconds", "S", "search for S seconds of processor time (default 20)", NULL, AT(seconds_text)},
    {"--quiet", NULL, "do not say what was left out", NULL, AT(quiet)},
    {.name = NULL},
};

const struct tool_command tool_reduce = {
    .name = "reduce",
    .arguments = "FILE [--finding ID] [-o SMALL] [OPTION]...",
    .summary = "the smallest program that still has a finding",
    .about =
        "Looks for inputs that show a finding, as 'ptog prove' does, and then leaves out of the program what the finding does not need: statements, branches, loops, clauses and arguments. Extents, constants and inputs become smaller. Names stay as they are. What is left is written, with the 'ptog run' command that shows the finding. The exit status is 1 if there is no such finding.",
    .options = options,
    .after =
        "A finding is the same if it has the same id, at an instruction of the same name, and is related to an instruction of the same name. No error with an id that the program did not have may come along.",
    .offers = TOOL_FILES,
    .run = run_reduce,
};
