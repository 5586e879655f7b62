/* sanitize: what an access must come after: of each pipe, the last entry that it conflicts with. The same cells as
 * races.c looks at, before the access happens. */
#include <string.h>

#include "sanitize/sanitize.h"

struct need {
    const struct ptog_sanitizer *s;
    enum ptog_pipe pipe;
    bool writes, gm, adds;
    uint32_t step; /* the instruction that is executed; 0: it is still to come */
    struct ptog_clock *clock;
    uint32_t seen_write[PTOG_PIPES],
        seen_read[PTOG_PIPES]; /* later entries are news; the largest number: none counts */
};

/* Joins the last entry of each pipe into the clock, and into `seen`: entries that are seen already cost no more. */
__attribute__((noinline)) static void see_entries(struct need *n, const uint32_t last[PTOG_PIPES],
                                                  uint32_t seen[PTOG_PIPES])
{
    for (int q = 0; q < PTOG_PIPES; q++) {
        if (last[q] <= seen[q])
            continue;
        seen[q] = last[q];
        if (last[q] > n->clock->of[q])
            n->clock->of[q] = last[q];
    }
}

/* Adds the writes of a cell to what work needs to come after; behind what the instruction's own first phase wrote
 * stands what S wrote before. */
static void see_writes(struct need *n, const struct ptog_cell *cell)
{
    uint32_t written[PTOG_PIPES];
    memcpy(written, cell->written, sizeof written);
    if (!n->adds && cell->added > written[ptog_adding_pipe(n->s)])
        written[ptog_adding_pipe(n->s)] = cell->added;
    if (ptog_is_self(PTOG_S, ptog_step_of(written[PTOG_S]), n->pipe, n->step))
        written[PTOG_S] = cell->under;
    see_entries(n, written, n->seen_write);
}

/* Visitor of the shadow: adds the accesses of a cell to what work needs to come after. What another core did is left
 * out: two cores are not ordered. */
static void collect_needs(void *user, const struct ptog_cell *cell, uint64_t at, uint64_t bytes)
{
    struct need *n = user;
    (void)at, (void)bytes;
    if (n->gm && cell->owner != n->s->core)
        return;
    if (ptog_is_news(cell->written, n->seen_write) || cell->added)
        see_writes(n, cell);
    if (n->writes && ptog_is_news(cell->read, n->seen_read))
        see_entries(n, cell->read, n->seen_read);
}

void ptog_sanitizer_needs(const struct ptog_sanitizer *s, enum ptog_pipe pipe, const struct ptog_access *access,
                          struct ptog_clock *clock)
{
    const struct ptog_event next = {.pipe = pipe};
    const struct ptog_shadow *shadow = ptog_sanitizer_shadow(s, access);
    if (shadow)
        ptog_sanitizer_needs_in(s, shadow, &next, access, clock);
}

void ptog_sanitizer_needs_in(const struct ptog_sanitizer *s, const struct ptog_shadow *shadow,
                             const struct ptog_event *event, const struct ptog_access *access, struct ptog_clock *clock)
{
    struct need n = {.s = s,
                     .pipe = event->pipe,
                     .writes = ptog_access_writes(access),
                     .gm = access->space == PTOG_IN_GM,
                     .adds = access->kind == PTOG_ADDS,
                     .step = event->step,
                     .clock = clock};
    n.seen_read[n.pipe] = UINT32_MAX; /* a pipe reads before it writes later */
    bool in_order = !ptog_pipe_needs_barrier(s->target, n.pipe) && !access->hasty;
    if (n.pipe == PTOG_S || access->kind == PTOG_SCRATCHES || in_order)
        n.seen_write[n.pipe] = UINT32_MAX;
    ptog_shadow_visit(shadow, access, collect_needs, &n);
}

/* Whether another flag or barrier could change a finding, as for races and flags within one core. */
static bool is_of_order(const struct ptog_diag_entry *entry)
{
    switch (entry->key.kind) {
    case PTOG_DIAG_RACE_RAW:
    case PTOG_DIAG_RACE_WAR:
    case PTOG_DIAG_RACE_WAW:
    case PTOG_DIAG_SAME_PIPE:
    case PTOG_DIAG_ORDER_REVERSED:
    case PTOG_DIAG_FLAG_DOUBLE_SET:
    case PTOG_DIAG_FLAG_ID_CLASH:
    case PTOG_DIAG_FLAG_LEFT_SET:
    case PTOG_DIAG_FLAG_NEVER_SET: return !entry->race.other_block;
    default: return false;
    }
}

size_t ptog_sanitizer_unordered(const struct ptog_sanitizer_shared *shared)
{
    size_t count = 0;
    for (size_t i = 0; i < shared->diags.count; i++)
        count += is_of_order(&shared->diags.list[i]);
    return count;
}
