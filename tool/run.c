/* tool: ptog run, a program with data from files. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "io/pick.h"
#include "progress.h"

struct run_request {
    const char *target_text, *blocks_text, *steps_text; /* as given; NULL: not */
    const char *data_text;                              /* "none": nothing is made up */
    const char *path;
    const struct ptog_target *target;
    const char *function;
    struct tool_telling telling;
    int64_t blocks, max_steps;
    struct run_machine machine;
    struct run_items items;
    struct run_elsewhere elsewhere;
    struct run_trace trace;
    struct run_report report;
    struct ptog_sink timeline; /* of both; all zero: neither is wanted */
    struct tool_text text;     /* of the program that runs, for the report */
    ptog_result *result;       /* NULL: it did not run */
    bool has_stats;            /* to go into the JSON object */
    struct ptog_stats figures;
    bool strict;          /* --strict */
    bool prints, repairs; /* --print-placement, --apply-fix */
    const char *to;       /* -o: where that goes */
    struct tool_progress progress;
    struct ptog_progress shown; /* on a terminal, what a long loop says */
};

/* ---- running ---- */

/* The timeline goes to the file and to the page, where they are wanted. */
static void take_timeline(void *user, const char *text, size_t length)
{
    struct run_request *request = user;
    struct ptog_sink page = run_report_sink(&request->report);
    if (request->trace.path)
        request->trace.sink.write(request->trace.sink.user, text, length);
    if (request->report.path)
        page.write(page.user, text, length);
}

static const struct ptog_target *target_of(const struct run_request *request, const ptog_program *program)
{
    const struct ptog_target *target = request->target;
    if (!target && program)
        target = ptog_program_target(program);
    if (target)
        return target;
    return ptog_target_find("host");
}

static struct ptog_execution execution_of(const struct run_request *request, const struct ptog_binding *bindings,
                                          size_t count)
{
    return (struct ptog_execution){
        .target = request->target,
        .function = request->function,
        .bindings = bindings,
        .binding_count = count,
        .blocks = request->blocks,
        .max_steps = (uint64_t)request->max_steps,
        .schedule = request->machine.schedule,
        .launch = request->machine.launch,
        .seed = request->machine.seed,
        .dyn_ub = request->machine.dyn_ub,
        .no_sanitize = request->machine.no_sanitize,
        .trace = request->timeline.write ? &request->timeline : NULL,
        .late = request->machine.late,
        .late_count = request->machine.late_count,
        .progress = request->progress.wanted ? &request->shown : NULL,
    };
}

static int outcome(const struct run_request *request, enum ptog_status status, const ptog_diags *diags)
{
    if (status == PTOG_OK)
        return tool_has_errors(diags, 0) ? TOOL_WRONG : TOOL_OK;
    if (status == PTOG_FAULT || status == PTOG_ILLEGAL)
        return TOOL_WRONG;
    return tool_fail("run", "%s: %s", request->path, ptog_status_text(status));
}

/* *ran: to its end, perhaps with faults. */
static int execute(struct run_request *request, const ptog_program *program, ptog_diags *diags, ptog_result **result,
                   bool *ran)
{
    size_t count;
    struct ptog_binding *bindings = run_bindings(&request->items, &count);
    if (!bindings)
        return tool_fail("run", "out of memory");
    struct ptog_execution execution = execution_of(request, bindings, count);
    if (target_of(request, program)->cpu_threads)
        execution.threads = request->machine.cpu_threads;
    enum ptog_status status = ptog_program_run(program, &execution, diags, result);
    tool_progress_end(&request->progress);
    free(bindings);
    *ran = status == PTOG_OK || status == PTOG_FAULT;
    return outcome(request, status, diags);
}

/* ---- programs out ---- */

/* --print-placement: the program as it ran. */
static int print_placement(const struct run_request *request, const ptog_result *result,
                           const struct ptog_target *target, ptog_diags *diags)
{
    struct ptog_output text = {0};
    struct ptog_sink sink = ptog_output_sink(&text);
    enum ptog_status status = ptog_result_program(result, &sink, diags);
    if (text.no_memory)
        status = PTOG_NO_MEMORY;
    int code = outcome(request, status, diags);
    if (status == PTOG_OK && !tool_output_write("run", &text, request->to))
        code = TOOL_USAGE;
    if (status == PTOG_OK && !request->telling.quiet)
        run_machine_print_layout(result, target);
    ptog_output_free(&text);
    return code;
}

/* --apply-fix: writes the repaired text, and reads it as the program to be run. */
static int repair(struct run_request *request, ptog_program **program, ptog_diags *diags)
{
    struct ptog_output text = {0};
    struct ptog_sink sink = ptog_output_sink(&text);
    ptog_program *repaired = NULL;
    size_t count;
    struct ptog_binding *bindings = run_bindings(&request->items, &count);
    enum ptog_status status = PTOG_NO_MEMORY;
    if (bindings) {
        struct ptog_execution execution = execution_of(request, bindings, count);
        status = ptog_program_repair(*program, &execution, &sink, diags);
        tool_progress_end(&request->progress);
    }
    if (text.no_memory)
        status = PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        status = ptog_program_parse(&repaired, tool_or(request->to, "-"), text.bytes, text.used, diags);
    int code = outcome(request, status, diags);
    if (status == PTOG_OK && !tool_output_write("run", &text, request->to))
        code = TOOL_USAGE;
    if (repaired) {
        ptog_program_free(*program);
        *program = repaired;
        free(request->text.bytes);
        request->text = (struct tool_text){text.bytes, text.used};
    } else {
        ptog_output_free(&text);
    }
    free(bindings);
    return code;
}

/* What is asked about pipes of a target that has none has no answer: a program that was written is not a repaired one.
 */
static void say_without_pipes(const struct run_request *request, const struct ptog_target *target)
{
    const char *option = NULL;
    if (request->repairs)
        option = "--apply-fix";
    else if (request->prints)
        option = "--print-placement";
    else if (request->machine.witness)
        option = "--witness";
    else if (request->machine.schedule_text)
        option = "--schedule";
    if (option && target->ub_bytes == 0)
        fprintf(stderr, "ptog run: %s: %s has no pipes, and so nothing to order; give --target a2a3, a5 or a5-custom\n",
                option, target->name);
}

/* Neither the command line nor the text names a target, and somebody wants to know. */
static bool is_without_target(const struct run_request *request, const ptog_program *program)
{
    return !request->target && target_of(request, program)->machine == PTOG_NO_MACHINE &&
           !ptog_program_target(program) && !request->telling.quiet && !request->machine.no_sanitize;
}

/* Data for what is not bound, unless --data none. */
static bool make_up(struct run_request *request, const ptog_program *program)
{
    struct ptog_execution execution = execution_of(request, NULL, 0);
    request->items.made_up = !request->data_text;
    request->items.silent = request->telling.quiet;
    return run_make_up(&request->items, program, &execution);
}

static int run_program(struct run_request *request, ptog_program **given, ptog_diags *diags)
{
    const ptog_program *program = *given;
    bool ran = false;
    tool_progress_start(&request->progress);
    request->progress.wanted &= request->telling.format == TOOL_TEXT;
    request->shown = tool_progress_of_run(&request->progress, request->path);
    int status = run_choose_function("run", program, request->function);
    if (status != TOOL_OK)
        return status;
    if (!run_load(&request->items, program, request->function) || !make_up(request, program))
        return TOOL_USAGE;
    if (request->repairs) {
        status = repair(request, given, diags);
        program = *given;
    }
    if (status != TOOL_OK)
        return status;
    const struct ptog_target *target = target_of(request, program);
    if (!run_trace_start(&request->trace, target))
        return TOOL_USAGE;
    if (request->trace.path || (request->report.path && target->ub_bytes > 0))
        request->timeline = (struct ptog_sink){.write = take_timeline, .user = request};
    bool nowhere = is_without_target(request, program);
    if (nowhere)
        run_elsewhere_start(&request->elsewhere, &request->items);
    status = execute(request, program, diags, &request->result, &ran);
    const ptog_result *result = request->result;
    if (nowhere && ran) {
        struct ptog_execution execution = execution_of(request, NULL, 0);
        run_elsewhere_tell(&request->elsewhere, program, &execution);
    }
    run_elsewhere_free(&request->elsewhere);
    if (!run_trace_end(&request->trace, ran))
        status = TOOL_USAGE;
    if (ran && (!run_save(&request->items, result) || !run_witness_write(request->machine.witness, diags)))
        status = TOOL_USAGE;
    bool in_object = request->telling.format == TOOL_JSON && request->machine.stats;
    request->has_stats = ran && in_object && ptog_result_stats(result, &request->figures) == PTOG_OK;
    if (ran) {
        say_without_pipes(request, target);
        run_machine_print(&request->machine, result, target);
    }
    if (ran && request->prints) {
        int printed = print_placement(request, result, target, diags);
        if (printed > status)
            status = printed;
    }
    return status;
}

/* --report: of a program that is refused, too. */
static bool write_report(struct run_request *request, const ptog_program *program, const ptog_diags *diags)
{
    struct ptog_page page = {
        .name = request->repairs && request->to ? request->to : request->path,
        .text = request->text.bytes,
        .text_bytes = request->text.size,
        .target = target_of(request, program),
        .diags = diags,
        .unchecked = request->machine.no_sanitize,
    };
    return run_report_write(&request->report, &page, request->result);
}

/* What was found; `unread` says why there is no program to find something in, and is NULL when there is one. */
static void tell(const struct run_request *request, const ptog_program *program, const ptog_diags *diags,
                 const char *unread)
{
    const struct ptog_target *target = target_of(request, program);
    const struct ptog_checked checked = {
        .file = request->path, .target = unread ? NULL : target->name, .diags = diags, .unread = unread};
    if (unread)
        tool_fail("run", "%s: %s", request->path, unread);
    if (request->has_stats)
        tool_report_stats(diags, target, &request->figures);
    else
        tool_tell(&request->telling, &checked, 1);
}

static int run_request(struct run_request *request)
{
    ptog_program *program;
    struct tool_why why = {""};
    ptog_diags *diags = ptog_diags_new();
    if (!diags)
        return tool_fail("run", "out of memory");
    int result = tool_open_quietly(request->path, &program, diags, &request->text, &why);
    bool unread = result == TOOL_USAGE;
    ptog_program_be_strict(program, request->strict);
    if (result == TOOL_OK)
        result = run_program(request, &program, diags);
    result = tool_judge(&request->telling, diags, result);
    if (result != TOOL_USAGE && !write_report(request, program, diags))
        result = TOOL_USAGE;
    request->has_stats = request->has_stats && result != TOOL_USAGE;
    if (unread || request->telling.format == TOOL_TEXT || result != TOOL_USAGE || ptog_diags_count(diags) > 0)
        tell(request, program, diags, unread ? why.text : NULL);
    ptog_result_free(request->result);
    ptog_program_free(program);
    ptog_diags_free(diags);
    free(request->text.bytes);
    return result;
}

/* ---- the command line ---- */

static bool positive(const char *option, const char *text, int64_t *number)
{
    if (!text || (run_number(text, number) && *number > 0))
        return true;
    tool_usage("run", "%s %s: expected a number, 1 or more", option, text);
    return false;
}

/* A program goes to standard output. */
static bool streams_text(const struct run_request *request)
{
    return (request->prints || request->repairs) && (!request->to || strcmp(request->to, "-") == 0);
}

/* The page goes where nothing else does. */
static int report_agrees(const struct run_request *request)
{
    const char *page = request->report.path;
    const char *others[] = {request->trace.path, request->to, request->machine.witness};
    bool twice = false;
    if (!page)
        return TOOL_OK;
    if (strcmp(page, "-") == 0 && (request->telling.format != TOOL_TEXT || streams_text(request)))
        return tool_usage("run", "--report -: standard output is taken by %s",
                          request->telling.format != TOOL_TEXT ? "--format" : "the program");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        twice |= others[i] && strcmp(others[i], page) == 0;
    for (size_t i = 0; i < request->items.count; i++)
        twice |= request->items.list[i].to && strcmp(request->items.list[i].to, page) == 0;
    if (twice)
        return tool_usage("run", "%s would be written twice", page);
    return TOOL_OK;
}

/* One program goes out at most, and not where something else does. */
static int text_agrees(const struct run_request *request)
{
    bool streams = streams_text(request);
    if (request->prints && request->repairs)
        return tool_usage("run", "--print-placement and --apply-fix both write a program: give one of them");
    if (request->to && !request->prints && !request->repairs)
        return tool_usage("run", "-o names the file of --print-placement or --apply-fix: give one of them");
    if (streams && request->telling.format != TOOL_TEXT)
        return tool_usage("run", "a program and --format %s cannot both go to standard output: give -o",
                          request->telling.format_text);
    const char *trace = request->trace.path;
    if (trace && ((streams && strcmp(trace, "-") == 0) || (request->to && strcmp(trace, request->to) == 0)))
        return tool_usage("run", "a program and a trace cannot both go to %s", streams ? "standard output" : trace);
    for (size_t i = 0; i < request->items.count; i++) {
        const char *to = request->items.list[i].to;
        if (to && ((streams && strcmp(to, "-") == 0) || (request->to && strcmp(to, request->to) == 0)))
            return tool_usage("run", "a program and data cannot both go to %s",
                              streams ? "standard output" : request->to);
    }
    return TOOL_OK;
}

static int run_arguments(int argc, char **argv, struct run_request *request)
{
    if (!tool_parse(argc, argv, &tool_run, request, &request->path, 1) ||
        !tool_format("run", request->telling.format_text, &request->telling.format) ||
        !positive("--blocks", request->blocks_text, &request->blocks) ||
        !positive("--max-steps", request->steps_text, &request->max_steps) || !run_machine_take(&request->machine))
        return TOOL_USAGE;
    if (request->target_text && strcmp(request->target_text, "all") == 0)
        return tool_usage("run",
                          "--target all: a run has one target; 'ptog compare' runs a program on all of them, and "
                          "'ptog check --target all' says which take it");
    if (request->target_text && !(request->target = tool_target("run", request->target_text)))
        return TOOL_USAGE;
    if (request->data_text && strcmp(request->data_text, "none") != 0)
        return tool_usage("run", "--data %s: expected none", request->data_text);
    if (request->machine.witness && strcmp(request->machine.witness, "-") == 0 && request->telling.format != TOOL_TEXT)
        return tool_usage("run", "--witness -: standard output is taken by --format");
    if (!request->path)
        return tool_usage("run", "needs a file; '-' is standard input");
    if (!run_items_agree(&request->items, request->path, request->telling.format) ||
        !run_trace_agrees(&request->trace, &request->items, request->telling.format))
        return TOOL_USAGE;
    int status = text_agrees(request);
    if (status == TOOL_OK)
        return report_agrees(request);
    return status;
}

static int run(int argc, char **argv)
{
    static struct run_request request = {.items.command = "run"}; /* its buffer is large */
    int result = run_arguments(argc, argv, &request);
    if (result == TOOL_OK)
        result = run_request(&request);
    run_items_free(&request.items);
    free(request.machine.late);
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
     "see 'ptog targets'; without it, what the module's pto.target_arch names, or host; then "
     "it is judged on a2a3 and a5, too, for a second each",
     TOOL_TARGETS, AT(target_text)},
    {"--func", "NAME", "the function, when there are several", NULL, AT(function)},
    {"--strict", NULL, TOOL_STRICT, NULL, AT(strict)},
    {"--blocks", "N", "run it for so many blocks, one after another (1)", NULL, AT(blocks_text)},
    {"--max-steps", "N", "stop after so many operations (10000000)", NULL, AT(steps_text)},
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
     "a2a3 and a5: the program with the flags and barriers that it lacks, every other line as it was, on standard output "
     "or in -o FILE; that is what runs",
     NULL, AT(repairs)},
    {"-o", "FILE", "where such a program goes", TOOL_FILES, AT(to)},
    TOOL_TELLING_OPTIONS(struct run_request),
    {.name = NULL},
};

const struct tool_command tool_run = {
    .name = "run",
    .arguments = "FILE [--in NAME=FILE]... [--out NAME=FILE]... [OPTION]...",
    .summary = "run a program with data from files",
    .about =
        "Checks a program, then runs it; '-' is standard input. NAME is an argument of the function, or a free operand "
        "of a snippet, without '%'. Files are npy, of the type and shape that the program declares, or raw little-endian "
        "bytes when the name ends in .bin. bf16 and 1-byte floats, which numpy lacks, are carried by any type of their width.",
    .options = options,
    .after =
        "Outputs appear when they are complete. A run with faults still writes them, a refused program writes none. "
        "The exit status is 1 when there is an error.\n"
        "What a line accepts on purpose is not reported: '// ptog: allow ID' at its end, or on the line above.",
    .offers = TOOL_FILES,
    .run = run,
};
