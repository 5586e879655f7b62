/* core: a core's timeline for the trace of its device: periods and findings get their names, and are passed on. */
#include "core/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/pick.h"

/* Gives the trace the name and place of a call. */
static void site_of(void *user, uint32_t site, const char **name, struct ptog_where *where)
{
    const struct ptog_core *core = user;
    const struct ptog_site *found = ptog_names_site_at(&core->device->shared.names, site);
    if (!found)
        return;
    *name = found->name;
    *where = found->where;
}

/* The name of a buffer, for the trace. */
static const char *trace_buffer(void *user, int buffer)
{
    const struct ptog_sanitizer_shared *shared = &((const struct ptog_core *)user)->device->shared;
    return shared->buffer_name(shared->user, buffer);
}

/* The memory that an address lies in, by name; *address becomes the one inside of it. */
static const char *trace_memory(void *user, uint64_t at, uint64_t *address)
{
    return ptog_sanitizer_memory(&((const struct ptog_core *)user)->device->shared, at, address);
}

/* ---- bytes of UB over time */

/* Bytes that were never shown, or differ from what was shown last, are shown now. Behind the bytes that were shown,
 * each has one that says whether it was. */
static void show_bytes(struct ptog_core *core, double time, uint64_t at, uint64_t count)
{
    unsigned char *shown = core->arrivals.shown, *known = shown + core->timed.ub_bytes;
    uint64_t first = count, last = 0;
    for (uint64_t i = 0; i < count && at + i < core->timed.ub_bytes; i++) {
        uint64_t bits = 0;
        ptog_ub_get(&core->timed, at + i, 1, &bits);
        if (known[at + i] && shown[at + i] == (unsigned char)bits)
            continue;
        known[at + i] = 1;
        shown[at + i] = (unsigned char)bits;
        first = ptog_min(first, i);
        last = i;
    }
    if (first < count)
        ptog_track_values(core->track, time, at + first, shown + at + first, (size_t)(last - first + 1));
}

/* Writes that are complete at a time. Rows without gaps between them are one piece. */
static void show_arrivals(struct ptog_core *core, double time)
{
    struct ptog_arrivals *arrivals = &core->arrivals;
    size_t kept = 0;
    for (size_t i = 0; i < arrivals->count; i++) {
        const struct ptog_arrival one = arrivals->list[i];
        const struct ptog_access *access = &one.access;
        if (one.time > time) {
            arrivals->list[kept++] = one;
            continue;
        }
        uint64_t rows = access->pitch == access->bytes ? 1 : access->count;
        for (uint64_t r = 0; r < rows; r++)
            show_bytes(core, one.time, access->at + r * access->pitch,
                       rows == 1 ? access->bytes * access->count : access->bytes);
    }
    arrivals->count = kept;
}

/* Keeps the writes of a period, whose bytes are shown at its end. */
static void expect_arrivals(struct ptog_core *core, const struct ptog_period *period)
{
    struct ptog_arrivals *arrivals = &core->arrivals;
    for (size_t i = 0; i < period->cause.count; i++) {
        const struct ptog_access *access = &period->cause.accesses[i];
        if (access->space != PTOG_IN_UB || !ptog_access_writes(access) || core->device->trace.values.full)
            continue;
        if (ptog_array_reserve(&arrivals->list, arrivals->count + 1, &arrivals->room))
            arrivals->list[arrivals->count++] = (struct ptog_arrival){period->to, *access};
        else
            core->device->failed = true;
    }
}

void ptog_core_trace_preset(struct ptog_core *core, uint64_t at, uint64_t bytes)
{
    if (core->arrivals.shown)
        show_bytes(core, 0, at, bytes);
}

/* A period of the timeline goes to the trace, with the bytes that have arrived before it. */
static void pass_on(void *user, const struct ptog_period *period)
{
    struct ptog_core *core = user;
    ptog_track_period(core->track, period);
    show_arrivals(core, core->timeline.now);
    if (period->kind == PTOG_PERIOD_WORK)
        expect_arrivals(core, period);
}

/* The watcher of transfers, called when some bytes are complete: shows what has arrived by `time`. */
static void pass_arrivals(void *user, double time)
{
    struct ptog_core *core = user;
    if (core->arrivals.count > 0)
        show_arrivals(core, time);
}

/* Writes at the end of the trace what the tiles are, which the page needs to make values of bytes. */
void ptog_device_trace_tiles(struct ptog_device *device)
{
    for (uint32_t i = 1; i <= device->shared.names.tile_count; i++) {
        const struct ptog_tile_seen *tile = ptog_names_tile_at(&device->shared.names, i);
        struct ptog_value_tile shown = {.name = ptog_names_tile_given(&device->shared.names, tile),
                                        .at = tile->addr,
                                        .rows = tile->rows,
                                        .cols = tile->cols,
                                        .valid_row = tile->valid_row,
                                        .valid_col = tile->valid_col,
                                        .dtype = tile->dtype,
                                        .order = tile->order};
        shown.memory = ptog_sanitizer_memory(&device->shared, tile->addr, &shown.address);
        if (!ptog_trace_values_tile(&device->trace.values, &shown))
            device->failed = true;
    }
}

/* A new finding goes to the trace, at the core's time. */
static void trace_finding(void *user, const struct ptog_diag_entry *entry, enum ptog_severity severity)
{
    struct ptog_core *core = user;
    if (core)
        ptog_track_fault(core->track, entry->diag.id, severity, entry->key.site, core->shown_at);
}

/* "block 0"; where both kinds of cores run, also which core it is. */
static void name_track(const struct ptog_core *core, char *name, size_t size)
{
    unsigned block = core->block;
    if (!core->cross)
        snprintf(name, size, "block %u", block);
    else if (core->cube)
        snprintf(name, size, "block %u, cube core", block);
    else
        snprintf(name, size, "block %u, vector core %u", block, (unsigned)core->subblock);
}

bool ptog_core_trace(struct ptog_core *core)
{
    struct ptog_device *device = core->device;
    struct ptog_trace_names names = {core, site_of, trace_buffer, trace_memory};
    char name[64];
    name_track(core, name, sizeof name);
    core->track = ptog_track_open(&device->trace, name, device->launched, core->timed.ub_bytes, core->cube, &names);
    core->watcher = (struct ptog_watcher){core, pass_on, pass_arrivals};
    core->arrivals.shown = calloc((size_t)core->timed.ub_bytes + 1, 2);
    core->timeline.watcher = &core->watcher;
    return core->track && core->arrivals.shown;
}

void ptog_core_trace_begin(struct ptog_core *core)
{
    struct ptog_diag_list *diags = &core->device->shared.diags;
    core->shown_at = core->timeline.now;
    diags->noted = core->track ? trace_finding : NULL;
    diags->user = core;
}

void ptog_core_trace_end(struct ptog_core *core)
{
    struct ptog_diag_list *diags = &core->device->shared.diags;
    diags->noted = NULL;
    diags->user = NULL;
    if (!core->track)
        return;
    ptog_timeline_left(&core->timeline);
    show_arrivals(core, HUGE_VAL);
    if (!ptog_track_end(core->track, core->timeline.now))
        core->device->failed = true;
}
