/* core: counters between the cores of a launch: sets, waits and syncall. */
#include "core/cross.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/pick.h"
#include "core/device.h"

#define SYNC_ALL PTOG_CROSS_MODES

/* ---- queues */

/* Frees a counter's queue with what its sets hand on. */
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

/* The counter's queue of sets that a core can wait for, and of those that lack a partner. NULL when out of memory. */
static struct ptog_cross_queue *queue_of(struct ptog_core *core, bool partial, int mode, int counter)
{
    struct ptog_cross *cross = core->cross;
    if (counter < PTOG_CROSS_COUNTERS)
        return partial ? &cross->partial[mode][counter] : &cross->ready[counter];
    if (!cross->channels)
        cross->channels = calloc(1, sizeof *cross->channels);
    if (!cross->channels) {
        core->device->failed = true;
        return NULL;
    }
    counter -= PTOG_CROSS_COUNTERS;
    return partial ? &cross->channels->partial[counter] : &cross->channels->ready[counter];
}

/* ---- cores */

/* Adds the core to the open cores of its linked device, with counters that are all zero. False when out of memory. */
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

/* Takes the core off the open cores of its device, and frees its counters and channels. */
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
    for (int c = 0; core->cross->channels && c < PTOG_INTRA_IDS; c++)
        free_queue(&core->cross->channels->ready[PTOG_CHANNELS + c]);
    for (int c = 0; core->cross->channels && c < PTOG_CHANNELS; c++) {
        free_queue(&core->cross->channels->ready[c]);
        free_queue(&core->cross->channels->partial[c]);
    }
    free(core->cross->channels);
    free(core->cross);
    core->cross = NULL;
}

/* ---- a set fires */

/* Whether the counter is one of a FIFO that vector core 0 has for itself. */
static bool is_of_fifo_alone(const struct ptog_core *core, int counter)
{
    int channel = counter - PTOG_CROSS_COUNTERS;
    return channel >= 0 && channel < PTOG_CHANNELS && core->fifos && core->fifos->ends[channel / 4].alone;
}

/* Whether `other` has to set the counter, too, before a set of `core` in this mode counts. */
static bool is_member(const struct ptog_core *core, const struct ptog_core *other, int mode, int counter)
{
    if (other != core && other->subblock > 0 && is_of_fifo_alone(core, counter))
        return false;
    if (mode == SYNC_ALL && counter == PTOG_CROSS_IDS + PTOG_ALL_CORES)
        return true;
    return other->cube == core->cube && (mode == 0 || mode == SYNC_ALL || other->block == core->block);
}

/* Whether the counter of `other` goes up then. */
static bool counts_up(const struct ptog_core *core, const struct ptog_core *other, int mode, int counter)
{
    if (mode == 2)
        return other->block == core->block && other->cube != core->cube &&
               (other->subblock == 0 || !is_of_fifo_alone(core, counter));
    return is_member(core, other, mode, counter);
}

/* The counter of a core goes up. */
static void count_up(struct ptog_core *core, int counter, const struct ptog_cross_set *set)
{
    struct ptog_cross_queue *queue = queue_of(core, false, 0, counter);
    if (queue)
        push(core->device, queue, set);
    ptog_cross_judge_count(core, counter, set);
}

/* When every core of this mode has set the counter, their sets become one, and the counters of the cores that wait go
 * up. */
static void meet(struct ptog_core *core, int mode, int counter)
{
    struct ptog_device *device = core->device;
    struct ptog_cross_set all = {0};
    for (size_t i = 0; i < device->open_count; i++) {
        const struct ptog_cross_queue *queue =
            is_member(core, device->open[i], mode, counter) ? queue_of(device->open[i], true, mode, counter) : NULL;
        if (device->failed || (queue && queue->count == 0))
            return;
    }
    for (size_t i = 0; i < device->open_count; i++) {
        if (!is_member(core, device->open[i], mode, counter))
            continue;
        struct ptog_cross_set set = take(queue_of(device->open[i], true, mode, counter));
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

/* The core and the counter at the other end of a flag between two cores of a block; NULL: there is no such core. */
static struct ptog_core *other_end(const struct ptog_core *core, int id, int *counter)
{
    const struct ptog_device *device = core->device;
    uint32_t subblock = (uint32_t)id / PTOG_CROSS_IDS;
    *counter = PTOG_CROSS_COUNTERS + PTOG_CHANNELS +
               (core->cube ? id % PTOG_CROSS_IDS : id + PTOG_CROSS_IDS * (int)core->subblock);
    for (size_t i = 0; i < device->open_count; i++) {
        struct ptog_core *other = device->open[i];
        if (other->block == core->block && other->cube != core->cube && (!core->cube || other->subblock == subblock))
            return other;
    }
    return NULL;
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
    if (event->mode == PTOG_INTRA_MODE) {
        int counter;
        struct ptog_core *other = other_end(core, event->id, &counter);
        if (other)
            count_up(other, counter, &set);
        ptog_seen_free(&set.seen);
        return;
    }
    struct ptog_cross_queue *queue = queue_of(core, true, event->mode, event->id);
    if (queue)
        push(device, queue, &set);
    ptog_seen_free(&set.seen);
    meet(core, event->mode, event->id);
}

/* The set of a core with a machine has come to the head of its pipe. */
static void fire_of_pipe(void *user, const struct ptog_event *event, double time)
{
    fire_set(user, event, time);
}

static void enter_set(struct ptog_core *core, struct ptog_event *event)
{
    core->pipes.fire = fire_of_pipe;
    core->pipes.user = core;
    ptog_core_enter(core, event, NULL);
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
    ptog_core_spend(core, PTOG_PERIOD_ISSUE, core->device->costs.issue);
    enter_set(core, &event);
    return ptog_core_status(core);
}

/* A pipe waits for a set that has fired. */
static void enter_wait(struct ptog_core *core, enum ptog_pipe pipe, double fired)
{
    struct ptog_event event = {.kind = PTOG_EVENT_CROSS_WAIT, .pipe = pipe, .fired = fired};
    ptog_core_enter(core, &event, NULL);
}

/* The wait in simulated time; in the timeline an arrow comes to it from the core that set the counter last. */
static void show_wait(struct ptog_core *core, int counter, const struct ptog_cross_set *set)
{
    const struct ptog_cause cause = {.site = core->site};
    double from = core->timeline.now, fired = set->time;
    ptog_timeline_cross_wait(&core->timeline, counter, fired, &cause);
    struct ptog_counter_arrow arrow = {set->track, set->pipe, fired - core->device->costs.set_flag,
                                       ptog_max(from, fired)};
    bool is_fifo = counter >= PTOG_CROSS_COUNTERS && counter < PTOG_CROSS_COUNTERS + PTOG_CHANNELS;
    if (core->track && arrow.from > 0 && (counter < PTOG_CROSS_IDS || is_fifo))
        ptog_track_counter(core->track, counter, &arrow);
}

/* Lets S, or the pipe that waits, go on behind a wait: takes the oldest set of the counter, hands its knowledge to the
 * sanitizer, and advances the other cores' time up to it. */
static void go_on(struct ptog_core *core, enum ptog_pipe pipe, int counter)
{
    struct ptog_device *device = core->device;
    struct ptog_cross_set set = take(queue_of(core, false, 0, counter));
    core->cross->waiting = false;
    if (core->sanitizer && !ptog_links_hear(core->sanitizer, pipe, &set.seen))
        device->failed = true;
    for (size_t i = 0; i < device->open_count && !device->is_direct; i++)
        if (device->open[i] != core)
            ptog_timeline_until(&device->open[i]->timeline, set.time);
    if (!device->is_direct && pipe != PTOG_S)
        enter_wait(core, pipe, set.time);
    else if (!device->is_direct)
        show_wait(core, counter, &set);
    ptog_seen_free(&set.seen);
}

/* The core stands still at a wait until its set has fired, also where a single pipe waits: that pipe alone is ordered
 * by it. */
static enum ptog_status take_or_wait(struct ptog_core *core, enum ptog_pipe pipe, int counter)
{
    const struct ptog_cross_queue *queue = queue_of(core, false, 0, counter);
    if (ptog_core_ended(core))
        return PTOG_FAULT;
    if (!queue)
        return PTOG_NO_MEMORY;
    core->cross->waiting = queue->count == 0;
    core->cross->counter = counter;
    core->cross->site = core->site;
    if (core->cross->waiting)
        return PTOG_BLOCKED;
    go_on(core, pipe, counter);
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
        return take_or_wait(core, PTOG_S, id);
    enum ptog_status status = ptog_core_begin(core, "sync.wait");
    if (status != PTOG_OK)
        return status;
    core->device->cross_ids |= 1u << id;
    ptog_cross_judge_clash(core);
    if (!ptog_core_is_direct(core))
        ptog_core_spend(core, PTOG_PERIOD_ISSUE, core->device->costs.issue);
    return take_or_wait(core, PTOG_S, id);
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
        return take_or_wait(core, PTOG_S, counter);
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
    return take_or_wait(core, PTOG_S, counter);
}

/* ---- flags between two cores of a block */

/* Whether the core has such a flag; said if not. */
static bool has_intra(struct ptog_core *core, const char *call, int id)
{
    bool linked = core && core->cross;
    if (linked && id >= 0 && id < (core->cube ? PTOG_INTRA_IDS : PTOG_CROSS_IDS))
        return true;
    ptog_core_bad_argument(core, call, linked ? "id" : "core", linked ? "is invalid" : "is not of a linked device");
    return false;
}

enum ptog_status ptog_core_intra_set(ptog_core *core, enum ptog_pipe pipe, int id)
{
    if (!has_intra(core, "ptog_core_intra_set", id))
        return PTOG_BAD_ARGUMENT;
    enum ptog_status status = ptog_core_begin(core, "set_intra_block");
    if (status != PTOG_OK)
        return status;
    struct ptog_event event = {.kind = PTOG_EVENT_CROSS_SET,
                               .pipe = pipe,
                               .id = id,
                               .mode = PTOG_INTRA_MODE,
                               .site = core->site,
                               .insn = core->insn,
                               .step = (uint32_t)core->instructions};
    if (ptog_core_is_direct(core)) {
        fire_set(core, &event, 0);
        return PTOG_OK;
    }
    if ((unsigned)pipe >= PTOG_ALL || pipe == PTOG_S || !ptog_core_has_pipe(core->device->target, core->cube, pipe)) {
        ptog_cross_say_pipe(core, pipe);
        return PTOG_OK;
    }
    ptog_core_spend(core, PTOG_PERIOD_ISSUE, core->device->costs.issue);
    enter_set(core, &event);
    return ptog_core_status(core);
}

enum ptog_status ptog_core_intra_wait(ptog_core *core, enum ptog_pipe pipe, int id)
{
    if (!has_intra(core, "ptog_core_intra_wait", id))
        return PTOG_BAD_ARGUMENT;
    int counter = PTOG_CROSS_COUNTERS + PTOG_CHANNELS + id;
    bool usable = ptog_core_is_direct(core) ||
                  ((unsigned)pipe < PTOG_ALL && ptog_core_has_pipe(core->device->target, core->cube, pipe));
    if (is_waiting(core, counter))
        return take_or_wait(core, pipe, counter);
    enum ptog_status status = ptog_core_begin(core, "wait_intra_block");
    if (status != PTOG_OK)
        return status;
    if (!usable) {
        ptog_cross_say_pipe(core, pipe);
        return PTOG_OK;
    }
    if (!ptog_core_is_direct(core))
        ptog_core_spend(core, PTOG_PERIOD_ISSUE, core->device->costs.issue);
    return take_or_wait(core, pipe, counter);
}

/* ---- channels of FIFOs */

void ptog_channel_set(struct ptog_core *core, enum ptog_pipe pipe, uint32_t channel)
{
    struct ptog_event event = {.kind = PTOG_EVENT_CROSS_SET,
                               .pipe = pipe,
                               .id = ptog_channel_counter(channel),
                               .mode = 2,
                               .site = core->site,
                               .insn = core->insn,
                               .step = (uint32_t)core->instructions};
    if (ptog_core_is_direct(core))
        fire_set(core, &event, 0);
    else
        enter_set(core, &event);
}

enum ptog_status ptog_channel_wait(struct ptog_core *core, enum ptog_pipe pipe, uint32_t channel)
{
    return take_or_wait(core, pipe, ptog_channel_counter(channel));
}

bool ptog_channel_is_waited(const struct ptog_core *core, uint32_t channel)
{
    return is_waiting(core, ptog_channel_counter(channel));
}
