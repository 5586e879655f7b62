/* core: instructions without a machine, on a UB that grows with its tiles. */
#include "core/plain.h"

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

enum ptog_status ptog_plain_open(struct ptog_plain *core, uint64_t ub_bytes)
{
    *core = (struct ptog_plain){.ub = fresh(ub_bytes), .ub_bytes = ub_bytes};
    if (!core->ub)
        return PTOG_NO_MEMORY;
    return PTOG_OK;
}

void ptog_plain_close(struct ptog_plain *core)
{
    free(core->ub);
    core->ub = NULL;
}

unsigned char *ptog_plain_take_ub(struct ptog_plain *core, uint64_t *bytes)
{
    unsigned char *ub = core->ub;
    *bytes = core->ub_bytes;
    *core = (struct ptog_plain){0};
    return ub;
}

enum ptog_status ptog_plain_reach(struct ptog_plain *core, const struct ptog_tile *tile)
{
    int64_t bytes = ptog_tile_bytes(tile);
    if (bytes < 0 || (uint64_t)bytes > PTOG_MOST_UB || tile->addr > PTOG_MOST_UB - (uint64_t)bytes)
        return PTOG_BAD_ARGUMENT;
    uint64_t end = tile->addr + (uint64_t)bytes;
    if (end <= core->ub_bytes)
        return PTOG_OK;
    uint64_t room = end > 2 * core->ub_bytes ? end : 2 * core->ub_bytes; /* few moves for many tiles */
    if (room > PTOG_MOST_UB)
        room = PTOG_MOST_UB;
    unsigned char *ub = fresh(room);
    if (!ub)
        return PTOG_NO_MEMORY;
    memcpy(ub, core->ub, core->ub_bytes);
    free(core->ub);
    core->ub = ub;
    core->ub_bytes = room;
    return PTOG_OK;
}

/* A tile's storage, cut at the end of UB. `all`: everything from the tile to the end of UB. */
static struct ptog_buf storage(const struct ptog_plain *core, const struct ptog_tile *tile, bool all)
{
    int64_t wanted = ptog_tile_bytes(tile);
    if (tile->dtype == PTOG_DTYPE_NONE || wanted < 0 || tile->addr >= core->ub_bytes)
        return (struct ptog_buf){core->ub, 0};
    uint64_t room = core->ub_bytes - tile->addr;
    return (struct ptog_buf){core->ub + tile->addr, all || (uint64_t)wanted > room ? room : (uint64_t)wanted};
}

/* Memory from a view's first element to the end of its buffer. */
static struct ptog_buf memory(const struct ptog_global *gm, const struct ptog_operand *view)
{
    const struct ptog_gm_buffer *buffer = &gm->of[view->buffer];
    if (view->offset >= buffer->bytes)
        return (struct ptog_buf){buffer->data, 0};
    return (struct ptog_buf){buffer->data + view->offset, buffer->bytes - view->offset};
}

struct ptog_run ptog_plain_buffers(const struct ptog_plain *core, const struct ptog_global *gm,
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
        ptog_run_set_buffer(&run, &row->of[i], buffer);
    }
    return run;
}

/* ---- tiles from outside */

/* The valid region of a tile as a transfer from or to packed rows. */
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

void ptog_plain_peek(const struct ptog_plain *core, const struct ptog_tile *tile, void *data)
{
    struct ptog_known_insn store;
    packed(tile, true, &store);
    struct ptog_buf from = storage(core, tile, false);
    struct ptog_run run = {.dst = {data, packed_bytes(&store)}, .src = {from.data, from.bytes}};
    ptog_exec_once(&store, &run, NULL);
}

void ptog_plain_poke(struct ptog_plain *core, const struct ptog_tile *tile, const void *data)
{
    struct ptog_known_insn load;
    packed(tile, false, &load);
    struct ptog_run run = {.dst = storage(core, tile, false), .src = {data, packed_bytes(&load)}};
    ptog_exec_once(&load, &run, NULL);
}
