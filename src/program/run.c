/* program: one run of a function: check, bind, place, then every block on a core of its own. */
#include <stdlib.h>
#include <string.h>

#include "program/run.h"
#include "program/where.h"

#define MOST_STEPS UINT64_C(100000000)
#define ROOM_FOR_ADDRESSES ((uint64_t)16 << 20) /* where UB has no size and addresses are not known beforehand */

/* ---- before */

void ptog_run_say(struct ptog_finds *finds, const char *id, const char *message)
{
    struct ptog_finding *found = ptog_say(finds, id, (struct ptog_span){0}, "%s", message);
    if (found)
        found->nowhere = true;
}

const struct ptog_target *ptog_run_target(const struct ptog_program *program, const struct ptog_execution *execution)
{
    const struct ptog_target *target = execution->target ? execution->target : program->target;
    return target ? target : ptog_target_find("host");
}

const struct ptog_function *ptog_run_function(const struct ptog_program *program,
                                              const struct ptog_execution *execution, struct ptog_finds *finds)
{
    const struct ptog_function *function = ptog_function_find(program, execution->function);
    if (!function)
        ptog_run_say(finds, "run-function",
                     execution->function            ? "there is no function of that name"
                     : program->function_count == 0 ? "there is nothing to run"
                                                    : "there are several functions: choose one");
    return function;
}

/* The same walk as a check, with the bound types; then everything has a place. */
enum ptog_status ptog_run_prepare(struct ptog_eval *e, const struct ptog_execution *execution,
                                  const struct ptog_function *function)
{
    e->bindings = execution->bindings;
    e->binding_count = execution->binding_count;
    e->blocks = execution->blocks ? execution->blocks : 1;
    e->watch = execution->watch;
    e->max_steps = execution->max_steps ? execution->max_steps : MOST_STEPS;
    e->bound = true;
    ptog_functions_check(e->program, execution->target != NULL, e->finds);
    ptog_eval_function(e, function);
    if (e->finds->refusals == 0)
        ptog_bind_check(e);
    if (e->finds->refusals == 0)
        ptog_place_all(e);
    return e->no_memory ? PTOG_NO_MEMORY : e->finds->refusals > 0 ? PTOG_ILLEGAL : PTOG_OK;
}

enum ptog_status ptog_run_start(struct ptog_eval *e, const struct ptog_execution *execution)
{
    size_t symbols = (size_t)e->tree->symbols.count + 2;
    e->faults_of = calloc((size_t)e->tree->op_count + 1, sizeof *e->faults_of);
    e->last_tiles = calloc(symbols, sizeof *e->last_tiles);
    e->running = true;
    ptog_bind_numbers(e);
    return e->faults_of && e->last_tiles ? ptog_machine_open(e, execution) : PTOG_NO_MEMORY;
}

/* ---- blocks */

static uint64_t ub_bytes(const struct ptog_eval *e)
{
    if (e->target->ub_bytes > 0)
        return e->target->ub_bytes;
    return e->addr_unknown && e->ub_need < ROOM_FOR_ADDRESSES ? ROOM_FOR_ADDRESSES : e->ub_need;
}

/* What stands in scope from the start can be dumped too. */
static void note_slot_tiles(struct ptog_eval *e)
{
    for (uint32_t i = 0; i < e->slot_count; i++) {
        const struct ptog_slot_state *slot = &e->slots[i];
        if (slot->value.kind != PTOG_VALUE_TILE || slot->value.tile.place == 0)
            continue;
        const struct ptog_tile_place *place = &e->places[slot->value.tile.place - 1];
        if (place->needed && e->last_tiles[slot->name].dtype == PTOG_DTYPE_NONE)
            e->last_tiles[slot->name] = ptog_tile_at(slot->value.tile.tile, place->addr);
    }
}

static void pass_on(void *user, const struct ptog_mgather *m, const struct ptog_tgather *t, const struct ptog_run *run)
{
    const struct ptog_eval *e = user;
    struct ptog_line_text text;
    struct ptog_where where = ptog_where_of(&e->program->source, e->gather->name_span, &text);
    e->watch->gathers(e->watch->user, &(struct ptog_gather_seen){.name = m ? "pto.mgather" : "pto.tgather",
                                                                 .line = where.line,
                                                                 .column = where.column,
                                                                 .mgather = m,
                                                                 .tgather = t,
                                                                 .run = run});
}

static bool open_core(struct ptog_eval *e)
{
    ptog_plain_close(&e->core);
    if (e->machine.device)
        return ptog_machine_block(e) == PTOG_OK;
    if (ptog_plain_open(&e->core, e->target, ub_bytes(e)) != PTOG_OK)
        return false;
    e->core.watch = e->watch ? pass_on : NULL;
    e->core.user = e;
    return true;
}

/* Each block has a core of its own: one that hangs does not stop the others. */
void ptog_run_blocks(struct ptog_eval *e, const struct ptog_function *function, bool keep)
{
    for (e->block = 0; e->block < e->blocks && !e->stopped && !e->no_memory; e->block++) {
        if (e->steps++ > e->max_steps) {
            ptog_run_say(e->finds, "run-steps", "stopped: so many blocks take more operations than a run may have");
            e->stopped = true;
            return;
        }
        if (!open_core(e)) {
            e->no_memory = true;
            return;
        }
        e->hung = false;
        ptog_bind_tiles(e);
        ptog_eval_function(e, function);
        if (e->machine.device)
            ptog_machine_block_end(e, keep && e->block + 1 == e->blocks);
    }
    note_slot_tiles(e);
}

enum ptog_status ptog_run_once(struct ptog_eval *e, const struct ptog_execution *execution,
                               const struct ptog_function *function)
{
    enum ptog_status status = ptog_run_prepare(e, execution, function);
    if (status == PTOG_OK)
        status = ptog_run_start(e, execution);
    if (status != PTOG_OK)
        return status;
    ptog_run_blocks(e, function, false);
    return e->no_memory ? PTOG_NO_MEMORY : PTOG_OK;
}
