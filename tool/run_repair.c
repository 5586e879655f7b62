/* tool: ptog run --apply-fix: a program is repaired for one target, or, when nobody names one, so that it is clean on
 * every target that accepts it. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "io/pick.h"

#define MAX_ROUNDS 4 /* over the targets, until none of them changes the text */

/* The text so far, and the program that it is. Before the first change they are the job's. */
struct repaired_text {
    ptog_program *program;
    struct ptog_output text;
};

static void free_repaired(struct repaired_text *repaired)
{
    ptog_program_free(repaired->program);
    ptog_output_free(&repaired->text);
    *repaired = (struct repaired_text){0};
}

static bool is_same_text(const struct run_job *job, const struct repaired_text *before, const struct ptog_output *text)
{
    const char *bytes = before->program ? before->text.bytes : job->text.bytes;
    size_t used = before->program ? before->text.used : job->text.size;
    return used == text->used && (used == 0 || memcmp(bytes, text->bytes, used) == 0);
}

/* Repairs the text so far for one target. *changed is set where that changes it. */
static enum ptog_status repair_for(struct run_job *job, const struct judged *judged, struct ptog_execution execution,
                                   struct repaired_text *repaired, ptog_diags *diags, bool *changed)
{
    struct repaired_text next = {0};
    struct ptog_sink sink = ptog_output_sink(&next.text);
    const ptog_program *program = repaired->program ? repaired->program : job->program;
    execution.target = judged->own ? NULL : judged->target;
    execution.trace = NULL;
    enum ptog_status status = ptog_program_repair(program, &execution, &sink, diags);
    tool_progress_end(&job->progress);
    if (next.text.no_memory)
        status = PTOG_NO_MEMORY;
    bool same = status == PTOG_OK && is_same_text(job, repaired, &next.text);
    if (status == PTOG_OK)
        status =
            ptog_program_parse(&next.program, tool_or(job->request->to, "-"), next.text.bytes, next.text.used, diags);
    ptog_program_be_strict(next.program, job->request->strict);
    if (status != PTOG_OK) {
        free_repaired(&next);
        return status;
    }
    free_repaired(repaired);
    *repaired = next;
    *changed |= !same;
    return PTOG_OK;
}

/* The targets to repair for: those that accept the program. Where none does, each says why. */
struct repair_targets {
    struct judged *of[JUDGE_MOST];
    size_t count;
};

/* The targets that take the program, or all of them when none does. */
static struct repair_targets targets_of(struct judgement *judgement)
{
    struct repair_targets targets = {.count = 0};
    for (size_t i = 0; i < judgement->count; i++)
        if (judgement->of[i].accepts)
            targets.of[targets.count++] = &judgement->of[i];
    for (size_t i = 0; targets.count == i && i < judgement->count; i++)
        targets.of[targets.count++] = &judgement->of[i];
    return targets;
}

/* One target after the other, until none changes the text: then it is clean on all. `tells`: a target that has no
 * repair says why. *failed is that target; their number, where repairs for one spoil the others. */
static enum ptog_status repair_for_all(struct run_job *job, const struct repair_targets *targets,
                                       const struct ptog_execution *execution, struct repaired_text *repaired,
                                       bool tells, size_t *failed)
{
    bool changed = true;
    for (int round = 0; changed && round < MAX_ROUNDS; round++) {
        changed = false;
        for (size_t i = 0; i < targets->count; i++) {
            ptog_diags *diags = tells ? targets->of[i]->diags : NULL;
            enum ptog_status status = repair_for(job, targets->of[i], *execution, repaired, diags, &changed);
            *failed = i;
            if (status != PTOG_OK)
                return status;
        }
        if (targets->count == 1)
            return PTOG_OK;
    }
    *failed = targets->count;
    return changed ? PTOG_ILLEGAL : PTOG_OK;
}

bool run_has_repair(struct run_job *job, const struct ptog_execution *execution, const struct ptog_target **only)
{
    struct repaired_text repaired = {0};
    struct repair_targets targets = targets_of(&job->judgement);
    size_t failed, all = targets.count;
    enum ptog_status status = repair_for_all(job, &targets, execution, &repaired, false, &failed);
    *only = NULL;
    for (size_t i = 0; status == PTOG_ILLEGAL && all > 1 && i < all; i++) {
        struct repair_targets one = {.of = {targets.of[i]}, .count = 1};
        if (i == failed || tool_count(targets.of[i]->diags, PTOG_ERROR) == 0)
            continue;
        free_repaired(&repaired);
        *only = targets.of[i]->target;
        status = repair_for_all(job, &one, execution, &repaired, false, &failed);
    }
    free_repaired(&repaired);
    return status == PTOG_OK;
}

/* ---- why there is none */

static enum ptog_status add_reason(const struct judged *judged, const char *message)
{
    struct ptog_diag diag = {.id = "run-repair", .severity = PTOG_ERROR, .message = message};
    return ptog_diags_append(judged->diags, &diag) == PTOG_OK ? PTOG_ILLEGAL : PTOG_NO_MEMORY;
}

/* Of several targets, one has no repair, or none that suits the others: each of the others says whether it has one. */
static enum ptog_status say_for_others(struct run_job *job, const struct repair_targets *targets,
                                       const struct ptog_execution *execution, size_t failed)
{
    enum ptog_status status = PTOG_ILLEGAL;
    for (size_t i = 0; status == PTOG_ILLEGAL && i < targets->count; i++) {
        const struct judged *judged = targets->of[i];
        struct repaired_text repaired = {0};
        bool changed = false;
        char message[160];
        if (i == failed)
            continue;
        status = repair_for(job, judged, *execution, &repaired, judged->diags, &changed);
        free_repaired(&repaired);
        snprintf(message, sizeof message,
                 "not repaired: no repair was found that is clean on every target; for %s alone, use --target %s",
                 judged->target->name, judged->target->name);
        if (status == PTOG_OK)
            status = changed ? add_reason(judged, message) : PTOG_ILLEGAL; /* it is clean as it is */
    }
    return status;
}

/* ---- --apply-fix */

/* The repaired text takes the place of the program's. */
static void replace_program(struct run_job *job, const struct repaired_text *repaired)
{
    ptog_program_free(job->program);
    job->program = repaired->program;
    free(job->text.bytes);
    job->text = (struct tool_text){repaired->text.bytes, repaired->text.used};
}

/* Which targets accept the program. PTOG_OK, or what kept one of them from telling. */
static enum ptog_status find_accepting(struct run_job *job)
{
    enum ptog_status worst = PTOG_OK;
    for (size_t i = 0; i < job->judgement.count; i++) {
        struct judged *judged = &job->judgement.of[i];
        enum ptog_status status = ptog_program_check(job->program, judged->own ? NULL : judged->target, NULL);
        judged->accepts = status == PTOG_OK;
        if (status != PTOG_OK && status != PTOG_ILLEGAL)
            worst = status;
    }
    return worst;
}

int run_repair(struct run_job *job)
{
    struct repaired_text repaired = {0};
    size_t count, failed = 0;
    struct ptog_binding *bindings = run_bindings(job->items, &count);
    enum ptog_status status = find_accepting(job);
    struct repair_targets targets = targets_of(&job->judgement);
    if (!bindings)
        status = PTOG_NO_MEMORY;
    if (status == PTOG_OK) {
        struct ptog_execution execution = run_execution(job, bindings, count);
        status = repair_for_all(job, &targets, &execution, &repaired, true, &failed);
        if (status == PTOG_ILLEGAL)
            status = say_for_others(job, &targets, &execution, failed);
    }
    int code = status == PTOG_OK ? TOOL_OK : TOOL_WRONG;
    if (status != PTOG_OK && status != PTOG_ILLEGAL)
        code = tool_fail("run", "%s: %s", job->path, ptog_status_text(status));
    if (status == PTOG_OK && !tool_output_write("run", &repaired.text, job->request->to))
        code = TOOL_USAGE;
    for (size_t i = 0; i < targets.count; i++) /* of a program that was repaired, the run decides */
        if (code != TOOL_WRONG || ptog_diags_count(targets.of[i]->diags) > 0)
            targets.of[i]->result = code;
    if (status == PTOG_OK)
        replace_program(job, &repaired);
    else
        free_repaired(&repaired);
    free(bindings);
    return code;
}
