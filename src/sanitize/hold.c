/* sanitize: entries that a wait holds back. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/target.h"
#include "sanitize/sanitize.h"

/* ---- what is written down */

/* Forgets the events that have passed held ones, and frees their stretches. */
static void forget_passed(struct ptog_hold *hold)
{
    for (size_t i = 0; i < hold->count; i++)
        free(hold->passed[i].stretches.of);
    hold->count = hold->stretches = hold->late_count = 0;
    hold->cut = false;
}

/* Frees what is held, and all sets that have passed. */
void ptog_hold_free(struct ptog_hold *hold)
{
    for (int p = 0; p < PTOG_PIPES; p++) {
        struct ptog_held_queue *queue = &hold->queues[p];
        for (size_t i = 0; i < queue->count; i++)
            free(queue->of[queue->first + i].suspects);
        free(queue->of);
    }
    forget_passed(hold);
    free(hold->passed);
    free(hold->late_sets);
    *hold = (struct ptog_hold){0};
}

/* The search of the shadow for one access of an entry that is held. */
struct suspect_search {
    struct ptog_held_entry *entry;
    struct ptog_clock complete; /* by then, whatever else happens */
    size_t access;
    enum ptog_pipe pipe, adding;
    uint32_t core, step;
    bool writes, gm, adds, own_writes, failed;
};

/* Adds a suspect to the entry that is searched for, or widens the bytes of the same one; `failed` when out of memory.
 */
static void add_suspect(struct suspect_search *search, struct ptog_suspect found)
{
    struct ptog_held_entry *entry = search->entry;
    for (size_t i = entry->count; i-- > 0 && entry->suspects[i].access == found.access;) {
        struct ptog_suspect *known = &entry->suspects[i];
        if (known->pipe != found.pipe || known->writes != found.writes || known->entry != found.entry)
            continue;
        if (found.from < known->from)
            known->from = found.from;
        if (found.to > known->to)
            known->to = found.to;
        return;
    }
    if (ptog_array_reserve(&entry->suspects, entry->count + 1, &entry->room))
        entry->suspects[entry->count++] = found;
    else
        search->failed = true;
}

/* An earlier access may race with the held one, unless it is complete or its pipe works in order: then it is a suspect.
 */
static void suspect_entry(struct suspect_search *search, enum ptog_pipe pipe, bool writes, uint32_t entry,
                          uint32_t site, uint64_t at, uint64_t bytes)
{
    bool in_order = pipe == search->pipe && !(writes && search->own_writes);
    if (entry > search->complete.of[pipe] && !in_order)
        add_suspect(search, (struct ptog_suspect){pipe, writes, site, entry, search->access, at, at + bytes});
}

/* Visitor of the shadow: notes as suspects the earlier accesses of a cell that a held entry could race with. What
 * another core did is reported when the entry is executed. */
static void look_at_cell(void *user, const struct ptog_cell *cell, uint64_t at, uint64_t bytes)
{
    struct suspect_search *search = user;
    if (search->gm && cell->owner != search->core)
        return;
    if (ptog_is_self(PTOG_S, ptog_step_of(cell->written[PTOG_S]), search->pipe, search->step))
        suspect_entry(search, PTOG_S, true, cell->under, cell->under_site, at, bytes);
    if (!search->adds)
        suspect_entry(search, search->adding, true, cell->added, cell->add_site, at, bytes);
    for (int q = 0; q < PTOG_PIPES; q++) {
        enum ptog_pipe pipe = (enum ptog_pipe)q;
        suspect_entry(search, pipe, true, cell->written[q], cell->write_site[q], at, bytes);
        if (search->writes)
            suspect_entry(search, pipe, false, cell->read[q], cell->read_site[q], at, bytes);
    }
}

/* Looks in shadow memory for accesses that the event may race with, and lists them in *entry. False when out of memory.
 */
static bool find_suspects(const struct ptog_sanitizer *s, const struct ptog_event *event, struct ptog_held_entry *entry)
{
    struct suspect_search search = {.entry = entry,
                                    .complete = s->order.clocks.known[event->pipe],
                                    .pipe = event->pipe,
                                    .adding = ptog_adding_pipe(s),
                                    .core = s->core,
                                    .step = event->step,
                                    .own_writes = ptog_pipe_needs_barrier(s->target, event->pipe)};
    ptog_clock_join(&search.complete, &event->stamp.issued);
    for (size_t i = 0; i < event->count; i++) {
        const struct ptog_access *access = &event->accesses[i];
        search.access = i;
        search.writes = ptog_access_writes(access);
        search.gm = access->space == PTOG_IN_GM;
        search.adds = access->kind == PTOG_ADDS;
        const struct ptog_shadow *shadow = ptog_sanitizer_shadow(s, access);
        if (shadow)
            ptog_shadow_visit(shadow, access, look_at_cell, &search);
    }
    return !search.failed;
}

/* Appends an empty entry to the queue of a pipe, and counts it. NULL when out of memory. */
static struct ptog_held_entry *push_held_entry(struct ptog_hold *hold, enum ptog_pipe pipe)
{
    struct ptog_held_queue *queue = &hold->queues[pipe];
    if (queue->first > 0 && queue->first + queue->count == queue->room) {
        memmove(queue->of, queue->of + queue->first, queue->count * sizeof *queue->of);
        queue->first = 0;
    }
    if (!ptog_array_reserve(&queue->of, queue->first + queue->count + 1, &queue->room))
        return NULL;
    struct ptog_held_entry *entry = &queue->of[queue->first + queue->count++];
    *entry = (struct ptog_held_entry){.since = hold->count};
    hold->held++;
    return entry;
}

/* Told of an entry that a wait holds back: keeps the accesses that it could race with, as its order is known only
 * later. */
void ptog_sanitizer_held(void *user, const struct ptog_event *event)
{
    struct ptog_sanitizer *s = user;
    struct ptog_held_entry *entry = event->kind == PTOG_EVENT_WORK ? push_held_entry(&s->hold, event->pipe) : NULL;
    if (event->kind != PTOG_EVENT_WORK)
        return;
    if (!entry || !find_suspects(s, event, entry))
        s->hold.failed = s->shared->diags.no_memory = true;
}

/* ---- an entry is executed */

/* Notes an event that goes on while others are held, with the bytes it touches; when there are too many, `cut` is set
 * and nothing more is noted. False when out of memory. */
static bool note_passed_event(struct ptog_hold *hold, const struct ptog_event *event, uint32_t number)
{
    struct ptog_passed passed = {event->pipe, event->site, event->step, number, event->insn, {0}};
    hold->cut |= hold->count == PTOG_MAX_PASSED || hold->stretches > PTOG_MAX_STRETCHES;
    if (hold->cut)
        return true;
    if (!ptog_stretches_of(event, &passed.stretches))
        return false;
    if (passed.stretches.count == 0)
        return true;
    if (!ptog_array_reserve(&hold->passed, hold->count + 1, &hold->room)) {
        free(passed.stretches.of);
        return false;
    }
    hold->stretches += passed.stretches.count;
    hold->passed[hold->count++] = passed;
    return true;
}

/* Reports those suspects of a held event as races that its pipe still does not know to be complete. */
static void judge_suspects(struct ptog_sanitizer *s, const struct ptog_event *event,
                           const struct ptog_held_entry *entry)
{
    for (size_t i = 0; i < entry->count; i++) {
        const struct ptog_suspect *found = &entry->suspects[i];
        const struct ptog_access *access = &event->accesses[found->access];
        struct ptog_race race = {
            .first = {found->pipe, found->writes, found->site, ptog_step_of(found->entry)},
            .second = {event->pipe, ptog_access_writes(access), event->site, event->step},
            .insn = event->insn,
            .operand = access->operand,
            .memory = access->space == PTOG_IN_GM ? access->buffer : -1,
            .from = found->from,
            .to = found->to,
        };
        if (found->entry > s->order.clocks.known[event->pipe].of[found->pipe])
            ptog_sanitizer_note_race(s, ptog_race_kind(&race.first, &race.second), &race);
    }
}

/* A stretch of the held entry and one of an entry that passed it meet, and the two are not ordered. */
static void note_unordered(struct ptog_sanitizer *s, struct ptog_race race)
{
    if (race.first.pipe == race.second.pipe &&
        (!race.first.writes || !ptog_pipe_needs_barrier(s->target, race.first.pipe)))
        return;
    ptog_sanitizer_note_race(s, ptog_race_kind(&race.first, &race.second), &race);
}

/* The race between what is held and what passed it, with both in the order of issue. */
static struct ptog_race race_of(const struct ptog_event *event, const struct ptog_stretch *mine,
                                const struct ptog_passed *passed, const struct ptog_stretch *theirs)
{
    struct ptog_racer me = {event->pipe, mine->writes, event->site, event->step};
    struct ptog_racer it = {passed->pipe, theirs->writes, passed->site, passed->step};
    bool held = it.step > me.step;
    return (struct ptog_race){
        .first = held ? me : it,
        .second = held ? it : me,
        .insn = held ? passed->insn : event->insn,
        .operand = held ? theirs->operand : mine->operand,
        .memory = mine->memory,
        .from = mine->from > theirs->from ? mine->from : theirs->from,
        .to = mine->to < theirs->to ? mine->to : theirs->to,
        .held = held,
    };
}

/* The held entry against one that passed it. What passed is complete when `ordered`; reads of S always are. */
static void judge_passed(struct ptog_sanitizer *s, const struct ptog_event *event, const struct ptog_stretches *mine,
                         const struct ptog_passed *passed, bool ordered)
{
    const struct ptog_stretches *theirs = &passed->stretches;
    for (size_t i = 0; i < mine->count; i++) {
        const struct ptog_stretch *a = &mine->of[i], *b;
        for (size_t k = ptog_stretches_near(theirs, a); k < theirs->count; k++) {
            b = &theirs->of[k];
            if (b->memory != a->memory || b->from >= a->to)
                break;
            if (!ptog_stretches_conflict(a, b))
                continue;
            if (!ordered && (passed->pipe != PTOG_S || b->writes))
                note_unordered(s, race_of(event, a, passed, b));
            else if (passed->step > event->step)
                ptog_sanitizer_note_reversed(s, event, passed, race_of(event, a, passed, b));
        }
    }
}

/* Judges the races of an entry that was held and starts now: with its suspects, and with what was executed meanwhile.
 * False when out of memory. */
static bool judge_held(struct ptog_sanitizer *s, const struct ptog_event *event, const struct ptog_held_entry *entry)
{
    const struct ptog_clock *complete = &s->order.clocks.known[event->pipe];
    struct ptog_hold *hold = &s->hold;
    struct ptog_stretches mine;
    judge_suspects(s, event, entry);
    if (!ptog_stretches_of(event, &mine))
        return false;
    for (size_t i = entry->since; i < hold->count; i++) {
        const struct ptog_passed *passed = &hold->passed[i];
        bool ordered = passed->entry <= complete->of[passed->pipe];
        if (!ordered || passed->step > event->step)
            judge_passed(s, event, &mine, passed, ordered);
    }
    hold->compared += hold->count - entry->since;
    hold->cut |= hold->compared > PTOG_MAX_COMPARED;
    free(mine.of);
    return true;
}

void ptog_sanitizer_release(struct ptog_sanitizer *s, const struct ptog_event *event)
{
    struct ptog_hold *hold = &s->hold;
    struct ptog_held_queue *queue = &hold->queues[event->pipe];
    bool good = true;
    if (queue->count > 0) {
        struct ptog_held_entry *entry = &queue->of[queue->first];
        if (ptog_hold_judges(hold, event->pipe))
            good = judge_held(s, event, entry);
        free(entry->suspects);
        queue->first++;
        queue->count--;
        hold->held--;
    }
    if (hold->held == 0)
        forget_passed(hold);
    else
        good &= note_passed_event(hold, event, s->order.clocks.entries[event->pipe]);
    if (!good)
        hold->failed = s->shared->diags.no_memory = true;
}
