/* sanitize: what an access must come after: of each pipe, the last entry that it conflicts with. The same cells as
 * races.c looks at, before the access happens. */
#include <string.h>

#include "sanitize/sanitize.h"

struct need {
    const struct ptog_sanitizer *s;
    enum ptog_pipe pipe;
    bool writes, gm;
    uint32_t step; /* the instruction that is carried out; 0: it is still to come */
    struct ptog_clock clock;
    uint32_t of_writes[PTOG_PIPES], of_reads[PTOG_PIPES]; /* all ones where a pipe's entries count */
};

static inline void grow(struct need *n, const uint32_t last[PTOG_PIPES], const uint32_t counts[PTOG_PIPES])
{
    for (int q = 0; q < PTOG_PIPES; q++) {
        uint32_t entry = last[q] & counts[q];
        n->clock.of[q] = entry > n->clock.of[q] ? entry : n->clock.of[q];
    }
}

/* The last writes of all pipes; behind what the instruction's own first phase wrote stands what S wrote before. */
static inline void after_writes(struct need *n, const struct ptog_cell *cell)
{
    uint32_t written[PTOG_PIPES];
    if (!ptog_is_self(PTOG_S, ptog_step_of(cell->written[PTOG_S]), n->pipe, n->step)) {
        grow(n, cell->written, n->of_writes);
        return;
    }
    memcpy(written, cell->written, sizeof written);
    written[PTOG_S] = cell->under;
    grow(n, written, n->of_writes);
}

/* Nothing orders two cores, so what another one did is not waited for. */
static void look(void *user, const struct ptog_cell *cell, uint64_t at, uint64_t bytes)
{
    struct need *n = user;
    (void)at, (void)bytes;
    if (!n->gm || !cell->writer || cell->writer == n->s->core)
        after_writes(n, cell);
    if (n->writes && (!n->gm || !cell->reader || cell->reader == n->s->core))
        grow(n, cell->read, n->of_reads);
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
                     .step = event->step};
    for (int q = 0; q < PTOG_PIPES; q++)
        n.of_writes[q] = n.of_reads[q] = UINT32_MAX;
    n.of_reads[n.pipe] = 0; /* a pipe reads before it writes later */
    if (n.pipe == PTOG_S || !ptog_pipe_needs_barrier(s->target, n.pipe))
        n.of_writes[n.pipe] = 0;
    ptog_shadow_visit(shadow, access, look, &n);
    ptog_clock_join(clock, &n.clock);
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
