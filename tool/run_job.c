/* tool: one program of ptog run: it is judged for its target, or, when nobody names one, for a2a3 and a5; then the
 * bytes come from host. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "io/pick.h"

/* ---- what is run ---- */

struct ptog_execution run_execution(struct run_job *job, const struct ptog_binding *bindings, size_t count)
{
    const struct run_request *request = job->request;
    return (struct ptog_execution){
        .target = request->target,
        .function = request->function,
        .bindings = bindings,
        .binding_count = count,
        .blocks = request->blocks,
        .subblocks = (uint32_t)request->subblocks,
        .max_steps = (uint64_t)request->max_steps,
        .max_work = (uint64_t)request->max_work,
        .max_memory = (uint64_t)request->max_memory,
        .schedule = request->machine.schedule,
        .launch = request->machine.launch,
        .seed = request->machine.seed,
        .dyn_ub = request->machine.dyn_ub,
        .no_sanitize = request->machine.no_sanitize,
        .trace = job->timeline.write ? &job->timeline : NULL,
        .trace_drawings = request->report.path != NULL,
        .trace_short = !request->trace.path,
        .late = request->machine.late,
        .late_count = request->machine.late_count,
        .progress = job->progress.wanted ? &job->shown : NULL,
    };
}

/* Nobody names a target: a program for whatever device takes it. */
static bool is_for_any(const struct run_job *job)
{
    return !job->request->target && !ptog_program_target(job->program);
}

/* Some options are about one target. */
static int needs_target(const struct run_job *job)
{
    const char *option = run_option_for(job->request, RUN_ONE_TARGET);
    if (option && is_for_any(job))
        return tool_fail("run", "%s: the program names no target; use --target a2a3, a5 or a5-custom", option);
    return TOOL_OK;
}

/* Data for what is not bound, unless --data none. TOOL_WRONG: there is too much of it, as every target says. */
static int generate_data(struct run_job *job)
{
    struct judgement *judgement = &job->judgement;
    struct ptog_execution execution = run_execution(job, NULL, 0);
    job->items->made_up = !job->request->data_text;
    job->items->silent = job->items->silent || job->request->telling.quiet;
    int status = run_make_up(job->items, job->program, &execution, judgement->of[0].diags);
    const struct ptog_diag *diag = ptog_diags_at(judgement->of[0].diags, 0);
    for (size_t i = 1; status == TOOL_WRONG && i < judgement->count; i++)
        if (ptog_diags_append(judgement->of[i].diags, diag) != PTOG_OK)
            status = tool_fail("run", "out of memory");
    return status;
}

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

/* Starts the trace, if a file or the page wants it; false after an error, which is reported. */
static bool start_timeline(struct run_job *job, const struct ptog_target *target)
{
    struct run_request *request = job->request;
    if (!run_trace_start(&request->trace, target))
        return false;
    request->report.trace.most = request->trace.path ? PTOG_PAGE_TRACE + 1 : 0; /* else the run limits it */
    if (request->trace.path || (request->report.path && target->ub_bytes > 0))
        job->timeline = (struct ptog_sink){.write = take_timeline, .user = request};
    return true;
}

/* Runs it in place, for its bytes. */
static void run_in_place(struct run_job *job, struct judged *judged, struct ptog_execution execution)
{
    execution.target = judged->own ? NULL : judged->target;
    execution.started = &judged->accepts;
    if (judged->target->cpu_threads)
        execution.threads = job->request->machine.cpu_threads;
    judge_status(judged, ptog_program_run(job->program, &execution, judged->diags, &job->result));
    tool_progress_end(&job->progress);
}

/* ---- a program that is for any device ---- */

/* Something is to be written. */
static bool has_outputs(const struct run_items *items)
{
    for (size_t i = 0; i < items->count; i++)
        if (items->list[i].to)
            return true;
    return false;
}

/* The bytes are those of host. A host that refuses the program says so, and there are none. */
static void run_on_host(struct run_job *job, const struct ptog_execution *execution)
{
    job->host.target = ptog_target_at(PTOG_TARGET_HOST);
    job->host.diags = ptog_diags_new();
    if (!job->host.diags) {
        judge_status(&job->host, PTOG_NO_MEMORY);
        return;
    }
    run_in_place(job, &job->host, *execution);
    if (job->host.status == PTOG_OK || job->host.status == PTOG_FAULT)
        ptog_diags_clear(job->host.diags);
    else if (!ptog_diags_not_for(job->host.diags, job->host.target->name))
        judge_status(&job->host, PTOG_NO_MEMORY);
}

/* Runs the program on every target that takes it, on copies, and then on host for its results. */
static void judge_for_any(struct run_job *job, const struct ptog_execution *execution)
{
    bool accepted = false;
    for (size_t i = 0; i < job->judgement.count; i++) {
        judge_run(&job->judgement.of[i], job->program, execution);
        accepted |= job->judgement.of[i].accepts;
        tool_progress_end(&job->progress);
    }
    run_find_repair(job, execution);
    if (accepted)
        run_on_host(job, execution);
    if (job->host.result == TOOL_USAGE)
        job->status = tool_fail("run", "%s: %s", job->path, ptog_status_text(job->host.status));
}

/* ---- a program with a target ---- */

/* What is about pipes has no answer on a target without them: a program that was written is not a repaired one. */
static void say_without_pipes(const struct run_request *request, const struct ptog_target *target)
{
    const char *option = run_option_for(request, RUN_PIPES);
    if (option && target->ub_bytes == 0)
        fprintf(tool_err(), "ptog run: %s: %s has no pipes; use --target a2a3, a5 or a5-custom\n", option,
                target->name);
}

/* Runs the program on its target, on the buffers themselves. */
static void judge_for_one(struct run_job *job, const struct ptog_execution *execution)
{
    struct judged *judged = &job->judgement.of[0];
    run_in_place(job, judged, *execution);
    run_find_repair(job, execution);
    if (!run_trace_end(&job->request->trace, job->result != NULL))
        job->status = TOOL_USAGE;
}

/* ---- what it leaves ---- */

static void add_status(struct run_job *job, int status)
{
    if (status > job->status)
        job->status = status;
}

/* Outputs, witnesses, figures, the program as it ran. */
static void leave(struct run_job *job)
{
    struct run_request *request = job->request;
    struct judged *judged = job->host.target ? &job->host : &job->judgement.of[0];
    if (!job->result)
        return;
    if (!run_save(job->items, job->result) || !run_witness_write(request->machine.witness, judged->diags))
        job->status = TOOL_USAGE;
    bool in_object = request->telling.format == TOOL_JSON && request->machine.stats;
    job->has_stats = in_object && ptog_result_stats(job->result, &job->figures) == PTOG_OK;
    if (judged != &job->host)
        say_without_pipes(request, judged->target);
    run_machine_print(&request->machine, job->result, judged->target);
    if (request->prints)
        add_status(job, run_print_placement(job, judged));
}

/* ---- all of it ---- */

/* The exit status, by what was found. */
static void decide(struct run_job *job)
{
    if (!job->result && has_outputs(job->items))
        add_status(job, TOOL_WRONG); /* whatever is allowed: they were not written */
    judge_decide(&job->judgement, &job->request->telling);
    add_status(job, job->judgement.result);
    add_status(job, tool_judge(&job->request->telling, job->parsed, TOOL_OK));
}

/* Runs the program as its targets want it, and decides the status of the job. */
static void judge_and_run(struct run_job *job)
{
    size_t count;
    struct ptog_binding *bindings = run_bindings(job->items, &count);
    if (!bindings) {
        run_trace_end(&job->request->trace, false);
        job->status = tool_fail("run", "out of memory");
        return;
    }
    struct ptog_execution execution = run_execution(job, bindings, count);
    if (is_for_any(job))
        judge_for_any(job, &execution);
    else
        judge_for_one(job, &execution);
    free(bindings);
    leave(job);
    decide(job);
    for (size_t i = 0; i < job->judgement.count; i++)
        if (job->judgement.of[i].result == TOOL_USAGE)
            tool_fail("run", "%s: %s", job->path, ptog_status_text(job->judgement.of[i].status));
}

/* Chooses function and targets, loads and generates the data, and starts the trace; TOOL_OK or the exit status. */
static int prepare_run(struct run_job *job)
{
    struct run_request *request = job->request;
    int status = run_choose_function("run", job->program, request->function);
    if (status == TOOL_OK)
        status = needs_target(job);
    if (status != TOOL_OK)
        return status;
    if (!judge_open(&job->judgement, job->program, request->target))
        return tool_fail("run", "out of memory");
    if (ptog_program_slots_on(job->program, request->function, request->target) == PTOG_NO_MEMORY)
        return tool_fail("run", "out of memory");
    if (!run_load(job->items, job->program, request->function))
        return TOOL_USAGE;
    status = generate_data(job);
    if (status == TOOL_WRONG) {
        job->unjudged = true;
        return TOOL_OK;
    }
    if (status == TOOL_OK && request->repairs)
        status = run_repair(job);
    if (status == TOOL_OK && !start_timeline(job, job->judgement.of[0].target))
        return TOOL_USAGE;
    return status;
}

/* --report: of a program that is refused, too. */
static bool write_report(struct run_job *job)
{
    const struct run_request *request = job->request;
    const struct judged *judged = &job->judgement.of[0];
    const struct ptog_target *target = request->target;
    if (job->judgement.count > 0)
        target = judged->target;
    struct ptog_page page = {
        .name = request->repairs && request->to ? request->to : job->path,
        .text = job->text.bytes,
        .text_bytes = job->text.size,
        .target = target ? target : ptog_target_at(PTOG_TARGET_HOST),
        .diags = judged->diags ? judged->diags : job->parsed,
        .unchecked = request->machine.no_sanitize,
    };
    return run_report_write(&job->request->report, &page, job->result);
}

void run_job(struct run_job *job)
{
    job->parsed = ptog_diags_new();
    job->status = job->parsed ? tool_open_quietly(job->path, &job->program, job->parsed, &job->text, &job->why)
                              : tool_fail("run", "out of memory");
    ptog_program_be_strict(job->program, job->request->strict);
    tool_progress_start(&job->progress);
    job->progress.wanted &= job->request->telling.format == TOOL_TEXT && !job->beside_others;
    job->shown = tool_progress_of_run(&job->progress, job->path);
    if (job->status == TOOL_OK) {
        job->status = prepare_run(job);
        if (job->unjudged)
            decide(job);
        else if (job->status == TOOL_OK)
            judge_and_run(job);
    } else {
        job->status = tool_judge(&job->request->telling, job->parsed, job->status);
    }
    if (job->status != TOOL_USAGE && !write_report(job))
        job->status = TOOL_USAGE;
}

/* Fills `checked` with the lists of diagnostics of a job, one for each target, and returns how many. */
size_t run_job_checked(const struct run_job *job, struct ptog_checked checked[RUN_MAX_CHECKED])
{
    size_t count = 0;
    const char *unread = job->why.text[0] ? job->why.text : NULL;
    if (unread || ptog_diags_count(job->parsed) > 0 || job->judgement.count == 0)
        checked[count++] = (struct ptog_checked){.file = job->path, .diags = job->parsed, .unread = unread};
    count += judge_checked(&job->judgement, job->path, &checked[count]);
    if (job->host.target && ptog_diags_count(job->host.diags) > 0)
        checked[count++] =
            (struct ptog_checked){.file = job->path, .target = job->host.target->name, .diags = job->host.diags};
    return count;
}

/* Frees what a job has, but not the items of its request. */
void run_job_close(struct run_job *job)
{
    ptog_result_free(job->result);
    ptog_program_free(job->program);
    judge_close(&job->judgement);
    ptog_diags_free(job->host.diags);
    ptog_diags_free(job->parsed);
    free(job->text.bytes);
}
