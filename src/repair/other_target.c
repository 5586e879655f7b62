/* repair: flags that change nothing on one machine, and what the other machine says about them. */
#include "repair/other_target.h"

#include "diag/kind.h"
#include "lower/eval.h"

bool ptog_is_redundant(const struct ptog_diag *diag)
{
    return diag->kind == PTOG_DIAG_FLAG_REDUNDANT && diag->where.line > 0;
}

/* Whether a report has an error. */
static bool has_errors(const ptog_diags *report)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(report, i)) != NULL; i++)
        if (diag->severity == PTOG_ERROR)
            return true;
    return false;
}

/* A run that is too long for its flags to be judged says so without a place. */
static bool is_cut(const ptog_diags *report)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(report, i)) != NULL; i++)
        if (diag->kind == PTOG_DIAG_FLAG_REDUNDANT && diag->where.line == 0)
            return true;
    return false;
}

/* What a trial showed about the other target. */
static enum ptog_other_target_state state_of(const struct ptog_trial *trial, const ptog_diags *report)
{
    if (trial->cut)
        return PTOG_OTHER_TARGET_UNKNOWN;
    if (trial->refused)
        return PTOG_OTHER_TARGET_REFUSED;
    if (has_errors(report))
        return PTOG_OTHER_TARGET_WRONG;
    return is_cut(report) ? PTOG_OTHER_TARGET_UNKNOWN : PTOG_OTHER_TARGET_CLEAN;
}

enum ptog_status ptog_other_target_open(struct ptog_other_target *other_target, struct ptog_tries *tries)
{
    struct ptog_trial trial = {0};
    size_t faults;
    other_target->target = ptog_other_machine(tries->e->target);
    other_target->report = ptog_diags_new();
    if (!other_target->report || ptog_try_other_target(tries, &trial, other_target->report, &faults) != PTOG_OK)
        return PTOG_NO_MEMORY;
    other_target->state = state_of(&trial, other_target->report);
    return PTOG_OK;
}

void ptog_other_target_close(struct ptog_other_target *other_target)
{
    ptog_diags_free(other_target->report);
    other_target->report = NULL;
}

/* Whether a report notes something redundant at a place. */
static bool is_noted(const ptog_diags *report, const struct ptog_where *where)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(report, i)) != NULL; i++)
        if (ptog_is_redundant(diag) && diag->where.line == where->line && diag->where.column == where->column)
            return true;
    return false;
}

bool ptog_other_target_say(const struct ptog_other_target *other_target, const struct ptog_diag *note,
                           struct ptog_text *text)
{
    const char *name = other_target->target->name;
    switch (other_target->state) {
    case PTOG_OTHER_TARGET_UNKNOWN: ptog_text_addf(text, "; not tried on %s", name); return false;
    case PTOG_OTHER_TARGET_REFUSED: ptog_text_addf(text, "; %s refuses the program", name); return false;
    case PTOG_OTHER_TARGET_WRONG: ptog_text_addf(text, "; on %s the program has errors", name); return false;
    case PTOG_OTHER_TARGET_CLEAN: break;
    }
    bool redundant = is_noted(other_target->report, &note->where);
    ptog_text_addf(text, redundant ? " and %s" : "; needed on %s", name);
    return !redundant;
}
