/* core: instructions without a machine, on a UB that grows with its tiles. */
#include "core/direct.h"

#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "exec/plan.h"
#include "model/buffers.h"
#include "model/tile.h"
#include "model/transfer.h"

#define LINE 64        /* bytes of a cache line: a vector of a tile's row is stored to one line, not to two */
#define PAGE 4096      /* bytes that are filled at once */
#define USUAL_PAGES 64 /* that a memory has room for from the start: as many bytes as UB has on a5 */

/* Room for so many pages, none of them filled. False: out of memory. */
static bool make_room(struct ptog_direct_memory *memory, uint64_t pages)
{
    uint64_t room = pages * PAGE;
    *memory = (struct ptog_direct_memory){.data = aligned_alloc(LINE, (size_t)(room + (pages + LINE) / LINE * LINE))};
    if (!memory->data)
        return false;
    memory->room = room;
    memory->filled = memory->data + room;
    memset(memory->filled, 0, (size_t)pages);
    return true;
}

/* Fills pages from byte `from` to byte `end` that were not filled; what lies between the two bytes of `except` is
 * written next. */
static void fill_pages(struct ptog_direct_memory *memory, uint64_t from, uint64_t end, const uint64_t except[2])
{
    for (uint64_t page = from / PAGE; page * PAGE < end; page++) {
        bool is_excepted = page * PAGE >= except[0] && (page + 1) * PAGE <= except[1];
        if (!memory->filled[page] && !is_excepted)
            memset(memory->data + page * PAGE, PTOG_NO_BYTES, PAGE);
        memory->filled[page] = true;
    }
}

/* Room for `bytes` bytes, with what the memory had. */
static bool grow(struct ptog_direct_memory *memory, uint64_t bytes)
{
    struct ptog_direct_memory larger;
    uint64_t most = ptog_max(bytes, 2 * memory->room); /* few moves for many tiles */
    uint64_t pages = (ptog_min(most, PTOG_MAX_UB) + PAGE - 1) / PAGE;
    if (!make_room(&larger, ptog_max(pages, USUAL_PAGES)))
        return false;
    for (uint64_t page = 0; page < memory->room / PAGE; page++)
        if (memory->filled[page])
            memcpy(larger.data + page * PAGE, memory->data + page * PAGE, PAGE);
    if (memory->room > 0)
        memcpy(larger.filled, memory->filled, (size_t)(memory->room / PAGE));
    larger.bytes = memory->bytes;
    free(memory->data);
    *memory = larger;
    return true;
}

enum ptog_status ptog_direct_open(struct ptog_direct *core, uint64_t ub_bytes)
{
    struct ptog_direct_memory *ub = &core->memories[PTOG_VEC];
    *core = (struct ptog_direct){0};
    if (!grow(ub, ub_bytes))
        return PTOG_NO_MEMORY;
    ub->bytes = ub_bytes;
    ptog_direct_fill(core);
    return PTOG_OK;
}

void ptog_direct_close(struct ptog_direct *core)
{
    for (int i = 0; i < PTOG_LOCS; i++)
        free(core->memories[i].data);
    *core = (struct ptog_direct){0};
}

void ptog_direct_fill(struct ptog_direct *core)
{
    struct ptog_direct_memory *ub = &core->memories[PTOG_VEC];
    fill_pages(ub, 0, ub->bytes, (uint64_t[2]){0, 0});
}

unsigned char *ptog_direct_take_ub(struct ptog_direct *core, uint64_t *bytes)
{
    struct ptog_direct_memory *ub = &core->memories[PTOG_VEC];
    unsigned char *data = ub->data;
    ptog_direct_fill(core);
    *bytes = ub->bytes;
    *ub = (struct ptog_direct_memory){0};
    return data;
}

enum ptog_status ptog_direct_reach(struct ptog_direct *core, const struct ptog_tile *tile, bool is_overwritten)
{
    int64_t bytes = ptog_tile_bytes(tile);
    if ((unsigned)tile->loc >= PTOG_LOCS || bytes < 0 || (uint64_t)bytes > PTOG_MAX_UB || tile->addr > PTOG_MAX_UB - (uint64_t)bytes)
        return PTOG_BAD_ARGUMENT;
    struct ptog_direct_memory *memory = &core->memories[tile->loc];
    uint64_t end = tile->addr + (uint64_t)bytes;
    if (end > memory->room) {
        if (!grow(memory, end))
            return PTOG_NO_MEMORY;
        core->moves++;
    }
    memory->bytes = ptog_max(memory->bytes, end);
    fill_pages(memory, tile->addr, end, (uint64_t[2]){tile->addr, is_overwritten ? end : tile->addr});
    return PTOG_OK;
}

bool ptog_direct_look(const struct ptog_direct *core, const struct ptog_tile *tile, uint64_t at, size_t size,
                      uint64_t *bits)
{
    const struct ptog_direct_memory *memory = &core->memories[tile->loc];
    if (at > memory->bytes || memory->bytes - at < size)
        return false;
    memset(bits, 0, sizeof *bits);
    memset(bits, PTOG_NO_BYTES, size);
    if (size > 0 && memory->filled[at / PAGE] && memory->filled[(at + size - 1) / PAGE])
        *bits = ptog_bits_at(memory->data + at, size);
    return true;
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

struct ptog_buf ptog_direct_storage(const struct ptog_direct *core, const struct ptog_tile *tile)
{
    return storage(core, tile, false);
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
