/* core: the device: global memory, what the sanitizers of its cores share, report, statistics and the map of UB. */
#include "core/device.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/diag.h"
#include "model/ub_layout.h"

#define MAX_THREADS 4096

/* The name of a buffer, for messages. */
static const char *buffer_name(void *user, int buffer)
{
    const struct ptog_device *device = user;
    return buffer >= 0 && buffer < device->gm.count ? device->gm.of[buffer].name : "gm";
}

/* Time is counted in cycles of up to PTOG_LATE each. */
static bool are_latencies(const struct ptog_device_options *options)
{
    for (size_t i = 0; options->late && i < options->late_count; i++)
        if (!(options->late[i].cycles >= 0 && options->late[i].cycles <= PTOG_LATE) || options->late[i].reserved != 0)
            return false;
    return options->late || options->late_count == 0;
}

/* Copies the latencies of the options, which are the device's own from here on. False when out of memory. */
static bool keep_late(ptog_device *device)
{
    size_t count = device->options.late_count;
    struct ptog_latency *late = count > 0 ? calloc(count, sizeof *late) : NULL;
    if (late)
        memcpy(late, device->options.late, count * sizeof *late);
    device->options.late = device->late = late;
    return late || count == 0;
}

enum ptog_status ptog_device_open(ptog_device **device, const struct ptog_target *target,
                                  const struct ptog_device_options *options)
{
    if (device)
        *device = NULL;
    if (!device || !target)
        return PTOG_BAD_ARGUMENT;
    ptog_device *made = calloc(1, sizeof *made);
    if (!made)
        return PTOG_NO_MEMORY;
    made->target = target;
    if (options)
        made->options = *options;
    if (!ptog_is_unreserved(&made->options) || (unsigned)made->options.launch > PTOG_LAUNCH_DIRECT ||
        (unsigned)made->options.schedule > PTOG_SCHEDULE_WITNESS || (unsigned)made->options.spelling > PTOG_SPELL_CXX ||
        made->options.threads > MAX_THREADS || !are_latencies(&made->options) ||
        !ptog_costs_open(&made->costs, target, made->options.costs, made->options.cost_count)) {
        free(made);
        return PTOG_BAD_ARGUMENT;
    }
    made->options.costs = NULL;
    if (made->options.trace)
        ptog_trace_open(&made->trace, made->options.trace, target->name, made->costs.mhz);
    made->trace.is_short = made->options.trace_short;
    made->options.trace = NULL;
    if (!keep_late(made)) {
        free(made);
        return PTOG_NO_MEMORY;
    }
    made->is_direct = target->machine == PTOG_NO_MACHINE;
    made->legality = &made->own_legality;
    made->shared = (struct ptog_sanitizer_shared){.target = target,
                                                  .buffer_name = buffer_name,
                                                  .user = made,
                                                  .spelling = made->options.spelling,
                                                  .linked = made->options.linked};
    *device = made;
    return PTOG_OK;
}

void ptog_device_close(ptog_device *device)
{
    if (!device)
        return;
    ptog_device_end_trace(device);
    ptog_legality_close(&device->own_legality);
    ptog_sanitizer_shared_close(&device->shared);
    ptog_global_close(&device->gm);
    free(device->map);
    free(device->open);
    ptog_signals_free(&device->signals);
    free(device->late);
    free(device);
}

void ptog_device_make_direct(ptog_device *device, const struct ptog_watch *watch)
{
    device->is_direct = true;
    device->watch = watch;
}

void ptog_device_share_legality(ptog_device *device, struct ptog_legality_cache *cache)
{
    device->legality = cache ? cache : &device->own_legality;
}

/* Adds a buffer of global memory with its shadow, and returns its handle; -1 when out of memory. */
static int add_buffer(ptog_device *device, const char *name, void *data, size_t bytes, bool read_only)
{
    struct ptog_sanitizer_shared *shared = &device->shared;
    if (!ptog_array_reserve(&shared->gm, (size_t)shared->gm_count + 1, &shared->gm_room))
        return -1;
    struct ptog_shadow *gm = shared->gm;
    if (!ptog_shadow_open(&gm[shared->gm_count], read_only ? 0 : bytes))
        return -1;
    int handle = ptog_global_add(&device->gm, name, data, bytes, read_only);
    if (handle < 0)
        ptog_shadow_close(&gm[shared->gm_count]);
    else
        shared->gm_count++;
    if (handle >= 0 && !ptog_links_add_buffers(shared))
        device->failed = true;
    return handle;
}

int ptog_device_buffer(ptog_device *device, const char *name, void *data, size_t bytes)
{
    return device && data ? add_buffer(device, name, data, bytes, false) : -1;
}

int ptog_device_input(ptog_device *device, const char *name, const void *data, size_t bytes)
{
    /* never written: every store checks read_only */
    return device && data ? add_buffer(device, name, (void *)(uintptr_t)data, bytes, true) : -1;
}

void ptog_device_end_trace(ptog_device *device)
{
    if (!device || !device->trace.json.sink)
        return;
    ptog_device_trace_tiles(device);
    ptog_trace_close(&device->trace);
}

void ptog_device_sync(ptog_device *device)
{
    if (device) {
        device->launched = device->trace.end;
        device->cross_ids = device->sync_all_ids = 0;
    }
    for (int i = 0; device && i < device->gm.count; i++) {
        ptog_shadow_clear(&device->shared.gm[i]);
        ptog_global_forget(&device->gm.of[i]);
    }
    if (device)
        ptog_line_pages_clear(&device->shared.lines);
}

bool ptog_device_failed(const ptog_device *device)
{
    const struct ptog_sanitizer_shared *shared = &device->shared;
    bool failed = device->failed || shared->diags.no_memory || shared->order_logs.failed || shared->lines.failed;
    for (int i = 0; i < shared->gm_count; i++)
        failed |= shared->gm[i].failed;
    return failed;
}

enum ptog_status ptog_device_report(const ptog_device *device, ptog_diags *diags)
{
    if (!device || !diags)
        return ptog_bad_argument(diags, "ptog_device_report", "device", "is NULL");
    enum ptog_status status = ptog_sanitizer_report(&device->shared, diags);
    return ptog_device_failed(device) ? PTOG_NO_MEMORY : status;
}

size_t ptog_device_errors(const ptog_device *device)
{
    const struct ptog_diag_list *diags = device ? &device->shared.diags : NULL;
    size_t count = 0;
    for (size_t i = 0; diags && i < diags->count; i++)
        count += diags->list[i].diag.severity == PTOG_ERROR;
    return count;
}

/* Copies the figures of a device. Either may be NULL. */
void ptog_device_stats(const ptog_device *device, struct ptog_stats *stats)
{
    if (!device || !stats)
        return;
    *stats = device->stats;
    stats->mhz = device->costs.mhz;
}

/* Copies how the parts of UB lie. Either may be NULL. */
void ptog_device_ub_layout(const ptog_device *device, struct ptog_ub_layout *layout)
{
    if (device && layout)
        *layout = ptog_ub_layout_of(device->target, &device->stats, device->options.dyn_ub);
}

/* For qsort: tiles by address, then by size. */
static int by_address(const void *a, const void *b)
{
    const struct ptog_tile_seen *x = a, *y = b;
    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* Its address lies behind UB, and it is of a memory of the cube core. */
static bool is_of_cube_core(const ptog_device *device, const struct ptog_tile_seen *tile)
{
    return device->has_cube && tile->addr >= device->target->ub_bytes;
}

/* Makes the list of tiles that ptog_device_ub_at gives anew, when some were added; false when out of memory. */
static bool make_map(ptog_device *device)
{
    const struct ptog_names *names = &device->shared.names;
    if (device->map && device->mapped == names->tile_count)
        return true;
    struct ptog_tile_seen *map = malloc((names->tile_count + (size_t)1) * sizeof *map);
    if (!map)
        return false;
    device->map_count = 0;
    for (uint32_t i = 0; i < names->tile_count; i++)
        if (!is_of_cube_core(device, &names->tiles[i]))
            map[device->map_count++] = names->tiles[i];
    qsort(map, device->map_count, sizeof *map, by_address);
    free(device->map);
    device->map = map;
    device->mapped = names->tile_count;
    return true;
}

/* Where a call stands in the source; nowhere when it is not known. */
static struct ptog_where where_of(const struct ptog_device *device, uint32_t site)
{
    const struct ptog_site *found = ptog_names_site_at(&device->shared.names, site);
    return found ? found->where : (struct ptog_where){0};
}

/* Fills *entry with tile `i` of the map of UB; false when there is none. */
bool ptog_device_ub_at(ptog_device *device, size_t i, struct ptog_ub_entry *entry)
{
    if (!device || !entry || !make_map(device) || i >= device->map_count)
        return false;
    const struct ptog_tile_seen *tile = &device->map[i];
    *entry = (struct ptog_ub_entry){.addr = tile->addr,
                                    .bytes = tile->bytes,
                                    .dtype = tile->dtype,
                                    .rows = tile->rows,
                                    .cols = tile->cols,
                                    .operand = tile->operand,
                                    .first = where_of(device, tile->first),
                                    .last = where_of(device, tile->last),
                                    .uses = tile->uses,
                                    .is_static = tile->is_static,
                                    .name = ptog_names_tile_given(&device->shared.names, tile)};
    return true;
}
