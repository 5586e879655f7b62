/* core: instructions without a machine, on a UB that grows with its tiles. */
#include "core/direct.h"

#include <stdlib.h>
#include <string.h>

#include "exec/plan.h"
#include "model/buffers.h"
#include "model/tile.h"
#include "model/transfer.h"

#define LINE 64 /* bytes of a cache line: a vector of a tile's row is stored to one line, not to two */

/* A UB of that size, never written; NULL: out of memory. */
static unsigned char *fresh(uint64_t bytes)
{
    unsigned char *ub = aligned_alloc(LINE, (bytes + LINE) / LINE * LINE);
    if (ub)
        memset(ub, 0xAA, bytes);
    return ub;
}

enum ptog_status ptog_direct_open(struct ptog_direct *core, uint64_t ub_bytes)
{
    *core = (struct ptog_direct){.memories[PTOG_VEC] = {fresh(ub_bytes), ub_bytes}};
    if (!core->memories[PTOG_VEC].data)
        return PTOG_NO_MEMORY;
    return PTOG_OK;
}

void ptog_direct_close(struct ptog_direct *core)
{
    for (int i = 0; i < PTOG_LOCS; i++)
        free(core->memories[i].data);
    *core = (struct ptog_direct){0};
}

unsigned char *ptog_direct_take_ub(struct ptog_direct *core, uint64_t *bytes)
{
    unsigned char *ub = core->memories[PTOG_VEC].data;
    *bytes = core->memories[PTOG_VEC].bytes;
    core->memories[PTOG_VEC] = (struct ptog_direct_memory){0};
    return ub;
}

enum ptog_status ptog_direct_reach(struct ptog_direct *core, const struct ptog_tile *tile)
{
    int64_t bytes = ptog_tile_bytes(tile);
    if ((unsigned)tile->loc >= PTOG_LOCS || bytes < 0 || (uint64_t)bytes > PTOG_MAX_UB || tile->addr > PTOG_MAX_UB - (uint64_t)bytes)
        return PTOG_BAD_ARGUMENT;
    struct ptog_direct_memory *memory = &core->memories[tile->loc];
    uint64_t end = tile->addr + (uint64_t)bytes;
    if (end <= memory->bytes)
        return PTOG_OK;
    uint64_t room = end > 2 * memory->bytes ? end : 2 * memory->bytes; /* few moves for many tiles */
    if (room > PTOG_MAX_UB)
        room = PTOG_MAX_UB;
    unsigned char *data = fresh(room);
    if (!data)
        return PTOG_NO_MEMORY;
    if (memory->bytes > 0)
        memcpy(data, memory->data, memory->bytes);
    free(memory->data);
    *memory = (struct ptog_direct_memory){data, room};
    core->moves++;
    return PTOG_OK;
}

/* A tile's storage, cut at the end of its memory. `all`: everything from the tile to that end. */
static struct ptog_buf storage(const struct ptog_direct *core, const struct ptog_tile *tile, bool all)
{
    int64_t wanted = ptog_tile_bytes(tile);
    const struct ptog_direct_memory *memory = &core->memories[(unsigned)tile->loc < PTOG_LOCS ? tile->loc : PTOG_VEC];
    if (tile->dtype == PTOG_DTYPE_NONE || wanted < 0 || tile->addr >= memory->bytes)
        return (struct ptog_buf){memory->data, 0};
    uint64_t room = memory->bytes - tile->addr;
    return (struct ptog_buf){memory->data + tile->addr, all || (uint64_t)wanted > room ? room : (uint64_t)wanted};
}

/* Memory from a view's first element to the end of its buffer. */
static struct ptog_buf memory(const struct ptog_global *gm, const struct ptog_operand *view)
{
    const struct ptog_gm_buffer *buffer = &gm->of[view->buffer];
    if (view->offset >= buffer->bytes)
        return (struct ptog_buf){buffer->data, 0};
    return (struct ptog_buf){buffer->data + view->offset, buffer->bytes - view->offset};
}

struct ptog_run ptog_direct_buffers(const struct ptog_direct *core, const struct ptog_global *gm,
                                    const struct ptog_insn *insn, bool reads_ub)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    struct ptog_run run = {0};
    for (int i = 0; i < row->count; i++) {
        const struct ptog_operand *operand = &insn->of[i];
        struct ptog_buf buffer;
        if (operand->kind == PTOG_IS_VIEW)
            buffer = memory(gm, operand);
        else if (operand->kind == PTOG_IS_SCALAR) /* read, never written */
            buffer = (struct ptog_buf){(void *)(uintptr_t)&operand->bits, ptog_dtype_size(operand->tile.dtype)};
        else
            buffer = storage(core, &operand->tile, reads_ub && row->of[i].name == PTOG_AT_SRC);
        if (operand->kind != PTOG_IS_ABSENT)
            ptog_run_set_buffer(&run, &row->of[i], buffer);
    }
    return run;
}

/* ---- tiles from outside */

/* Makes *known a resolved transfer of the valid region of a tile from or to packed rows. */
static void packed(const struct ptog_tile *tile, bool store, struct ptog_known_insn *known)
{
    struct ptog_transfer op = {.tile = *tile, .store = store};
    struct ptog_insn insn;
    ptog_tile_fill_defaults(&op.tile);
    op.tile.pad = PTOG_PAD_NULL;
    op.view = ptog_tensor_2d(tile->dtype, op.tile.valid_row, op.tile.valid_col);
    ptog_insn_transfer(&insn, &op);
    ptog_known_start(known, ptog_target_at(PTOG_TARGET_HOST), &insn, NULL);
}

static size_t packed_bytes(const struct ptog_known_insn *known)
{
    return (size_t)ptog_operand_span(&known->insn.of[PTOG_TRANSFER_VIEW]);
}

void ptog_direct_peek(const struct ptog_direct *core, const struct ptog_tile *tile, void *data)
{
    struct ptog_known_insn store;
    packed(tile, true, &store);
    struct ptog_buf from = storage(core, tile, false);
    struct ptog_run run = {.dst = {data, packed_bytes(&store)}, .src = {from.data, from.bytes}};
    ptog_exec_once(&store, &run, NULL);
}

void ptog_direct_poke(struct ptog_direct *core, const struct ptog_tile *tile, const void *data)
{
    struct ptog_known_insn load;
    packed(tile, false, &load);
    struct ptog_run run = {.dst = storage(core, tile, false), .src = {data, packed_bytes(&load)}};
    ptog_exec_once(&load, &run, NULL);
}
