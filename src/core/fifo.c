/* core: FIFOs between the cores of a block: each operation is a wait, a transfer and a set, in this order. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "core/fifo.h"

#include <stdlib.h>

#include "core/device.h"
#include "model/cube/memories.h"
#include "model/tile.h"
#include "model/transfer.h"

/* ---- ends */

static uint32_t slots_of(const struct ptog_fifo_options *fifo)
{
    if (fifo->slots)
        return fifo->slots;
    return fifo->direction == PTOG_BOTH_WAYS ? 4 : 8;
}

/* From one slot to the next in the buffer. Where slots lie in the cores that pop, each vector core has one of slot_size for
 * its part of a tile. */
static uint64_t pitch_of(const struct ptog_fifo_options *fifo)
{
    return fifo->local ? 2 * fifo->slot_size : fifo->slot_size;
}

uint64_t ptog_fifo_bytes(const struct ptog_fifo_options *fifo)
{
    if (!fifo)
        return 0;
    uint64_t both = pitch_of(fifo) * slots_of(fifo) * 2;
    return fifo->direction == PTOG_BOTH_WAYS ? both : both / 2;
}

/* What is wrong with the options of a FIFO, in words that follow their name; NULL: nothing. */
static const char *problem_of_fifo(const struct ptog_core *core, const struct ptog_fifo_options *fifo)
{
    if (!ptog_is_unreserved(fifo))
        return "has a reserved word that is not zero";
    if (fifo->number >= PTOG_FIFOS || fifo->slot_size == 0 || fifo->slot_size > PTOG_MAX_UB || fifo->slots > 4096 ||
        fifo->local_slots > 4096 || (unsigned)fifo->layout > PTOG_NZ || fifo->relu > 1 || fifo->direction < PTOG_CUBE_TO_VECTOR || fifo->direction > PTOG_BOTH_WAYS)
        return "has a number, direction or size that is invalid";
    if (fifo->gm < 0 || fifo->gm >= core->device->gm.count)
        return "has a buffer that the device does not have";
    return NULL;
}

enum ptog_status ptog_core_fifo_open(ptog_core *core, const struct ptog_fifo_options *fifo)
{
    if (!core || !core->cross || !fifo)
        return ptog_core_bad_argument(core, "ptog_core_fifo_open", fifo ? "core" : "fifo",
                                      fifo ? "is not of a linked device" : "is NULL");
    const char *problem = problem_of_fifo(core, fifo);
    if (problem)
        return ptog_core_bad_argument(core, "ptog_core_fifo_open", "fifo", problem);
    if (!core->fifos && !(core->fifos = calloc(1, sizeof *core->fifos)))
        return PTOG_NO_MEMORY;
    struct ptog_fifo_state *end = &core->fifos->ends[fifo->number];
    core->fifos->pipe = PTOG_ALL;
    if (end->entries && end->fifo.slots >= slots_of(fifo))
        return PTOG_OK;
    end->fifo = *fifo;
    end->fifo.slots = slots_of(fifo);
    if (end->fifo.local_slots == 0)
        end->fifo.local_slots = end->fifo.slots;
    free(end->entries);
    free(end->tiles);
    end->entries = calloc(end->fifo.slots, sizeof *end->entries);
    end->tiles = calloc(end->fifo.slots, sizeof *end->tiles);
    return end->entries && end->tiles ? PTOG_OK : PTOG_NO_MEMORY;
}

/* Frees what the core keeps of its FIFOs. */
void ptog_core_fifos_close(struct ptog_core *core)
{
    for (int i = 0; core->fifos && i < PTOG_FIFOS; i++) {
        free(core->fifos->ends[i].entries);
        free(core->fifos->ends[i].tiles);
    }
    free(core->fifos);
    core->fifos = NULL;
}

/* The end with that number; NULL, and that is said, when the core has none that goes this way. */
static struct ptog_fifo_state *find_end(struct ptog_core *core, const char *call, uint32_t number, bool pushes)
{
    struct ptog_fifo_state *end = core && core->fifos && number < PTOG_FIFOS ? &core->fifos->ends[number] : NULL;
    bool from_cube = core && core->cube == pushes;
    unsigned way = from_cube ? PTOG_CUBE_TO_VECTOR : PTOG_VECTOR_TO_CUBE;
    if (end && end->entries && ((unsigned)end->fifo.direction & way))
        return end;
    ptog_core_bad_argument(core, call, "number", "is of no FIFO that the core has in this direction");
    return NULL;
}

/* 0: what the cube core pushes. */
static int direction_of(const struct ptog_core *core, bool pushes)
{
    return core->cube == pushes ? 0 : 1;
}

/* ---- slots */

/* Frees come in periods: one for so many entries. */
static uint64_t period_of(const struct ptog_fifo_state *end)
{
    return end->fifo.slots <= 2 ? end->fifo.slots : end->fifo.slots / 2;
}

/* Where the slot of entry `i` starts in the buffer. */
static uint64_t slot_at(const struct ptog_fifo_state *end, int direction, uint64_t i)
{
    uint64_t slots = end->fifo.slots;
    uint64_t second = end->fifo.direction == PTOG_BOTH_WAYS && direction == 1 ? slots : 0;
    return end->fifo.offset + (second + i % slots) * pitch_of(&end->fifo);
}

/* The part of a whole tile that a vector core has: its rows and columns are those of `tile`. */
struct slot_part {
    int64_t row, col;   /* where it starts */
    int64_t rows, cols; /* of the whole */
};

/* Which rows and columns of a slot a tile of this core is: all, or with a split the half of its vector core. `whole`:
 * the entry that was pushed; NULL: the tile is half of it. */
static struct slot_part part_of(const struct ptog_core *core, const struct ptog_tile *tile, enum ptog_split split,
                                const struct ptog_fifo_entry *whole)
{
    int64_t rows = tile->valid_row, cols = tile->valid_col;
    bool second = core->subblock == 1;
    struct slot_part part = {.rows = rows, .cols = cols};
    if (core->cube || split == PTOG_SPLIT_NONE)
        return part;
    if (split == PTOG_SPLIT_UP_DOWN || split == PTOG_SPLIT_UP_DOWN_ODD) {
        part.rows = whole ? whole->rows : 2 * rows;
        part.row = second ? part.rows - rows : 0;
    } else {
        part.cols = whole ? whole->cols : 2 * cols;
        part.col = second ? part.cols - cols : 0;
    }
    return part;
}

/* The view of a tile in a slot, and how many bytes behind the start of the slot it begins. */
static struct ptog_tensor view_in_slot(const struct ptog_tile *tile, const struct slot_part *part,
                                       enum ptog_layout layout, uint64_t *offset)
{
    int64_t size = (int64_t)ptog_dtype_size(tile->dtype), c0 = 32 / size;
    if (layout != PTOG_NZ) {
        struct ptog_tensor plain = ptog_tensor_2d_pitch(tile->dtype, tile->valid_row, tile->valid_col, part->cols);
        *offset = (uint64_t)((part->row * part->cols + part->col) * size);
        if (layout == PTOG_DN) {
            plain.layout = PTOG_DN;
            plain.stride[3] = 1;
            plain.stride[4] = part->rows;
            *offset = (uint64_t)((part->col * part->rows + part->row) * size);
        }
        return plain;
    }
    struct ptog_tensor view = ptog_tensor_nz(tile->dtype, 1, tile->valid_col / c0, tile->valid_row / 16);
    view.stride[1] = part->rows * c0;
    view.stride[0] = part->rows * part->cols;
    view.stride[2] = 16 * c0;
    view.stride[3] = c0;
    view.stride[4] = 1;
    *offset = (uint64_t)((part->col * part->rows + part->row * c0) * size);
    return view;
}

/* A tile with its defaults filled in. */
static struct ptog_tile known_tile(const struct ptog_tile *tile)
{
    struct ptog_tile known = *tile;
    ptog_tile_fill_defaults(&known);
    return known;
}

/* The entry of a local FIFO is there, or given away, when its pipe comes by: no copy is under way that a later
 * instruction on that pipe would have to wait for. */
static void settle_pipe(struct ptog_core *core, enum ptog_pipe pipe)
{
    if (!ptog_core_is_direct(core) && ptog_pipe_needs_barrier(core->device->target, pipe))
        ptog_core_enter(core, &(struct ptog_event){.kind = PTOG_EVENT_BARRIER, .pipe = pipe, .own = true}, NULL);
}

/* Executes the load or store between a tile and a slot, on a pipe (PTOG_ALL: that of such a transfer), and returns its
 * status. What the cube core pushes is scaled and converted as a store of an accumulator. While it runs the core's FIFO says so, for names and effects. */
static enum ptog_status transfer_entry(struct ptog_core *core, const struct ptog_fifo_state *end,
                                       const struct ptog_transfer *op, uint64_t at, enum ptog_pipe pipe)
{
    struct ptog_insn insn;
    ptog_insn_transfer(&insn, op);
    insn.of[PTOG_TRANSFER_VIEW].buffer = end->fifo.gm;
    insn.of[PTOG_TRANSFER_VIEW].offset = at;
    if (op->store && core->cube) {
        insn.attr[PTOG_TSTORE_RELU] = (int32_t)end->fifo.relu;
        insn.of[PTOG_TRANSFER_QUANT] = end->scale;
    }
    core->fifos->pipe = pipe;
    ptog_names_mark_fifo(&core->device->shared.names, core->site);
    enum ptog_status status = ptog_core_insn(core, &insn, NULL);
    core->fifos->pipe = PTOG_ALL;
    if (status == PTOG_OK && pipe != PTOG_ALL)
        settle_pipe(core, pipe);
    return status;
}

/* ---- names, one address for each */

static const char *const push_names[2] = {"tpush_to_aic", "tpush_to_aiv"},
                         *const alloc_names[2] = {"talloc_to_aic", "talloc_to_aiv"},
                         *const pop_names[2] = {"tpop_from_aic", "tpop_from_aiv"},
                         *const free_names[2] = {"tfree_from_aic", "tfree_from_aiv"};

/* ---- steps */

/* Whether the operation is one of vector core 0 alone: on A5, where slots lie in cores and the tile is whole. */
static bool is_alone(const struct ptog_core *core, const struct ptog_fifo_state *end, enum ptog_split split)
{
    return end->fifo.local && split == PTOG_SPLIT_NONE && core->device->target->machine == PTOG_MACHINE_SIMT;
}

/* Begins an operation, unless the core stands still in it. */
static enum ptog_status begin_operation(struct ptog_core *core, const char *name, uint32_t number, uint32_t channel)
{
    if (ptog_channel_is_waited(core, channel))
        return ptog_core_status(core);
    core->fifos->number = number;
    core->fifos->refusal = NULL;
    ptog_diags_clear(core->diags);
    enum ptog_status status = ptog_core_begin(core, name);
    if (status == PTOG_OK && !ptog_core_is_direct(core))
        ptog_core_spend(core, PTOG_PERIOD_ISSUE, core->device->costs.issue);
    return status;
}

/* The pipe of the core that waits for entries of a local FIFO, and uses them. */
static enum ptog_pipe popping_pipe(const struct ptog_core *core)
{
    return core->cube ? PTOG_MTE1 : PTOG_V;
}

/* The pipe that writes entries. */
static enum ptog_pipe pushing_pipe(const struct ptog_core *core)
{
    return core->cube ? PTOG_FIX : PTOG_MTE3;
}

/* Waits until the slot of the next entry is free. */
static enum ptog_status wait_for_slot(struct ptog_core *core, const struct ptog_fifo_state *end, uint64_t i)
{
    if (i < end->fifo.slots || i % period_of(end) != 0)
        return PTOG_OK;
    return ptog_channel_wait(core, end->fifo.local ? pushing_pipe(core) : PTOG_S,
                             ptog_fifo_vacant(end->fifo.number, direction_of(core, true)));
}

static enum ptog_status announce(struct ptog_core *core, struct ptog_fifo_state *end)
{
    ptog_channel_set(core, pushing_pipe(core), ptog_fifo_ready(end->fifo.number, direction_of(core, true)));
    return ptog_core_status(core);
}

/* Gives the slot of entry `i` back, with those of its period. */
static void vacate(struct ptog_core *core, const struct ptog_fifo_state *end, uint64_t i, enum ptog_pipe pipe)
{
    if ((i + 1) % period_of(end) == 0)
        ptog_channel_set(core, pipe, ptog_fifo_vacant(end->fifo.number, direction_of(core, false)));
}

/* The entry that was pushed, as the core on the other end has it; NULL: that is not known. */
static const struct ptog_fifo_entry *pushed_entry(const struct ptog_core *core, const struct ptog_fifo_state *end)
{
    const struct ptog_device *device = core->device;
    for (size_t i = 0; i < device->open_count; i++) {
        const struct ptog_core *other = device->open[i];
        const struct ptog_fifo_state *from = other->fifos ? &other->fifos->ends[end->fifo.number] : NULL;
        if (other->cube != core->cube && other->block == core->block && from && from->entries && from->pushed > 0)
            return &from->entries[end->popped % from->fifo.slots];
    }
    return NULL;
}

/* What comes after it is not judged for what is missing. */
static enum ptog_status refuse_entry(struct ptog_core *core)
{
    core->device->shared.refused = true;
    return PTOG_ILLEGAL;
}

/* ---- calls of who pushes */

/* How an entry lies in its slot: what the cube core pushes as the FIFO says, what a vector core pushes as its tile. */
static enum ptog_layout layout_of(const struct ptog_fifo_state *end, const struct ptog_tile *tile)
{
    if (tile->loc != PTOG_VEC)
        return end->fifo.layout;
    return ptog_tile_order(tile) == PTOG_ORDER_NZ ? PTOG_NZ : PTOG_ND;
}

/* Stores a tile into the next slot and notes what was pushed; nothing for an empty tile. Refuses one that is larger
 * than the slot. Returns the status of the store. */
static enum ptog_status push_tile(struct ptog_core *core, struct ptog_fifo_state *end, const struct ptog_tile *given,
                                  enum ptog_split split)
{
    struct ptog_tile tile = known_tile(given);
    struct slot_part part = part_of(core, &tile, split, NULL);
    enum ptog_layout layout = layout_of(end, &tile);
    if (core->cube && end->fifo.element != PTOG_DTYPE_NONE)
        tile.dtype = end->fifo.element;
    uint64_t inside, at = slot_at(end, direction_of(core, true), end->pushed);
    if (tile.valid_row <= 0 || tile.valid_col <= 0) /* the other vector core has all of it */
        return PTOG_OK;
    if (ptog_fifo_judge_slot(core, end, &tile, split))
        return refuse_entry(core);
    struct ptog_transfer op = {.tile = *given, .view = view_in_slot(&tile, &part, layout, &inside), .store = true};
    end->entries[end->pushed % end->fifo.slots] =
        (struct ptog_fifo_entry){part.rows, part.cols, tile.dtype, split, layout};
    core->fifos->name = push_names[core->cube];
    enum ptog_status status = transfer_entry(core, end, &op, at + inside, PTOG_ALL);
    core->fifos->name = NULL;
    return status;
}

enum ptog_status ptog_core_fifo_push(ptog_core *core, uint32_t number, const struct ptog_tile *tile,
                                     enum ptog_split split)
{
    struct ptog_fifo_state *end = find_end(core, "ptog_core_fifo_push", number, true);
    if (!end)
        return PTOG_BAD_ARGUMENT;
    uint32_t channel = ptog_fifo_vacant(number, direction_of(core, true));
    enum ptog_status status = begin_operation(core, push_names[core->cube], number, channel);
    end->alone = is_alone(core, end, split);
    if (status == PTOG_OK && tile)
        status = wait_for_slot(core, end, end->pushed);
    if (status != PTOG_OK)
        return status;
    if (tile)
        status = push_tile(core, end, tile, split);
    else
        end->entries[end->pushed % end->fifo.slots] = (struct ptog_fifo_entry){.split = split};
    if (status == PTOG_BAD_ARGUMENT || status == PTOG_NO_MEMORY || status == PTOG_FAULT)
        return status;
    end->pushed++; /* what was refused counts as pushed: the other core goes on */
    enum ptog_status set = announce(core, end);
    return status == PTOG_OK ? set : status;
}

enum ptog_status ptog_core_fifo_scale(ptog_core *core, uint32_t number, uint64_t bits, const struct ptog_tile *tile)
{
    struct ptog_fifo_state *end = find_end(core, "ptog_core_fifo_scale", number, true);
    if (!end || !core->cube)
        return PTOG_BAD_ARGUMENT;
    struct ptog_insn insn;
    ptog_insn_start(&insn, PTOG_TSTORE);
    ptog_insn_set_scalar(&insn, PTOG_TRANSFER_QUANT, PTOG_I64, bits);
    if (tile)
        ptog_insn_set_tile(&insn, PTOG_TRANSFER_QUANT, tile);
    end->scale = insn.of[PTOG_TRANSFER_QUANT];
    return PTOG_OK;
}

enum ptog_status ptog_core_fifo_alloc(ptog_core *core, uint32_t number, enum ptog_split split, uint64_t *offset)
{
    (void)split;
    if (!offset)
        return ptog_core_bad_argument(core, "ptog_core_fifo_alloc", "offset", "is NULL");
    struct ptog_fifo_state *end = find_end(core, "ptog_core_fifo_alloc", number, true);
    if (!end)
        return PTOG_BAD_ARGUMENT;
    uint32_t channel = ptog_fifo_vacant(number, direction_of(core, true));
    enum ptog_status status = begin_operation(core, alloc_names[core->cube], number, channel);
    if (status == PTOG_OK)
        status = wait_for_slot(core, end, end->allocated);
    if (status == PTOG_OK)
        *offset = slot_at(end, direction_of(core, true), end->allocated++);
    return status;
}

/* ---- calls of who pops */

/* Begins a pop, waits for the next entry, and notes where. PTOG_BLOCKED: the core stands still until there is one. */
static enum ptog_status wait_for_entry(struct ptog_core *core, struct ptog_fifo_state *end)
{
    uint32_t channel = ptog_fifo_ready(end->fifo.number, direction_of(core, false));
    enum ptog_status status = begin_operation(core, pop_names[core->cube], end->fifo.number, channel);
    if (status == PTOG_OK)
        status = ptog_channel_wait(core, end->fifo.local ? popping_pipe(core) : PTOG_S, channel);
    end->pop_site = core->site;
    end->pop_insn = core->insn;
    return status;
}

/* Loads an entry from its slot: a local one stays there, which is as if its pipe copied it to the address of the slot.
 */
static enum ptog_status load_entry(struct ptog_core *core, struct ptog_fifo_state *end, struct ptog_tile *tile,
                                   enum ptog_split split)
{
    const struct ptog_fifo_entry *entry = pushed_entry(core, end);
    struct ptog_tile known = known_tile(tile);
    bool odd = split == PTOG_SPLIT_UP_DOWN_ODD || split == PTOG_SPLIT_LEFT_RIGHT_ODD;
    struct slot_part part = part_of(core, &known, split, odd ? entry : NULL);
    int direction = direction_of(core, false);
    uint64_t inside, at = slot_at(end, direction, end->popped);
    if (known.valid_row <= 0 || known.valid_col <= 0)
        return PTOG_OK; /* nothing of it is wanted */
    if (ptog_fifo_judge_slot(core, end, &known, split) || (entry && ptog_fifo_judge_entry(core, end, &known, split, entry)))
        return refuse_entry(core);
    struct ptog_tensor view = view_in_slot(&known, &part, entry ? entry->layout : PTOG_ND, &inside);
    struct ptog_transfer op = {.tile = *tile, .view = view};
    core->fifos->name = pop_names[core->cube];
    enum ptog_status status =
        transfer_entry(core, end, &op, at + inside, end->fifo.local ? popping_pipe(core) : PTOG_ALL);
    core->fifos->name = NULL;
    return status;
}

enum ptog_status ptog_core_fifo_pop(ptog_core *core, uint32_t number, struct ptog_tile *tile, enum ptog_split split)
{
    if (!tile)
        return ptog_core_bad_argument(core, "ptog_core_fifo_pop", "tile", "is NULL");
    struct ptog_fifo_state *end = find_end(core, "ptog_core_fifo_pop", number, false);
    if (!end)
        return PTOG_BAD_ARGUMENT;
    enum ptog_status status = wait_for_entry(core, end);
    end->alone = is_alone(core, end, split);
    if (status != PTOG_OK)
        return status;
    uint64_t slot = end->popped % (end->fifo.local ? end->fifo.slots : end->fifo.local_slots);
    *tile = ptog_tile_at(*tile, end->fifo.consumer[direction_of(core, false)] + slot * end->fifo.slot_size);
    status = load_entry(core, end, tile, split);
    if (status == PTOG_BAD_ARGUMENT || status == PTOG_NO_MEMORY || status == PTOG_FAULT)
        return status;
    if (end->fifo.local)
        end->tiles[slot] = known_tile(tile);
    if (!end->fifo.local)
        vacate(core, end, end->popped, PTOG_MTE2);
    end->popped++;
    end->freed += !end->fifo.local;
    return status;
}

enum ptog_status ptog_core_fifo_pop_slot(ptog_core *core, uint32_t number, enum ptog_split split, uint64_t *offset)
{
    (void)split;
    if (!offset)
        return ptog_core_bad_argument(core, "ptog_core_fifo_pop_slot", "offset", "is NULL");
    struct ptog_fifo_state *end = find_end(core, "ptog_core_fifo_pop_slot", number, false);
    if (!end)
        return PTOG_BAD_ARGUMENT;
    enum ptog_status status = wait_for_entry(core, end);
    if (status == PTOG_OK)
        *offset = slot_at(end, direction_of(core, false), end->popped++);
    return status;
}

/* The popped tile is gone: its bytes may change from now on, after what its pipe has done with it. */
static void give_tile_back(struct ptog_core *core, struct ptog_fifo_state *end, enum ptog_pipe pipe)
{
    const struct ptog_tile *tile = &end->tiles[end->freed % end->fifo.slots];
    uint64_t start = core->cube ? ptog_cube_start(core->device->target, tile->loc) : 0;
    struct ptog_access access = {.kind = PTOG_WRITES,
                                 .operand = PTOG_AT_TILE,
                                 .at = start + tile->addr,
                                 .bytes = (uint64_t)ptog_tile_bytes(tile),
                                 .count = 1};
    struct ptog_event event = {.kind = PTOG_EVENT_WORK, .pipe = pipe, .accesses = &access, .count = 1};
    settle_pipe(core, pipe);
    if (ptog_core_is_direct(core))
        return;
    if (core->automatic.on)
        ptog_core_order_access(core, pipe, &access);
    ptog_core_enter(core, &event, NULL);
}

enum ptog_status ptog_core_fifo_free(ptog_core *core, uint32_t number)
{
    struct ptog_fifo_state *end = find_end(core, "ptog_core_fifo_free", number, false);
    if (!end)
        return PTOG_BAD_ARGUMENT;
    core->fifos->number = number;
    enum ptog_status status = ptog_core_begin(core, free_names[core->cube]);
    if (status != PTOG_OK || end->freed >= end->popped)
        return status;
    enum ptog_pipe pipe = end->fifo.local ? popping_pipe(core) : PTOG_MTE2;
    if (end->fifo.local)
        give_tile_back(core, end, pipe);
    vacate(core, end, end->freed, pipe);
    end->freed++;
    return ptog_core_status(core);
}
