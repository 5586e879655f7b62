/* core: counters between the cores of a launch: sets, waits and syncall. */
#include "core/cross.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/pick.h"
#include "core/device.h"

#define SYNC_ALL PTOG_CROSS_MODES

/* ---- queues */

static void free_queue(struct ptog_cross_queue *queue)
{
    for (uint32_t i = 0; i < queue->count; i++)
        ptog_seen_free(&queue->of[i].seen);
    free(queue->of);
    *queue = (struct ptog_cross_queue){0};
}

/* Appends a set, with a copy of what it hands on. */
static void push(struct ptog_device *device, struct ptog_cross_queue *queue, const struct ptog_cross_set *set)
{
    struct ptog_cores_seen copy = {0};
    if (!ptog_array_reserve(&queue->of, queue->count + 1, &queue->room) || !ptog_seen_join(&copy, &set->seen)) {
        ptog_seen_free(&copy);
        device->failed = true;
        return;
    }
    queue->of[queue->count] = *set;
    queue->of[queue->count++].seen = copy;
}

/* Takes the oldest set out, which is the caller's from then on. */
static struct ptog_cross_set take(struct ptog_cross_queue *queue)
{
    struct ptog_cross_set set = queue->of[0];
    memmove(queue->of, queue->of + 1, --queue->count * sizeof *queue->of);
    return set;
}

/* ---- cores */

bool ptog_cross_open(struct ptog_core *core)
{
    struct ptog_device *device = core->device;
    if (!ptog_array_reserve(&device->open, device->open_count + 1, &device->open_room))
        return false;
    core->cross = calloc(1, sizeof *core->cross);
    if (!core->cross)
        return false;
    device->open[device->open_count++] = core;
    return true;
}

void ptog_cross_close(struct ptog_core *core)
{
    struct ptog_device *device = core->device;
    size_t kept = 0;
    if (!core->cross)
        return;
    for (size_t i = 0; i < device->open_count; i++)
        if (device->open[i] != core)
            device->open[kept++] = device->open[i];
    device->open_count = kept;
    for (int c = 0; c < PTOG_CROSS_COUNTERS; c++) {
        free_queue(&core->cross->ready[c]);
        for (int mode = 0; mode <= PTOG_CROSS_MODES; mode++)
            free_queue(&core->cross->partial[mode][c]);
    }
    free(core->cross);
    core->cross = NULL;
}

/* ---- a set fires */

/* Whether `other` has to set the counter, too, before a set of `core` in this mode counts. */
static bool is_member(const struct ptog_core *core, const struct ptog_core *other, int mode, int counter)
{
    if (mode == SYNC_ALL && counter == PTOG_CROSS_IDS + PTOG_ALL_CORES)
        return true;
    return other->cube == core->cube && (mode == 0 || mode == SYNC_ALL || other->block == core->block);
}

/* Whether the counter of `other` goes up then. */
static bool counts_up(const struct ptog_core *core, const struct ptog_core *other, int mode, int counter)
{
    if (mode == 2)
        return other->block == core->block && other->cube != core->cube;
    return is_member(core, other, mode, counter);
}

/* The counter of a core goes up. */
static void count_up(struct ptog_core *core, int counter, const struct ptog_cross_set *set)
{
    push(core->device, &core->cross->ready[counter], set);
    ptog_cross_judge_count(core, counter, set);
}

/* When every core of this mode has set the counter, their sets become one, and the counters of the cores that wait go
 * up. */
static void meet(struct ptog_core *core, int mode, int counter)
{
    struct ptog_device *device = core->device;
    struct ptog_cross_set all = {0};
    for (size_t i = 0; i < device->open_count; i++)
        if (is_member(core, device->open[i], mode, counter) &&
            device->open[i]->cross->partial[mode][counter].count == 0)
            return;
    for (size_t i = 0; i < device->open_count; i++) {
        if (!is_member(core, device->open[i], mode, counter))
            continue;
        struct ptog_cross_set set = take(&device->open[i]->cross->partial[mode][counter]);
        if (!ptog_seen_join(&all.seen, &set.seen))
            device->failed = true;
        ptog_seen_free(&set.seen);
        if (set.time >= all.time) {
            all.time = set.time;
            all.track = set.track;
            all.pipe = set.pipe;
        }
        all.site = set.site;
        all.insn = set.insn;
    }
    for (size_t i = 0; i < device->open_count; i++)
        if (counts_up(core, device->open[i], mode, counter))
            count_up(device->open[i], counter, &all);
    ptog_seen_free(&all.seen);
}

/* A set of a counter fires at `time`: it lies in the counter's queue with what the core has seen until then. */
static void fire_set(struct ptog_core *core, const struct ptog_event *event, double time)
{
    struct ptog_device *device = core->device;
    struct ptog_cross_set set = {.time = time,
                                 .site = event->site,
                                 .insn = event->insn,
                                 .track = ptog_track_number(core->track),
                                 .pipe = event->pipe};
    if (core->sanitizer && !ptog_links_hand_on(core->sanitizer, event->pipe, event->step, &set.seen))
        device->failed = true;
    push(device, &core->cross->partial[event->mode][event->id], &set);
    ptog_seen_free(&set.seen);
    meet(core, event->mode, event->id);
}

/* The set of a core with a machine has come to the head of its pipe. */
static void fire_of_pipe(void *user, const struct ptog_event *event, double time)
{
    fire_set(user, event, time);
}

/* ---- calls */

enum ptog_status ptog_core_cross_set(ptog_core *core, enum ptog_pipe pipe, int id, int mode)
{
    if (!core || !core->cross || id < 0 || id >= PTOG_CROSS_IDS || mode < 0 || mode >= PTOG_CROSS_MODES)
        return ptog_core_bad_argument(core, "ptog_core_cross_set", !core || core->cross ? "id" : "core",
                                      !core || core->cross ? "is invalid" : "is not of a linked device");
    enum ptog_status status = ptog_core_begin(core, "sync.set");
    if (status != PTOG_OK)
        return status;
    struct ptog_event event = {.kind = PTOG_EVENT_CROSS_SET,
                               .pipe = pipe,
                               .id = id,
                               .mode = (uint8_t)mode,
                               .site = core->site,
                               .insn = core->insn,
                               .step = (uint32_t)core->instructions};
    core->device->cross_ids |= 1u << id;
    ptog_cross_judge_clash(core);
    if (ptog_core_is_direct(core)) {
        fire_set(core, &event, 0);
        return PTOG_OK;
    }
    if (pipe == PTOG_S || (unsigned)pipe >= PTOG_ALL || !ptog_core_has_pipe(core->device->target, core->cube, pipe)) {
        ptog_cross_say_pipe(core, pipe);
        return PTOG_OK;
    }
    core->pipes.fire = fire_of_pipe;
    core->pipes.user = core;
    ptog_core_spend(core, PTOG_PERIOD_ISSUE, core->device->costs.issue);
    ptog_core_enter(core, &event, NULL);
    return ptog_core_ended(core) ? PTOG_FAULT : PTOG_OK;
}

/* The wait in simulated time; in the timeline an arrow comes to it from the core that set the counter last. */
static void show_wait(struct ptog_core *core, int counter, const struct ptog_cross_set *set)
{
    const struct ptog_cause cause = {.site = core->site};
    double from = core->timeline.now, fired = set->time;
    ptog_timeline_cross_wait(&core->timeline, counter, fired, &cause);
    struct ptog_counter_arrow arrow = {set->track, set->pipe, fired - core->device->costs.set_flag,
                                       ptog_max(from, fired)};
    if (core->track && arrow.from > 0 && counter < PTOG_CROSS_IDS)
        ptog_track_counter(core->track, counter, &arrow);
}

/* S goes on behind a wait. */
static void go_on(struct ptog_core *core, int counter)
{
    struct ptog_device *device = core->device;
    struct ptog_cross_set set = take(&core->cross->ready[counter]);
    core->cross->waiting = false;
    if (core->sanitizer && !ptog_links_hear(core->sanitizer, &set.seen))
        device->failed = true;
    for (size_t i = 0; i < device->open_count && !device->is_direct; i++)
        if (device->open[i] != core)
            ptog_timeline_until(&device->open[i]->timeline, set.time);
    if (!device->is_direct)
        show_wait(core, counter, &set);
    ptog_seen_free(&set.seen);
}

/* Takes a set that has fired, and goes on; or notes that the core stands still here, and gives PTOG_BLOCKED. */
static enum ptog_status take_or_wait(struct ptog_core *core, int counter)
{
    core->cross->waiting = core->cross->ready[counter].count == 0;
    core->cross->counter = counter;
    core->cross->site = core->site;
    if (core->cross->waiting)
        return PTOG_BLOCKED;
    go_on(core, counter);
    return PTOG_OK;
}

/* The core stands still at this wait already. */
static bool is_waiting(const struct ptog_core *core, int counter)
{
    return core->cross->waiting && core->cross->counter == counter;
}

enum ptog_status ptog_core_cross_wait(ptog_core *core, int id)
{
    if (!core || !core->cross || id < 0 || id >= PTOG_CROSS_IDS)
        return ptog_core_bad_argument(core, "ptog_core_cross_wait", !core || core->cross ? "id" : "core",
                                      !core || core->cross ? "is invalid" : "is not of a linked device");
    if (is_waiting(core, id))
        return ptog_core_ended(core) ? PTOG_FAULT : take_or_wait(core, id);
    enum ptog_status status = ptog_core_begin(core, "sync.wait");
    if (status != PTOG_OK)
        return status;
    core->device->cross_ids |= 1u << id;
    ptog_cross_judge_clash(core);
    if (!ptog_core_is_direct(core))
        ptog_core_spend(core, PTOG_PERIOD_ISSUE, core->device->costs.issue);
    return take_or_wait(core, id);
}

/* A barrier of all cores: the core sets its counter once, and is PTOG_BLOCKED until all of them have. */
enum ptog_status ptog_core_sync_all(ptog_core *core, enum ptog_all cores)
{
    static const uint32_t ids[] = {1u << 14, 1u << 11, 7u << 11};
    if (!core || !core->cross || (unsigned)cores > PTOG_ALL_CORES)
        return ptog_core_bad_argument(core, "ptog_core_sync_all", !core || core->cross ? "cores" : "core",
                                      !core || core->cross ? "is invalid" : "is not of a linked device");
    int counter = PTOG_CROSS_IDS + (int)cores;
    if (is_waiting(core, counter))
        return ptog_core_ended(core) ? PTOG_FAULT : take_or_wait(core, counter);
    enum ptog_status status = ptog_core_begin(core, "syncall");
    if (status != PTOG_OK)
        return status;
    struct ptog_event event = {.kind = PTOG_EVENT_CROSS_SET,
                               .pipe = PTOG_S,
                               .id = counter,
                               .mode = SYNC_ALL,
                               .site = core->site,
                               .insn = core->insn,
                               .step = (uint32_t)core->instructions};
    core->device->sync_all_ids |= ids[cores];
    ptog_cross_judge_clash(core);
    if (!ptog_core_is_direct(core)) {
        ptog_core_spend(core, PTOG_PERIOD_ISSUE, core->device->costs.issue);
        ptog_core_enter(core, &(struct ptog_event){.kind = PTOG_EVENT_BARRIER, .pipe = PTOG_ALL}, NULL);
    }
    if (ptog_core_ended(core))
        return PTOG_FAULT;
    fire_set(core, &event, ptog_core_is_direct(core) ? 0 : core->timeline.now);
    return take_or_wait(core, counter);
}
