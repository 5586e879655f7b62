/* sanitize: a race as a finding: of two accesses in the order of issue, the second one is where it is told. */
#include "sanitize/sanitize.h"

/* Which race within a core it is, by who comes first and who writes. */
enum ptog_machine_fault_kind ptog_race_kind(const struct ptog_racer *first, const struct ptog_racer *second)
{
    if (ptog_is_self(first->pipe, first->step, second->pipe, second->step))
        return PTOG_MACHINE_RACE_SELF;
    if (first->pipe == second->pipe)
        return PTOG_MACHINE_SAME_PIPE;
    if (!first->writes)
        return PTOG_MACHINE_RACE_WAR;
    return second->writes ? PTOG_MACHINE_RACE_WAW : PTOG_MACHINE_RACE_RAW;
}

/* What helps against a race of this kind. */
static enum ptog_advice advice_of(enum ptog_machine_fault_kind kind)
{
    switch (kind) {
    case PTOG_MACHINE_SAME_PIPE: return PTOG_ADVICE_BARRIER;
    case PTOG_MACHINE_RACE_SELF:
    case PTOG_MACHINE_ORDER_REVERSED:
    case PTOG_MACHINE_SCATTER_NOT_ATOMIC:
    case PTOG_MACHINE_GM_BLOCK_OVERLAP: return PTOG_ADVICE_OF_ID;
    default: return PTOG_ADVICE_FLAG;
    }
}

/* As the table of the machine says; a note when both accesses write the same bytes, a warning where there is doubt. */
static struct ptog_diag_entry *note_finding(struct ptog_sanitizer *s, enum ptog_machine_fault_kind kind,
                                            struct ptog_diag_key key, const struct ptog_race *race, bool *fresh)
{
    const struct ptog_machine_fault *row = ptog_machine_fault_at(kind);
    enum ptog_severity severity = row->severity;
    if (race->harmless || race->doubtful)
        severity = race->harmless ? PTOG_NOTE : PTOG_WARNING;
    key.kind = (uint16_t)(PTOG_DIAG_OTHER + 1 + kind);
    struct ptog_diag_entry *f = ptog_diag_note(&s->shared->diags, &key, row->id, severity, race->insn, 0, fresh);
    if (f)
        ptog_diag_raise(f, severity);
    if (f && *fresh)
        f->diag.documented = row->documented;
    return f;
}

struct ptog_diag_entry *ptog_sanitizer_note_race(struct ptog_sanitizer *s, enum ptog_machine_fault_kind kind,
                                                 const struct ptog_race *race)
{
    const struct ptog_racer *first = &race->first, *second = &race->second;
    struct ptog_diag_key key = ptog_key(second->site, (enum ptog_operand_name)race->operand);
    bool fresh;
    key.pipe = (uint8_t)second->pipe;
    key.other_pipe = (uint8_t)first->pipe;
    key.other = first->site;
    struct ptog_diag_entry *f = note_finding(s, kind, key, race, &fresh);
    if (!f)
        return NULL;
    if (fresh) {
        f->advice = advice_of(kind);
        f->race.space = race->memory < 0 ? PTOG_IN_UB : PTOG_IN_GM;
        f->race.buffer = race->memory < 0 ? 0 : race->memory;
        f->race.block = s->block;
        f->race.late_step = race->held ? second->step : first->step;
        f->race.held = race->held;
        f->race.writes = second->writes;
        f->race.other_writes = first->writes;
        f->other_message = first->writes ? "written here" : "read here";
        f->race.from = race->from;
        f->race.to = race->to - 1;
    } else if (f->insn == race->insn) {
        if (race->from < f->race.from)
            f->race.from = race->from;
        if (race->to - 1 > f->race.to)
            f->race.to = race->to - 1;
    }
    return f;
}
