/* tool: what a program comes to on the targets that it is judged for. */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

#include "io/pick.h"

/* ---- the targets ---- */

/* Adds a target to those that a program is judged on. */
static bool add_target(struct judgement *judgement, const struct ptog_target *target)
{
    struct judged *judged = &judgement->of[judgement->count];
    judged->target = target;
    judged->diags = ptog_diags_new();
    judgement->count += judged->diags != NULL;
    return judged->diags != NULL;
}

bool judge_open(struct judgement *judgement, const ptog_program *program, const struct ptog_target *target)
{
    *judgement = (struct judgement){0};
    judgement->of[0].own = !target && ptog_program_target(program);
    if (judgement->of[0].own)
        target = ptog_program_target(program);
    if (target)
        return add_target(judgement, target);
    return add_target(judgement, ptog_target_at(PTOG_TARGET_A2A3)) &&
           add_target(judgement, ptog_target_at(PTOG_TARGET_A5));
}

void judge_close(struct judgement *judgement)
{
    for (size_t i = 0; i < judgement->count; i++)
        ptog_diags_free(judgement->of[i].diags);
    *judgement = (struct judgement){0};
}

/* ---- data that a run may change ---- */

#define CHUNK ((size_t)65536)

static bool is_zero(const unsigned char *bytes, size_t count)
{
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

/* Zeros, as outputs are at first, take no memory until the run stores something there. NULL when out of memory. */
static void *copy_output(const unsigned char *data, size_t bytes)
{
    unsigned char *copy = calloc(tool_max(bytes, 1), 1);
    for (size_t at = 0; copy && at < bytes; at += CHUNK) {
        size_t count = tool_min(CHUNK, bytes - at);
        if (!is_zero(data + at, count))
            memcpy(copy + at, data + at, count);
    }
    return copy;
}

static void free_copies(struct ptog_binding *copies, const struct ptog_execution *execution)
{
    for (size_t i = 0; copies && i < execution->binding_count; i++)
        if (copies[i].data.data != execution->bindings[i].data.data)
            free(copies[i].data.data);
    free(copies);
}

/* What the program only reads is shared. */
static bool is_written_by(const ptog_program *program, const struct ptog_execution *execution, size_t i)
{
    struct ptog_slot slot;
    const struct ptog_binding *binding = &execution->bindings[i];
    return binding->data.data && (!ptog_program_slot_find(program, execution->function, binding->name, &slot) ||
                                  slot.written || slot.kind == PTOG_SLOT_TILE);
}

/* Counts the copies that the bindings will get. False: they are more than the run may have, and it will not start. */
static bool count_copies(const ptog_program *program, const struct ptog_execution *execution,
                         struct ptog_binding *copies)
{
    uint64_t most = execution->max_memory > 0 ? execution->max_memory : PTOG_DEFAULT_MAX_MEMORY, all = 0;
    for (size_t i = 0; i < execution->binding_count; i++) {
        if (is_written_by(program, execution, i))
            copies[i].allocated += copies[i].data.bytes;
        all += copies[i].allocated;
    }
    return all <= most;
}

/* The bindings with copies of what the program stores to; NULL when out of memory. */
static struct ptog_binding *copy_written(const ptog_program *program, const struct ptog_execution *execution)
{
    struct ptog_binding *copies = calloc(execution->binding_count + 1, sizeof *copies);
    if (copies && execution->binding_count > 0)
        memcpy(copies, execution->bindings, execution->binding_count * sizeof *copies);
    if (!copies || !count_copies(program, execution, copies))
        return copies;
    for (size_t i = 0; i < execution->binding_count; i++) {
        if (!is_written_by(program, execution, i))
            continue;
        void *copy = copy_output(copies[i].data.data, copies[i].data.bytes);
        if (!copy) {
            free_copies(copies, execution);
            return NULL;
        }
        copies[i].data.data = copy;
    }
    return copies;
}

/* ---- one target ---- */

void judge_status(struct judged *judged, enum ptog_status status)
{
    judged->status = status;
    switch (status) {
    case PTOG_OK:
    case PTOG_FAULT: judged->result = TOOL_OK; break;
    case PTOG_ILLEGAL: judged->result = TOOL_WRONG; break;
    default: judged->result = TOOL_USAGE; break;
    }
}

void judge_run(struct judged *judged, const ptog_program *program, const struct ptog_execution *execution)
{
    struct ptog_execution there = *execution;
    struct ptog_binding *copies = copy_written(program, execution);
    there.target = judged->target;
    there.bindings = copies;
    there.started = &judged->accepts;
    there.trace = NULL;
    judge_status(judged, copies ? ptog_program_run(program, &there, judged->diags, NULL) : PTOG_NO_MEMORY);
    free_copies(copies, execution);
}

void judge_check(struct judged *judged, const ptog_program *program)
{
    const struct ptog_diag *diag;
    judge_status(judged, ptog_program_check(program, judged->own ? NULL : judged->target, judged->diags));
    judged->accepts = true;
    for (size_t i = 0; (diag = ptog_diags_at(judged->diags, i)) != NULL; i++)
        judged->accepts = judged->accepts && !(diag->severity == PTOG_ERROR && diag->refuses);
}

/* ---- all of them ---- */

static bool is_accepted(const struct judgement *judgement)
{
    for (size_t i = 0; i < judgement->count; i++)
        if (judgement->of[i].accepts)
            return true;
    return false;
}

/* ---- flags that one target does not need ---- */

static bool is_redundant(const struct ptog_diag *diag)
{
    return tool_has_id(diag, "flag-redundant");
}

static bool has_note_at(const ptog_diags *diags, const struct ptog_where *where)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        if (is_redundant(diag) && diag->where.line == where->line && diag->where.column == where->column)
            return true;
    return false;
}

/* Whether another target that takes the program needs the flag there. */
static bool is_needed(const struct judgement *judgement, size_t except, const struct ptog_where *where)
{
    for (size_t i = 0; i < judgement->count; i++)
        if (i != except && judgement->of[i].accepts && !has_note_at(judgement->of[i].diags, where))
            return true;
    return false;
}

/* A program for any device needs a flag that one of them needs: the notes of the others about it are dropped. */
static void drop_needed_flags(struct judgement *judgement)
{
    for (size_t i = 0; i < judgement->count; i++) {
        ptog_diags *diags = judgement->of[i].diags;
        for (size_t k = ptog_diags_count(diags); k-- > 0;) {
            const struct ptog_diag *diag = ptog_diags_at(diags, k);
            if (is_redundant(diag) && is_needed(judgement, i, &diag->where))
                ptog_diags_remove(diags, k);
        }
    }
}

void judge_decide(struct judgement *judgement, const struct tool_telling *telling)
{
    bool accepted = is_accepted(judgement);
    drop_needed_flags(judgement);
    judgement->result = TOOL_OK;
    for (size_t i = 0; i < judgement->count; i++) {
        struct judged *judged = &judgement->of[i];
        bool refused = !judged->accepts && ptog_diags_verdict(judged->diags) == PTOG_FAILED;
        judged->not_for = accepted && refused && judged->result != TOOL_USAGE;
        if (judged->not_for && ptog_diags_not_for(judged->diags, judged->target->name))
            judged->result = TOOL_OK;
        judged->result = tool_judge(telling, judged->diags, judged->result);
        if (judged->result > judgement->result)
            judgement->result = judged->result;
    }
}

static enum ptog_verdict verdict_of(const struct judged *judged)
{
    if (ptog_diags_verdict(judged->diags) == PTOG_NOT_JUDGED)
        return PTOG_NOT_JUDGED;
    if (judged->result == TOOL_OK)
        return PTOG_PASSED;
    return PTOG_FAILED;
}

size_t judge_checked(const struct judgement *judgement, const char *file, struct ptog_checked checked[JUDGE_MOST])
{
    for (size_t i = 0; i < judgement->count; i++)
        checked[i] = (struct ptog_checked){.file = file,
                                           .target = judgement->of[i].target->name,
                                           .diags = judgement->of[i].diags,
                                           .verdict = verdict_of(&judgement->of[i])};
    return judgement->count;
}

enum ptog_verdict judge_verdict(const struct judgement *judgement)
{
    enum ptog_verdict verdict = PTOG_PASSED;
    for (size_t i = 0; i < judgement->count; i++)
        if (!judgement->of[i].not_for && verdict_of(&judgement->of[i]) > verdict)
            verdict = verdict_of(&judgement->of[i]);
    return verdict;
}

/* ---- the line at the end ---- */

/* Those that came to `verdict`, as "clean on a2a3 and a5"; what stands before the next group is returned. */
static const char *print_group(const struct judgement *judgement, enum ptog_verdict verdict, bool not_for,
                               const char *words, const char *before)
{
    size_t count = 0, printed = 0;
    for (size_t i = 0; i < judgement->count; i++)
        count += judgement->of[i].not_for == not_for && verdict_of(&judgement->of[i]) == verdict;
    if (count == 0)
        return before;
    fprintf(stderr, "%s%s", before, words);
    for (size_t i = 0; i < judgement->count; i++)
        if (judgement->of[i].not_for == not_for && verdict_of(&judgement->of[i]) == verdict)
            fprintf(stderr, "%s%s", tool_when(printed++ > 0, " and "), judgement->of[i].target->name);
    return "; ";
}

static size_t most_suppressed(const struct judgement *judgement)
{
    size_t most = 0;
    for (size_t i = 0; i < judgement->count; i++)
        most = tool_max(most, ptog_diags_suppressed(judgement->of[i].diags));
    return most;
}

/* Whether races are looked for on a target that passed. */
static bool has_machine(const struct judgement *judgement)
{
    for (size_t i = 0; i < judgement->count; i++)
        if (judgement->of[i].target->machine != PTOG_NO_MACHINE && !judgement->of[i].not_for)
            return true;
    return false;
}

void judge_print(const struct judgement *judgement, const char *command, bool races)
{
    size_t suppressed = most_suppressed(judgement);
    const char *before = "";
    if (judgement->count == 0 || judgement->result == TOOL_USAGE)
        return;
    fflush(stdout);
    fprintf(stderr, "ptog %s: ", command);
    before = print_group(judgement, PTOG_FAILED, false, is_accepted(judgement) ? "failed on " : "refused by ", before);
    before = print_group(judgement, PTOG_NOT_JUDGED, false, "not judged on ", before);
    before = print_group(judgement, PTOG_PASSED, false, "clean on ", before);
    bool all_timings = races && judge_verdict(judgement) == PTOG_PASSED && has_machine(judgement);
    fputs(tool_when(all_timings, " for all timings"), stderr);
    if (suppressed > 0)
        fprintf(stderr, ", %zu suppressed", suppressed);
    print_group(judgement, PTOG_PASSED, true, "not for ", before);
    if (!races && judge_verdict(judgement) == PTOG_PASSED)
        fprintf(stderr, "; races not checked%s", tool_when(strcmp(command, "check") == 0, ": use ptog run"));
    else if (races && !has_machine(judgement))
        fputs("; races are not checked there: use --target a2a3 or a5", stderr);
    fputc('\n', stderr);
}
