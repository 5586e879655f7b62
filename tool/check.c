/* tool: ptog check, everything that is wrong with programs, on one target or on all. */
#include "check.h"

#include "io/pick.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

#define BATCH 64 /* programs; enough for the threads to be busy */

/* One program and what is said about it. */
struct item {
    const char *path;
    const struct ptog_target *target; /* that it was checked for; NULL: it was not */
    ptog_diags *diags;
    ptog_program *program; /* of a single one, to be told about; NULL: it is gone */
    int result;            /* an enum tool_exit; TOOL_USAGE: `why` says why */
    struct tool_why why;
};

/* Some of the paths: those that are looked at, and told, together. */
struct check_work {
    const struct check_request *request;
    size_t first, count;
    struct item *items;           /* one for each */
    struct ptog_checked *checked; /* the same, as reports take them */
    struct check_totals totals;   /* of all so far */
    int result;
};

/* ---- one program ---- */

static const struct ptog_target *target_for(const struct check_request *request, const ptog_program *program)
{
    const struct ptog_target *target = request->target ? request->target : ptog_program_target(program);
    if (target)
        return target;
    return ptog_target_find("host");
}

static void check_program(const struct check_request *request, struct item *item, const ptog_program *program)
{
    enum ptog_status status = ptog_program_check(program, request->target, item->diags);
    item->target = target_for(request, program);
    item->result = tool_has_errors(item->diags, 0) ? TOOL_WRONG : TOOL_OK;
    if (status != PTOG_OK && status != PTOG_ILLEGAL) {
        item->result = TOOL_USAGE;
        tool_why_set(&item->why, "%s", ptog_status_text(status));
    }
}

/* One program for which nobody named a target: it was checked for host, which takes more than the machines do. */
static bool is_without_target(const struct check_request *request, const ptog_program *program)
{
    return request->paths.count == 1 && !request->target && !ptog_program_target(program) && !request->telling.quiet &&
           target_for(request, program)->machine == PTOG_NO_MACHINE;
}

/* In a thread of its own: it prints nothing. */
static void check_item(void *user, size_t i)
{
    const struct check_work *work = user;
    struct item *item = &work->items[i];
    ptog_program *program = NULL;
    *item = (struct item){0};
    item->path = work->request->paths.list[work->first + i];
    item->diags = ptog_diags_new();
    item->program = NULL;
    item->result = TOOL_USAGE;
    tool_why_set(&item->why, "out of memory");
    if (item->diags)
        item->result = tool_open_quietly(item->path, &program, item->diags, NULL, &item->why);
    ptog_program_be_strict(program, work->request->strict);
    if (item->result == TOOL_OK)
        check_program(work->request, item, program);
    item->result = tool_judge(&work->request->telling, item->diags, item->result);
    if (program && is_without_target(work->request, program))
        item->program = program;
    else
        ptog_program_free(program);
}

/* ---- all of them ---- */

void check_add(struct check_totals *totals, int result, const ptog_diags *diags)
{
    totals->clean += result == TOOL_OK;
    totals->wrong += result == TOOL_WRONG;
    totals->unread += result == TOOL_USAGE;
    totals->errors += tool_count(diags, PTOG_ERROR);
    totals->warnings += tool_count(diags, PTOG_WARNING);
    totals->notes += tool_count(diags, PTOG_NOTE);
}

static const char *print_count(const char *separator, size_t count, const char *what)
{
    if (count == 0)
        return separator;
    fprintf(stderr, "%s%zu %s%s", separator, count, what, tool_plural(count));
    return ", ";
}

/* "12 files: 10 right, 1 wrong, 1 not read; 3 errors, 1 warning" */
void check_summarize(const struct check_request *request, const struct check_totals *totals)
{
    size_t files = totals->clean + totals->wrong + totals->unread;
    const char *separator = "; ";
    if (!request->paths.searched || request->telling.quiet || files == 0)
        return;
    fprintf(stderr, "ptog check: %zu file%s: %zu right", files, tool_plural(files), totals->clean);
    if (totals->wrong > 0)
        fprintf(stderr, ", %zu wrong", totals->wrong);
    if (totals->unread > 0)
        fprintf(stderr, ", %zu not read", totals->unread);
    separator = print_count(separator, totals->errors, "error");
    separator = print_count(separator, totals->warnings, "warning");
    print_count(separator, totals->notes, "note");
    fputc('\n', stderr);
}

/* Everything is said in the order of the paths, whichever thread was first. */
static void tell_batch(struct check_work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        const struct item *item = &work->items[i];
        bool unread = item->result == TOOL_USAGE;
        work->checked[i] = (struct ptog_checked){.file = item->path,
                                                 .target = item->target ? item->target->name : NULL,
                                                 .diags = item->diags,
                                                 .unread = unread ? item->why.text : NULL};
        if (unread)
            tool_fail("check", "%s: %s", item->path, item->why.text);
        check_add(&work->totals, item->result, item->diags);
        if (item->result > work->result)
            work->result = item->result;
    }
    tool_tell(&work->request->telling, work->checked, work->count);
    for (size_t i = 0; i < work->count; i++)
        if (work->items[i].program && work->items[i].result == TOOL_OK)
            check_elsewhere_tell(work->items[i].program);
}

static void check_batch(struct check_work *work)
{
    tool_parallel(work->count, work->request->jobs, check_item, work);
    tell_batch(work);
    for (size_t i = 0; i < work->count; i++) {
        ptog_diags_free(work->items[i].diags);
        ptog_program_free(work->items[i].program);
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

static int check_files(const struct check_request *request)
{
    size_t all = request->paths.count, batch = batch_of(request);
    struct check_work work = {.request = request,
                              .items = calloc(batch + 1, sizeof *work.items),
                              .checked = calloc(batch + 1, sizeof *work.checked)};
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

static bool take_jobs(struct check_request *request)
{
    char *end;
    if (!request->jobs_text)
        return true;
    long number = strtol(request->jobs_text, &end, 10);
    request->jobs = (size_t)number;
    if (*end == '\0' && end != request->jobs_text && number >= 1 && number <= 1024)
        return true;
    tool_usage("check", "--jobs %s: expected a number from 1 to 1024", request->jobs_text);
    return false;
}

/* *all: --target all. False after a message. */
static bool take_target(struct check_request *request, bool *all)
{
    *all = request->target_text && strcmp(request->target_text, "all") == 0;
    if (!request->target_text || *all)
        return true;
    request->target = tool_target("check", request->target_text);
    return request->target != NULL;
}

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

static int run(int argc, char **argv)
{
    struct check_request request = {0};
    bool all;
    const char **paths = calloc((size_t)argc + 1, sizeof *paths);
    int result = TOOL_USAGE;
    if (!paths)
        return tool_fail("check", "out of memory");
    if (tool_parse(argc, argv, &tool_check, &request, paths, argc) &&
        tool_format("check", request.telling.format_text, &request.telling.format) && take_jobs(&request) &&
        take_target(&request, &all))
        result = check_paths(&request, paths, all);
    tool_paths_free(&request.paths);
    free(paths);
    return result;
}

#define AT(field) .at = offsetof(struct check_request, field)

static const struct tool_option options[] = {
    {"--target", "T",
     "the target to check for: see 'ptog targets'. Without it, the one that the module's attribute pto.target_arch "
     "names, or host",
     TOOL_TARGETS, AT(target_text)},
    {"--target", "all", "which targets accept each file, as a table, and why the others do not", .offers = NULL},
    {"--strict", NULL, TOOL_STRICT, NULL, AT(strict)},
    {"--jobs", "N", "check so many files at once; without it, one per processor", NULL, AT(jobs_text)},
    TOOL_TELLING_OPTIONS(struct check_request),
    {.name = NULL},
};

const struct tool_command tool_check = {
    .name = "check",
    .arguments = "FILE|DIR... [--target T|all] [--format F] [OPTION]...",
    .summary = "everything that is wrong with programs",
    .about =
        "Checks programs without running them; '-' is standard input, and of a directory every .pto file below it is "
        "checked, with a summary at the end. What is wrong goes to standard error, each with its place, the reason, a "
        "fix where there is one, and an id for 'ptog explain'. Nothing is said about a program that is right. The "
        "exit status is 1 when there is an error; warnings and notes do not change it.",
    .options = options,
    .after = "What a line of a program accepts on purpose is not reported: a comment at its end, or on the line above, "
             "names it: '// ptog: allow ID'. A program that is refused stays refused.",
    .offers = TOOL_FILES,
    .run = run,
};
