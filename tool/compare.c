/* tool: ptog compare, one program with the same data on several targets: equal, the first difference and its reason, or
 * refused. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

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
        tool_report(diags, request->format, NULL);
    ptog_program_free(program);
    ptog_diags_free(diags);
    return status;
}

/* ---- the command line ---- */

static bool add_target(struct compare_request *request, const char *name)
{
    const struct ptog_target *target = tool_target("compare", name);
    for (size_t i = 0; target && i < request->target_count; i++)
        if (request->results[i].target == target)
            return tool_usage("compare", "--targets names %s twice", name), false;
    struct compare_result *list = target ? realloc(request->results, (request->target_count + 1) * sizeof *list) : NULL;
    if (!list)
        return false;
    request->results = list;
    list[request->target_count++] = (struct compare_result){.target = target};
    return true;
}

static bool add_targets(struct compare_request *request, const char *names)
{
    for (const char *at = names;; at++) {
        size_t length = strcspn(at, ",");
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), at);
        if (!add_target(request, name))
            return false;
        at += length;
        if (!*at)
            break;
    }
    return request->target_count > 1 || (tool_usage("compare", "--targets %s: expected two or more", names), false);
}

static bool positive(const char *option, const char *text, int64_t *number)
{
    if (!text || (run_number(text, number) && *number > 0))
        return true;
    return tool_usage("compare", "%s %s: expected a number, 1 or more", option, text), false;
}

static int arguments(int argc, char **argv, struct compare_request *request)
{
    const char *targets = "host,cpu,a2a3,a5,a5-custom", *given = NULL, *format = NULL, *blocks = NULL, *steps = NULL;
    const struct tool_option options[] = {
        {.name = "--in", .take = run_take, .user = &request->items, .kind = RUN_IN},
        {.name = "--set", .take = run_take, .user = &request->items, .kind = RUN_SET},
        {.name = "--out", .take = run_take_shape, .user = &request->items},
        {.name = "--targets", .value = &given},
        {.name = "--func", .value = &request->function},
        {.name = "--blocks", .value = &blocks},
        {.name = "--max-steps", .value = &steps},
        {.name = "--format", .value = &format},
        {.name = NULL},
    };
    if (!tool_parse(argc, argv, options, &request->path, 1) || !tool_format("compare", format, &request->format) ||
        !positive("--blocks", blocks, &request->blocks) || !positive("--max-steps", steps, &request->max_steps))
        return TOOL_USAGE;
    if (request->format == TOOL_SARIF)
        return tool_usage("compare", "--format sarif: expected text or json");
    if (!request->path)
        return tool_usage("compare", "needs a file; '-' is standard input");
    if (!add_targets(request, given ? given : targets))
        return TOOL_USAGE;
    return run_items_agree(&request->items, request->path, TOOL_TEXT) ? TOOL_OK : TOOL_USAGE;
}

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
    run_items_free(&request->items);
}

static int run(int argc, char **argv)
{
    struct compare_request request = {0};
    run_command = "compare";
    int status = arguments(argc, argv, &request);
    if (status == TOOL_OK)
        status = compare_file(&request);
    free_request(&request);
    return status;
}

const struct tool_command tool_compare = {
    .name = "compare",
    .arguments = "FILE [--targets T,T,...] [--in NAME=FILE]... [--set NAME=N]... [OPTION]...",
    .summary = "run a program on several targets, and say where and why they differ",
    .help =
        "Runs a program with the same data on several targets, and compares what it writes: memory, or where it writes\n"
        "none, the tiles it leaves. Each target is equal to the baseline, which is the first that runs; or it differs; or\n"
        "it refuses the program. Of a difference, the first gather that gives other bytes from the same operands is\n"
        "named, with one lane of it, its index and the capacities, and the erratum behind it: 'ptog explain E13'.\n"
        "\n"
        "  --targets T,T,...        see 'ptog targets'; without it, all of them, host first\n"
        "  --in NAME=FILE           data, as for 'ptog run'; also of memory that is read and written\n"
        "  --set NAME=N             a number: 7, 0x10, or 2.5 for a floating-point argument\n"
        "  --out NAME=16x32         the shape of memory that is written, where the program does not give it\n"
        "  --func NAME              the function, when there are several\n"
        "  --blocks N               run it for so many blocks (1)\n"
        "  --max-steps N            stop after so many operations (10000000)\n"
        "  --format F               text or json, on standard output\n"
        "\n"
        "The exit status is 0 when all are equal, 1 when one differs or refuses, 2 for wrong usage.\n",
    .run = run,
};
