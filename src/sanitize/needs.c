/* sanitize: what an access must come after: of each pipe, the last entry that it conflicts with. The same cells as
 * races.c looks at, before the access happens. */
#include "sanitize/sanitize.h"

struct need {
    const struct ptog_sanitizer *s;
    enum ptog_pipe pipe;
    bool writes, gm;
    bool own_writes; /* writes of the same pipe count: it needs a barrier */
    uint32_t step;   /* the instruction that is carried out; 0: it is still to come */
    struct ptog_clock *clock;
};

static inline void grow(const struct need *n, int pipe, uint32_t entry)
{
    if (entry > n->clock->of[pipe])
        n->clock->of[pipe] = entry;
}

/* The last write of a pipe; behind what the instruction's own first phase wrote stands what S wrote before. */
static inline uint32_t written_by(const struct need *n, const struct ptog_cell *cell, enum ptog_pipe pipe)
{
    uint32_t entry = cell->written[pipe];
    return ptog_is_self(pipe, ptog_step_of(entry), n->pipe, n->step) ? cell->under : entry;
}

/* Nothing orders two cores, so what another one did is not waited for. */
static void look(void *user, const struct ptog_cell *cell, uint64_t at, uint64_t bytes)
{
    const struct need *n = user;
    (void)at, (void)bytes;
    bool writes = !n->gm || !cell->writer || cell->writer == n->s->core;
    bool reads = n->writes && (!n->gm || !cell->reader || cell->reader == n->s->core);
    for (int q = 0; q < PTOG_PIPES; q++) {
        if (writes && (q != (int)n->pipe || n->own_writes))
            grow(n, q, written_by(n, cell, (enum ptog_pipe)q));
        if (reads && q != (int)n->pipe)
            grow(n, q, cell->read[q]);
    }
}

void ptog_sanitizer_needs(const struct ptog_sanitizer *s, enum ptog_pipe pipe, const struct ptog_access *access,
                          struct ptog_clock *clock)
{
    const struct ptog_event next = {.pipe = pipe};
    const struct ptog_shadow *shadow = access->space == PTOG_IN_GM ? &s->court->gm[access->buffer] : &s->ub;
    ptog_sanitizer_needs_in(s, shadow, &next, access, clock);
}

void ptog_sanitizer_needs_in(const struct ptog_sanitizer *s, const struct ptog_shadow *shadow,
                             const struct ptog_event *event, const struct ptog_access *access, struct ptog_clock *clock)
{
    struct need n = {.s = s,
                     .pipe = event->pipe,
                     .writes = ptog_access_writes(access),
                     .gm = access->space == PTOG_IN_GM,
                     .own_writes = event->pipe != PTOG_S && ptog_pipe_needs_barrier(s->target, event->pipe),
                     .step = event->step,
                     .clock = clock};
    ptog_shadow_visit(shadow, access, look, &n);
}

/* Faults of order that another flag or barrier could change. */
static bool is_of_order(const struct ptog_finding *finding)
{
    static const enum ptog_machine_fault_kind kinds[] = {PTOG_MACHINE_RACE_RAW,        PTOG_MACHINE_RACE_WAR,
                                                         PTOG_MACHINE_RACE_WAW,        PTOG_MACHINE_SAME_PIPE,
                                                         PTOG_MACHINE_FLAG_DOUBLE_SET, PTOG_MACHINE_FLAG_ID_CLASH,
                                                         PTOG_MACHINE_FLAG_LEFT_SET,   PTOG_MACHINE_FLAG_NEVER_SET};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (finding->key.id == ptog_machine_fault_at(kinds[i])->id)
            return !finding->other_block;
    return false;
}

size_t ptog_court_unordered(const struct ptog_court *court)
{
    size_t count = 0;
    for (size_t i = 0; i < court->findings.count; i++)
        count += is_of_order(&court->findings.of[i]);
    return count;
}
