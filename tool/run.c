/* tool: ptog run, programs with data from files: the command line, and the report. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "io/pick.h"

/* ---- the report of one program ---- */

static void tell(const struct run_job *job)
{
    const struct run_request *request = job->request;
    struct ptog_checked checked[RUN_MOST_CHECKED];
    size_t count = run_job_checked(job, checked);
    if (job->why.text[0])
        tool_fail("run", "%s: %s", job->path, job->why.text);
    if (job->has_stats && job->status != TOOL_USAGE)
        tool_report_stats(job->judgement.of[0].diags, job->judgement.of[0].target, &job->figures);
    else
        tool_tell(&request->telling, checked, count);
    if (!request->telling.quiet && job->status != TOOL_USAGE)
        judge_print(&job->judgement, "run", !request->machine.no_sanitize);
}

/* A command that failed before something was found has said why. */
static bool has_report(const struct run_job *job)
{
    bool found = ptog_diags_count(job->parsed) > 0;
    for (size_t i = 0; i < job->judgement.count; i++)
        found |= ptog_diags_count(job->judgement.of[i].diags) > 0;
    return job->why.text[0] || job->status != TOOL_USAGE || found || job->request->telling.format == TOOL_TEXT;
}

static int run_one(struct run_request *request)
{
    struct run_job job = {.request = request, .items = &request->items, .path = request->paths.list[0]};
    run_job(&job);
    if (has_report(&job))
        tell(&job);
    int status = job.status;
    run_job_close(&job);
    return status;
}

/* ---- the command line ---- */

static bool positive(const char *option, const char *text, int64_t *number)
{
    if (!text || (run_number(text, number) && *number > 0))
        return true;
    tool_usage("run", "%s %s: expected a number, 1 or more", option, text);
    return false;
}

static bool take_limits(struct run_request *request)
{
    return positive("--blocks", request->blocks_text, &request->blocks) &&
           positive("--max-steps", request->steps_text, &request->max_steps) &&
           positive("--max-work", request->work_text, &request->max_work) &&
           positive("--max-memory", request->memory_text, &request->max_memory);
}

static int run_arguments(int argc, char **argv, struct run_request *request, const char **paths)
{
    if (!tool_parse(argc, argv, &tool_run, request, paths, argc) ||
        !tool_format("run", request->telling.format_text, &request->telling.format) || !take_limits(request) ||
        !run_machine_take(&request->machine))
        return TOOL_USAGE;
    if (request->target_text && strcmp(request->target_text, "all") == 0)
        return tool_usage("run",
                          "--target all: a run has one target; 'ptog compare' runs a program on all of them, and "
                          "'ptog check --target all' says which take it");
    if (request->target_text && !(request->target = tool_target("run", request->target_text)))
        return TOOL_USAGE;
    if (!paths[0])
        return tool_usage("run", "needs a file or a directory; '-' is standard input");
    for (; *paths; paths++)
        tool_paths_add(&request->paths, "run", *paths);
    if (request->paths.count == 0)
        return TOOL_USAGE;
    return run_options_agree(request);
}

static int run(int argc, char **argv)
{
    static struct run_request request = {.items.command = "run"}; /* its buffer is large */
    const char **paths = calloc((size_t)argc + 1, sizeof *paths);
    int result = paths ? run_arguments(argc, argv, &request, paths) : tool_fail("run", "out of memory");
    bool one = request.paths.count == 1 && !request.paths.searched;
    if (result == TOOL_OK)
        result = one ? run_one(&request) : run_many(&request);
    if (request.paths.failed)
        result = TOOL_USAGE;
    tool_paths_free(&request.paths);
    run_items_free(&request.items);
    free(request.machine.late);
    free(paths);
    return result;
}

#define AT(field) .at = offsetof(struct run_request, field)

static const struct tool_option options[] = {
    {"--in", "NAME=FILE",
     "data that the program reads; or how to generate it: zeros, arange, full:3, random:7, all elements, 1,2,3,4, or "
     "some over and over, repeat:1,2",
     TOOL_FILES, AT(items), run_take, RUN_IN},
    {"--out", "NAME=16x32:FILE",
     "data that it writes: zeros at first. Without 16x32, of the shape the program gives it", TOOL_FILES, AT(items),
     run_take, RUN_OUT},
    {"--inout", "NAME=IN:OUT", "both", TOOL_FILES, AT(items), run_take, RUN_INOUT},
    {"--set", "NAME=N", "a number: 7, 0x10, or 2.5 for a floating-point argument", NULL, AT(items), run_take, RUN_SET},
    {"--data", "none",
     "refuse what is not bound. Without it, memory has random data of the size that the program's views need, with "
     "indices in range, and numbers are 16 or 1.0, or others when the program does not run with these",
     "none", AT(data_text)},
    {"--dump", "TILE=FILE", "the valid region of a tile after the last instruction, row by row", TOOL_FILES, AT(items),
     run_take, RUN_DUMP},
    {"--show", "NAME", "print the elements of an argument or a tile after the run, as a table", NULL, AT(items),
     run_take, RUN_SHOW},
    {"--target", "T",
     "see 'ptog targets'; without it, what the module's pto.target_arch names, or a2a3 and a5: both judge it, and the "
     "bytes come from host",
     TOOL_TARGETS, AT(target_text)},
    {"--func", "NAME", "the function, when there are several", NULL, AT(function)},
    {"--strict", NULL, TOOL_STRICT, NULL, AT(strict)},
    {"--blocks", "N", "run it for so many blocks, one after another (1)", NULL, AT(blocks_text)},
    TOOL_LIMIT_OPTIONS(struct run_request),
    {"--allow-empty", NULL, "a run that executes no instruction does not make the exit status 1", NULL,
     AT(telling.allow_empty)},
    {"--schedule", "S",
     "a2a3 and a5: how long transfers take: by the cost table; fast: loads at once, stores late; slow: the other way "
     "round; random:SEED; witness:FILE#N, see --witness. What is reported is the same",
     "fast slow random: witness:", AT(machine.schedule_text)},
    {"--witness", "FILE",
     "write a timing for each race that shows it, numbered as they are reported. Run N of them with --schedule "
     "witness:FILE#N, and #0 to see everything in order",
     TOOL_FILES, AT(machine.witness)},
    {"--dyn-ub", "BYTES", "a5: the dynUBufSize of the launch", NULL, AT(machine.dyn_ub_text)},
    {"--launch", "L", "a5: standard, or direct: through a function pointer, without SIMT context", "standard direct",
     AT(machine.launch_text)},
    {"--no-sanitize", NULL, "do not look for races, flags left set and bytes never written", NULL,
     AT(machine.no_sanitize)},
    {"--stats", NULL,
     "estimated cycles, transfers, bytes, waits, on standard error; with --format json also in the object, as \"stats\"",
     NULL, AT(machine.stats)},
    {"--trace", "FILE",
     "a2a3 and a5: the timeline as Chrome trace event JSON; open it in https://ui.perfetto.dev or "
     "https://www.speedscope.app",
     TOOL_FILES, AT(trace.path)},
    {"--report", "FILE",
     "one page for a browser: what was found, the timeline, the figures, the on-chip buffer and the program; it needs no "
     "other file. Of a refused program, too",
     TOOL_FILES, AT(report.path)},
    {"--ub-map", NULL, "which tile lies where in the on-chip buffer, on standard error", NULL, AT(machine.map)},
    {"--print-placement", NULL,
     "a2a3 and a5: the program as it ran, on standard output or in -o FILE: every tile with its address and, when it has "
     "no flags of its own, the flags and barriers that it needs",
     NULL, AT(prints)},
    {"--apply-fix", NULL,
     "a2a3 and a5: the program with its flags and barriers repaired as the report advises, every other line as it was, on "
     "standard output or in -o FILE; that is what runs",
     NULL, AT(repairs)},
    {"-o", "FILE", "where such a program goes", TOOL_FILES, AT(to)},
    TOOL_TELLING_OPTIONS(struct run_request),
    {.name = NULL},
};

const struct tool_command tool_run = {
    .name = "run",
    .arguments = "FILE|DIR... [--in NAME=FILE]... [--out NAME=FILE]...",
    .summary = "run a program with data from files, and judge it",
    .about =
        "Checks a program, then runs it; '-' is standard input. NAME is an argument of the function, or a free operand "
        "of a snippet, without '%'. Files are npy, of the type and shape that the program declares, or raw little-endian "
        "bytes when the name ends in .bin. Of a directory every .pto file below it is run with generated data, with a "
        "summary at the end. bf16 and 1-byte floats, which numpy lacks, are carried by any type of their width.",
    .options = options,
    .after =
        "Outputs appear when they are complete. A run with faults still writes them, a refused program writes none. "
        "The exit status is 1 when there is an error on a target that takes the program, when no target does, and when "
        "something was not judged: see --allow-unjudged and --allow-empty.\n"
        "What a line accepts on purpose is not reported: '// ptog: allow ID' at its end, or on the line above.",
    .offers = TOOL_FILES,
    .run = run,
};
