/* core: signals between cores, and the flags of operations that are several instructions. */
#include "core/signal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/device.h"

void ptog_signals_free(struct ptog_signals *signals)
{
    for (uint32_t i = 0; i < signals->count; i++)
        ptog_seen_free(&signals->of[i].seen);
    free(signals->of);
    *signals = (struct ptog_signals){0};
}

/* The edge of a signal; NULL: nobody has given it. */
static struct ptog_signal_edge *edge_of(struct ptog_device *device, int gm, uint64_t offset)
{
    for (uint32_t i = 0; i < device->signals.count; i++)
        if (device->signals.of[i].gm == gm && device->signals.of[i].offset == offset)
            return &device->signals.of[i];
    return NULL;
}

/* The edge of a signal that is given now; NULL when out of memory. A value that is written says nothing of those that
 * gave the one before, one that is added to does. */
static struct ptog_signal_edge *give_edge(struct ptog_device *device, int gm, uint64_t offset, bool adds)
{
    struct ptog_signals *signals = &device->signals;
    struct ptog_signal_edge *edge = edge_of(device, gm, offset);
    if (edge && !adds)
        ptog_seen_free(&edge->seen);
    if (edge)
        return edge;
    if (!ptog_array_reserve(&signals->of, signals->count + 1, &signals->room))
        return NULL;
    signals->of[signals->count] = (struct ptog_signal_edge){.gm = gm, .offset = offset};
    return &signals->of[signals->count++];
}

/* What a call returns of a core that may have ended at its instruction. */
static enum ptog_status status_of_core(const struct ptog_core *core)
{
    if (ptog_core_ended(core))
        return PTOG_FAULT;
    return PTOG_OK;
}

/* Notes that what the core has done so far is behind the signal: time, and what the sanitizer knows. Only on a linked
 * device. */
static void hand_on(struct ptog_core *core, int gm, uint64_t offset, bool adds)
{
    struct ptog_device *device = core->device;
    if (!device->options.linked || ptog_core_is_direct(core))
        return;
    struct ptog_signal_edge *edge = give_edge(device, gm, offset, adds);
    if (!edge) {
        device->failed = true;
        return;
    }
    edge->time = ptog_max(core->timeline.now, edge->time);
    if (core->sanitizer && !ptog_links_hand_on(core->sanitizer, PTOG_S, (uint32_t)core->instructions, &edge->seen))
        device->failed = true;
}

/* Whether the signal lies in its buffer; if not, an out-of-bounds access is reported. */
static bool is_inside(struct ptog_core *core, int gm, uint64_t offset)
{
    if (ptog_gm_room(&core->timed, gm, offset) >= sizeof(int32_t))
        return true;
    if (!ptog_names_operand(&core->device->shared.names, core->site, PTOG_AT_SCALAR, core->device->gm.of[gm].name))
        core->device->failed = true;
    ptog_log_clear(&core->log);
    ptog_core_judge_scalar(core, gm, offset, sizeof(int32_t));
    return false;
}

/* The memory that says what everything issued so far comes to. */
static struct ptog_memory *memory_of(struct ptog_core *core)
{
    return ptog_core_is_direct(core) ? &core->timed : &core->issued;
}

enum ptog_status ptog_core_notify(ptog_core *core, int gm, uint64_t offset, int32_t value, bool adds)
{
    int32_t before = 0;
    enum ptog_status status = ptog_core_begin(core, "comm.tnotify");
    if (status != PTOG_OK || !is_inside(core, gm, offset))
        return status;
    if (!ptog_core_is_direct(core)) {
        ptog_core_enter(core, &(struct ptog_event){.kind = PTOG_EVENT_BARRIER, .pipe = PTOG_ALL}, NULL);
        ptog_core_spend(core, PTOG_PERIOD_WORK, core->device->costs.issue);
    }
    if (adds)
        ptog_gm_read(memory_of(core), gm, offset, &before, sizeof before);
    int32_t after = (int32_t)((uint32_t)before + (uint32_t)value);
    ptog_gm_write(memory_of(core), gm, offset, &after, sizeof after);
    if (!ptog_core_is_direct(core))
        ptog_gm_write(&core->timed, gm, offset, &after, sizeof after);
    hand_on(core, gm, offset, adds);
    return status_of_core(core);
}

enum ptog_status ptog_core_begin_signal(ptog_core *core)
{
    return ptog_core_begin(core, "comm.twait");
}

bool ptog_core_signal(ptog_core *core, int gm, uint64_t offset, int32_t *value)
{
    *value = 0;
    if (!is_inside(core, gm, offset))
        return false;
    ptog_gm_read(memory_of(core), gm, offset, value, sizeof *value);
    return true;
}

/* S has seen the value that it waited for: it knows from now on what its givers knew, and its time is not before
 * theirs. */
void ptog_core_heard_signal(ptog_core *core, int gm, uint64_t offset)
{
    struct ptog_device *device = core->device;
    const struct ptog_signal_edge *edge = edge_of(device, gm, offset);
    const struct ptog_cause cause = {.site = core->site};
    if (!edge)
        return;
    if (core->sanitizer && !ptog_links_hear(core->sanitizer, PTOG_S, &edge->seen))
        device->failed = true;
    for (size_t i = 0; i < device->open_count; i++)
        if (device->open[i] != core)
            ptog_timeline_until(&device->open[i]->timeline, edge->time);
    ptog_timeline_cross_wait(&core->timeline, PTOG_CROSS_COUNTERS, edge->time, &cause);
}

/* Enters the set and the wait of an instruction's own flag, so that pipe `dst` goes on after what `src` has been
 * given. Returns the status of the core. */
enum ptog_status ptog_core_own_flag(ptog_core *core, enum ptog_pipe src, enum ptog_pipe dst, int id)
{
    struct ptog_event event = {.kind = PTOG_EVENT_SET, .pipe = src, .src = src, .dst = dst, .id = id, .own = true};
    if (ptog_core_is_direct(core) || ptog_core_ended(core))
        return status_of_core(core);
    ptog_core_enter(core, &event, NULL);
    event.kind = PTOG_EVENT_WAIT;
    event.pipe = dst;
    if (!ptog_core_ended(core))
        ptog_core_enter(core, &event, NULL);
    return status_of_core(core);
}
