/* core: one vector core of the machine, from ptog_core_open to ptog_core_close: its parts, its figures, the place in
 * the source that its calls come from, and tiles that are filled and read from outside (preset and peek). Instructions
 * are in calls.c and issue.c, flags and barriers in sync.c. */
#include <stdlib.h>

#include "core/device.h"
#include "model/cube/memories.h"
#include "model/tile.h"

/* Opens the sanitizer of a core; false when out of memory. */
static bool open_sanitizer(ptog_core *core)
{
    struct ptog_device *device = core->device;
    core->sanitizer = malloc(sizeof *core->sanitizer);
    struct ptog_core_number number = {core->block, core->subblock, core->cube};
    if (core->sanitizer && ptog_sanitizer_open(core->sanitizer, &device->shared, device->cores, number))
        return true;
    free(core->sanitizer);
    core->sanitizer = NULL;
    return false;
}

/* Opens the memories of a core, and its sanitizer where checks are wanted; automatic mode needs it, to know which
 * earlier accesses an instruction has to wait for. False when out of memory: close_parts frees what was made. */
static bool open_parts(ptog_core *core)
{
    struct ptog_device *device = core->device;
    bool checks = !device->options.no_sanitize || device->options.automatic;
    core->diags = ptog_diags_new();
    core->timed.gm = &device->gm;
    if (ptog_core_is_direct(core))
        return core->diags && ptog_direct_open(&core->direct, device->target->ub_bytes) == PTOG_OK;
    uint64_t bytes = core->cube ? ptog_cube_bytes(device->target) : device->target->ub_bytes;
    return core->diags && ptog_memories_open(&core->issued, &core->timed, bytes, &device->gm) &&
           (!checks || open_sanitizer(core));
}

/* Connects pipes, timeline and sanitizer of a core with a machine. A direct core is spared that: freeing pipes and
 * flags would cost it more than a launch. */
static void start_machine(ptog_core *core)
{
    struct ptog_device *device = core->device;
    core->observer = (struct ptog_observer){core->sanitizer,     ptog_sanitizer_stamp,    ptog_sanitizer_event,
                                            ptog_sanitizer_held, ptog_sanitizer_deadlock, ptog_sanitizer_full};
    core->pipes.observer = core->sanitizer ? &core->observer : NULL;
    core->pipes.timeline = &core->timeline;
    core->recent.count = ptog_cost_lines(&device->costs);
    core->log.recent = &core->recent;
    for (int p = 0; p < PTOG_PIPES; p++)
        core->timeline.barriers[p] = ptog_pipe_needs_barrier(device->target, (enum ptog_pipe)p);
}

/* Frees everything that a core has, but not itself. */
static void close_parts(ptog_core *core)
{
    if (!ptog_core_is_direct(core)) {
        ptog_pipes_close(&core->pipes);
        ptog_timeline_close(&core->timeline);
    }
    if (core->sanitizer)
        ptog_sanitizer_close(core->sanitizer);
    free(core->sanitizer);
    ptog_direct_close(&core->direct);
    ptog_memories_close(&core->issued, &core->timed);
    ptog_log_free(&core->log);
    ptog_log_free(&core->possible);
    ptog_track_free(core->track);
    free(core->arrivals.list);
    free(core->arrivals.shown);
    free(core->unit_flags.of);
    ptog_static_ub_close(&core->static_ub);
    ptog_resolved_cache_close(&core->resolved);
    ptog_diags_free(core->diags);
    ptog_core_fifos_close(core);
    ptog_cross_close(core);
    free(core->dmas.of);
    free(core->timed_dmas.of);
    free(core->file);
    free(core->text);
    free(core);
}

enum ptog_status ptog_core_open(ptog_core **core, ptog_device *device, uint32_t block)
{
    return ptog_core_open_subblock(core, device, block, 0);
}

/* Opens a core of a device, with pipes where its target has them. *core is NULL unless PTOG_OK. */
static enum ptog_status open_core(ptog_core **core, ptog_device *device, struct ptog_core_number number)
{
    if (core)
        *core = NULL;
    if (!core || !device || number.subblock > 1)
        return PTOG_BAD_ARGUMENT;
    ptog_core *made = calloc(1, sizeof *made);
    if (!made)
        return PTOG_NO_MEMORY;
    made->device = device;
    made->block = number.block;
    made->subblock = number.subblock;
    made->cube = number.cube;
    device->has_cube |= number.cube;
    device->cores++;
    if (!open_parts(made)) {
        close_parts(made);
        return PTOG_NO_MEMORY;
    }
    bool direct = ptog_core_is_direct(made), automatic = device->options.automatic && !direct;
    ptog_core_automatic(made, &(struct ptog_automatic){.on = automatic});
    ptog_timeline_open(&made->timeline, &device->costs, &made->timed, &device->options, number.block);
    if (!direct)
        start_machine(made);
    if ((device->options.linked && !ptog_cross_open(made)) || (device->trace.json.sink && !ptog_core_trace(made))) {
        close_parts(made);
        return PTOG_NO_MEMORY;
    }
    *core = made;
    return PTOG_OK;
}

enum ptog_status ptog_core_open_subblock(ptog_core **core, ptog_device *device, uint32_t block, uint32_t subblock)
{
    return open_core(core, device, (struct ptog_core_number){block, subblock, device && device->options.cube});
}

enum ptog_status ptog_core_open_cube(ptog_core **core, ptog_device *device, uint32_t block)
{
    return open_core(core, device, (struct ptog_core_number){.block = block, .cube = true});
}

/* Adds the figures of a core to those of the device; the longest of their times counts. */
static void add_stats(struct ptog_stats *sum, const struct ptog_stats *one)
{
    sum->instructions += one->instructions;
    sum->sets += one->sets;
    sum->waits += one->waits;
    sum->barriers += one->barriers;
    sum->inserted += one->inserted;
    sum->wait_cycles += one->wait_cycles;
    for (int p = 0; p < PTOG_PIPES; p++)
        sum->busy_cycles[p] += one->busy_cycles[p];
    sum->dmas += one->dmas;
    sum->bursts += one->bursts;
    sum->dropped_bursts += one->dropped_bursts;
    sum->gm_read_bytes += one->gm_read_bytes;
    sum->gm_write_bytes += one->gm_write_bytes;
    sum->scalar_loads += one->scalar_loads;
    sum->scalar_stores += one->scalar_stores;
    sum->launches += one->launches;
    sum->warps += one->warps;
    sum->idle_lanes += one->idle_lanes;
    sum->transactions += one->transactions;
    sum->transaction_bytes += one->transaction_bytes;
    if (one->ub_top > sum->ub_top)
        sum->ub_top = one->ub_top;
    sum->line_hits += one->line_hits;
    sum->policy_steps += one->policy_steps;
    if (one->most_outstanding > sum->most_outstanding)
        sum->most_outstanding = one->most_outstanding;
    if (one->ub_static > sum->ub_static)
        sum->ub_static = one->ub_static;
    sum->core_cycles += one->core_cycles;
    if (one->cycles > sum->cycles)
        sum->cycles = one->cycles;
}

/* Adds figures to those of the device. */
void ptog_core_add_stats(ptog_core *core, const struct ptog_stats *stats)
{
    add_stats(&core->stats, stats);
}

void ptog_core_close(ptog_core *core)
{
    if (!core)
        return;
    struct ptog_device *device = core->device;
    ptog_core_trace_begin(core);
    if (!ptog_core_is_direct(core)) {
        ptog_pipes_end(&core->pipes);
        ptog_timeline_drain(&core->timeline);
        ptog_core_leave_peers(core);
    }
    if (core->sanitizer) {
        ptog_cross_left(core);
        if (!device->shared.stopped) {
            ptog_core_fifos_left(core);
            ptog_core_unit_flags_left(core);
        }
        if (!ptog_core_ended(core)) {
            ptog_sanitizer_left(core->sanitizer);
            ptog_scalar_cache_end(core->sanitizer);
        }
        ptog_order_logs_keep(&device->shared.order_logs, &core->sanitizer->order_log,
                             !ptog_core_ended(core) && !core->sanitizer->raced);
        ptog_sanitizer_budget(core->sanitizer, device->options.dyn_ub, core->static_ub.bytes);
    }
    ptog_core_trace_end(core);
    core->timeline.stats.cycles = core->timeline.stats.core_cycles = core->timeline.now;
    add_stats(&core->stats, &core->timeline.stats);
    core->stats.instructions = core->instructions;
    core->stats.inserted = core->automatic.count;
    core->stats.ub_static = core->static_ub.bytes;
    add_stats(&device->stats, &core->stats);
    if (core->pipes.failed || core->timeline.failed || core->issued.failed)
        device->failed = true;
    close_parts(core);
}

void ptog_device_stop(ptog_device *device)
{
    device->shared.stopped = true;
}

/* A copy that the caller frees; NULL of NULL, or when out of memory. */
static char *copy_string(const char *text)
{
    size_t length = text ? strlen(text) + 1 : 0;
    char *copy = text ? malloc(length) : NULL;
    return copy ? memcpy(copy, text, length) : NULL;
}

/* Keeps a copy of `text` in *kept, and does nothing when `last` is the same text. */
static const char *keep(char **kept, const char *last, const char *text)
{
    if (text && last && strcmp(last, text) == 0)
        return last;
    char *copy = copy_string(text);
    free(*kept);
    return *kept = copy;
}

void ptog_core_where(ptog_core *core, const struct ptog_where *where)
{
    if (!core || !where)
        return;
    const char *file = keep(&core->file, core->where.file, where->file);
    const char *text = keep(&core->text, core->where.text, where->text);
    core->named = NULL;
    core->kept = NULL;
    core->where = *where;
    core->where.file = file;
    core->where.text = text;
    if ((where->file && !core->where.file) || (where->text && !core->where.text))
        core->device->failed = true; /* the report would not know its places */
}

void ptog_core_go_to(ptog_core *core, struct ptog_kept_where *kept)
{
    core->named = NULL;
    core->kept = kept;
    core->where = kept->where;
}

void ptog_core_at(ptog_core *core, const char *file, uint32_t line)
{
    ptog_core_where(core, &(struct ptog_where){.file = file, .line = line});
}

/* Entries are counted in 32 bits, and an instruction makes at most about ten in a queue. */
#define MAX_INSTRUCTIONS (UINT32_MAX / 16)

/* The number of the current location for an instruction of that name, counted as one more run there; kept with the
 * location if the caller keeps that. 0 when out of memory. */
static uint32_t site_of(ptog_core *core, const char *name)
{
    struct ptog_names *names = &core->device->shared.names;
    if (core->kept && core->kept->name == name)
        return ptog_names_site_again(names, core->kept->site);
    uint32_t site = ptog_names_site(names, &core->where, name);
    if (core->kept && site > 0) {
        core->kept->name = name;
        core->kept->site = site;
    }
    return site;
}

enum ptog_status ptog_core_begin(ptog_core *core, const char *name)
{
    uint64_t most = core->device->options.most_instructions;
    if (core->fifos && core->fifos->name)
        name = core->fifos->name;
    struct ptog_names *names = &core->device->shared.names;
    if (core->instructions >= MAX_INSTRUCTIONS)
        core->device->failed = core->hangs = true;
    if (most > 0 && core->instructions >= most)
        core->hangs = true;
    if (ptog_core_ended(core))
        return PTOG_FAULT;
    core->instructions++;
    core->insn = core->device->insns++;
    if (core->named != name)
        core->site = site_of(core, name);
    core->named = name;
    if (core->site == 0) {
        core->device->failed = true;
        return PTOG_NO_MEMORY;
    }
    const struct ptog_where *known = &ptog_names_site_at(names, core->site)->where;
    core->where.file = known->file; /* the next search need not compare texts */
    core->where.origin = known->origin;
    ptog_core_trace_begin(core);
    return PTOG_OK;
}

/* Whether a tile can be preset or looked at: placed on this core, with known extents, not absurdly large. *tile is
 * `given` with its defaults and its address in the core's memory. */
static bool is_usable(ptog_core *core, const struct ptog_tile *given, struct ptog_tile *tile)
{
    if (!core || !given || !ptog_is_unreserved(given))
        return false;
    *tile = *given;
    ptog_tile_fill_defaults(tile);
    int64_t bytes = ptog_tile_bytes(tile);
    bool direct = ptog_core_is_direct(core), cube = core->cube;
    ptog_tile_settle(core->device->target, tile);
    if ((unsigned)tile->loc >= PTOG_LOCS || (!direct && cube != (tile->loc != PTOG_VEC)))
        return false;
    if (!direct && cube)
        tile->addr += ptog_cube_start(core->device->target, tile->loc);
    if (direct && (bytes <= 0 || ptog_direct_reach(&core->direct, tile, false) != PTOG_OK))
        return false;
    return tile->placed && ptog_dtype_size(tile->dtype) > 0 && bytes > 0 && tile->valid_row > 0 &&
           tile->valid_row <= tile->rows && tile->valid_col > 0 && tile->valid_col <= tile->cols &&
           ptog_tile_order(tile) != PTOG_ORDER_OTHER &&
           (direct || ((uint64_t)bytes <= core->timed.ub_bytes && tile->addr <= core->timed.ub_bytes));
}

enum ptog_status ptog_core_preset(ptog_core *core, const struct ptog_tile *tile, const void *data)
{
    struct ptog_tile known;
    if (!data || !is_usable(core, tile, &known))
        return PTOG_BAD_ARGUMENT;
    if (ptog_core_is_direct(core)) {
        ptog_direct_poke(&core->direct, &known, data);
        return PTOG_OK;
    }
    size_t size = ptog_dtype_size(known.dtype);
    const unsigned char *from = data;
    struct ptog_access write = {.kind = PTOG_WRITES, .bytes = size, .count = 1};
    write.tile = ptog_names_tile(&core->device->shared.names, &known, "preset", 0);
    for (int64_t r = 0; r < known.valid_row; r++)
        for (int64_t c = 0; c < known.valid_col; c++, from += size) {
            uint64_t bits = 0;
            memcpy(&bits, from, size);
            write.at = known.addr + (uint64_t)ptog_tile_offset(&known, r, c) * size;
            ptog_ub_put(&core->issued, write.at, size, bits);
            ptog_ub_put(&core->timed, write.at, size, bits);
            if (core->sanitizer)
                ptog_sanitizer_preset(core->sanitizer, &write);
            if (core->track)
                ptog_track_preset(core->track, write.at, size);
        }
    ptog_core_trace_preset(core, known.addr, (uint64_t)ptog_tile_bytes(&known));
    return PTOG_OK;
}

void ptog_core_forget(ptog_core *core, enum ptog_loc loc, uint64_t addr, uint64_t bytes)
{
    uint64_t at = addr + ptog_cube_start(core->device->target, loc);
    if (!ptog_core_is_direct(core) && core->sanitizer && core->cube == (loc != PTOG_VEC) &&
        !ptog_links_is_sent(core->sanitizer, at, bytes))
        ptog_sanitizer_forget(core->sanitizer, at, bytes);
}

enum ptog_status ptog_core_peek(ptog_core *core, const struct ptog_tile *tile, void *data)
{
    struct ptog_tile known;
    if (!data || !is_usable(core, tile, &known))
        return PTOG_BAD_ARGUMENT;
    if (ptog_core_is_direct(core)) {
        ptog_direct_peek(&core->direct, &known, data);
        return PTOG_OK;
    }
    size_t size = ptog_dtype_size(known.dtype);
    unsigned char *to = data;
    ptog_timeline_drain(&core->timeline);
    for (int64_t r = 0; r < known.valid_row; r++)
        for (int64_t c = 0; c < known.valid_col; c++, to += size) {
            uint64_t bits;
            ptog_ub_get(&core->timed, known.addr + (uint64_t)ptog_tile_offset(&known, r, c) * size, size, &bits);
            memcpy(to, &bits, size);
        }
    return PTOG_OK;
}

#define STABLE_UB ((uint64_t)2 << 20) /* what ptog_core_ub makes room for at once, so that tiles do not move it */

void *ptog_core_ub(ptog_core *core, uint64_t addr, uint64_t bytes)
{
    if (!core || !ptog_core_is_direct(core) || bytes > PTOG_MAX_UB || addr > PTOG_MAX_UB - bytes)
        return NULL;
    uint64_t end = addr + bytes;
    struct ptog_tile all = ptog_tile_at(ptog_tile_vec(PTOG_U8, 1, (int64_t)(end > STABLE_UB ? end : STABLE_UB)), 0);
    if (ptog_direct_reach(&core->direct, &all, false) != PTOG_OK)
        return NULL;
    return core->direct.memories[PTOG_VEC].data + addr;
}

bool ptog_core_look(const ptog_core *core, const struct ptog_tile *tile, int64_t row, int64_t col, uint64_t *bits)
{
    struct ptog_tile settled = *tile;
    ptog_tile_settle(core->device->target, &settled);
    uint64_t size = ptog_dtype_size(tile->dtype);
    uint64_t at = tile->addr + (uint64_t)ptog_tile_offset(&settled, row, col) * size;
    *bits = 0;
    if (ptog_core_is_direct(core))
        return ptog_direct_look(&core->direct, tile, at, size, bits);
    if (core->cube)
        at += ptog_cube_start(core->device->target, tile->loc);
    ptog_ub_get(&core->issued, at, size, bits);
    return !core->sanitizer || ptog_sanitizer_is_defined(core->sanitizer, at, size);
}

uint64_t ptog_core_memory(const ptog_core *core)
{
    const struct ptog_device *device = core->device;
    uint64_t bytes = core->pipes.held;
    for (int i = 0; i < device->gm.count; i++)
        bytes += device->gm.of[i].held + device->shared.gm[i].held;
    if (core->sanitizer)
        bytes += ptog_links_held(core->sanitizer);
    return bytes;
}

unsigned char *ptog_core_take_ub(ptog_core *core, uint64_t *bytes)
{
    ptog_timeline_drain(&core->timeline);
    if (ptog_core_is_direct(core))
        return ptog_direct_take_ub(&core->direct, bytes);
    *bytes = ptog_ub_reached(&core->timed);
    unsigned char *copy = malloc((size_t)*bytes + 1); /* the device keeps its own for the next core */
    if (copy && *bytes > 0)
        memcpy(copy, core->timed.ub, (size_t)*bytes);
    return copy;
}
