/* core: memory of other cores of the block, as instructions write it. */
#include "core/peers.h"

#include "core/device.h"
#include "exec/plan.h"
#include "model/buffers.h"
#include "model/cube/fixpipe.h"
#include "model/cube/memories.h"
#include "model/moves.h"
#include "model/tile.h"

struct ptog_core *ptog_core_peer(struct ptog_core *core, int peer)
{
    const struct ptog_device *device = core->device;
    if (!device->options.linked)
        return core;
    for (size_t i = 0; i < device->open_count; i++) {
        struct ptog_core *other = device->open[i];
        bool is_it = other->cube == (peer == PTOG_PEER_CUBE) && (other->cube || other->subblock == (uint32_t)peer);
        if (is_it && other->block == core->block)
            return other;
    }
    return NULL;
}

/* Makes the memories of the other open cores known to this one; cores that are not linked have no peers. */
void ptog_core_meet_peers(struct ptog_core *core)
{
    for (int i = 0; i < PTOG_PEERS; i++) {
        struct ptog_core *peer = ptog_core_peer(core, i);
        core->peers[i] = NULL;
        core->timeline.peers[i] = NULL;
        if (!peer || peer == core)
            continue; /* cores that are not linked have no peers */
        core->peers[i] = &peer->issued;
        core->timeline.peers[i] = &peer->timed;
    }
}

/* Makes the other open cores forget the memory of this one, which ends. */
void ptog_core_leave_peers(struct ptog_core *core)
{
    const struct ptog_device *device = core->device;
    for (size_t i = 0; i < device->open_count; i++)
        for (int k = 0; k < PTOG_PEERS; k++) {
            struct ptog_core *other = device->open[i];
            if (other->peers[k] == &core->issued)
                other->peers[k] = NULL;
            if (other->timeline.peers[k] == &core->timed)
                other->timeline.peers[k] = NULL;
        }
}

void ptog_core_define_peers(struct ptog_core *core, const struct ptog_access *accesses, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (accesses[i].space != PTOG_IN_PEER)
            continue;
        struct ptog_core *peer = ptog_core_peer(core, accesses[i].buffer);
        if (peer && peer->sanitizer)
            ptog_sanitizer_arrives(peer->sanitizer, &accesses[i], core->site);
    }
}

void ptog_core_preset_peers(struct ptog_core *core, const struct ptog_insn *insn)
{
    const struct ptog_tile *tile = &insn->of[PTOG_MOVE_DST].tile;
    int64_t bytes = ptog_tile_bytes(tile);
    for (int i = 0; i < ptog_acc_parts(insn) && tile->placed && bytes > 0; i++) {
        struct ptog_core *peer = ptog_core_peer(core, ptog_acc_peer(insn, i));
        struct ptog_access written = {.kind = PTOG_WRITES,
                                      .at = ptog_cube_start(core->device->target, tile->loc) + tile->addr,
                                      .bytes = (uint64_t)bytes,
                                      .count = 1};
        if (peer && peer != core && peer->sanitizer)
            ptog_sanitizer_preset(peer->sanitizer, &written);
    }
}

/* Where there is no machine: makes the other cores' memories reach to the end of the tile that is sent to them. */
enum ptog_status ptog_core_reach_peers(struct ptog_core *core, const struct ptog_insn *insn)
{
    enum ptog_status status = PTOG_OK;
    for (int i = 0; i < ptog_acc_parts(insn) && status == PTOG_OK; i++) {
        struct ptog_core *peer = ptog_core_peer(core, ptog_acc_peer(insn, i));
        if (peer)
            status = ptog_direct_reach(&peer->direct, &insn->of[PTOG_MOVE_DST].tile, false);
    }
    return status;
}

/* Where there is no machine: performs an instruction that sends a tile, once for each of the cores that get it. */
enum ptog_status ptog_core_perform_peers(struct ptog_core *core, const struct ptog_known_insn *known,
                                         const struct ptog_run *run)
{
    const struct ptog_insn_row *row = ptog_insn_row(known->insn.opcode);
    enum ptog_status status = PTOG_OK;
    for (int i = 0; i < ptog_acc_parts(&known->insn) && status == PTOG_OK; i++) {
        struct ptog_core *peer = ptog_core_peer(core, ptog_acc_peer(&known->insn, i));
        struct ptog_known_insn part = *known;
        struct ptog_run there = *run;
        part.insn.attr[PTOG_MOVE_PART] = i;
        if (!peer)
            continue;
        ptog_run_set_buffer(&there, &row->of[PTOG_MOVE_DST],
                            ptog_direct_storage(&peer->direct, &known->insn.of[PTOG_MOVE_DST].tile));
        status = ptog_exec_once(&part, &there, &core->log.fault);
    }
    return status;
}
