/* program: completing a program: runs that look for lines until none is missing, then runs without one line each. */
#include "program/complete.h"

#include <stdlib.h>
#include <string.h>

#include "core/automatic.h"
#include "program/eval.h"
#include "program/run.h"

#define MOST_ROUNDS 64                   /* each adds a line, of which an operation takes few */
#define MOST_LOOK UINT64_C(300000)       /* operations of a run that looks for lines, about a third of a second */
#define MOST_WORK UINT64_C(2000000)      /* operations that leaving out may take */
#define MOST_TOLERATED (UINT32_MAX / 2u) /* nothing stops such a run */

bool ptog_lines_add(struct ptog_lines *lines, uint32_t at, const struct ptog_sync *syncs, uint32_t count)
{
    uint32_t room = lines->room ? lines->room : 4;
    while (room < lines->count + count)
        room *= 2;
    struct ptog_sync *of = room > lines->room ? realloc(lines->of, room * sizeof *of) : lines->of;
    if (!of)
        return false;
    memmove(&of[at + count], &of[at], (lines->count - at) * sizeof *of);
    memcpy(&of[at], syncs, count * sizeof *of);
    *lines = (struct ptog_lines){of, lines->count + count, room};
    return true;
}

enum ptog_status ptog_completion_open(struct ptog_completion *completion, const struct ptog_program *program)
{
    *completion = (struct ptog_completion){.op_count = program->tree.op_count};
    completion->before = calloc((size_t)completion->op_count + 1, sizeof *completion->before);
    completion->after = calloc((size_t)completion->op_count + 1, sizeof *completion->after);
    return completion->before && completion->after ? PTOG_OK : PTOG_NO_MEMORY;
}

static void free_lines(struct ptog_lines *lines, uint32_t count)
{
    for (uint32_t i = 0; lines && i < count; i++)
        free(lines[i].of);
    free(lines);
}

void ptog_completion_close(struct ptog_completion *completion)
{
    free_lines(completion->before, completion->op_count);
    free_lines(completion->after, completion->op_count);
    completion->before = completion->after = NULL;
}

/* ---- the caller's memory, which every run changes */

static bool is_written(const struct ptog_eval *e, const struct ptog_gm_buffer *buffer)
{
    return buffer->slot && e->slots[buffer->slot - 1].written && buffer->data && buffer->bytes > 0;
}

static bool keep_memory(struct ptog_search *search)
{
    const struct ptog_eval *e = search->e;
    search->copies = calloc((size_t)e->memory_count + 1, sizeof *search->copies);
    bool good = search->copies != NULL;
    for (uint32_t i = 0; good && i < e->memory_count; i++) {
        const struct ptog_gm_buffer *buffer = &e->memories[i];
        if (!is_written(e, buffer))
            continue;
        good = (search->copies[i] = malloc(buffer->bytes)) != NULL;
        if (good)
            memcpy(search->copies[i], buffer->data, buffer->bytes);
    }
    return good;
}

static void restore_memory(const struct ptog_search *search)
{
    for (uint32_t i = 0; i < search->e->memory_count; i++)
        if (search->copies[i])
            memcpy(search->e->memories[i].data, search->copies[i], search->e->memories[i].bytes);
}

/* ---- trials */

bool ptog_search_open(struct ptog_search *search, struct ptog_completion *completion, struct ptog_eval *e,
                      const struct ptog_execution *execution, const struct ptog_function *function)
{
    *search = (struct ptog_search){.completion = completion, .e = e, .function = function, .execution = *execution};
    search->execution.no_sanitize = false;
    search->execution.schedule = PTOG_SCHEDULE_COST;
    search->execution.trace = NULL;
    search->execution.watch = NULL;
    return keep_memory(search);
}

void ptog_search_close(struct ptog_search *search)
{
    for (uint32_t i = 0; search->copies && i < search->e->memory_count; i++)
        free(search->copies[i]);
    free(search->copies);
}

enum ptog_status ptog_search_run(struct ptog_search *search, struct ptog_trial *trial, ptog_diags *report,
                                 size_t *faults)
{
    const struct ptog_program *program = search->e->program;
    struct ptog_finds finds = {.source = &program->source, .off = true};
    struct ptog_eval e;
    trial->completion = search->completion;
    enum ptog_status status = ptog_eval_open(&e, program, search->e->target, &finds);
    e.machine.trial = trial;
    if (status == PTOG_OK)
        status = ptog_run_once(&e, &search->execution, search->function);
    *faults = e.machine.device ? ptog_device_unordered(e.machine.device) : 0;
    if (report && e.machine.device && ptog_device_report(e.machine.device, report) != PTOG_OK)
        status = PTOG_NO_MEMORY;
    if (e.machine.device && ptog_device_failed(e.machine.device))
        status = PTOG_NO_MEMORY;
    search->work += e.steps;
    if (e.max_steps == MOST_LOOK && e.steps > MOST_LOOK)
        search->completion->cut = true;
    ptog_eval_close(&e);
    ptog_finds_free(&finds);
    restore_memory(search);
    return status == PTOG_NO_MEMORY ? status : PTOG_OK;
}

/* Runs that add what is missing, until one adds nothing. */
static enum ptog_status discover(struct ptog_search *search)
{
    enum ptog_status status = PTOG_OK;
    struct ptog_trial trial = {.grew = true};
    for (int round = 0; round < MOST_ROUNDS && trial.grew && status == PTOG_OK; round++) {
        trial = (struct ptog_trial){.discovers = true, .tolerated = MOST_TOLERATED};
        status = ptog_search_run(search, &trial, NULL, &search->accepted);
    }
    return status;
}

static void drop(struct ptog_lines *lines, uint32_t line)
{
    lines->count--;
    memmove(&lines->of[line], &lines->of[line + 1], (lines->count - line) * sizeof *lines->of);
}

/* Whether the run is as clean without the line; then it is dropped. */
static enum ptog_status try_without(struct ptog_search *search, uint32_t op, uint32_t line, bool *dropped)
{
    struct ptog_trial trial = {
        .stops = true, .tolerated = search->accepted, .without_op = op, .without_line = line + 1};
    size_t faults;
    enum ptog_status status = ptog_search_run(search, &trial, NULL, &faults);
    *dropped = status == PTOG_OK && !trial.found && faults <= search->accepted;
    if (*dropped)
        drop(&search->completion->before[op], line);
    return status;
}

/* Leaves out, last line first, until each that is left is needed. */
static enum ptog_status minimise(struct ptog_search *search)
{
    struct ptog_completion *completion = search->completion;
    enum ptog_status status = PTOG_OK;
    uint64_t start = search->work;
    for (bool again = true; again && status == PTOG_OK;) {
        again = false;
        completion->untried = 0;
        for (uint32_t op = completion->op_count; op-- > 0;)
            for (uint32_t line = completion->before[op].count; line-- > 0 && status == PTOG_OK;) {
                bool dropped = false;
                if (search->work - start > MOST_WORK)
                    completion->untried++;
                else
                    status = try_without(search, op, line, &dropped);
                again |= dropped;
            }
    }
    return status;
}

void ptog_completion_count(struct ptog_completion *completion)
{
    completion->pairs = completion->barriers = 0;
    for (uint32_t op = 0; op < completion->op_count; op++)
        for (uint32_t i = 0; i < completion->before[op].count; i++)
            if (ptog_sync_is_barrier(&completion->before[op].of[i]))
                completion->barriers++;
            else
                completion->pairs++;
}

enum ptog_status ptog_complete(struct ptog_completion *completion, struct ptog_eval *e,
                               const struct ptog_execution *execution, const struct ptog_function *function, bool whole)
{
    struct ptog_search search;
    enum ptog_status status = ptog_search_open(&search, completion, e, execution, function) ? PTOG_OK : PTOG_NO_MEMORY;
    if (!whole && e->max_steps > MOST_LOOK)
        search.execution.max_steps = MOST_LOOK;
    if (status == PTOG_OK)
        status = discover(&search);
    if (status == PTOG_OK && search.accepted > 0 && e->machine.has_sync)
        status = ptog_mend(&search);
    if (status == PTOG_OK)
        status = minimise(&search);
    ptog_search_close(&search);
    ptog_completion_count(completion);
    return status;
}
