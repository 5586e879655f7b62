/* sanitize: happens-before. A clock says of each pipe how many of its entries are complete. A pipe's own clock grows by
 * the issue of an entry, by waits and by barriers; a set hands on the clock of its pipe with everything before it. */
#include <stdlib.h>
#include <string.h>

#include "sanitize/sanitize.h"

bool ptog_sanitizer_open(struct ptog_sanitizer *s, struct ptog_court *court, uint32_t core, uint32_t block)
{
    *s = (struct ptog_sanitizer){.court = court, .target = court->target, .core = core, .block = block};
    s->ub_bytes = court->target->ub_bytes;
    s->state = calloc(s->ub_bytes, 1);
    s->tile = calloc(s->ub_bytes, sizeof *s->tile);
    if (ptog_shadow_open(&s->ub, s->ub_bytes) && s->state && s->tile)
        return true;
    ptog_sanitizer_close(s);
    return false;
}

void ptog_sanitizer_close(struct ptog_sanitizer *s)
{
    if (s->ub.failed)
        s->court->findings.failed = true;
    ptog_shadow_close(&s->ub);
    free(s->state);
    free(s->tile);
    s->state = NULL;
    s->tile = NULL;
    for (int src = 0; src < PTOG_PIPES; src++)
        for (int dst = 0; dst < PTOG_PIPES; dst++)
            for (int id = 0; id < PTOG_EVENT_IDS; id++)
                free(s->flags[src][dst][id].tokens);
    memset(s->flags, 0, sizeof s->flags);
}

void ptog_sanitizer_begin(struct ptog_sanitizer *s)
{
    s->stores_before = s->entries[PTOG_S];
}

struct ptog_stamp ptog_sanitizer_stamp(void *user)
{
    struct ptog_sanitizer *s = user;
    return (struct ptog_stamp){s->known[PTOG_S], s->stores_before};
}

/* Everything of every pipe is complete, for whoever is issued from now on. */
static void barrier_all(struct ptog_sanitizer *s)
{
    for (int p = 0; p < PTOG_PIPES; p++)
        s->known[PTOG_S].of[p] = s->entries[p];
}

static void barrier(struct ptog_sanitizer *s, const struct ptog_event *event)
{
    enum ptog_pipe p = event->pipe;
    ptog_clock_join(&s->known[p], &event->stamp.issued);
    s->known[p].of[p] = ++s->entries[p];
}

static void work(struct ptog_sanitizer *s, const struct ptog_event *event)
{
    enum ptog_pipe p = event->pipe;
    if (p != PTOG_S)
        ptog_clock_join(&s->known[p], &event->stamp.issued);
    bool stores = false;
    for (size_t i = 0; i < event->count; i++)
        stores |= ptog_access_writes(&event->accesses[i]);
    if (p != PTOG_S || stores)
        s->entries[p]++;
    ptog_sanitizer_races(s, event);
}

void ptog_sanitizer_event(void *user, const struct ptog_event *event)
{
    struct ptog_sanitizer *s = user;
    switch (event->kind) {
    case PTOG_EVENT_WORK: work(s, event); break;
    case PTOG_EVENT_SET: ptog_sanitizer_set(s, event); break;
    case PTOG_EVENT_WAIT: ptog_sanitizer_wait(s, event); break;
    case PTOG_EVENT_BARRIER:
        if (event->pipe == PTOG_ALL)
            barrier_all(s);
        else
            barrier(s, event);
        break;
    }
}
