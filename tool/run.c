/* tool: ptog run, programs with data from files: the command line, and the report. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "io/pick.h"

/* ---- the report of one program ---- */

/* Prints what a run has reported: diagnostics, figures, verdict, and how to repair it. */
static void report_job(const struct run_job *job)
{
    const struct run_request *request = job->request;
    struct ptog_checked checked[RUN_MAX_CHECKED];
    size_t count = run_job_checked(job, checked);
    if (job->why.text[0])
        tool_fail("run", "%s: %s", job->path, job->why.text);
    if (job->has_stats && job->status != TOOL_USAGE)
        tool_report_stats(job->judgement.of[0].diags, job->judgement.of[0].target, &job->figures);
    else
        tool_tell(&request->telling, checked, count);
    if (!request->telling.quiet && job->status != TOOL_USAGE)
        judge_print(&job->judgement, "run", !request->machine.no_sanitize);
    run_suggest_repair(job, checked, count);
}

/* A command that failed before something was found has said why. */
static bool has_report(const struct run_job *job)
{
    bool found = ptog_diags_count(job->parsed) > 0;
    for (size_t i = 0; i < job->judgement.count; i++)
        found |= ptog_diags_count(job->judgement.of[i].diags) > 0;
    return job->why.text[0] || job->status != TOOL_USAGE || found || job->request->telling.format == TOOL_TEXT;
}

/* Runs one program and reports it; the exit status. */
static int run_one(struct run_request *request)
{
    struct run_job job = {.request = request, .items = &request->items, .path = request->paths.list[0]};
    run_job(&job);
    if (has_report(&job))
        report_job(&job);
    int status = job.status;
    run_job_close(&job);
    return status;
}

/* ---- the command line ---- */

/* Reads the number of an option above 0; false, with a message, for anything else. */
static bool is_positive(const char *option, const char *text, int64_t *number)
{
    if (!text || (run_number(text, number) && *number > 0))
        return true;
    tool_usage("run", "%s %s: expected a number of 1 or more", option, text);
    return false;
}

/* Reads --subblocks; false, with a message, unless it is 1 or 2. */
static bool take_subblocks(struct run_request *request)
{
    const char *text = request->subblocks_text;
    if (!is_positive("--subblocks", text, &request->subblocks))
        return false;
    if (request->subblocks <= 2)
        return true;
    tool_usage("run", "--subblocks %s: expected 1 or 2", text);
    return false;
}

static bool take_limits(struct run_request *request)
{
    return is_positive("--blocks", request->blocks_text, &request->blocks) && take_subblocks(request) &&
           is_positive("--max-steps", request->steps_text, &request->max_steps) &&
           is_positive("--max-work", request->work_text, &request->max_work) &&
           is_positive("--max-memory", request->memory_text, &request->max_memory);
}

/* Reads and checks the options, and lists the programs; TOOL_OK or TOOL_USAGE. */
static int run_arguments(int argc, char **argv, struct run_request *request, const char **paths)
{
    if (!tool_parse(argc, argv, &tool_run, request, paths, argc) ||
        !tool_format("run", request->telling.format_text, &request->telling.format) || !take_limits(request) ||
        !tool_take_jobs("run", request->jobs_text, &request->jobs) || !run_machine_take(&request->machine))
        return TOOL_USAGE;
    if (request->target_text && strcmp(request->target_text, "all") == 0)
        return tool_usage(
            "run",
            "--target all: a run has one target; 'ptog compare' runs a program on all of them, and 'ptog check --target all' shows which accept it");
    if (request->target_text && !(request->target = tool_target("run", request->target_text)))
        return TOOL_USAGE;
    if (request->aicore && !tool_take_aicore("run", &request->target))
        return TOOL_USAGE;
    if (!paths[0])
        return tool_usage("run", "needs a file or a directory; '-' is standard input");
    for (; *paths; paths++)
        tool_paths_add(&request->paths, "run", *paths);
    if (request->paths.count == 0)
        return TOOL_USAGE;
    return run_options_agree(request);
}

/* ptog run: the exit status. */
static int run_run(int argc, char **argv)
{
    static struct run_request request = {.items.command = "run"}; /* its buffer is large */
    const char **paths = calloc((size_t)argc + 1, sizeof *paths);
    int result = paths ? run_arguments(argc, argv, &request, paths) : tool_fail("run", "out of memory");
    bool one = request.paths.count == 1 && !request.paths.searched;
    request.argv = argv;
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
     "input data: a file, or generated data: zeros, arange, full:3, random:7, all elements (1,2,3,4), or a repeated list (repeat:1,2)",
     TOOL_FILES, AT(items), run_take, RUN_IN},
    {"--out", "NAME=16x32:FILE", "output data, initially zeros; without 16x32, in the shape that the program gives",
     TOOL_FILES, AT(items), run_take, RUN_OUT},
    {"--inout", "NAME=IN:OUT", "both", TOOL_FILES, AT(items), run_take, RUN_INOUT},
    {"--set", "NAME=N", "a number argument: 7, 0x10, or 2.5 for floating point", NULL, AT(items), run_take, RUN_SET},
    {"--data", "none",
     "report missing arguments. Without it, memory gets random data of the size that the program's views need, with indices in range; numbers are 16 or 1.0, or others if the program does not run with these",
     "none", AT(data_text)},
    {"--dump", "NAME=FILE", "write an argument, or the valid region of a tile row by row, after the run", TOOL_FILES,
     AT(items), run_take, RUN_DUMP},
    {"--show", "NAME", "print the elements of an argument or a tile after the run", NULL, AT(items), run_take,
     RUN_SHOW},
    {"--target", "T",
     "see 'ptog targets'; default: the target that the module's pto.target_arch names, or else a2a3 and a5, which both check the program, with the results computed on host",
     TOOL_TARGETS, AT(target_text)},
    {"--func", "NAME", "the function to run, if there are several", NULL, AT(function)},
    {"--aicore", NULL, TOOL_AICORE, NULL, AT(aicore)},
    {"--strict", NULL, TOOL_STRICT, NULL, AT(strict)},
    {"--blocks", "N", "run it for N blocks, one after another (default 1)", NULL, AT(blocks_text)},
    {"--subblocks", "N",
     "give each block N vector cores, 1 or 2, with one block index and on-chip buffers of their own (default 1)", NULL,
     AT(subblocks_text)},
    {"--jobs", "N",
     "run N of several programs at once, each within its limits (default: one per processor; 1 with --stats and --ub-map)",
     NULL, AT(jobs_text)},
    TOOL_LIMIT_OPTIONS(struct run_request),
    {"--allow-empty", NULL, "exit with 0 even if a run executes no instruction", NULL, AT(telling.allow_empty)},
    {"--schedule", "S",
     "a2a3 and a5: how long transfers take. Default: the cost table; fast: loads complete at once, stores late; slow: the reverse; random:SEED; witness:FILE#N, see --witness. The findings do not depend on it",
     "fast slow random: witness:", AT(machine.schedule_text)},
    {"--witness", "FILE",
     "write a timing that shows each race, in the order of the report. Replay timing N with --schedule witness:FILE#N; #0 runs everything in order",
     TOOL_FILES, AT(machine.witness)},
    {"--dyn-ub", "BYTES", "a5: the dynUBufSize of the launch", NULL, AT(machine.dyn_ub_text)},
    {"--launch", "L", "a5: standard, or direct (through a function pointer, without a SIMT context)", "standard direct",
     AT(machine.launch_text)},
    {"--no-sanitize", NULL, "do not check for races, flags left set and uninitialised data", NULL,
     AT(machine.no_sanitize)},
    {"--stats", NULL,
     "print estimated cycles, transfers, bytes and waits on standard error; with --format json also as \"stats\" in the object",
     NULL, AT(machine.stats)},
    {"--trace", "FILE",
     "a2a3 and a5: write the timeline as Chrome trace event JSON, for https://ui.perfetto.dev or https://www.speedscope.app",
     TOOL_FILES, AT(trace.path)},
    {"--report", "FILE",
     "write one HTML page with the findings, the timeline, the figures, the on-chip buffer and the program; it needs no other file. Also for rejected programs",
     TOOL_FILES, AT(report.path)},
    {"--ub-map", NULL, "print a map of the on-chip buffer (UB) on standard error", NULL, AT(machine.map)},
    {"--print-placement", NULL,
     "a2a3 and a5: write the program as it ran, to standard output or to -o FILE: every tile with its address and, if the program has no flags, the flags and barriers that it needs",
     NULL, AT(prints)},
    {"--apply-fix", NULL,
     "a2a3 and a5: write the repaired program, with flags and barriers changed as the report advises and every other line unchanged, to standard output or to -o FILE; the repaired program is what runs. Without a target, it is repaired for every target that accepts it",
     NULL, AT(repairs)},
    {"-o", "FILE", "the file to write such a program to", TOOL_FILES, AT(to)},
    TOOL_TELLING_OPTIONS(struct run_request),
    {.name = NULL},
};

const struct tool_command tool_run = {
    .name = "run",
    .arguments = "FILE|DIR... [--in NAME=FILE]... [--out NAME=FILE]...",
    .summary = "run a program and check it for races and other errors",
    .about =
        "Checks a program, then runs it; '-' is standard input. NAME is an argument of the function, or a free operand "
        "of a snippet, without '%'. Files are npy, of the type and shape that the program declares, or raw little-endian "
        "bytes when the name ends in .bin. For a directory, every .pto file below it is run with generated data, "
        "with a summary at the end. For bf16 and 1-byte floats, which numpy lacks, use any type of the same width.",
    .options = options,
    .after =
        "Output files are written once they are complete. A run with faults still writes them; a refused program writes none. The exit status is 1 if there is an error on a target that accepts the program, if no target accepts it, or if something was not judged: see --allow-unjudged and --allow-empty.\nTo suppress a finding, put '// ptog: allow ID' at the end of its line, or on the line above.",
    .offers = TOOL_FILES,
    .run = run_run,
};
