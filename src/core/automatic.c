/* core: automatic mode: the clocks of the sanitizer in, flags and barriers out. Tiles without an address get one. */
#include "core/automatic.h"

#include "auto/order.h"
#include "core/device.h"
#include "model/cube/memories.h"
#include "model/tile.h"

/* ---- flags */

void ptog_core_automatic(ptog_core *core, const struct ptog_automatic *how)
{
    core->automatic = *how;
    for (int loc = 0; loc < PTOG_LOCS; loc++)
        ptog_room_open(&core->automatic.rooms[loc], NULL, 0,
                       ptog_memory_bytes(core->device->target, (enum ptog_loc)loc));
}

/* Up to which entry a flag was waited for; IS_SET while a set of it is pending, 0 for one that was never set. */
static uint32_t wait_of(const struct ptog_flag *flag)
{
    if (!flag->was_set)
        return 0;
    return flag->count > 0 || !flag->waited ? PTOG_IS_SET : flag->wait_entry;
}

/* Reads which waits for a flag are possible now, and which ids are avoided. */
static void read_waits(const ptog_core *core, struct ptog_waits *waits)
{
    const struct ptog_order *order = &core->sanitizer->order;
    for (int p = 0; p < PTOG_PIPES; p++)
        for (int q = 0; q < PTOG_PIPES; q++) {
            waits->avoid[p][q] = core->automatic.avoid[p][q];
            for (int id = 0; id < PTOG_AUTO_IDS; id++)
                waits->of[p][q][id] = wait_of(ptog_order_look(order, (unsigned)p, (unsigned)q, (unsigned)id));
        }
}

/* Enters a flag or barrier that was left out, at the cost of issuing one. */
static void enter_sync(ptog_core *core, enum ptog_event_kind kind, const struct ptog_sync *sync)
{
    struct ptog_event event = {.kind = kind,
                               .pipe = (enum ptog_pipe)(kind == PTOG_EVENT_WAIT ? sync->dst : sync->src),
                               .src = (enum ptog_pipe)sync->src,
                               .dst = (enum ptog_pipe)sync->dst,
                               .id = sync->id};
    ptog_core_spend(core, PTOG_PERIOD_ISSUE, core->device->costs.issue);
    ptog_core_enter(core, &event, NULL);
}

/* Enters syncs in their order, but the one that a trial leaves out, and tells the caller of each. */
static void insert_syncs(ptog_core *core, const struct ptog_sync *syncs, int count)
{
    struct ptog_automatic *automatic = &core->automatic;
    for (int i = 0; i < count && !ptog_core_ended(core); i++) {
        if (++automatic->count == automatic->left_out)
            continue;
        core->instructions++; /* as if the kernel had issued it */
        if (ptog_sync_is_barrier(&syncs[i])) {
            enter_sync(core, PTOG_EVENT_BARRIER, &syncs[i]);
        } else {
            enter_sync(core, PTOG_EVENT_SET, &syncs[i]);
            enter_sync(core, PTOG_EVENT_WAIT, &syncs[i]);
        }
        if (automatic->inserted && !automatic->inserted(automatic->user, &syncs[i]))
            core->device->failed = true;
    }
}

/* Whether nothing is inserted now: a pipe stands still at a wait, and what stands behind it is not known. */
static bool is_left(const ptog_core *core)
{
    bool held = false;
    for (int p = 0; core->automatic.leaves_held && p < PTOG_PIPES; p++)
        held |= core->pipes.queues[p].count > 0;
    return held;
}

/* Finds and inserts the fewest syncs that order what an instruction is about to access. */
static void order_access(ptog_core *core, const struct ptog_demand *demand)
{
    struct ptog_sync syncs[PTOG_MAX_SYNCS];
    struct ptog_clocks clocks = core->sanitizer->order.clocks;
    struct ptog_waits waits;
    if (is_left(core) || ptog_auto_is_met(&clocks, demand)) /* nearly always */
        return;
    read_waits(core, &waits);
    insert_syncs(core, syncs, ptog_auto_choose(&clocks, &waits, demand, syncs));
}

void ptog_core_order(ptog_core *core, const struct ptog_effects *effects)
{
    struct ptog_demand demand = {.effects = effects};
    for (size_t i = 0; i < core->log.count; i++) {
        const struct ptog_access *access = &core->log.accesses[i];
        ptog_sanitizer_needs(core->sanitizer, effects->phases[access->phase].pipe, access, &demand.need[access->phase]);
    }
    order_access(core, &demand);
}

void ptog_core_order_access(ptog_core *core, enum ptog_pipe pipe, const struct ptog_access *access)
{
    struct ptog_effects effects = {.phases = {{.pipe = pipe}}, .phase_count = 1};
    struct ptog_demand demand = {.effects = &effects};
    ptog_sanitizer_needs(core->sanitizer, pipe, access, &demand.need[0]);
    order_access(core, &demand);
}

/* Before a set_flag of the program: inserts, and tells the caller of, waits and barriers without which the set would
 * be one too many. */
void ptog_core_order_set(ptog_core *core, enum ptog_pipe src, enum ptog_pipe dst, int id)
{
    struct ptog_sync syncs[PTOG_MAX_SYNCS], set = {(uint8_t)src, (uint8_t)dst, (uint8_t)id, PTOG_SYNC_WHOLE};
    struct ptog_clocks clocks = core->sanitizer->order.clocks;
    struct ptog_waits waits;
    if (is_left(core))
        return;
    read_waits(core, &waits);
    insert_syncs(core, syncs, ptog_auto_before_set(&clocks, &waits, &set, syncs));
}

size_t ptog_device_unordered(const ptog_device *device)
{
    return ptog_sanitizer_unordered(&device->shared);
}

/* ---- places */

enum ptog_status ptog_core_place(ptog_core *core, struct ptog_tile *tile)
{
    if (!core || !tile)
        return PTOG_BAD_ARGUMENT;
    struct ptog_tile whole = *tile;
    ptog_tile_fill_defaults(&whole);
    int64_t bytes = ptog_tile_bytes(&whole);
    uint64_t addr;
    if (!core->automatic.on || tile->placed || bytes <= 0 || !ptog_is_unreserved(tile) ||
        (unsigned)tile->loc >= PTOG_LOCS || core->cube != (tile->loc != PTOG_VEC))
        return PTOG_BAD_ARGUMENT;
    if (!ptog_room_take(&core->automatic.rooms[tile->loc], (uint64_t)bytes, &addr))
        return PTOG_NO_ROOM;
    *tile = ptog_tile_static_at(*tile, addr);
    return PTOG_OK;
}
