/* tool: ptog run of several files and directories: each program with generated data, and a line that counts them. */
#include "run.h"

#include <stdlib.h>

#include "io/grow.h"
#include "io/pick.h"

struct many {
    struct run_request *request;
    struct run_job *jobs; /* one object needs all findings at its end: so many are kept */
    size_t count;
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

static void count_job(struct many *many, const struct run_job *job)
{
    struct ptog_checked checked[RUN_MOST_CHECKED];
    enum ptog_verdict verdict = job->judgement.count > 0 ? judge_verdict(&job->judgement) : PTOG_FAILED;
    tool_totals_add(&many->totals, job->status, verdict);
    tool_totals_count(&many->totals, checked, run_job_checked(job, checked));
    if (job->status > many->result)
        many->result = job->status;
}

/* Keeps what was found for the end, or tells it now. */
static void take_findings(struct many *many, const struct run_job *job)
{
    struct ptog_checked checked[RUN_MOST_CHECKED];
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

static void run_file(struct many *many, struct run_job *job, const char *path)
{
    struct run_items items = {.command = "run", .silent = true};
    *job = (struct run_job){.request = many->request, .items = &items, .path = path};
    run_job(job);
    count_job(many, job);
    take_findings(many, job);
    if (tells_lines(many->request))
        run_job_close(job);
    job->items = NULL;
    run_items_free(&items);
}

int run_many(struct run_request *request)
{
    struct many many = {.request = request, .count = request->paths.count};
    bool lines = tells_lines(request);
    many.jobs = calloc(lines ? 1 : many.count, sizeof *many.jobs);
    if (!many.jobs)
        return tool_fail("run", "out of memory");
    for (size_t i = 0; i < many.count; i++)
        run_file(&many, &many.jobs[lines ? 0 : i], request->paths.list[i]);
    if (!lines) {
        tool_tell(&request->telling, many.checked, many.checked_count);
        for (size_t i = 0; i < many.count; i++)
            run_job_close(&many.jobs[i]);
    }
    if (!request->telling.quiet)
        tool_totals_print(&many.totals, "run", "");
    free(many.jobs);
    free(many.checked);
    return many.result;
}
