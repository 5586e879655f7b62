/* core: a core's timeline for the trace of its device: periods and findings get their names, and are passed on. */
#include "core/device.h"

static void site_of(void *user, uint32_t site, const char **name, struct ptog_where *where)
{
    const struct ptog_core *core = user;
    const struct ptog_site *found = ptog_names_site_at(&core->device->court.names, site);
    if (!found)
        return;
    *name = found->name;
    *where = found->where;
}

static const char *buffer_of(void *user, int buffer)
{
    const struct ptog_court *court = &((const struct ptog_core *)user)->device->court;
    return court->buffer_name(court->user, buffer);
}

static void pass_on(void *user, const struct ptog_period *period)
{
    ptog_track_period(((struct ptog_core *)user)->track, period);
}

static void noted(void *user, const struct ptog_finding *finding, enum ptog_severity severity)
{
    struct ptog_core *core = user;
    if (core)
        ptog_track_fault(core->track, finding->id, severity, finding->key.site, core->shown_at);
}

bool ptog_core_trace(struct ptog_core *core)
{
    struct ptog_device *device = core->device;
    struct ptog_trace_names names = {core, site_of, buffer_of};
    core->track = ptog_track_open(&device->trace, core->block, device->launched, core->timed.ub_bytes, &names);
    core->watcher = (struct ptog_watcher){core, pass_on};
    core->timeline.watcher = &core->watcher;
    return core->track != NULL;
}

void ptog_core_trace_begin(struct ptog_core *core)
{
    struct ptog_findings *findings = &core->device->court.findings;
    core->shown_at = core->timeline.now;
    findings->noted = core->track ? noted : NULL;
    findings->user = core;
}

void ptog_core_trace_end(struct ptog_core *core)
{
    struct ptog_findings *findings = &core->device->court.findings;
    findings->noted = NULL;
    findings->user = NULL;
    if (!core->track)
        return;
    ptog_timeline_left(&core->timeline);
    if (!ptog_track_end(core->track, core->timeline.now))
        core->device->failed = true;
}
