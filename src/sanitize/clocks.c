/* sanitize: the judge of a core: its life, and each event of the run to the order, to the shadow and to the order log.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/cube/memories.h"
#include "sanitize/sanitize.h"

/* Keeps which block the core is of. False when out of memory. */
static bool keep_number(struct ptog_sanitizer_shared *shared, uint32_t core, struct ptog_core_number number)
{
    if (!ptog_array_reserve(&shared->cores, core, &shared->core_room))
        return false;
    while (shared->core_count < core)
        shared->cores[shared->core_count++] = number;
    shared->subblocks |= number.subblock > 0;
    return true;
}

bool ptog_sanitizer_open(struct ptog_sanitizer *s, struct ptog_sanitizer_shared *shared, uint32_t core,
                         struct ptog_core_number number)
{
    *s = (struct ptog_sanitizer){.shared = shared, .target = shared->target, .core = core, .block = number.block};
    s->cube = number.cube;
    s->ub_bytes = s->cube ? ptog_cube_bytes(shared->target) : shared->target->ub_bytes;
    s->cache.now = 1;
    if (keep_number(shared, core, number) && ptog_links_open(s) && ptog_shadow_open(&s->ub, s->ub_bytes) &&
        ptog_origins_open(&s->origins, s->ub_bytes))
        return true;
    ptog_sanitizer_close(s);
    return false;
}

const char *ptog_sanitizer_memory(const struct ptog_sanitizer_shared *shared, uint64_t at, uint64_t *address)
{
    return ptog_memory_name(ptog_cube_find(shared->target, at, address));
}

void ptog_sanitizer_close(struct ptog_sanitizer *s)
{
    if (s->ub.failed || s->order.failed || s->origins.failed)
        s->shared->diags.no_memory = true;
    ptog_shadow_close(&s->ub);
    ptog_possible_accesses_close(&s->possible);
    free(s->undef.trails);
    free(s->scratch.lost);
    ptog_origins_close(&s->origins);
    ptog_links_close(s);
    ptog_hold_free(&s->hold);
    ptog_order_log_free(&s->order_log);
    ptog_order_close(&s->order);
}

struct ptog_stamp ptog_sanitizer_stamp(void *user)
{
    struct ptog_sanitizer *s = user;
    return (struct ptog_stamp){s->order.clocks.known[PTOG_S], s->order.clocks.turns};
}

/* An instruction has started on its pipe: moves the pipe's clock on, remembers it as the pipe's last work, reports the races of its accesses, enters those in
 * shadow memory, and judges events that were held for it. *need gets what it must come after. */
static void judge_work(struct ptog_sanitizer *s, const struct ptog_event *event, struct ptog_clock *need)
{
    ptog_clocks_work(&s->order.clocks, event->pipe, event->step, &event->stamp.issued, ptog_event_stores(event));
    s->order.last[event->pipe] = ptog_event_operand(event);
    ptog_sanitizer_possible_need(s, event, need);
    ptog_sanitizer_races(s, event, need);
    ptog_sanitizer_possible_note(s, event, need);
    if (s->hold.held > 0)
        ptog_sanitizer_release(s, event);
}

/* Told of every entry when it starts: judges it for races and the flag protocol, advances the clocks, and writes it
 * into the order log. */
void ptog_sanitizer_event(void *user, const struct ptog_event *event)
{
    struct ptog_sanitizer *s = user;
    struct ptog_clock need = {0};
    uint32_t turns = s->order.clocks.turns;
    if (!s->shared->linked && (event->kind == PTOG_EVENT_SET || event->kind == PTOG_EVENT_WAIT) && !event->own)
        ptog_order_log_start(&s->shared->order_logs, &s->order_log, &s->order);
    switch (event->kind) {
    case PTOG_EVENT_WORK: judge_work(s, event, &need); break;
    case PTOG_EVENT_SET: ptog_sanitizer_set(s, event); break;
    case PTOG_EVENT_WAIT: ptog_sanitizer_wait(s, event); break;
    case PTOG_EVENT_BARRIER:
        ptog_clocks_barrier(&s->order.clocks, event->pipe, event->step, &event->stamp.issued);
        break;
    case PTOG_EVENT_CROSS_WAIT:
        ptog_clocks_hear(&s->order.clocks, event->pipe, &event->stamp.issued);
        break;
    case PTOG_EVENT_CROSS_SET:
        ptog_clocks_set(&s->order.clocks, event->pipe, event->step, &event->stamp.issued);
        break;
    }
    if (s->shared->linked) /* what could be left out is a question to all cores */
        return;
    ptog_order_log_add(&s->shared->order_logs, &s->order_log, event, &s->shared->names, turns, &need);
}
