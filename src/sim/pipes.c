/* sim: the queues of the pipes. */
#include "sim/pipes.h"

#include <stdlib.h>

/* Frees what the work of an event holds. NULL may be given. */
static void free_work(struct ptog_work *work)
{
    if (!work)
        return;
    free(work->dmas);
    ptog_known_let_go(work->insn);
}

/* The memory that the accesses of an entry take. */
static uint64_t bytes_held(const struct ptog_event *event)
{
    return (event->count + event->possible_count) * sizeof *event->accesses;
}

/* Frees the accesses of an entry. */
static void free_accesses(const struct ptog_event *event)
{
    free((void *)(uintptr_t)event->accesses);
    free((void *)(uintptr_t)event->possible);
}

/* A copy of some accesses in *to; false when out of memory. */
static bool copy_accesses(const struct ptog_access *from, size_t count, const struct ptog_access **to)
{
    struct ptog_access *copy = count > 0 ? malloc(count * sizeof *copy) : NULL;
    if (copy)
        memcpy(copy, from, count * sizeof *copy);
    *to = copy;
    return copy || count == 0;
}

/* Frees what an entry of a queue holds. */
static void free_entry(struct ptog_queue_entry *entry)
{
    free_accesses(&entry->event);
    free_work(&entry->work);
}

/* Frees all entries of all queues, and leaves the queues empty. */
void ptog_pipes_close(struct ptog_pipes *pipes)
{
    for (int p = 0; p < PTOG_PIPES; p++) {
        struct ptog_queue *queue = &pipes->queues[p];
        for (size_t i = 0; i < queue->count; i++)
            free_entry(&queue->entries[queue->first + i]);
        free(queue->entries);
        *queue = (struct ptog_queue){0};
    }
}

/* The entry at the head of a queue; NULL: it is empty. */
static const struct ptog_event *head_of(const struct ptog_queue *queue)
{
    if (queue->count > 0)
        return &queue->entries[queue->first].event;
    return NULL;
}

/* Was the set that a wait stands still for issued? Then it is held, behind another wait. */
static bool is_set_held(const struct ptog_pipes *pipes, const struct ptog_event *wait)
{
    const struct ptog_queue *queue = &pipes->queues[wait->src];
    for (size_t i = 0; i < queue->count; i++) {
        const struct ptog_event *event = &queue->entries[queue->first + i].event;
        if (event->kind == PTOG_EVENT_SET && event->dst == wait->dst && event->id == wait->id)
            return true;
    }
    return false;
}

/* The wait to blame: the first, in order of issue, whose set was never issued; where all were, the first. */
static size_t culprit_of(const struct ptog_pipes *pipes, const struct ptog_event *const *waits, size_t count)
{
    size_t found = 0;
    for (size_t i = 1; i < count; i++) {
        bool held = is_set_held(pipes, waits[i]), best_held = is_set_held(pipes, waits[found]);
        if (held != best_held ? best_held : waits[i]->insn < waits[found]->insn)
            found = i;
    }
    return found;
}

/* The first work that is held behind the wait at the head of a pipe's queue. Site 0: none was issued. */
static struct ptog_operand_at next_work(const struct ptog_pipes *pipes, enum ptog_pipe pipe)
{
    const struct ptog_queue *queue = &pipes->queues[pipe];
    for (size_t i = 0; i < queue->count; i++) {
        const struct ptog_event *event = &queue->entries[queue->first + i].event;
        if (event->kind == PTOG_EVENT_WORK)
            return ptog_event_operand(event);
    }
    return (struct ptog_operand_at){0};
}

/* Tells of all the queues that stand still, the one to blame first. `scalar`: what S stands at, which no queue holds: a
 * wait, or what it can not issue. */
static void deadlock(struct ptog_pipes *pipes, const struct ptog_event *scalar)
{
    const struct ptog_event *stop = scalar && scalar->pipe != PTOG_S ? scalar : NULL;
    const struct ptog_event *waits[PTOG_PIPES + 1];
    struct ptog_blocked heads[PTOG_PIPES + 1];
    size_t count = 0;
    if (scalar && !stop)
        waits[count++] = scalar;
    for (int p = 0; p < PTOG_PIPES; p++) {
        const struct ptog_event *head = head_of(&pipes->queues[p]);
        if (head)
            waits[count++] = head;
    }
    pipes->dead = true;
    if (count == 0)
        return;
    size_t culprit = culprit_of(pipes, waits, count);
    for (size_t i = 0; i < count; i++) {
        const struct ptog_event *wait = waits[i]; /* the culprit first, then the others in their order */
        if (i <= culprit)
            wait = waits[i == 0 ? culprit : i - 1];
        heads[i] = (struct ptog_blocked){.pipe = wait->pipe,
                                         .src = wait->src,
                                         .dst = wait->dst,
                                         .id = wait->id,
                                         .site = wait->site,
                                         .own = wait->own,
                                         .next = next_work(pipes, wait->pipe)};
        ptog_timeline_blocked(pipes->timeline, &heads[i]);
    }
    if (pipes->observer)
        pipes->observer->deadlock(pipes->observer->user, heads, count, stop);
}

/* What a period of the timeline is caused by. */
static struct ptog_cause cause_of(const struct ptog_event *event)
{
    return (struct ptog_cause){event->site, event->own, event->accesses, event->count, NULL};
}

/* Tells the observer, if there is one, that an event happens. */
static void note_event(struct ptog_pipes *pipes, const struct ptog_event *event)
{
    if (pipes->observer)
        pipes->observer->event(pipes->observer->user, event);
}

/* Hands the transfers and the instruction of an event to the timeline, which owns them from then on. */
static void do_work(struct ptog_pipes *pipes, const struct ptog_event *event, struct ptog_work *work, double issued)
{
    struct ptog_cause cause = cause_of(event);
    if (!work)
        return;
    cause.box = &work->box;
    const struct ptog_start at = {event->pipe, event->step, issued, &cause};
    ptog_timeline_dmas(pipes->timeline, &at, &work->issuing, work->dmas, work->dma_count);
    if (work->insn)
        ptog_timeline_insn(pipes->timeline, &at, work->cycles, work->insn, work->phase);
    work->insn = NULL;
    free_work(work);
}

/* Executes an entry of a pipe: tells the observer, moves its flag, and gives its work to the timeline. False, and
 * nothing is done: it is a wait whose set has not come. */
static bool carry_out(struct ptog_pipes *pipes, const struct ptog_event *event, struct ptog_work *work, double issued)
{
    const struct ptog_flag_name name = {event->src, event->dst, event->id};
    const struct ptog_cause cause = cause_of(event);
    uint64_t *flag;
    switch (event->kind) {
    case PTOG_EVENT_WORK:
        note_event(pipes, event);
        do_work(pipes, event, work, issued);
        return true;
    case PTOG_EVENT_SET:
        note_event(pipes, event);
        pipes->flags[event->src][event->dst][event->id]++;
        ptog_timeline_set(pipes->timeline, name, issued, &cause);
        return true;
    case PTOG_EVENT_WAIT:
        flag = &pipes->flags[event->src][event->dst][event->id];
        if (*flag == 0)
            return false;
        --*flag;
        note_event(pipes, event);
        ptog_timeline_wait(pipes->timeline, name, issued, &cause);
        return true;
    case PTOG_EVENT_CROSS_WAIT:
        note_event(pipes, event);
        ptog_timeline_cross_wait_on(pipes->timeline, event->pipe, event->fired, issued, &cause);
        return true;
    case PTOG_EVENT_CROSS_SET:
        note_event(pipes, event);
        pipes->fire(pipes->user, event,
                    ptog_timeline_cross_set(pipes->timeline, event->pipe, event->id, issued, &cause));
        return true;
    case PTOG_EVENT_BARRIER:
        note_event(pipes, event);
        ptog_timeline_barrier(pipes->timeline, event->pipe, issued, &cause);
        return true;
    }
    return true;
}

/* Makes room for one more entry behind the last one. False when out of memory. */
static bool reserve_queue_entry(struct ptog_queue *queue)
{
    if (queue->first + queue->count < queue->room)
        return true;
    size_t room = queue->count * 2 + 16;
    struct ptog_queue_entry *entries = malloc(room * sizeof *entries);
    if (!entries)
        return false;
    for (size_t i = 0; i < queue->count; i++)
        entries[i] = queue->entries[queue->first + i];
    free(queue->entries);
    queue->entries = entries;
    queue->first = 0;
    queue->room = room;
    return true;
}

/* Puts an event that has to wait into the queue of its pipe, with copies of its accesses, and tells the observer. A
 * queue that is too long is a deadlock: `dead`. */
static void hold_event(struct ptog_pipes *pipes, const struct ptog_event *event, const struct ptog_work *work)
{
    struct ptog_queue *queue = &pipes->queues[event->pipe];
    struct ptog_queue_entry entry = {.event = *event, .issued = pipes->timeline->now};
    if (work)
        entry.work = *work;
    bool copied = copy_accesses(event->accesses, event->count, &entry.event.accesses);
    copied = copy_accesses(event->possible, event->possible_count, &entry.event.possible) && copied;
    if (!copied || !reserve_queue_entry(queue)) {
        pipes->failed = true;
        free_entry(&entry);
        return;
    }
    queue->entries[queue->first + queue->count++] = entry;
    pipes->held += bytes_held(event);
    if (pipes->observer)
        pipes->observer->held(pipes->observer->user, event);
    if (queue->count <= PTOG_MAX_HELD)
        return;
    pipes->dead = true;
    if (pipes->observer)
        pipes->observer->full(pipes->observer->user, event);
}

/* Executes the held entries of every queue whose wait has come true, and removes them, until none can go on. */
static void release(struct ptog_pipes *pipes)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (int p = 0; p < PTOG_PIPES; p++) {
            struct ptog_queue *queue = &pipes->queues[p];
            while (queue->count > 0) {
                struct ptog_queue_entry entry = queue->entries[queue->first];
                if (!carry_out(pipes, &entry.event, &entry.work, entry.issued))
                    break;
                pipes->held -= bytes_held(&entry.event);
                free_accesses(&entry.event);
                queue->first++;
                queue->count--;
                moved = true;
            }
        }
    }
}

/* Whether a queue stands still. */
static bool any_stands(const struct ptog_pipes *pipes)
{
    for (int p = 0; p < PTOG_PIPES; p++)
        if (pipes->queues[p].count > 0)
            return true;
    return false;
}

void ptog_pipes_issue(struct ptog_pipes *pipes, struct ptog_event *event, struct ptog_work *work)
{
    bool all = event->pipe == PTOG_ALL;
    if (pipes->dead) {
        free_work(work);
        return;
    }
    if (pipes->observer)
        event->stamp = pipes->observer->stamp(pipes->observer->user);
    if (all && any_stands(pipes)) { /* S waits for pipes that wait for S */
        deadlock(pipes, event);
        return;
    }
    if (!all && pipes->queues[event->pipe].count > 0) {
        hold_event(pipes, event, work);
        return;
    }
    if (!carry_out(pipes, event, work, pipes->timeline->now)) {
        if (event->pipe == PTOG_S)
            deadlock(pipes, event);
        else
            hold_event(pipes, event, work);
        return;
    }
    if (event->kind == PTOG_EVENT_SET)
        release(pipes);
}

void ptog_pipes_end(struct ptog_pipes *pipes)
{
    if (!pipes->dead && any_stands(pipes))
        deadlock(pipes, NULL);
}
