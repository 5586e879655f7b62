/* core: FIFOs between the cores of a block: what is wrong with their entries. */
#include <inttypes.h>

#include "base/text.h"
#include "core/device.h"
#include "model/cube/memories.h"
#include "model/dtype.h"
#include "model/tile.h"

/* The name of a FIFO in a message. */
static const char *name_fifo(struct ptog_core *core, const struct ptog_fifo_options *fifo)
{
    if (fifo->name)
        return ptog_diag_text(&core->device->shared.diags, "FIFO '%.80s'", fifo->name);
    return ptog_diag_text(&core->device->shared.diags, "FIFO %u", (unsigned)fifo->number);
}

/* Adds a finding at an operation of a FIFO, whose message the caller sets; NULL: it was reported before, or memory ran
 * out. */
static struct ptog_diag_entry *note_fifo(struct ptog_core *core, enum ptog_machine_fault_kind kind, uint32_t site,
                                         uint64_t insn)
{
    bool fresh;
    struct ptog_diag_entry *f =
        ptog_diag_note_machine(&core->device->shared.diags, kind, ptog_key(site, PTOG_AT_COUNT), insn, 0, &fresh);
    if (f && fresh)
        return f;
    return NULL;
}

/* Whether a tile is larger than a slot: then that is reported, and the push is to be refused. */
bool ptog_fifo_judge_slot(struct ptog_core *core, const struct ptog_fifo_state *end, const struct ptog_tile *tile,
                          enum ptog_split split)
{
    uint64_t bytes = (uint64_t)(tile->valid_row * tile->valid_col) * ptog_dtype_size(tile->dtype);
    bool is_shared = end->fifo.local && tile->loc == PTOG_ACC && split != PTOG_SPLIT_NONE;
    if (bytes <= end->fifo.slot_size || (is_shared && bytes <= 2 * end->fifo.slot_size))
        return false;
    char size[PTOG_GROUPED], room[PTOG_GROUPED];
    core->fifos->refusal =
        ptog_diag_text(&core->device->shared.diags, "the tile has %s bytes, but a slot of %s has %s",
                       ptog_grouped(bytes, size), name_fifo(core, &end->fifo), ptog_grouped(end->fifo.slot_size, room));
    struct ptog_diag_entry *f = note_fifo(core, PTOG_MACHINE_FIFO_SLOT, core->site, core->insn);
    if (!f)
        return true;
    f->diag.message = core->fifos->refusal;
    ptog_diag_advise(f, ptog_fix_of_words("set slot_size to the bytes of the whole tile, on both cores"));
    return true;
}

/* What of the popped tile is not as it was pushed, in words; NULL: nothing. */
static const char *difference_of(struct ptog_core *core, const struct ptog_tile *tile, enum ptog_split split,
                                 const struct ptog_fifo_entry *entry)
{
    struct ptog_diag_list *diags = &core->device->shared.diags;
    if (entry->rows == 0)
        return "a slot was filled with tstore, but this pops a tile";
    if (entry->split != split)
        return ptog_diag_text(diags, "a tile was pushed with split %d, but this pops it with split %d",
                              (int)entry->split, (int)split);
    if (entry->dtype != tile->dtype)
        return ptog_diag_text(diags, "a tile of %s was pushed, but this pops one of %s", ptog_dtype_name(entry->dtype),
                              ptog_dtype_name(tile->dtype));
    return NULL;
}

/* Whether the popped tile differs from the one that was pushed: then that is reported, and the pop is to be refused. */
bool ptog_fifo_judge_entry(struct ptog_core *core, const struct ptog_fifo_state *end, const struct ptog_tile *tile,
                           enum ptog_split split, const struct ptog_fifo_entry *entry)
{
    const char *difference = difference_of(core, tile, split, entry);
    (void)end;
    if (!difference)
        return false;
    core->fifos->refusal = difference;
    struct ptog_diag_entry *f = note_fifo(core, PTOG_MACHINE_FIFO_MISMATCH, core->site, core->insn);
    if (f) {
        f->diag.message = difference;
        ptog_diag_advise(f, ptog_fix_of_words("push and pop tiles of one type, with one split"));
    }
    return true;
}

void ptog_core_fifos_judge_use(struct ptog_core *core, const struct ptog_tile *tile, enum ptog_operand_name operand)
{
    uint64_t first = tile->addr, last = first + (uint64_t)ptog_tile_bytes(tile);
    for (int i = 0; i < PTOG_FIFOS; i++) {
        const struct ptog_fifo_state *end = &core->fifos->ends[i];
        for (uint64_t n = end->popped > end->fifo.slots ? end->popped - end->fifo.slots : 0;
             end->entries && end->fifo.local && n < end->freed; n++) {
            const struct ptog_tile *slot = &end->tiles[n % end->fifo.slots];
            uint64_t at = slot->addr + (core->cube ? ptog_cube_start(core->device->target, slot->loc) : 0);
            if (!slot->placed || last <= at || at + (uint64_t)ptog_tile_bytes(slot) <= first)
                continue;
            struct ptog_diag_entry *f = note_fifo(core, PTOG_MACHINE_FIFO_UNFREED, core->site, core->insn);
            if (!f)
                return;
            f->diag.message = ptog_diag_text(
                &core->device->shared.diags,
                "%s is read after its slot of %s was given back: another tile may be there",
                ptog_names_words(&core->device->shared.names, core->site, operand), name_fifo(core, &end->fifo));
            ptog_diag_advise(f, ptog_fix_of_words(core->cube ? "put tfree_from_aiv behind this instruction"
                                                             : "put tfree_from_aic behind this instruction"));
            return;
        }
    }
}

/* ---- the end */

/* Reports entries that this core has popped and never given back, unless the core ended early. */
static void judge_unfreed(struct ptog_core *core, const struct ptog_fifo_state *end)
{
    struct ptog_diag_entry *f = end->popped > end->freed && !ptog_core_ended(core)
                                    ? note_fifo(core, PTOG_MACHINE_FIFO_UNFREED, end->pop_site, end->pop_insn)
                                    : NULL;
    if (!f)
        return;
    f->diag.message = ptog_diag_text(&core->device->shared.diags,
                                     "%" PRIu64 " of %" PRIu64 " entries that were popped from %s are never given back",
                                     end->popped - end->freed, end->popped, name_fifo(core, &end->fifo));
    ptog_diag_advise(f, ptog_fix_of_words(core->cube ? "add pto.tfree_from_aiv after the last use of the entry"
                                                     : "add pto.tfree_from_aic after the last use of the entry"));
}

/* Sets of a channel that nobody waited for, or that lack their partner. */
static void judge_channel(struct ptog_core *core, const struct ptog_fifo_state *end, uint32_t channel)
{
    const struct ptog_cross_channels *channels = core->cross->channels;
    const struct ptog_cross_queue *left = &channels->ready[channel], *alone = &channels->partial[channel];
    struct ptog_diag_list *diags = &core->device->shared.diags;
    bool is_whole_run = !core->device->shared.refused; /* else what is missing was not reached */
    if (!is_whole_run || (left->count == 0 && alone->count == 0))
        return;
    const struct ptog_cross_set *set = left->count > 0 ? &left->of[0] : &alone->of[0];
    struct ptog_diag_entry *f = note_fifo(core, PTOG_MACHINE_FIFO_MISMATCH, set->site, set->insn);
    if (!f)
        return;
    ptog_diag_set_severity(diags, f, PTOG_WARNING);
    if (left->count > 0)
        f->diag.message =
            ptog_diag_text(diags, "an entry of %s is pushed here, but never popped", name_fifo(core, &end->fifo));
    else
        f->diag.message =
            ptog_diag_text(diags, "only vector core %u pushes this entry of %s: it is complete when both have",
                           (unsigned)core->subblock, name_fifo(core, &end->fifo));
    ptog_diag_advise(f, ptog_fix_of_words("push and pop the same number of entries"));
}

void ptog_core_fifos_left(struct ptog_core *core)
{
    for (uint32_t i = 0; core->fifos && i < PTOG_FIFOS; i++) {
        const struct ptog_fifo_state *end = &core->fifos->ends[i];
        if (!end->entries)
            continue;
        judge_unfreed(core, end);
        for (int direction = 0; core->cross->channels && direction < 2; direction++)
            judge_channel(core, end, ptog_fifo_ready(i, direction));
    }
}

/* ---- waits */

void ptog_fifo_add_wait(struct ptog_text *text, const struct ptog_core *core, uint32_t channel)
{
    const struct ptog_fifo_options *fifo = &core->fifos->ends[channel / 4].fifo;
    ptog_text_add(text, channel % 2 ? "for a free slot of FIFO " : "for an entry of FIFO ");
    if (fifo->name)
        ptog_text_addf(text, "'%.80s'", fifo->name);
    else
        ptog_text_addf(text, "%u", (unsigned)fifo->number);
    if (channel % 2)
        ptog_text_addf(text, ", which has %u", (unsigned)fifo->slots);
}
