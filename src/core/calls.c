/* core: the instructions of ptog/core.h: check the operands, fill in what is left open, issue. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "core/device.h"

#include <ptog/verify.h>

#include "core/inside.h"
#include "exec/plan.h"
#include "model/cube/memories.h"
#include "model/singles.h"
#include "model/tgather.h"
#include "model/transfer.h"
#include "verify/verify.h"

#define MAX_TIMES_UB 4 /* a tile that is larger than so many buffers is refused: walking it would take forever */

/* ---- tiles */

/* Uses a tile of the instruction: numbers it, tells the sanitizer where it lies, and counts it in the figures of UB;
 * on a direct core, makes room for it. Anything but PTOG_OK when it has no address, leaves its memory or is absurdly
 * large. */
static enum ptog_status use_tile(struct ptog_core *core, struct ptog_known_insn *known, const struct ptog_tile *tile,
                                 enum ptog_operand_name operand)
{
    const char *name = ptog_operand_name(operand);
    uint64_t ub = core->timed.ub_bytes, bytes = (uint64_t)ptog_tile_bytes(tile), end = tile->addr + bytes;
    if (!tile->placed)
        return ptog_core_bad_argument(core, "ptog_core_insn", name, "is a tile without an address");
    bool sent = operand == PTOG_AT_DST && ptog_insn_sent(&known->insn) >= 0, in_ub = !core->cube && !sent;
    if (ptog_core_is_direct(core))
        return sent ? ptog_core_reach_peers(core, &known->insn) : ptog_direct_reach(&core->direct, tile, false);
    if (end >= bytes && end > core->stats.ub_top && in_ub)
        core->stats.ub_top = end;
    if (tile->is_static && in_ub && !ptog_static_ub_add(&core->static_ub, tile, ub))
        return PTOG_NO_MEMORY;
    known->tiles[operand] = ptog_names_tile(&core->device->shared.names, tile, name, core->site);
    bool blocks = known->form != PTOG_FORM_ELEM || operand != PTOG_AT_DST; /* Elem writes single elements, anywhere */
    if (core->sanitizer)
        ptog_sanitizer_tile(core->sanitizer, tile, operand, blocks, core->site, core->insn);
    if (!known->tiles[operand]) {
        core->device->failed = true;
        return PTOG_NO_MEMORY;
    }
    if (!in_ub &&
        end > ptog_cube_start(core->device->target, tile->loc) + ptog_memory_bytes(core->device->target, tile->loc))
        return PTOG_ILLEGAL; /* what lies behind it is another memory */
    return bytes > MAX_TIMES_UB * ub || tile->addr > MAX_TIMES_UB * ub ? PTOG_ILLEGAL : PTOG_OK;
}

/* What the user calls the operands: a view without a name is called as its buffer. */
static void name_operands(struct ptog_core *core, const struct ptog_insn *insn)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    struct ptog_sanitizer_shared *shared = &core->device->shared;
    for (int i = 0; i < row->count; i++) {
        const char *name = ptog_operand_given_name(&insn->of[i]);
        if (!name && insn->of[i].kind == PTOG_IS_VIEW)
            name = shared->buffer_name(shared->user, insn->of[i].buffer);
        if (!ptog_names_operand(&shared->names, core->site, row->of[i].name, name))
            core->device->failed = true;
    }
}

/* Every tile that this form accesses; the first that is wrong says so. */
static enum ptog_status use_tiles(struct ptog_core *core, struct ptog_known_insn *known)
{
    const struct ptog_insn_row *row = ptog_insn_row(known->insn.opcode);
    enum ptog_status worst = PTOG_OK;
    name_operands(core, &known->insn);
    for (int i = 0; i < row->count; i++) {
        if (known->insn.of[i].kind != PTOG_IS_TILE || !(row->of[i].used & PTOG_FORM_BIT(known->form)) ||
            !ptog_insn_has(&known->insn, known->form, i))
            continue;
        enum ptog_status status = use_tile(core, known, &known->insn.of[i].tile, row->of[i].name);
        if (core->fifos && (row->of[i].role == PTOG_ROLE_IN || row->of[i].role == PTOG_ROLE_SAME))
            ptog_core_fifos_judge_use(core, &known->insn.of[i].tile, row->of[i].name);
        if (worst == PTOG_OK)
            worst = status;
    }
    return worst;
}

/* ---- one instruction */

/* What is wrong with an instruction of the caller, or NULL: operands are of the right kind, views name buffers that are
 * there, and no store goes to an input. */
static const char *problem_of(const struct ptog_core *core, const struct ptog_insn *insn)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    for (int i = 0; i < row->count; i++) {
        int buffer = insn->of[i].buffer;
        if (insn->of[i].kind != PTOG_IS_VIEW)
            continue;
        if (buffer < 0 || buffer >= core->device->gm.count)
            return "has a view of a buffer that the device does not have";
        bool writes = row->of[i].role == PTOG_ROLE_OUT || row->of[i].role == PTOG_ROLE_SCRATCH;
        if (writes && core->device->gm.of[buffer].read_only)
            return "stores to a buffer that is an input";
    }
    return ptog_insn_malformed(insn);
}

/* Whether this core has the memories of the instruction. If not, that is reported as `wrong-core`. */
static bool is_on_its_core(struct ptog_core *core, const struct ptog_insn *insn)
{
    bool fresh, cube = core->cube;
    if (ptog_core_is_direct(core) || !(cube ? ptog_insn_uses_ub(insn) : ptog_insn_uses_cube(insn)))
        return true;
    struct ptog_diag_entry *f = ptog_diag_note_machine(&core->device->shared.diags, PTOG_MACHINE_WRONG_CORE,
                                                       ptog_key(core->site, PTOG_AT_COUNT), core->insn, 0, &fresh);
    if (f && fresh)
        f->diag.message =
            ptog_diag_text(&core->device->shared.diags, "%s is an instruction of the %s core, but this is a %s core",
                           ptog_opcode_name(insn->opcode), cube ? "vector" : "cube", cube ? "cube" : "vector");
    return false;
}

/* Verifies an instruction and puts its findings at the call. Without any it is kept, and *entry is where. */
static enum ptog_status verify_insn(ptog_core *core, const struct ptog_insn *insn, const struct ptog_run *extents,
                                    struct ptog_legality **entry)
{
    static const struct ptog_run none;
    enum ptog_status status = ptog_verify_run(core->device->target, insn, extents ? extents : &none, core->diags);
    ptog_core_judge_operands(core);
    if (status != PTOG_OK || extents || ptog_diags_count(core->diags) > 0)
        return status;
    if (!ptog_legality_keep(core->device->legality, core->site, insn, entry))
        core->device->failed = true;
    return PTOG_OK;
}

/* Whether a tile is valid as a whole, and has the shape of another. */
static bool is_wholly_valid(const struct ptog_tile *tile, const struct ptog_tile *other)
{
    return tile->rows > 0 && tile->cols > 0 && tile->valid_row == tile->rows && tile->valid_col == tile->cols &&
           tile->rows == other->rows && tile->cols == other->cols;
}

/* Whether an instruction writes every element of its destination, whatever it reads: loads, gathers, and arithmetic on
 * tiles of one shape. Of others it is not said. */
static bool writes_all(const struct ptog_insn *insn, enum ptog_form form)
{
    const struct ptog_tile *dst = &insn->of[0].tile;
    if (form == PTOG_FORM_LOAD) {
        struct ptog_transfer_region moved = ptog_transfer_moves(insn);
        return is_wholly_valid(dst, dst) && moved.rows >= dst->rows && moved.cols >= dst->cols;
    }
    if (form == PTOG_FORM_ROW || form == PTOG_FORM_ELEM)
        return is_wholly_valid(dst, dst);
    if (form != PTOG_FORM_PAIRWISE && form != PTOG_FORM_BY_SCALAR && form != PTOG_FORM_UNARY)
        return false;
    for (int i = 0; i < insn->count; i++)
        if (insn->of[i].kind == PTOG_IS_TILE && !is_wholly_valid(&insn->of[i].tile, dst))
            return false;
    return true;
}

/* Performs an instruction by the plan of an earlier call, after making room for its tiles, which may have other
 * addresses now. A tile without an address is reported. */
static enum ptog_status perform_again(ptog_core *core, const ptog_plan *plan, const struct ptog_insn *insn)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    enum ptog_form form = ptog_insn_form(core->device->target, insn);
    for (int i = insn->count - 1; i >= 0; i--) { /* sources first: they may lie where the destination is */
        const struct ptog_tile *tile = &insn->of[i].tile;
        if (insn->of[i].kind != PTOG_IS_TILE || tile->dtype == PTOG_DTYPE_NONE || !(row->of[i].used & PTOG_FORM_BIT(form)))
            continue;
        if (!tile->placed)
            return ptog_core_bad_argument(core, "ptog_core_insn", ptog_operand_name(row->of[i].name),
                                          "is a tile without an address");
        enum ptog_status status = ptog_direct_reach(&core->direct, tile, i == 0 && writes_all(insn, form));
        if (status != PTOG_OK)
            return status;
    }
    return ptog_core_perform(core, insn, plan, NULL);
}

/* What it does to the machine. A pop whose entry stays in its slot is a load on the pipe that will use it. */
static const struct ptog_effects *effects_of(struct ptog_core *core, const struct ptog_known_insn *known,
                                             const struct ptog_insn *insn)
{
    const struct ptog_effects *effects = ptog_effects_of(known, insn);
    if (!core->fifos || core->fifos->pipe == PTOG_ALL || !effects)
        return effects;
    struct ptog_effects *moved = &core->fifos->ends[core->fifos->number].effects;
    *moved = *effects;
    for (int i = 0; i < moved->phase_count; i++)
        moved->phases[i].pipe = core->fifos->pipe;
    return moved;
}

/* Resolves a legal instruction and issues it, or performs it where there is no machine, keeping its plan in `entry`.
 * One that was `seen` before is kept resolved, as it is likely to come again. Returns the status of the call. */
static enum ptog_status resolve_and_issue(ptog_core *core, const struct ptog_insn *insn, const struct ptog_run *extents,
                                          struct ptog_legality *entry, bool seen)
{
    struct ptog_known_insn known, *kept;
    ptog_known_start(&known, core->device->target, insn, extents);
    if (!ptog_core_is_direct(core) && (core->cube || ptog_insn_sent(insn) >= 0))
        ptog_cube_place(&known);
    enum ptog_status status = use_tiles(core, &known);
    if (status != PTOG_OK)
        return status;
    if (ptog_core_is_direct(core)) { /* without a plan it is done all the same */
        if (entry && ptog_insn_sent(insn) < 0)
            entry->plan = ptog_plan_legal(core->device->target, insn, 0);
        return ptog_core_perform(core, &known.insn, entry ? entry->plan : NULL, &known);
    }
    known.effects = effects_of(core, &known, insn);
    if (!seen)
        return ptog_core_issue(core, &known);
    kept = ptog_resolved_cache_keep(&core->resolved, core->site, insn, &known);
    if (kept)
        return ptog_core_issue(core, kept);
    core->device->failed = true;
    return PTOG_NO_MEMORY;
}

/* After an instruction that was refused: what it would have written counts as written, so that instructions which read
 * it are not reported as well, and nothing is said about redundant flags. No byte changes. */
static void pass_over(ptog_core *core, const struct ptog_insn *insn)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    core->device->shared.refused = true;
    if (ptog_insn_sent(insn) >= 0 && core->sanitizer) {
        ptog_core_preset_peers(core, insn);
        return;
    }
    for (int i = 0; core->sanitizer && i < insn->count; i++) {
        const struct ptog_tile *tile = &insn->of[i].tile;
        int64_t bytes = ptog_tile_bytes(tile);
        uint64_t start = core->cube ? ptog_cube_start(core->device->target, tile->loc) : 0;
        struct ptog_access written = {
            .kind = PTOG_WRITES, .at = start + tile->addr, .bytes = (uint64_t)bytes, .count = 1};
        bool is_out = row->of[i].role == PTOG_ROLE_OUT || row->of[i].role == PTOG_ROLE_SCRATCH;
        if (insn->of[i].kind == PTOG_IS_TILE && is_out && tile->placed && bytes > 0)
            ptog_sanitizer_preset(core->sanitizer, &written);
    }
}

/* One call of ptog_core_insn: checks arguments, verifies, and issues or performs the instruction. *performed is the
 * entry that the next call from this place can use at once. */
static enum ptog_status execute_insn(ptog_core *core, const struct ptog_insn *insn, const struct ptog_run *extents,
                                     const struct ptog_legality **performed)
{
    const char *problem = core && insn ? problem_of(core, insn) : "is NULL";
    if (problem)
        return ptog_core_bad_argument(core, "ptog_core_insn", "insn", problem);
    if (extents && !ptog_is_unreserved(extents))
        return ptog_core_bad_argument(core, "ptog_core_insn", "extents", "have a reserved word that is not zero");
    enum ptog_status status = ptog_core_begin(core, ptog_opcode_name(insn->opcode));
    if (status != PTOG_OK)
        return status;
    ptog_diags_clear(core->diags);
    struct ptog_known_insn *again = extents ? NULL : ptog_resolved_cache_find(&core->resolved, core->site, insn);
    if (again) {
        status = use_tiles(core, again);
        return status == PTOG_OK ? ptog_core_issue(core, again) : status;
    }
    struct ptog_legality *entry = extents ? NULL : ptog_legality_find(core->device->legality, core->site, insn);
    *performed = entry;
    if (entry && entry->plan)
        return perform_again(core, entry->plan, insn);
    bool seen = entry != NULL;
    if (!seen)
        status = verify_insn(core, insn, extents, &entry);
    if (status == PTOG_OK && !is_on_its_core(core, insn))
        return PTOG_ILLEGAL;
    if (status == PTOG_ILLEGAL)
        pass_over(core, insn);
    if (status != PTOG_OK)
        return status;
    return resolve_and_issue(core, insn, extents, entry, seen);
}

enum ptog_status ptog_core_insn(ptog_core *core, const struct ptog_insn *insn, const struct ptog_run *extents)
{
    const struct ptog_legality *performed;
    return execute_insn(core, insn, extents, &performed);
}

/* Whether nothing has changed since: the core and its UB are the same, and the plan is still that of the instruction.
 */
static bool is_repeatable(const ptog_core *core, const struct ptog_repeat *repeat)
{
    return repeat->core == core && repeat->moves == core->direct.moves &&
           repeat->generation == repeat->entry->generation;
}

enum ptog_status ptog_core_insn_again(ptog_core *core, const struct ptog_insn *insn, const struct ptog_run *extents,
                                      struct ptog_repeat *repeat)
{
    const struct ptog_legality *performed = NULL;
    if (repeat->core && is_repeatable(core, repeat)) {
        enum ptog_status status = ptog_core_begin(core, ptog_opcode_name(insn->opcode));
        ptog_diags_clear(core->diags);
        return status == PTOG_OK ? ptog_core_perform_plan(core, insn, repeat->entry->plan, &repeat->run) : status;
    }
    repeat->core = NULL;
    enum ptog_status status = execute_insn(core, insn, extents, &performed);
    if (status != PTOG_OK || !ptog_core_is_direct(core) || core->device->watch || !performed || !performed->plan)
        return status;
    *repeat = (struct ptog_repeat){.core = core,
                                   .entry = performed,
                                   .generation = performed->generation,
                                   .moves = core->direct.moves,
                                   .run = ptog_core_buffers(core, insn)};
    return PTOG_OK;
}

/* ---- single elements */

/* Makes *insn the instruction on one element of a tile. */
static void describe_single(struct ptog_insn *insn, enum ptog_opcode opcode, const struct ptog_tile *tile,
                            uint64_t element)
{
    ptog_insn_start(insn, opcode);
    ptog_insn_set_tile(insn, PTOG_SINGLE_TILE, tile);
    ptog_insn_set_scalar(insn, PTOG_SINGLE_WHERE, PTOG_U64, element);
    ptog_insn_set_scalar(insn, PTOG_SINGLE_VALUE, tile->dtype, 0);
}

enum ptog_status ptog_core_get_value(ptog_core *core, const struct ptog_tile *tile, uint64_t element, void *value)
{
    struct ptog_insn insn;
    if (!core || !tile || !value)
        return ptog_core_bad_argument(core, "ptog_core_get_value", tile ? "value" : "tile", "is NULL");
    describe_single(&insn, PTOG_TGETVAL, tile, element);
    enum ptog_status status = ptog_core_insn(core, &insn, NULL);
    memset(value, PTOG_NO_BYTES, ptog_dtype_size(tile->dtype));
    if (status == PTOG_OK)
        memcpy(value, &core->value, ptog_dtype_size(tile->dtype));
    return status;
}

enum ptog_status ptog_core_set_value(ptog_core *core, const struct ptog_tile *tile, uint64_t element, const void *value)
{
    struct ptog_insn insn;
    if (!core || !tile || !value)
        return ptog_core_bad_argument(core, "ptog_core_set_value", tile ? "value" : "tile", "is NULL");
    describe_single(&insn, PTOG_TSETVAL, tile, element);
    memcpy(&insn.of[PTOG_SINGLE_VALUE].bits, value, ptog_dtype_size(tile->dtype));
    return ptog_core_insn(core, &insn, NULL);
}

uint64_t ptog_core_value(const ptog_core *core)
{
    return core->value;
}

enum ptog_status ptog_core_merged(const ptog_core *core, uint16_t counts[4])
{
    if (!core || !counts)
        return PTOG_BAD_ARGUMENT;
    for (int i = 0; i < 4; i++)
        counts[i] = (uint16_t)(core->value >> (16 * i));
    return PTOG_OK;
}

/* ---- the older descriptions */

/* Performs a load or store of the C API as an instruction. */
static enum ptog_status transfer_tile(ptog_core *core, const struct ptog_transfer *op, bool store, int gm,
                                      uint64_t offset)
{
    struct ptog_insn insn;
    if (!op)
        return ptog_core_bad_argument(core, store ? "ptog_core_store" : "ptog_core_load", "op", "is NULL");
    struct ptog_transfer as_meant = *op;
    as_meant.store = store;
    ptog_insn_transfer(&insn, &as_meant);
    insn.of[1].buffer = gm;
    insn.of[1].offset = offset;
    return ptog_core_insn(core, &insn, NULL);
}

enum ptog_status ptog_core_load(ptog_core *core, const struct ptog_transfer *op, int gm, uint64_t offset)
{
    return transfer_tile(core, op, false, gm, offset);
}

enum ptog_status ptog_core_store(ptog_core *core, const struct ptog_transfer *op, int gm, uint64_t offset)
{
    return transfer_tile(core, op, true, gm, offset);
}

enum ptog_status ptog_core_mgather(ptog_core *core, const struct ptog_mgather *op, int gm, uint64_t offset,
                                   const struct ptog_run *extents)
{
    struct ptog_insn insn;
    if (!op)
        return ptog_core_bad_argument(core, "ptog_core_mgather", "op", "is NULL");
    ptog_insn_mgather(&insn, op);
    insn.of[1].buffer = gm;
    insn.of[1].offset = offset;
    return ptog_core_insn(core, &insn, extents);
}

enum ptog_status ptog_core_tgather(ptog_core *core, const struct ptog_tgather *op, const struct ptog_run *extents)
{
    struct ptog_insn insn;
    if (!op)
        return ptog_core_bad_argument(core, "ptog_core_tgather", "op", "is NULL");
    ptog_insn_tgather(&insn, op);
    return ptog_core_insn(core, &insn, extents);
}

enum ptog_status ptog_core_tgather_scalar(ptog_core *core, const struct ptog_tgather *op, const void *k,
                                          const struct ptog_run *extents)
{
    struct ptog_insn insn;
    uint64_t bits = 0;
    if (!op || !k)
        return ptog_core_bad_argument(core, "ptog_core_tgather_scalar", op ? "k" : "op", "is NULL");
    if (op->form != PTOG_BY_COMPARE)
        return ptog_core_bad_argument(core, "ptog_core_tgather_scalar", "op", "is not by comparison");
    memcpy(&bits, k, ptog_dtype_size(op->src.dtype));
    ptog_insn_tgather(&insn, op);
    ptog_insn_set_scalar(&insn, PTOG_TGATHER_K, op->src.dtype, bits);
    return ptog_core_insn(core, &insn, extents);
}
