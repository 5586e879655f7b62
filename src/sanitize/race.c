/* sanitize: a race as a finding: of two accesses in the order of issue, the second one is where it is told. */
#include "sanitize/sanitize.h"

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

static enum ptog_advice advice_of(enum ptog_machine_fault_kind kind)
{
    switch (kind) {
    case PTOG_MACHINE_SAME_PIPE: return PTOG_ADVICE_BARRIER;
    case PTOG_MACHINE_RACE_SELF:
    case PTOG_MACHINE_ORDER_REVERSED:
    case PTOG_MACHINE_GM_BLOCK_OVERLAP: return PTOG_ADVICE_OF_ID;
    default: return PTOG_ADVICE_FLAG;
    }
}

struct ptog_finding *ptog_sanitizer_note_race(struct ptog_sanitizer *s, enum ptog_machine_fault_kind kind,
                                              const struct ptog_race *race)
{
    const struct ptog_racer *first = &race->first, *second = &race->second;
    struct ptog_finding_key key = ptog_key(second->site, (enum ptog_operand_name)race->operand);
    bool fresh;
    key.pipe = (uint8_t)second->pipe;
    key.other_pipe = (uint8_t)first->pipe;
    key.other = first->site;
    struct ptog_finding *f = ptog_findings_machine(&s->court->findings, kind, key, race->insn, 0, &fresh);
    if (!f)
        return NULL;
    if (fresh) {
        f->advice = advice_of(kind);
        f->space = race->memory < 0 ? PTOG_IN_UB : PTOG_IN_GM;
        f->buffer = race->memory < 0 ? 0 : race->memory;
        f->block = s->block;
        f->late_step = race->held ? second->step : first->step;
        f->held = race->held;
        f->writes = second->writes;
        f->other_writes = first->writes;
        f->other_message = first->writes ? "written here" : "read here";
        f->from = race->from;
        f->to = race->to - 1;
    } else if (f->insn == race->insn) {
        if (race->from < f->from)
            f->from = race->from;
        if (race->to - 1 > f->to)
            f->to = race->to - 1;
    }
    return f;
}
