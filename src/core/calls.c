/* core: the instructions of ptog/core.h: check the operands, fill in what is left open, issue. */
#include "core/device.h"

#include "model/extents.h"
#include "model/mgather.h"
#include "model/tgather.h"
#include "model/transfer.h"
#include "verify/verify.h"

#define MOST_TIMES_UB 4 /* a tile that is larger than so many buffers is refused: walking it would take for ever */

/* A tile of the instruction: placed, not absurd; it is numbered and its place is judged. */
static enum ptog_status use_tile(struct ptog_core *core, struct ptog_insn *insn, const struct ptog_tile *tile,
                                 enum ptog_access_operand operand)
{
    const char *name = ptog_access_operand_name(operand);
    uint64_t ub = core->timed.ub_bytes, bytes = (uint64_t)ptog_tile_bytes(tile), end = tile->addr + bytes;
    if (!tile->placed)
        return PTOG_BAD_ARGUMENT;
    if (ptog_core_is_plain(core))
        return ptog_plain_reach(&core->plain, tile);
    if (end >= bytes && end > core->stats.ub_top)
        core->stats.ub_top = end;
    insn->tiles[operand] = ptog_names_tile(&core->device->court.names, tile, name, core->site);
    if (core->sanitize)
        ptog_sanitizer_tile(&core->sanitizer, tile, operand, core->site, core->insn);
    if (!insn->tiles[operand]) {
        core->device->failed = true;
        return PTOG_NO_MEMORY;
    }
    return bytes > MOST_TIMES_UB * ub || tile->addr > MOST_TIMES_UB * ub ? PTOG_ILLEGAL : PTOG_OK;
}

/* The same operands at the same site were legal, without a word. */
static bool is_known_legal(struct ptog_core *core, enum ptog_form form, const void *op, size_t bytes)
{
    const struct ptog_legal *kept = &core->legal[core->site % PTOG_LEGAL_KEPT];
    return kept->form == form && memcmp(&kept->op, op, bytes) == 0;
}

static void keep_legal(struct ptog_core *core, enum ptog_form form, const void *op, size_t bytes)
{
    struct ptog_legal *kept = &core->legal[core->site % PTOG_LEGAL_KEPT];
    if (ptog_diags_count(core->diags) > 0)
        return;
    ptog_plan_free(kept->plan);
    kept->plan = NULL;
    kept->form = form;
    memcpy(&kept->op, op, bytes);
    if (ptog_core_is_plain(core) && (form == PTOG_FORM_ROW || form == PTOG_FORM_ELEM))
        ptog_plan_mgather(&kept->plan, core->device->target, op, NULL); /* without one it is done all the same */
}

static bool is_buffer(const struct ptog_core *core, int gm)
{
    return gm >= 0 && gm < core->device->gm.count;
}

static enum ptog_status verified(struct ptog_core *core, enum ptog_status status)
{
    ptog_core_judge_operands(core);
    return status;
}

static enum ptog_status transfer(ptog_core *core, const struct ptog_transfer *op, int gm, uint64_t offset, bool store)
{
    if (!core || !op || !is_buffer(core, gm) || (store && core->device->gm.of[gm].read_only))
        return PTOG_BAD_ARGUMENT;
    enum ptog_status status = ptog_core_begin(core, store ? "tstore" : "tload");
    if (status != PTOG_OK)
        return status;
    struct ptog_transfer as_is = *op;
    as_is.store = store;
    struct ptog_insn insn = {.target = core->device->target,
                             .form = store ? PTOG_FORM_STORE : PTOG_FORM_LOAD,
                             .gm = gm,
                             .offset = offset,
                             .x = ptog_transfer_filled(&as_is)};
    ptog_diags_clear(core->diags);
    if (!is_known_legal(core, insn.form, &as_is, sizeof as_is)) {
        status = verified(core, ptog_verify_transfer(insn.target, &as_is, core->diags));
        for (int d = 0; d < 5 && status == PTOG_OK; d++)
            if (insn.x.view.shape[d] < 0 || insn.x.view.stride[d] < 0)
                status = PTOG_BAD_ARGUMENT;
        if (status == PTOG_OK && (insn.x.tile.valid_row < 1 || insn.x.tile.valid_col < 1))
            status = PTOG_BAD_ARGUMENT;
        if (status != PTOG_OK)
            return status;
        keep_legal(core, insn.form, &as_is, sizeof as_is);
    }
    insn.effects = ptog_effects_of(insn.target, insn.form, false, false, false);
    status = use_tile(core, &insn, &insn.x.tile, PTOG_AT_TILE);
    return status == PTOG_OK ? ptog_core_issue(core, &insn) : status;
}

enum ptog_status ptog_core_load(ptog_core *core, const struct ptog_transfer *op, int gm, uint64_t offset)
{
    return transfer(core, op, gm, offset, false);
}

enum ptog_status ptog_core_store(ptog_core *core, const struct ptog_transfer *op, int gm, uint64_t offset)
{
    return transfer(core, op, gm, offset, true);
}

enum ptog_status ptog_core_mgather(ptog_core *core, const struct ptog_mgather *op, int gm, uint64_t offset,
                                   const struct ptog_run *extents)
{
    static const struct ptog_run none;
    if (!core || !op || !is_buffer(core, gm))
        return PTOG_BAD_ARGUMENT;
    enum ptog_status status = ptog_core_begin(core, "mgather");
    if (status != PTOG_OK)
        return status;
    const struct ptog_run *run = extents ? extents : &none;
    enum ptog_form form = ptog_mgather_form(core->device->target, op);
    bool known = !extents && is_known_legal(core, form, op, sizeof *op);
    ptog_diags_clear(core->diags);
    if (known && core->legal[core->site % PTOG_LEGAL_KEPT].plan)
        return ptog_core_perform_plan(core, core->legal[core->site % PTOG_LEGAL_KEPT].plan, op, gm, offset);
    struct ptog_insn insn = {.target = core->device->target, .form = form, .gm = gm, .offset = offset, .m = *op};
    if (!known) {
        status = verified(core, ptog_verify_mgather_run(insn.target, op, run, core->diags));
        if (status != PTOG_OK)
            return status;
        if (!extents)
            keep_legal(core, insn.form, op, sizeof *op);
    }
    struct ptog_extents open = ptog_mgather_extents(&insn.m, run);
    ptog_extents_apply(&open);
    insn.m = ptog_mgather_filled(&insn.m);
    struct ptog_mgather planned = ptog_mgather_filled(op);
    bool one = planned.dst.valid_row == 1 && planned.dst.valid_col == 1; /* PTOG_DYN is not 1 */
    insn.effects =
        ptog_effects_of(insn.target, insn.form, insn.m.table.layout == PTOG_NZ, insn.m.oob == PTOG_OOB_ZERO, one);
    status = use_tile(core, &insn, &insn.m.dst, PTOG_AT_DST);
    enum ptog_status other = use_tile(core, &insn, &insn.m.idx, PTOG_AT_IDX);
    status = status == PTOG_OK ? other : status;
    return status == PTOG_OK ? ptog_core_issue(core, &insn) : status;
}

static enum ptog_status use_tiles(struct ptog_core *core, struct ptog_insn *insn)
{
    const struct ptog_tgather *op = &insn->t;
    bool index = op->form == PTOG_BY_INDEX, compare = op->form == PTOG_BY_COMPARE;
    const struct {
        const struct ptog_tile *tile;
        enum ptog_access_operand operand;
        bool used;
    } tiles[] = {{&op->dst, PTOG_AT_DST, true},
                 {&op->src, PTOG_AT_SRC, true},
                 {&op->idx, PTOG_AT_IDX, index},
                 {&op->tmp, PTOG_AT_TMP, index && op->tmp.dtype != PTOG_DTYPE_NONE},
                 {&op->k, PTOG_AT_K, compare && !insn->scalar_k},
                 {&op->cdst, PTOG_AT_CDST, compare}};
    enum ptog_status worst = PTOG_OK;
    for (unsigned i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        enum ptog_status status = tiles[i].used ? use_tile(core, insn, tiles[i].tile, tiles[i].operand) : PTOG_OK;
        worst = worst == PTOG_OK ? status : worst;
    }
    return worst;
}

static enum ptog_status tgather(ptog_core *core, const struct ptog_tgather *op, const void *k,
                                const struct ptog_run *extents)
{
    static const struct ptog_run none;
    if (!core || !op)
        return PTOG_BAD_ARGUMENT;
    enum ptog_status status = ptog_core_begin(core, "tgather");
    if (status != PTOG_OK)
        return status;
    const struct ptog_run *run = extents ? extents : &none;
    struct ptog_insn insn = {.target = core->device->target, .gm = -1, .t = *op, .form = ptog_tgather_form(op)};
    ptog_diags_clear(core->diags);
    if (extents || !is_known_legal(core, insn.form, op, sizeof *op)) {
        status = verified(core, ptog_verify_tgather_run(insn.target, op, run, core->diags));
        if (status != PTOG_OK)
            return status;
        if (!extents)
            keep_legal(core, insn.form, op, sizeof *op);
    }
    struct ptog_extents open = ptog_tgather_extents(&insn.t, run);
    ptog_extents_apply(&open);
    insn.t = ptog_tgather_filled(&insn.t);
    insn.scalar_k = k != NULL;
    if (k)
        memcpy(&insn.k, k, ptog_dtype_size(op->src.dtype));
    insn.effects = ptog_effects_of(insn.target, insn.form, false, false, false);
    status = use_tiles(core, &insn);
    if (status == PTOG_OK && insn.form == PTOG_FORM_COMPARE && !ptog_core_is_plain(core) &&
        !ptog_sim_has_room(&insn, &core->issued))
        status = PTOG_NO_ROOM;
    return status == PTOG_OK ? ptog_core_issue(core, &insn) : status;
}

enum ptog_status ptog_core_tgather(ptog_core *core, const struct ptog_tgather *op, const struct ptog_run *extents)
{
    return tgather(core, op, NULL, extents);
}

enum ptog_status ptog_core_tgather_scalar(ptog_core *core, const struct ptog_tgather *op, const void *k,
                                          const struct ptog_run *extents)
{
    if (!op || !k || op->form != PTOG_BY_COMPARE)
        return PTOG_BAD_ARGUMENT;
    struct ptog_tgather with_k = *op;
    with_k.k = ptog_tile_vec(op->src.dtype, 1, 1);
    return tgather(core, &with_k, k, extents);
}
