/* tool: ptog check, everything that is wrong with programs, on one target or on all. */
#include "check.h"

#include "io/pick.h"
#include "judge.h"

#include <stdlib.h>
#include <string.h>

#define BATCH 64 /* programs; enough for the threads to be busy */

/* One program and what is said about it. */
struct item {
    const char *path;
    ptog_diags *parsed;         /* about the text alone */
    struct judgement judgement; /* for its targets; none: it could not be parsed */
    int result;                 /* an enum tool_exit; TOOL_USAGE: `why` says why */
    struct tool_why why;
};

#define MAX_CHECKED (JUDGE_MOST + 1) /* entries of a program in a report */

/* Some of the paths: those that are looked at, and told, together. */
struct check_work {
    const struct check_request *request;
    size_t first, count;
    struct item *items;           /* one for each */
    struct ptog_checked *checked; /* their findings, as reports take them */
    struct tool_totals totals;    /* of all so far */
    int result;
};

/* ---- one program ---- */

/* Checks a parsed program on its targets, and decides what its item's result is. */
static void check_program(const struct check_request *request, struct item *item, const ptog_program *program)
{
    struct judgement *judgement = &item->judgement;
    item->result = TOOL_USAGE;
    if (!judge_open(judgement, program, request->target))
        return;
    for (size_t i = 0; i < judgement->count; i++)
        judge_check(&judgement->of[i], program);
    judge_decide(judgement, &request->telling);
    item->result = tool_max_exit(judgement->result, tool_judge(&request->telling, item->parsed, TOOL_OK));
    for (size_t i = 0; i < judgement->count; i++)
        if (judgement->of[i].result == TOOL_USAGE)
            tool_why_set(&item->why, "%s", ptog_status_text(judgement->of[i].status));
}

/* In a thread of its own: it prints nothing. */
static void check_item(void *user, size_t i)
{
    const struct check_work *work = user;
    struct item *item = &work->items[i];
    ptog_program *program = NULL;
    *item = (struct item){.path = work->request->paths.list[work->first + i], .result = TOOL_USAGE};
    item->parsed = ptog_diags_new();
    tool_why_set(&item->why, "out of memory");
    if (item->parsed)
        item->result = tool_open_quietly(item->path, &program, item->parsed, NULL, &item->why);
    ptog_program_be_strict(program, work->request->strict);
    if (item->result == TOOL_OK)
        check_program(work->request, item, program);
    else
        item->result = tool_judge(&work->request->telling, item->parsed, item->result);
    ptog_program_free(program);
}

/* ---- all of them ---- */

void check_summarize(const struct check_request *request, const struct tool_totals *totals)
{
    bool many = request->paths.searched || request->paths.count > 1;
    if (!many || request->telling.quiet)
        return;
    tool_totals_print(totals, "check", tool_when(totals->passed > 0, "; races not checked: use ptog run"));
}

/* Adds the result of a file to the totals. */
static void count_item(struct check_work *work, const struct item *item, const struct ptog_checked *checked,
                       size_t count)
{
    enum ptog_verdict verdict = item->judgement.count > 0 ? judge_verdict(&item->judgement) : PTOG_FAILED;
    tool_totals_add(&work->totals, item->result, verdict);
    tool_totals_count(&work->totals, checked, count);
    work->result = tool_max_exit(work->result, item->result);
}

/* Adds the entries of a program to those of a report. */
static size_t add_checked(const struct item *item, struct ptog_checked *checked)
{
    size_t count = 0;
    bool unread = item->result == TOOL_USAGE;
    if (unread || item->judgement.count == 0 || ptog_diags_count(item->parsed) > 0)
        checked[count++] =
            (struct ptog_checked){.file = item->path, .diags = item->parsed, .unread = unread ? item->why.text : NULL};
    if (!unread)
        count += judge_checked(&item->judgement, item->path, &checked[count]);
    return count;
}

/* Prints what the files of a batch have shown, in the order of the paths, whichever thread was first, and counts it. */
static void tell_batch(struct check_work *work)
{
    size_t count = 0;
    for (size_t i = 0; i < work->count; i++) {
        const struct item *item = &work->items[i];
        size_t own = add_checked(item, &work->checked[count]);
        count_item(work, item, &work->checked[count], own);
        count += own;
        if (item->result == TOOL_USAGE)
            tool_fail("check", "%s: %s", item->path, item->why.text);
    }
    tool_tell(&work->request->telling, work->checked, count);
    bool one = work->request->paths.count == 1 && !work->request->paths.searched;
    if (one && !work->request->telling.quiet)
        judge_print(&work->items[0].judgement, "check", false);
}

/* Checks some files at once, tells about them in their order, and frees what is known of them. */
static void check_batch(struct check_work *work)
{
    tool_parallel(work->count, work->request->jobs, check_item, work);
    tell_batch(work);
    for (size_t i = 0; i < work->count; i++) {
        ptog_diags_free(work->items[i].parsed);
        judge_close(&work->items[i].judgement);
    }
}

/* One object needs all findings at its end; lines are told batch after batch, so that only a batch is held in memory.
 */
static size_t batch_of(const struct check_request *request)
{
    enum tool_format format = request->telling.format;
    bool lines = format == TOOL_TEXT || format == TOOL_GITHUB || format == TOOL_GCC;
    if (lines && request->paths.count > BATCH)
        return BATCH;
    return request->paths.count;
}

/* Checks the files in batches; the exit status. */
static int check_files(const struct check_request *request)
{
    size_t all = request->paths.count, batch = batch_of(request);
    struct check_work work = {.request = request,
                              .items = calloc(batch + 1, sizeof *work.items),
                              .checked = calloc(batch * MAX_CHECKED + 1, sizeof *work.checked)};
    bool room = work.items && work.checked;
    if (!room)
        work.result = tool_fail("check", "out of memory");
    do {
        work.count = tool_min(all - work.first, batch);
        if (room)
            check_batch(&work);
        work.first += work.count;
    } while (work.first < all);
    check_summarize(request, &work.totals);
    free(work.items);
    free(work.checked);
    return work.result;
}

/* ---- the command line ---- */

/* *all: --target all. False after a message. */
static bool take_target(struct check_request *request, bool *all)
{
    *all = request->target_text && strcmp(request->target_text, "all") == 0;
    if (request->target_text && !*all && !(request->target = tool_target("check", request->target_text)))
        return false;
    return !request->aicore || tool_take_aicore("check", &request->target);
}

/* Lists the files below the paths, and checks them; the exit status. */
static int check_paths(struct check_request *request, const char *const *paths, bool all)
{
    if (!paths[0])
        return tool_usage("check", "needs a file or a directory; '-' is standard input");
    for (; *paths; paths++)
        tool_paths_add(&request->paths, "check", *paths);
    int result = all ? tool_check_all(request) : check_files(request);
    if (request->paths.failed)
        return TOOL_USAGE;
    return result;
}

/* ptog check: reads the options and checks; the exit status. */
static int check_run(int argc, char **argv)
{
    struct check_request request = {0};
    bool all;
    const char **paths = calloc((size_t)argc + 1, sizeof *paths);
    int result = TOOL_USAGE;
    if (!paths)
        return tool_fail("check", "out of memory");
    if (tool_parse(argc, argv, &tool_check, &request, paths, argc) &&
        tool_format("check", request.telling.format_text, &request.telling.format) &&
        tool_take_jobs("check", request.jobs_text, &request.jobs) && take_target(&request, &all))
        result = check_paths(&request, paths, all);
    tool_paths_free(&request.paths);
    free(paths);
    return result;
}

#define AT(field) .at = offsetof(struct check_request, field)

static const struct tool_option options[] = {
    {"--target", "T",
     "the target to check for: see 'ptog targets'. Default: the target that the module's attribute pto.target_arch names, or a2a3 and a5",
     TOOL_TARGETS, AT(target_text)},
    {"--target", "all", "print a table of the targets that accept each file, and why the others do not",
     .offers = NULL},
    {"--aicore", NULL, TOOL_AICORE, NULL, AT(aicore)},
    {"--strict", NULL, TOOL_STRICT, NULL, AT(strict)},
    {"--jobs", "N", "check N files at the same time (default: one per processor)", NULL, AT(jobs_text)},
    TOOL_TELLING_OPTIONS(struct check_request),
    {.name = NULL},
};

const struct tool_command tool_check = {
    .name = "check",
    .arguments = "FILE|DIR... [--target T|all] [--format F] [OPTION]...",
    .summary = "check programs without running them",
    .about =
        "Checks programs without running them. '-' is standard input; for a directory, every .pto file below it is checked, with a summary at the end. Findings go to standard error, each with its location, the reason, a fix if there is one, and an id for 'ptog explain'. Races are not checked: use 'ptog run' for that. The exit status is 1 if there is an error on a target that accepts the program, if no target accepts it, or if something was not judged; warnings and notes do not change it. A check needs no --max-steps, --max-work or --max-memory: it looks at each operation once and executes none, so the size of the text bounds its time and memory.",
    .options = options,
    .after =
        "To suppress a finding, put the comment '// ptog: allow ID' at the end of the line, or on the line above. A program that is refused stays refused.",
    .offers = TOOL_FILES,
    .run = check_run,
};
