/* tool: ptog prove, a program without data: it is run with many inputs, and what fails comes with the inputs that show
 * it. */
#include "prove.h"

#include <stdlib.h>
#include <string.h>

#include "io/pick.h"
#include "run.h"
#include "search.h"

#define DEFAULT_SECONDS 5.0
#define MAX_PATHS INT64_C(10000000)

/* ---- one target ---- */

/* The words of a proof, to be freed; NULL when out of memory. */
static char *words_of(const ptog_proof *proof)
{
    size_t length = ptog_proof_words(proof, NULL, 0);
    char *words = malloc(length + 1);
    if (words)
        ptog_proof_words(proof, words, length + 1);
    return words;
}

/* Each line of the words after the name of the command and the target. */
static void print_words(const ptog_proof *proof, const struct ptog_target *target)
{
    char *words = words_of(proof);
    for (const char *line = words; line && *line;) {
        int length = (int)strcspn(line, "\n");
        fprintf(stderr, "ptog prove: %s: %.*s\n", target->name, length, line);
        line += length + (line[length] == '\n');
    }
    free(words);
}

struct prove_job {
    const struct prove_request *request;
    const char *path;
    ptog_program *program;
    struct judgement judgement;
    ptog_proof *proofs[JUDGE_MOST];
    struct solver solver;
    int status;
};

/* Proves the program for target `i`, and keeps the proof. */
static void prove_for(struct prove_job *job, size_t i)
{
    const struct prove_request *request = job->request;
    struct judged *judged = &job->judgement.of[i];
    struct search_deadline deadline = search_deadline_in(request->seconds);
    struct ptog_execution how = {.target = judged->own ? NULL : judged->target,
                                 .function = request->function,
                                 .bindings = request->numbers,
                                 .binding_count = request->number_count,
                                 .blocks = request->blocks,
                                 .max_steps = (uint64_t)request->max_steps};
    struct ptog_prove_options options = {
        .max_runs = (uint64_t)request->paths, .go_on = search_is_in_time, .user = &deadline};
    const char *when = tool_or(request->solver_text, "auto");
    options.solve = strcmp(when, "never") == 0 ? NULL : solver_answer;
    options.solve_user = &job->solver;
    options.solve_always = strcmp(when, "always") == 0;
    struct ptog_proof_summary summary;
    judge_status(judged, ptog_program_prove(&job->proofs[i], job->program, &how, &options, judged->diags));
    judged->accepts = ptog_proof_summary(job->proofs[i], &summary) && summary.paths > 0;
}

/* ---- what is told ---- */

/* Prints the cases of a proof, and writes their witnesses. */
static void tell_proof(struct prove_job *job, size_t i)
{
    const struct prove_request *request = job->request;
    const struct judged *judged = &job->judgement.of[i];
    struct ptog_proof_case one;
    if (judged->not_for)
        return;
    for (size_t k = 0; ptog_proof_case_at(job->proofs[i], k, &one); k++) {
        if (!request->telling.quiet)
            prove_print_case(request, job->path, judged, &one);
        if (request->witness && !prove_write_case(request, job->path, job->program, judged->target, &one, k + 1))
            job->status = TOOL_USAGE;
    }
    if (judged->accepts && !request->telling.quiet)
        print_words(job->proofs[i], judged->target);
}

/* Prints diagnostics, cases and the summary. */
static void tell_all(struct prove_job *job)
{
    struct ptog_checked checked[JUDGE_MOST];
    size_t count = judge_checked(&job->judgement, job->path, checked);
    tool_tell(&job->request->telling, checked, count);
    for (size_t i = 0; i < job->judgement.count; i++)
        tell_proof(job, i);
    if (!job->request->telling.quiet)
        judge_print(&job->judgement, "prove", true);
}

/* Proves the program for all of its targets, and decides the exit status. */
static void prove_targets(struct prove_job *job)
{
    const struct prove_request *request = job->request;
    if (!judge_open(&job->judgement, job->program, request->target)) {
        job->status = tool_fail("prove", "out of memory");
        return;
    }
    for (size_t i = 0; i < job->judgement.count; i++)
        prove_for(job, i);
    judge_decide(&job->judgement, &request->telling);
    job->status = job->judgement.result;
    for (size_t i = 0; i < job->judgement.count; i++)
        if (job->judgement.of[i].result == TOOL_USAGE)
            tool_fail("prove", "%s: %s", job->path, ptog_status_text(job->judgement.of[i].status));
    tell_all(job);
}

/* Loads the solver now for --solver always, which needs one; false after a message. Else it is loaded when it is
 * needed. */
static bool open_solver(struct prove_job *job)
{
    const char *when = tool_or(job->request->solver_text, "auto");
    if (strcmp(when, "always") != 0 || solver_open(&job->solver))
        return true;
    job->status = tool_fail("prove", "--solver always: libz3.so.4 is not installed (Debian: libz3-4)");
    return false;
}

/* Binds what --set gives; false after a message. */
static bool bind_numbers(struct prove_request *request, const ptog_program *program)
{
    if (!run_load(&request->given, program, request->function))
        return false;
    request->numbers = run_bindings(&request->given, &request->number_count);
    if (!request->numbers)
        tool_fail("prove", "out of memory");
    return request->numbers != NULL;
}

/* Reads a program and proves it for every target; prints what is found, and returns the exit status. */
static int prove_file(struct prove_request *request, const char *path)
{
    struct prove_job job = {.request = request, .path = path};
    ptog_diags *parsed = ptog_diags_new();
    job.status = parsed ? tool_open("prove", path, &job.program, parsed, NULL) : tool_fail("prove", "out of memory");
    struct ptog_checked unparsed = {.file = path, .diags = parsed};
    if (job.status == TOOL_WRONG || ptog_diags_count(parsed) > 0)
        tool_tell(&request->telling, &unparsed, 1);
    if (job.status == TOOL_OK)
        job.status = run_choose_function("prove", job.program, request->function);
    if (job.status == TOOL_OK && !bind_numbers(request, job.program))
        job.status = TOOL_USAGE;
    if (job.status == TOOL_OK && open_solver(&job))
        prove_targets(&job);
    solver_close(&job.solver);
    for (size_t i = 0; i < JUDGE_MOST; i++)
        ptog_proof_free(job.proofs[i]);
    judge_close(&job.judgement);
    ptog_program_free(job.program);
    ptog_diags_free(parsed);
    return job.status;
}

/* ---- the command line ---- */

/* Reads --paths; false, with a message, for what is no such number. */
static bool take_paths(struct prove_request *request)
{
    if (!request->paths_text)
        return true;
    if (run_number(request->paths_text, &request->paths) && request->paths > 0 && request->paths <= MAX_PATHS)
        return true;
    tool_usage("prove", "--paths: expected a number from 1 to 10000000, not '%s'", request->paths_text);
    return false;
}

/* Reads the number of an option, if it is given; false, with a message, when it is not positive. */
static bool take_positive(const char *option, const char *text, int64_t *number)
{
    if (!text || (run_number(text, number) && *number > 0))
        return true;
    tool_usage("prove", "%s %s: expected a number of 1 or more", option, text);
    return false;
}

static bool take_solver(const struct prove_request *request)
{
    const char *when = tool_or(request->solver_text, "auto");
    if (strcmp(when, "auto") == 0 || strcmp(when, "never") == 0 || strcmp(when, "always") == 0)
        return true;
    tool_usage("prove", "--solver: expected auto, always or never, not '%s'", when);
    return false;
}

/* Reads the options; the path of the file, or NULL after a message. */
static const char *prove_arguments(int argc, char **argv, struct prove_request *request)
{
    const char *path;
    if (!tool_parse(argc, argv, &tool_prove, request, &path, 1) ||
        !tool_format("prove", request->telling.format_text, &request->telling.format) ||
        !search_take_seconds("prove", request->seconds_text, &request->seconds) || !take_paths(request) ||
        !take_positive("--max-steps", request->steps_text, &request->max_steps) ||
        !take_positive("--blocks", request->blocks_text, &request->blocks) || !take_solver(request))
        return NULL;
    if (!path)
        tool_usage("prove", "needs a file; '-' is standard input");
    if (request->target_text && !(request->target = tool_target("prove", request->target_text)))
        return NULL;
    return path;
}

/* ptog prove: the exit status. */
static int run_prove(int argc, char **argv)
{
    struct prove_request request = {.seconds = DEFAULT_SECONDS, .given.command = "prove"};
    const char *path = prove_arguments(argc, argv, &request);
    int status = path ? prove_file(&request, path) : TOOL_USAGE;
    run_items_free(&request.given);
    free(request.numbers);
    return status;
}

#define AT(field) .at = offsetof(struct prove_request, field)

static const struct tool_option options[] = {
    {"--target", "T",
     "the target to prove for: see 'ptog targets'. Default: the target that the module's attribute pto.target_arch names, or a2a3 and a5",
     TOOL_TARGETS, AT(target_text)},
    {"--func", "NAME", "the function to run, if there are several", NULL, AT(function)},
    {"--set", "NAME=N", "a number argument that stays as it is: 7, 0x10, or 2.5 for floating point", NULL, AT(given),
     run_take, RUN_SET},
    {"--blocks", "N", "run for N blocks only (default: 1, 2, 3, 4 and 8, if it reads the number of its block)", NULL,
     AT(blocks_text)},
    {"--seconds", "S", "search for S seconds of processor time on each target (default 5)", NULL, AT(seconds_text)},
    {"--paths", "N", "end after N runs of the program (default 2000)", NULL, AT(paths_text)},
    {"--max-steps", "N", "end each run after N operations (default 200,000)", NULL, AT(steps_text)},
    {"--solver", "WHEN",
     "use Z3, if its library is installed, to find inputs that lead to what was not reached, or to show that there are none: auto (default), always, which may show that all paths were run, or never",
     "auto always never", AT(solver_text)},
    {"--witness", "DIR",
     "for each finding, write a directory DIR/N with its inputs as npy files and the command line that shows it",
     TOOL_FILES, AT(witness)},
    TOOL_TELLING_OPTIONS(struct prove_request),
    {.name = NULL},
};

const struct tool_command tool_prove = {
    .name = "prove",
    .arguments = "FILE [--target T] [--seconds S] [--paths N] [OPTION]...",
    .summary = "search for inputs with which a program fails",
    .about =
        "Runs a program with many inputs that it chooses itself: scalar arguments, numbers of blocks, and the contents of memory that decide anything. It looks for inputs that take each branch both ways, give each loop no, one, two and many turns, make each comparison come out less, equal and greater, and reach both ends of what indices index. Each run is judged for all timings. Each finding comes with a 'ptog run' command that shows it. At the end it says what was covered and what was not reached. The exit status is 1 if something was found, or if nothing could be executed.",
    .options = options,
    .after =
        "A search that ends without a finding is a proof for all inputs only if it says so: branches, flags and addresses do not depend on inputs then. Otherwise it is as good as what was covered.",
    .offers = TOOL_FILES,
    .run = run_prove,
};
