/* repair: flags that change nothing on one machine, and what the other machine says about them. */
#include "repair/elsewhere.h"

#include "diag/kind.h"
#include "program/eval.h"

bool ptog_is_redundant(const struct ptog_diag *diag)
{
    return diag->kind == PTOG_DIAG_FLAG_REDUNDANT && diag->where.line > 0;
}

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

static enum ptog_elsewhere_state state_of(const struct ptog_trial *trial, const ptog_diags *report)
{
    if (trial->cut)
        return PTOG_ELSEWHERE_UNKNOWN;
    if (trial->refused)
        return PTOG_ELSEWHERE_REFUSED;
    if (has_errors(report))
        return PTOG_ELSEWHERE_WRONG;
    return is_cut(report) ? PTOG_ELSEWHERE_UNKNOWN : PTOG_ELSEWHERE_CLEAN;
}

enum ptog_status ptog_elsewhere_open(struct ptog_elsewhere *elsewhere, struct ptog_tries *tries)
{
    struct ptog_trial trial = {0};
    size_t faults;
    elsewhere->target = ptog_other_machine(tries->e->target);
    elsewhere->report = ptog_diags_new();
    if (!elsewhere->report || ptog_try_elsewhere(tries, &trial, elsewhere->report, &faults) != PTOG_OK)
        return PTOG_NO_MEMORY;
    elsewhere->state = state_of(&trial, elsewhere->report);
    return PTOG_OK;
}

void ptog_elsewhere_close(struct ptog_elsewhere *elsewhere)
{
    ptog_diags_free(elsewhere->report);
    elsewhere->report = NULL;
}

static bool is_noted(const ptog_diags *report, const struct ptog_where *where)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(report, i)) != NULL; i++)
        if (ptog_is_redundant(diag) && diag->where.line == where->line && diag->where.column == where->column)
            return true;
    return false;
}

bool ptog_elsewhere_say(const struct ptog_elsewhere *elsewhere, const struct ptog_diag *note, struct ptog_text *text)
{
    const char *name = elsewhere->target->name;
    switch (elsewhere->state) {
    case PTOG_ELSEWHERE_UNKNOWN: ptog_text_addf(text, "; not tried on %s", name); return false;
    case PTOG_ELSEWHERE_REFUSED: ptog_text_addf(text, "; %s refuses the program", name); return false;
    case PTOG_ELSEWHERE_WRONG: ptog_text_addf(text, "; on %s the program has errors", name); return false;
    case PTOG_ELSEWHERE_CLEAN: break;
    }
    bool redundant = is_noted(elsewhere->report, &note->where);
    ptog_text_addf(text, redundant ? " and %s" : "; needed on %s", name);
    return !redundant;
}
