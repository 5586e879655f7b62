/* core: flags, barriers, scalar accesses of GM and the data cache of S, as calls of ptog/core.h: arguments are judged,
 * then the entry is issued. */
#include "core/device.h"

#include "model/fault.h"

void ptog_core_spend(struct ptog_core *core, enum ptog_period_kind kind, double cycles)
{
    const struct ptog_cause cause = {.site = core->site};
    ptog_timeline_scalar(&core->timeline, kind, cycles, &cause);
}

void ptog_core_enter(struct ptog_core *core, struct ptog_event *event, struct ptog_work *work)
{
    event->site = core->site;
    event->insn = core->insn;
    event->step = (uint32_t)core->instructions;
    double before = core->shown_at;
    core->shown_at = core->timeline.now;
    ptog_pipes_issue(&core->pipes, event, work);
    core->shown_at = before;
}

/* Begins a set or a wait and enters it into its pipe. Pipes or an id that cannot be are reported, and nothing is
 * entered. Returns the status of the core. */
static enum ptog_status enter_flag(ptog_core *core, enum ptog_event_kind kind, enum ptog_pipe src, enum ptog_pipe dst,
                                   int id)
{
    if (!core)
        return PTOG_BAD_ARGUMENT;
    enum ptog_status status = ptog_core_begin(core, kind == PTOG_EVENT_SET ? "set_flag" : "wait_flag");
    if (status != PTOG_OK || ptog_core_is_direct(core))
        return status;
    bool cube = core->cube;
    bool usable = ptog_core_has_pipe(core->device->target, cube, src) &&
                  ptog_core_has_pipe(core->device->target, cube, dst) && src != dst && id >= 0 && id < 8;
    struct ptog_event event = {.kind = kind,
                               .pipe = kind == PTOG_EVENT_SET ? src : dst,
                               .src = src,
                               .dst = dst,
                               .id = id,
                               .site = core->site,
                               .insn = core->insn};
    if (core->sanitizer)
        ptog_sanitizer_bad_flag(core->sanitizer, &event, &usable);
    if (!usable)
        return PTOG_OK;
    if (core->automatic.on && kind == PTOG_EVENT_SET)
        ptog_core_order_set(core, src, dst, id);
    ptog_core_spend(core, PTOG_PERIOD_ISSUE, core->device->costs.issue);
    ptog_core_enter(core, &event, NULL);
    return ptog_core_status(core);
}

enum ptog_status ptog_core_set_flag(ptog_core *core, enum ptog_pipe src, enum ptog_pipe dst, int id)
{
    return enter_flag(core, PTOG_EVENT_SET, src, dst, id);
}

enum ptog_status ptog_core_wait_flag(ptog_core *core, enum ptog_pipe src, enum ptog_pipe dst, int id)
{
    return enter_flag(core, PTOG_EVENT_WAIT, src, dst, id);
}

enum ptog_status ptog_core_barrier(ptog_core *core, enum ptog_pipe pipe)
{
    if (!core || (unsigned)pipe > PTOG_ALL)
        return ptog_core_bad_argument(core, "ptog_core_barrier", "pipe", "is invalid");
    enum ptog_status status = ptog_core_begin(core, "barrier");
    if (status != PTOG_OK || ptog_core_is_direct(core))
        return status;
    bool cube = core->cube;
    bool no_v = pipe == PTOG_V && !cube && !core->device->target->v_overtakes &&
                core->device->options.spelling == PTOG_SPELL_CXX;
    bool none = pipe == PTOG_S || (pipe != PTOG_ALL && !ptog_core_has_pipe(core->device->target, cube, pipe));
    if ((none || no_v) && core->sanitizer)
        ptog_sanitizer_bad_barrier(core->sanitizer, pipe, core->site, core->insn);
    if (none || no_v)
        return PTOG_OK;
    ptog_core_spend(core, PTOG_PERIOD_ISSUE, core->device->costs.issue);
    ptog_core_enter(core, &(struct ptog_event){.kind = PTOG_EVENT_BARRIER, .pipe = pipe}, NULL);
    return ptog_core_status(core);
}

/* Judges a scalar access of global memory: reports one outside its buffer and returns false; tells sanitizer and data
 * cache of the others. */
static bool scalar(ptog_core *core, int gm, uint64_t offset, size_t bytes, bool writes)
{
    struct ptog_access access = {.kind = writes ? PTOG_WRITES : PTOG_READS,
                                 .space = PTOG_IN_GM,
                                 .operand = PTOG_AT_SCALAR,
                                 .buffer = gm,
                                 .element = (uint8_t)bytes,
                                 .at = offset,
                                 .bytes = bytes,
                                 .count = 1};
    bool inside = ptog_gm_room(&core->timed, gm, offset) >= bytes;
    if (!ptog_names_operand(&core->device->shared.names, core->site, PTOG_AT_SCALAR, core->device->gm.of[gm].name))
        core->device->failed = true;
    ptog_log_clear(&core->log);
    if (!inside) {
        ptog_core_judge_scalar(core, gm, offset, bytes);
        return false;
    }
    bool shared = core->sanitizer && !core->device->gm.of[gm].read_only;
    if (shared)
        ptog_scalar_cache_access(core->sanitizer, PTOG_S, &access, core->site, core->insn);
    if (shared && core->automatic.on)
        ptog_core_order_access(core, PTOG_S, &access);
    if (shared)
        ptog_core_enter(
            core, &(struct ptog_event){.kind = PTOG_EVENT_WORK, .pipe = PTOG_S, .accesses = &access, .count = 1}, NULL);
    return true;
}

enum ptog_status ptog_core_dcci(ptog_core *core, int gm, uint64_t offset)
{
    if (!core || gm >= core->device->gm.count)
        return ptog_core_bad_argument(core, "ptog_core_dcci", "gm", "is invalid");
    enum ptog_status status = ptog_core_begin(core, "dcci");
    if (status != PTOG_OK || ptog_core_is_direct(core))
        return status;
    if (core->sanitizer)
        ptog_scalar_cache_flush(core->sanitizer, gm, offset);
    ptog_core_spend(core, PTOG_PERIOD_ISSUE, core->device->costs.issue);
    return PTOG_OK;
}

enum ptog_status ptog_core_dsb(ptog_core *core)
{
    if (!core)
        return PTOG_BAD_ARGUMENT;
    enum ptog_status status = ptog_core_begin(core, "dsb");
    if (status != PTOG_OK || ptog_core_is_direct(core))
        return status;
    if (core->sanitizer)
        ptog_scalar_cache_fence(core->sanitizer);
    ptog_core_spend(core, PTOG_PERIOD_ISSUE, core->device->costs.issue);
    return PTOG_OK;
}

/* The first argument of a scalar access that cannot be meant; NULL: all are good. */
static const char *bad_scalar(const ptog_core *core, int gm, size_t bytes, const void *value)
{
    if (!core || !value)
        return core ? "value" : "core";
    if (gm < 0 || gm >= core->device->gm.count)
        return "gm";
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 ? NULL : "bytes";
}

enum ptog_status ptog_core_load_scalar(ptog_core *core, int gm, uint64_t offset, size_t bytes, void *value)
{
    const char *argument = bad_scalar(core, gm, bytes, value);
    if (argument)
        return ptog_core_bad_argument(core, "ptog_core_load_scalar", argument, "is invalid");
    enum ptog_status status = ptog_core_begin(core, "load_scalar");
    if (status != PTOG_OK)
        return status;
    core->stats.scalar_loads++;
    memset(value, PTOG_NO_BYTES, bytes);
    if (!scalar(core, gm, offset, bytes, false))
        return PTOG_OK;
    ptog_core_spend(core, PTOG_PERIOD_WORK, core->device->costs.gm_load);
    ptog_timeline_load(&core->timeline, gm, offset, value, bytes);
    core->stats.gm_read_bytes += bytes;
    return PTOG_OK;
}

enum ptog_status ptog_core_store_scalar(ptog_core *core, int gm, uint64_t offset, size_t bytes, const void *value)
{
    const char *argument = bad_scalar(core, gm, bytes, value);
    if (argument)
        return ptog_core_bad_argument(core, "ptog_core_store_scalar", argument, "is invalid");
    if (core->device->gm.of[gm].read_only)
        return ptog_core_bad_argument(core, "ptog_core_store_scalar", "gm", "is an input");
    enum ptog_status status = ptog_core_begin(core, "store_scalar");
    if (status != PTOG_OK)
        return status;
    core->stats.scalar_stores++;
    if (!scalar(core, gm, offset, bytes, true))
        return PTOG_OK;
    if (ptog_core_is_direct(core)) {
        ptog_gm_write(&core->timed, gm, offset, value, bytes);
        return PTOG_OK;
    }
    struct ptog_scalar_store store = {.buffer = gm, .at = offset, .bytes = bytes};
    memcpy(store.value, value, bytes);
    ptog_gm_write(&core->issued, gm, offset, value, bytes);
    ptog_core_spend(core, PTOG_PERIOD_WORK, core->device->costs.issue);
    ptog_timeline_store(&core->timeline, &store, (uint32_t)core->instructions);
    core->stats.gm_write_bytes += bytes;
    return PTOG_OK;
}
