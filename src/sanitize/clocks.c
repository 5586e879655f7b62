/* sanitize: the judge of a core: its life, and each event of the run to the order, to the shadow and to the tape. */
#include <stdlib.h>
#include <string.h>

#include "sanitize/sanitize.h"

bool ptog_sanitizer_open(struct ptog_sanitizer *s, struct ptog_court *court, uint32_t core, uint32_t block)
{
    *s = (struct ptog_sanitizer){.court = court, .target = court->target, .core = core, .block = block};
    s->ub_bytes = court->target->ub_bytes;
    if (ptog_shadow_open(&s->ub, s->ub_bytes) && ptog_origins_open(&s->origins, s->ub_bytes))
        return true;
    ptog_sanitizer_close(s);
    return false;
}

void ptog_sanitizer_close(struct ptog_sanitizer *s)
{
    if (s->ub.failed || s->order.failed || s->origins.failed)
        s->court->findings.failed = true;
    ptog_shadow_close(&s->ub);
    ptog_could_close(&s->could);
    free(s->carry.trails);
    free(s->scratch.lost);
    ptog_origins_close(&s->origins);
    ptog_hold_free(&s->hold);
    ptog_tape_free(&s->tape);
    ptog_order_close(&s->order);
}

struct ptog_stamp ptog_sanitizer_stamp(void *user)
{
    struct ptog_sanitizer *s = user;
    return (struct ptog_stamp){s->order.clocks.known[PTOG_S], s->order.clocks.turns};
}

static void work(struct ptog_sanitizer *s, const struct ptog_event *event, struct ptog_clock *need)
{
    ptog_clocks_work(&s->order.clocks, event->pipe, event->step, &event->stamp.issued, ptog_event_stores(event));
    ptog_sanitizer_could_need(s, event, need);
    ptog_sanitizer_races(s, event, need);
    ptog_sanitizer_could_note(s, event, need);
    if (s->hold.held > 0)
        ptog_sanitizer_release(s, event);
}

void ptog_sanitizer_event(void *user, const struct ptog_event *event)
{
    struct ptog_sanitizer *s = user;
    struct ptog_clock need = {0};
    uint32_t turns = s->order.clocks.turns;
    if ((event->kind == PTOG_EVENT_SET || event->kind == PTOG_EVENT_WAIT) && !event->own)
        ptog_tape_start(&s->court->tapes, &s->tape, &s->order);
    switch (event->kind) {
    case PTOG_EVENT_WORK: work(s, event, &need); break;
    case PTOG_EVENT_SET: ptog_sanitizer_set(s, event); break;
    case PTOG_EVENT_WAIT: ptog_sanitizer_wait(s, event); break;
    case PTOG_EVENT_BARRIER:
        ptog_clocks_barrier(&s->order.clocks, event->pipe, event->step, &event->stamp.issued);
        break;
    }
    ptog_tape_add(&s->court->tapes, &s->tape, event, &s->court->names, turns, &need);
}
