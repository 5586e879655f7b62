/* core: the instructions on UB memory. Tiles live at their addresses; where one reaches past UB, the lanes there are
 * faults, as with any buffer that is too small. */
#include "core/plain.h"

#include <stdlib.h>
#include <string.h>

#include <ptog/verify.h>

#include "exec/once.h"
#include "model/mgather.h"
#include "model/tgather.h"
#include "model/tile.h"
#include "model/transfer.h"
#include "sim/insn.h"
#include "verify/verify.h"

enum ptog_status ptog_plain_open(struct ptog_plain *core, const struct ptog_target *target, uint64_t ub_bytes)
{
    *core = (struct ptog_plain){.target = target};
    if (ub_bytes > PTOG_MOST_UB)
        return PTOG_BAD_ARGUMENT;
    core->ub = malloc(ub_bytes ? ub_bytes : 1);
    if (!core->ub)
        return PTOG_NO_MEMORY;
    core->ub_bytes = ub_bytes;
    memset(core->ub, 0xAA, ub_bytes);
    return PTOG_OK;
}

void ptog_plain_close(struct ptog_plain *core)
{
    free(core->ub);
    core->ub = NULL;
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
    room = room > PTOG_MOST_UB ? PTOG_MOST_UB : room;
    unsigned char *ub = realloc(core->ub, room);
    if (!ub)
        return PTOG_NO_MEMORY;
    memset(ub + core->ub_bytes, 0xAA, room - core->ub_bytes);
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

static struct ptog_cbuf constant(struct ptog_buf buf)
{
    return (struct ptog_cbuf){buf.data, buf.bytes};
}

/* Memory from the view's first element to the end of the buffer. */
static struct ptog_buf memory(struct ptog_gm gm)
{
    if (gm.start >= gm.bytes)
        return (struct ptog_buf){gm.data, 0};
    return (struct ptog_buf){gm.data + gm.start, gm.bytes - gm.start};
}

static void clear(struct ptog_fault *fault)
{
    memset(fault, 0, sizeof *fault);
}

static struct ptog_run mgather_run(const struct ptog_plain *core, const struct ptog_mgather *op, struct ptog_gm gm)
{
    return (struct ptog_run){.dst = storage(core, &op->dst, false),
                             .src = constant(memory(gm)),
                             .idx = constant(storage(core, &op->idx, false))};
}

static enum ptog_status issue_mgather(struct ptog_plain *core, const struct ptog_mgather *op, struct ptog_gm gm,
                                      struct ptog_fault *fault)
{
    struct ptog_run run = mgather_run(core, op, gm);
    if (core->watch)
        core->watch(core->user, op, NULL, &run);
    return ptog_exec_mgather(core->target, op, &run, fault);
}

enum ptog_status ptog_plain_mgather_plan(struct ptog_plain *core, const ptog_plan *plan, const struct ptog_mgather *op,
                                         struct ptog_gm gm, struct ptog_fault *fault)
{
    struct ptog_run run = mgather_run(core, op, gm);
    return ptog_plan_run(plan, &run, fault);
}

static enum ptog_status issue_tgather(struct ptog_plain *core, const struct ptog_insn *insn, struct ptog_fault *fault)
{
    const struct ptog_tgather *op = &insn->t;
    bool reads_ub = core->target->tile_oob == PTOG_TILE_OOB_READS_UB;
    struct ptog_run run = {.dst = storage(core, &op->dst, false),
                           .src = constant(storage(core, &op->src, reads_ub)),
                           .idx = constant(storage(core, &op->idx, false)),
                           .k = constant(storage(core, &op->k, false)),
                           .cdst = storage(core, &op->cdst, false)};
    if (insn->scalar_k)
        run.k = (struct ptog_cbuf){&insn->k, ptog_dtype_size(op->src.dtype)};
    if (core->watch) {
        struct ptog_run seen = run;
        seen.src = constant(storage(core, &op->src, true));
        core->watch(core->user, NULL, op, &seen);
    }
    return ptog_exec_tgather(core->target, op, &run, fault);
}

enum ptog_status ptog_plain_issue(struct ptog_plain *core, const struct ptog_insn *insn, struct ptog_gm gm,
                                  struct ptog_fault *fault)
{
    switch (insn->form) {
    case PTOG_FORM_ROW:
    case PTOG_FORM_ELEM: return issue_mgather(core, &insn->m, gm, fault);
    case PTOG_FORM_INDEX:
    case PTOG_FORM_MASK:
    case PTOG_FORM_COMPARE: return issue_tgather(core, insn, fault);
    case PTOG_FORM_LOAD:
        return ptog_exec_load(&insn->x, storage(core, &insn->x.tile, false), constant(memory(gm)), fault);
    case PTOG_FORM_STORE:
        return ptog_exec_store(&insn->x, constant(storage(core, &insn->x.tile, false)), memory(gm), fault);
    }
    return PTOG_BAD_ARGUMENT;
}

enum ptog_status ptog_plain_load(struct ptog_plain *core, const struct ptog_transfer *op, struct ptog_gm gm,
                                 ptog_diags *diags, struct ptog_fault *fault)
{
    clear(fault);
    enum ptog_status status = ptog_verify_transfer(core->target, op, diags);
    if (status != PTOG_OK)
        return status;
    return ptog_plain_issue(core, &(struct ptog_insn){.form = PTOG_FORM_LOAD, .x = ptog_transfer_filled(op)}, gm,
                            fault);
}

enum ptog_status ptog_plain_store(struct ptog_plain *core, const struct ptog_transfer *op, struct ptog_gm gm,
                                  ptog_diags *diags, struct ptog_fault *fault)
{
    clear(fault);
    if (gm.read_only)
        return PTOG_BAD_ARGUMENT;
    enum ptog_status status = ptog_verify_transfer(core->target, op, diags);
    if (status != PTOG_OK)
        return status;
    return ptog_plain_issue(core, &(struct ptog_insn){.form = PTOG_FORM_STORE, .x = ptog_transfer_filled(op)}, gm,
                            fault);
}

enum ptog_status ptog_plain_mgather(struct ptog_plain *core, const struct ptog_mgather *op, struct ptog_gm gm,
                                    ptog_diags *diags, struct ptog_fault *fault)
{
    clear(fault);
    enum ptog_status status = ptog_verify_mgather(core->target, op, diags);
    if (status != PTOG_OK)
        return status;
    struct ptog_insn insn = {.form = ptog_mgather_form(core->target, op), .m = ptog_mgather_filled(op)};
    return ptog_plain_issue(core, &insn, gm, fault);
}

static enum ptog_status run_tgather(struct ptog_plain *core, const struct ptog_tgather *op, const void *k,
                                    ptog_diags *diags, struct ptog_fault *fault)
{
    clear(fault);
    enum ptog_status status = ptog_verify_tgather(core->target, op, diags);
    if (status != PTOG_OK)
        return status;
    struct ptog_insn insn = {.form = ptog_tgather_form(op), .t = ptog_tgather_filled(op), .scalar_k = k != NULL};
    if (k)
        memcpy(&insn.k, k, ptog_dtype_size(op->src.dtype));
    return ptog_plain_issue(core, &insn, (struct ptog_gm){0}, fault);
}

enum ptog_status ptog_plain_tgather(struct ptog_plain *core, const struct ptog_tgather *op, ptog_diags *diags,
                                    struct ptog_fault *fault)
{
    return run_tgather(core, op, NULL, diags, fault);
}

enum ptog_status ptog_plain_tgather_scalar(struct ptog_plain *core, const struct ptog_tgather *op, const void *k,
                                           ptog_diags *diags, struct ptog_fault *fault)
{
    struct ptog_tgather with_k = *op;
    with_k.k = ptog_tile_vec(op->src.dtype, 1, 1);
    return run_tgather(core, &with_k, k, diags, fault);
}

/* A packed row-major view of the valid region. */
static struct ptog_transfer packed(const struct ptog_tile *tile)
{
    struct ptog_transfer op = {.tile = *tile};
    ptog_tile_fill_defaults(&op.tile);
    op.tile.pad = PTOG_PAD_NULL;
    op.view = ptog_tensor_2d(tile->dtype, op.tile.valid_row, op.tile.valid_col);
    return ptog_transfer_filled(&op);
}

static size_t packed_bytes(const struct ptog_transfer *op)
{
    return (size_t)(op->tile.valid_row * op->tile.valid_col) * ptog_dtype_size(op->tile.dtype);
}

void ptog_plain_peek(const struct ptog_plain *core, const struct ptog_tile *tile, void *data)
{
    struct ptog_fault fault = {0};
    struct ptog_transfer op = packed(tile);
    ptog_exec_store(&op, constant(storage(core, tile, false)), (struct ptog_buf){data, packed_bytes(&op)}, &fault);
}

void ptog_plain_poke(struct ptog_plain *core, const struct ptog_tile *tile, const void *data)
{
    struct ptog_fault fault = {0};
    struct ptog_transfer op = packed(tile);
    ptog_exec_load(&op, storage(core, tile, false), (struct ptog_cbuf){data, packed_bytes(&op)}, &fault);
}
