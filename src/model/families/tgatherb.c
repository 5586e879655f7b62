/* model: TGATHERB: its blocks in the order of each target, and one block. */
#include "model/families/tgatherb.h"

#include "base/pick.h"
#include "model/dtype.h"
#include "model/target.h"
#include "model/tile.h"

#define STEP_BLOCKS 8   /* of one step of the vector unit: 256 bytes */
#define MAX_REPEATS 255 /* steps of one vector instruction */

enum ptog_form ptog_tgatherb_form(const struct ptog_target *target, const struct ptog_insn *insn)
{
    (void)target, (void)insn;
    return PTOG_FORM_GATHER_BLOCKS;
}

/* The valid part of a row of dst. */
struct block_row {
    int64_t pitch, bytes; /* of a row, and of what is valid in it */
    int64_t blocks;       /* that a row has, or the whole steps of A2/A3 have */
    bool steps;           /* the library goes by whole steps, and then by what is left of all rows */
};

/* How TGATHERB goes over a row of dst on the target: bytes, and blocks of 32 bytes, as a whole or in steps of eight. */
static struct block_row block_row_of(const struct ptog_known_insn *known)
{
    const struct ptog_tile *dst = &known->insn.of[PTOG_TGATHERB_DST].tile;
    int64_t size = (int64_t)ptog_dtype_size(dst->dtype);
    struct block_row row = {.pitch = dst->cols * size, .bytes = dst->valid_col * size};
    row.steps = known->target->machine == PTOG_MACHINE_DMA;
    if (row.steps)
        row.blocks = row.bytes / (STEP_BLOCKS * PTOG_BLOCK_BYTES) * STEP_BLOCKS;
    else if (known->target->cpu_threads)
        row.blocks = row.bytes / PTOG_BLOCK_BYTES;
    else
        row.blocks = (row.bytes + PTOG_BLOCK_BYTES - 1) / PTOG_BLOCK_BYTES;
    return row;
}

static bool has_rest(const struct block_row *row)
{
    return row->steps && row->blocks * PTOG_BLOCK_BYTES < row->bytes;
}

int64_t ptog_tgatherb_count(const struct ptog_known_insn *known)
{
    const struct block_row row = block_row_of(known);
    return known->insn.of[PTOG_TGATHERB_DST].tile.valid_row * (row.blocks + (has_rest(&row) ? STEP_BLOCKS : 0));
}

void ptog_tgatherb_lane(const struct ptog_known_insn *known, int64_t i, struct ptog_block_lane *lane)
{
    const struct ptog_tile *dst = &known->insn.of[PTOG_TGATHERB_DST].tile,
                           *offset = &known->insn.of[PTOG_TGATHERB_OFFSET].tile;
    const struct block_row row = block_row_of(known);
    int64_t whole = dst->valid_row * row.blocks, rest = i - whole;
    *lane = (struct ptog_block_lane){.bytes = PTOG_BLOCK_BYTES};
    if (i < whole) {
        lane->row = i / row.blocks;
        lane->block = i % row.blocks;
        lane->offset_at = ptog_tile_offset(offset, lane->row, lane->block);
    } else {
        lane->row = rest / STEP_BLOCKS;
        lane->block = row.blocks + rest % STEP_BLOCKS;
        lane->offset_at = lane->block + lane->row / MAX_REPEATS * MAX_REPEATS * offset->cols +
                          lane->row % MAX_REPEATS * STEP_BLOCKS;
    }
    lane->to = lane->row * row.pitch + lane->block * PTOG_BLOCK_BYTES;
    lane->is_valid = lane->block * PTOG_BLOCK_BYTES < row.bytes;
    if (!row.steps)
        lane->bytes = ptog_min(row.bytes - lane->block * PTOG_BLOCK_BYTES, (int64_t)PTOG_BLOCK_BYTES);
}

static int64_t column_of(const struct ptog_known_insn *known, const struct ptog_block_lane *lane)
{
    int64_t size = (int64_t)ptog_dtype_size(known->insn.of[PTOG_TGATHERB_DST].tile.dtype);
    return lane->block * PTOG_BLOCK_BYTES / size;
}

bool ptog_tgatherb_offset(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes,
                          struct ptog_block_lane *lane)
{
    const struct ptog_tile *src = &known->insn.of[PTOG_TGATHERB_SRC].tile;
    uint64_t bits, room = (uint64_t)ptog_tile_bytes(src);
    bool had = bytes->get(bytes->where, PTOG_TGATHERB_OFFSET, lane->offset_at * 4, 4, &bits);
    int64_t c = column_of(known, lane);
    lane->offset = (uint32_t)bits;
    bool outside = lane->offset + PTOG_BLOCK_BYTES > room, machine = known->target->machine != PTOG_NO_MACHINE;
    lane->reads = had && (!outside || machine);
    if (bytes->fault)
        bytes->fault->capacity = room;
    if (had && lane->is_valid && lane->offset % PTOG_BLOCK_BYTES != 0)
        ptog_bytes_note(bytes, PTOG_FAULT_GATHERB_MISALIGNED, lane->row, c, lane->offset);
    if (had && lane->is_valid && outside && machine)
        ptog_bytes_note(bytes, PTOG_FAULT_UB_OUTSIDE_TILE, lane->row, c, lane->offset);
    if (!had)
        ptog_bytes_note(bytes, PTOG_FAULT_SHORT_BUFFER, lane->row, c, 0);
    return had;
}

void ptog_tgatherb_copy(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes,
                        const struct ptog_block_lane *lane)
{
    const struct ptog_tile *dst = &known->insn.of[PTOG_TGATHERB_DST].tile;
    int64_t size = (int64_t)ptog_dtype_size(dst->dtype), room = ptog_tile_bytes(dst);
    int64_t inside = ptog_tile_bytes(&known->insn.of[PTOG_TGATHERB_SRC].tile);
    for (int64_t i = 0; lane->reads && i < lane->bytes; i += size) {
        int64_t from = (int64_t)lane->offset + i, to = lane->to + i, c = column_of(known, lane) + i / size;
        bool done = ptog_bytes_move(bytes, PTOG_TGATHERB_DST, to, PTOG_TGATHERB_SRC, from, (size_t)size);
        if (to >= room)
            ptog_bytes_note(bytes, PTOG_FAULT_TILE_OVERRUN, lane->row, c, (uint64_t)(to / size));
        else if (!done && from + size <= inside)
            ptog_bytes_note(bytes, PTOG_FAULT_SHORT_BUFFER, lane->row, c, 0);
    }
}
