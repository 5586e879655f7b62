/* tool: ptog run of several files and directories: each program with generated data, and a line that counts them. */
#include "run.h"

#include <stdlib.h>

#include "io/grow.h"
#include "io/pick.h"

#define BATCH 64 /* programs; enough for the threads to be busy */

struct many {
    struct run_request *request;
    struct run_job *jobs; /* one object needs all findings at its end: so many are kept; of lines, a batch */
    struct tool_held *held;
    size_t first, count; /* of the batch */
    size_t threads;      /* 0: one per processor */
    struct ptog_checked *checked;
    size_t checked_count, checked_room;
    struct tool_totals totals;
    int result;
};

/* Lines can be told program after program. */
static bool tells_lines(const struct run_request *request)
{
    enum tool_format format = request->telling.format;
    return format == TOOL_TEXT || format == TOOL_GITHUB || format == TOOL_GCC;
}

/* Adds the result of a program to the totals. */
static void count_job(struct many *many, const struct run_job *job)
{
    struct ptog_checked checked[RUN_MAX_CHECKED];
    enum ptog_verdict verdict = job->judgement.count > 0 ? judge_verdict(&job->judgement) : PTOG_FAILED;
    tool_totals_add(&many->totals, job->status, verdict);
    tool_totals_count(&many->totals, checked, run_job_checked(job, checked));
    if (job->status > many->result)
        many->result = job->status;
}

/* Keeps what was found for the end, or tells it now. */
static void take_findings(struct many *many, const struct run_job *job)
{
    struct ptog_checked checked[RUN_MAX_CHECKED];
    size_t count = run_job_checked(job, checked);
    if (job->why.text[0])
        tool_fail("run", "%s: %s", job->path, job->why.text);
    if (tells_lines(many->request)) {
        tool_tell(&many->request->telling, checked, count);
        return;
    }
    if (!tool_reserve(&many->checked, many->checked_count + count, &many->checked_room)) {
        many->result = tool_fail("run", "out of memory");
        return;
    }
    for (size_t i = 0; i < count; i++)
        many->checked[many->checked_count++] = checked[i];
}

/* In a thread of its own: what it prints is held. */
static void run_file(void *user, size_t i)
{
    const struct many *many = user;
    struct run_items items = {.command = "run", .silent = true};
    struct run_job *job = &many->jobs[i];
    *job = (struct run_job){.request = many->request,
                            .items = &items,
                            .path = many->request->paths.list[many->first + i],
                            .beside_others = many->threads != 1};
    if (job->beside_others)
        tool_hold_messages(&many->held[i]);
    run_job(job);
    tool_held_end();
    job->items = NULL;
    run_items_free(&items);
}

/* Everything is said in the order of the paths, whichever thread was first. */
static void run_batch(struct many *many)
{
    tool_parallel(many->count, many->threads, run_file, many);
    for (size_t i = 0; i < many->count; i++) {
        struct run_job *job = &many->jobs[i];
        tool_held_print(&many->held[i]);
        count_job(many, job);
        take_findings(many, job);
        if (tells_lines(many->request))
            run_job_close(job);
    }
}

/* What the machine shows of each program is printed while it runs. */
static size_t threads_for(const struct run_request *request)
{
    if (request->machine.stats || request->machine.map)
        return 1;
    return request->jobs;
}

int run_many(struct run_request *request)
{
    struct many many = {.request = request, .threads = threads_for(request)};
    size_t all = request->paths.count, batch = all;
    bool lines = tells_lines(request);
    if (lines)
        batch = many.threads == 1 ? 1 : tool_min(all, BATCH);
    many.jobs = calloc(batch + 1, sizeof *many.jobs);
    many.held = calloc(batch + 1, sizeof *many.held);
    bool room = many.jobs && many.held;
    if (!room)
        many.result = tool_fail("run", "out of memory");
    for (; room && many.first < all; many.first += many.count) {
        many.count = tool_min(all - many.first, batch);
        run_batch(&many);
    }
    if (room && !lines) {
        tool_tell(&request->telling, many.checked, many.checked_count);
        for (size_t i = 0; i < all; i++)
            run_job_close(&many.jobs[i]);
    }
    if (!request->telling.quiet)
        tool_totals_print(&many.totals, "run", "");
    free(many.jobs);
    free(many.held);
    free(many.checked);
    return many.result;
}
