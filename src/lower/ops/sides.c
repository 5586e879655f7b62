/* lower: which core of a block executes what: sections, functions of a kind, and operations outside of both, which
 * their tiles and pipes decide. All of it is one code; a run of both cores passes over what is not its own. */
#include "lint/lint.h"
#include "lower/emit.h"
#include "lower/ops/ops.h"
#include "lower/scope.h"
#include "model/cube/memories.h"

uint8_t ptog_side_of_function(const struct ptog_function *function)
{
    switch (function->core) {
    case PTOG_CORE_CUBE: return PTOG_SIDE_CUBE;
    case PTOG_CORE_VECTOR: return PTOG_SIDE_VECTOR;
    default: return PTOG_SIDE_ANY;
    }
}

/* Lowers a section of one kind of core: its records are for that kind, and a run notes which kinds there are. */
void ptog_eval_section(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_part *body = ptog_op_part(op, PTOG_PART_REGION, 0);
    uint8_t around = e->section, on = op->name == PTOG_OP_NAME_SECTION_CUBE ? PTOG_SIDE_CUBE : PTOG_SIDE_VECTOR;
    if (!body)
        return;
    uint32_t enter = ptog_emit_next(e), scope = ptog_frame_used(e);
    ptog_emit(e, PTOG_CODE_ENTER, op)->on = on;
    e->machine.sides |= on;
    e->section = on;
    ptog_eval_region(e, body->region);
    e->section = around;
    ptog_emit(e, PTOG_CODE_LEAVE, op)->scope = scope;
    ptog_emitted(e, enter)->target = ptog_emit_next(e);
}

void ptog_note_core(struct ptog_eval *e, const struct ptog_insn *insn)
{
    if (ptog_insn_uses_cube(insn))
        e->machine.uses_cube = true;
    else if (ptog_insn_uses_ub(insn))
        e->machine.uses_vector = true;
}

void ptog_note_call(struct ptog_eval *e, const struct ptog_function *callee, struct ptog_code *code)
{
    code->on = ptog_side_of_function(callee);
    e->machine.sides |= code->on;
}

/* The core that alone has the pipes of a flag or barrier. */
static uint8_t on_of_pipes(const struct ptog_sync_code *sync)
{
    uint8_t on = PTOG_SIDE_ANY;
    bool is_flag = sync->kind == PTOG_SYNC_SET_FLAG || sync->kind == PTOG_SYNC_WAIT_FLAG;
    for (int i = 0; i <= (int)is_flag; i++) {
        uint8_t pipe = i == 0 ? sync->from : sync->to;
        if (pipe == PTOG_M || pipe == PTOG_MTE1 || pipe == PTOG_FIX)
            on |= PTOG_SIDE_CUBE;
        if (pipe == PTOG_V || pipe == PTOG_MTE3)
            on |= PTOG_SIDE_VECTOR;
    }
    return on == (PTOG_SIDE_CUBE | PTOG_SIDE_VECTOR) ? PTOG_SIDE_ANY : on;
}

/* Which core executes a record that stands in no section: by the kind of the function, or by what it works on. */
static uint8_t on_of_record(const struct ptog_eval *e, const struct ptog_op *op, const struct ptog_code *code)
{
    switch ((enum ptog_code_kind)code->kind) {
    case PTOG_CODE_INSN:
        if (e->kind)
            return e->kind;
        return ptog_op_is_cube(e, op) && !ptog_op_sends_to_l1(e, op) ? PTOG_SIDE_CUBE : PTOG_SIDE_VECTOR;
    case PTOG_CODE_FIFO: return code->on;
    case PTOG_CODE_GET_VALUE: return e->kind ? e->kind : PTOG_SIDE_VECTOR;
    case PTOG_CODE_COPY:
    case PTOG_CODE_SUM: return e->kind ? e->kind : PTOG_SIDE_VECTOR;
    case PTOG_CODE_SIGNAL:
    case PTOG_CODE_STORE: return e->kind;
    case PTOG_CODE_SYNC:
        if (e->kind || code->sync.kind == PTOG_SYNC_CROSS_WAIT || code->sync.kind == PTOG_SYNC_INTRA_WAIT || code->sync.kind == PTOG_SYNC_ALL)
            return e->kind;
        return on_of_pipes(&code->sync);
    default: return code->on;
    }
}

void ptog_note_cores(struct ptog_eval *e, const struct ptog_op *op, uint32_t first)
{
    for (uint32_t i = first; i < ptog_emit_next(e) && !e->section; i++) {
        struct ptog_code *code = ptog_emitted(e, i);
        if (code->op == op)
            code->on = on_of_record(e, op, code);
    }
}

/* The only function of the text that is for the other core, and is called by nobody it could wait for. NULL: there is
 * none, or there are several functions for one of the cores. */
static const struct ptog_function *only_other(const struct ptog_eval *e, const struct ptog_function *function)
{
    const struct ptog_function *found = NULL;
    for (size_t i = 0; i < e->program->function_count; i++) {
        const struct ptog_function *other = &e->program->functions[i];
        if (other == function || other->scope != function->scope || other->core == PTOG_CORE_ANY)
            continue;
        if (found || other->core == function->core)
            return NULL;
        found = other;
    }
    return found;
}

void ptog_eval_partner(struct ptog_eval *e, const struct ptog_function *function)
{
    const struct ptog_function *partner = NULL;
    if (function->core == PTOG_CORE_ANY || e->machine.meets.length == 0 || e->no_memory)
        return;
    if (e->fifo)
        partner = ptog_fifo_partner(e->fifo, function);
    if (!partner || partner->core == PTOG_CORE_ANY || partner->core == function->core)
        partner = only_other(e, function);
    if (!partner)
        return;
    e->machine.partner = partner;
    ptog_eval_function(e, partner);
}

/* After a function: notes whether the cores meet, and refuses, before a run, what waits for the other core where that
 * has nothing to do. */
void ptog_check_sides(struct ptog_eval *e)
{
    struct ptog_machine *m = &e->machine;
    m->has_sync |= m->has_barriers && !m->has_messages;
    bool cube = m->uses_cube || (m->sides & PTOG_SIDE_CUBE), vector = m->uses_vector || (m->sides & PTOG_SIDE_VECTOR);
    if (m->meets.length > 0 && !(cube && vector) && ptog_is_bound(e))
        ptog_say_not_modelled(
            e, m->meets,
            "this waits for %s, but no function for it is known: name it with peer_func, or call both from an entry",
            cube ? "a vector core" : "the cube core");
}
