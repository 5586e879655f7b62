/* tool: ptog compare, one program with the same data on several targets: equal, the first difference and its reason, or
 * refused. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

#include "io/pick.h"

/* Reads the program, and compares its results; the exit status. */
static int compare_file(struct compare_request *request)
{
    ptog_program *program;
    ptog_diags *diags = ptog_diags_new();
    if (!diags)
        return tool_fail("compare", "out of memory");
    int status = tool_open("compare", request->path, &program, diags, NULL);
    if (status == TOOL_OK)
        status = compare_program(request, program);
    else if (status == TOOL_WRONG)
        tool_report(diags, request->format);
    ptog_program_free(program);
    ptog_diags_free(diags);
    return status;
}

/* ---- the command line ---- */

/* Adds a target to be compared; false, with a message, when it is unknown, twice, or there is no memory. */
static bool add_target(struct compare_request *request, const char *name)
{
    const struct ptog_target *target = tool_target("compare", name);
    for (size_t i = 0; target && i < request->target_count; i++)
        if (request->results[i].target == target)
            return tool_usage("compare", "--targets names %s twice", name), false;
    if (!target)
        return false;
    if (!tool_reserve(&request->results, request->target_count + 1, &request->target_room))
        return tool_fail("compare", "out of memory"), false;
    request->results[request->target_count++] = (struct compare_result){.target = target};
    return true;
}

/* Adds all targets; false with a message. */
static bool add_all(struct compare_request *request)
{
    for (size_t i = 0; ptog_target_at(i); i++)
        if (!add_target(request, ptog_target_at(i)->name))
            return false;
    return true;
}

/* Adds the targets of "a2a3,a5" to the request; NULL and "all" are all of them. False after a message: one is unknown.
 */
static bool add_targets(struct compare_request *request, const char *names)
{
    if (!names || strcmp(names, "all") == 0)
        return add_all(request);
    for (const char *at = names;; at++) {
        size_t length = strcspn(at, ",");
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(tool_min(length, 63)), at);
        if (!add_target(request, name))
            return false;
        at += length;
        if (!*at)
            break;
    }
    return request->target_count > 1 ||
           (tool_usage("compare", "--targets %s: expected two or more targets", names), false);
}

/* Reads the number of an option above 0; false, with a message, for anything else. */
static bool is_positive(const char *option, const char *text, int64_t *number)
{
    if (!text || (run_number(text, number) && *number > 0))
        return true;
    return tool_usage("compare", "%s %s: expected a number of 1 or more", option, text), false;
}

/* Reads and checks the options; TOOL_OK or TOOL_USAGE. */
static int take_compare_options(int argc, char **argv, struct compare_request *request)
{
    if (!tool_parse(argc, argv, &tool_compare, request, &request->path, 1) ||
        !tool_format("compare", request->format_text, &request->format) ||
        !is_positive("--blocks", request->blocks_text, &request->blocks) ||
        !is_positive("--max-steps", request->steps_text, &request->max_steps) ||
        !is_positive("--max-work", request->work_text, &request->max_work) ||
        !is_positive("--max-memory", request->memory_text, &request->max_memory))
        return TOOL_USAGE;
    if (request->format != TOOL_TEXT && request->format != TOOL_JSON)
        return tool_usage("compare", "--format %s: expected text or json", request->format_text);
    if (request->data_text && strcmp(request->data_text, "none") != 0)
        return tool_usage("compare", "--data %s: expected none", request->data_text);
    if (!request->path)
        return tool_usage("compare", "needs a file; '-' is standard input");
    if (!add_targets(request, request->targets_text))
        return TOOL_USAGE;
    if (run_items_agree(&request->items, request->path, TOOL_TEXT))
        return TOOL_OK;
    return TOOL_USAGE;
}

/* Frees results, outputs and copies. */
static void free_request(struct compare_request *request)
{
    for (size_t i = 0; i < request->target_count; i++) {
        struct compare_result *result = &request->results[i];
        for (size_t k = 0; result->outputs && k < request->output_count; k++)
            free(result->outputs[k]);
        free(result->outputs);
        ptog_diags_free(result->diags);
    }
    for (size_t i = 0; i < request->output_count; i++)
        free(request->outputs[i].initial);
    free(request->outputs);
    free(request->results);
    free(request->targets);
    run_items_free(&request->items);
}

/* ptog compare: the exit status. */
static int compare_run(int argc, char **argv)
{
    struct compare_request request = {.items.command = "compare"};
    int status = take_compare_options(argc, argv, &request);
    if (status == TOOL_OK)
        status = compare_file(&request);
    free_request(&request);
    return status;
}

#define AT(field) .at = offsetof(struct compare_request, field)

static const struct tool_option options[] = {
    {"--targets", "T,T,...", "see 'ptog targets'; without it, or with 'all', all of them, host first", TOOL_TARGETS,
     AT(targets_text)},
    {"--in", "NAME=FILE",
     "input data, as for 'ptog run': a file, or generated data: zeros, arange, full:3, random:7, all elements (1,2,3,4), or a repeated list (repeat:1,2); also for memory that is both read and written",
     TOOL_FILES, AT(items), run_take, RUN_IN},
    {"--set", "NAME=N", "a number argument: 7, 0x10, or 2.5 for floating point", NULL, AT(items), run_take, RUN_SET},
    {"--out", "NAME=16x32", "the shape of an output, if the program does not give it", NULL, AT(items), run_take_shape},
    {"--data", "none", "report missing arguments instead of generating data as 'ptog run' does", "none", AT(data_text)},
    {"--func", "NAME", "the function to run, if there are several", NULL, AT(function)},
    {"--blocks", "N", "run it for N blocks (default 1)", NULL, AT(blocks_text)},
    TOOL_LIMIT_OPTIONS(struct compare_request),
    {"--format", "F", "text or json, on standard output", "text json", AT(format_text)},
    {.name = NULL},
};

const struct tool_command tool_compare = {
    .name = "compare",
    .arguments = "FILE [--targets T,T,...] [--in NAME=FILE]... [OPTION]...",
    .summary = "run a program on several targets and show where and why they differ",
    .about =
        "Runs a program with the same data on several targets and compares the results: memory, or the tiles if the program writes no memory. Each target is equal to the baseline (the first target that runs), differs from it, or refuses the program. Rounded results count as equal within two units in the last place or within the tolerance of the device's tests, and sums as far as their order allows; the output says so. For a difference, it shows the first instruction with other results from the same operands, one element of it, for a gather also the index and the number of rows, and the erratum behind it: 'ptog explain E13'.",
    .options = options,
    .after =
        "The exit status is 0 if all targets are equal, 1 if one differs or refuses the program, 2 for a usage error.",
    .offers = TOOL_FILES,
    .run = compare_run,
};
