/* interp: one run of a function: check, bind, place, then every block on a core of its own. */
#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "base/reserved.h"
#include "diag/where.h"
#include "interp/interp.h"
#include "interp/limits.h"
#include "interp/machine.h"
#include "interp/run.h"
#include "interp/streams.h"
#include "lower/bind.h"
#include "lower/lowered.h"
#include "lower/place.h"
#include "lower/scope.h"
#include "model/target.h"
#include "model/tile.h"

#define MAX_SUBBLOCKS 2
#define BLOCK_BYTES 4096 /* that starting a block touches, besides its on-chip buffer */

/* ---- before */

void ptog_run_say(struct ptog_diag_list *diags, const char *id, const char *message)
{
    struct ptog_diag_entry *found = ptog_diag_emit(diags, id, (struct ptog_span){0}, "%s", message);
    if (found)
        found->nowhere = true;
}

const char *ptog_run_problem(const struct ptog_execution *execution)
{
    const struct ptog_gather_watch *watch = execution->watch;
    const struct ptog_progress *progress = execution->progress;
    if (execution->blocks < 0)
        return "has a negative number of blocks";
    if (execution->subblocks > MAX_SUBBLOCKS)
        return "has more than 2 sub-blocks per block";
    if (!execution->bindings && execution->binding_count > 0)
        return "has bindings that are NULL";
    if (execution->trace && !ptog_sink_is_usable(execution->trace))
        return "has a trace without a function, or with a reserved word that is not zero";
    if (!ptog_is_unreserved(execution) || (watch && !ptog_is_unreserved(watch)) ||
        (progress && !ptog_is_unreserved(progress)))
        return "has a reserved word that is not zero";
    for (size_t i = 0; i < execution->binding_count; i++)
        if (!ptog_is_unreserved(&execution->bindings[i]))
            return "has a binding with a reserved word that is not zero";
    return NULL;
}

/* The target of an execution, else that of its function or program. */
const struct ptog_target *ptog_run_target(const struct ptog_program *program, const struct ptog_execution *execution)
{
    const struct ptog_function *function = ptog_function_find(program, execution->function);
    if (execution->target)
        return execution->target;
    if (function)
        return ptog_function_target(function);
    return ptog_target_default();
}

/* The function that an execution names, or the only one. NULL after a report when there is none. */
const struct ptog_function *ptog_run_function(const struct ptog_program *program,
                                              const struct ptog_execution *execution, struct ptog_diag_list *diags)
{
    const struct ptog_function *function = ptog_function_find(program, execution->function);
    if (function)
        return function;
    if (execution->function)
        ptog_run_say(diags, "run-function", "the program has no function of that name");
    else if (program->function_count == 0)
        ptog_run_say(diags, "run-function", "the program has nothing to run");
    else
        ptog_run_say(diags, "run-function", "the program has several functions: choose one");
    return NULL;
}

/* The sum, or the largest number where it is more. */
static uint64_t sum_at_most(uint64_t a, uint64_t b)
{
    return b < UINT64_MAX - a ? a + b : UINT64_MAX;
}

/* What is allocated from the start: what the caller counts and, on host, the tiles; on a target with pipes, copies of
 * the buffers that are stored to, for the runs that look for fixes. */
static uint64_t memory_of(struct ptog_eval *e, const struct ptog_execution *execution)
{
    for (size_t i = 0; i < execution->binding_count; i++)
        e->copied = sum_at_most(e->copied, execution->bindings[i].allocated);
    if (e->target->machine == PTOG_NO_MACHINE || execution->watch)
        return sum_at_most(e->copied, e->ub_need);
    for (uint32_t i = 0; i < e->memory_count; i++) {
        const struct ptog_bound_memory *buffer = &e->memories[i];
        if (buffer->slot && e->slots[buffer->slot - 1].written && buffer->data)
            e->copied = sum_at_most(e->copied, buffer->bytes);
    }
    return e->copied;
}

/* Whether the cores of a block run side by side: there are sections or instructions for both of them, or counters. A
 * block has two vector cores then, unless it was asked for fewer, or the FIFOs split no tile and have no ring in global
 * memory, or are those of A5: then the second one does nothing. */
static void link_cores(struct ptog_eval *e)
{
    struct ptog_machine *m = &e->machine;
    bool both = m->uses_cube && m->uses_vector && e->target->machine != PTOG_NO_MACHINE;
    bool signals = m->has_signals && e->blocks * e->subblocks > 1;
    m->linked = m->crosses || signals || both || m->sides == (PTOG_SIDE_CUBE | PTOG_SIDE_VECTOR);
    m->cube_cores = m->uses_cube || (m->sides & PTOG_SIDE_CUBE);
    m->vector_cores = m->uses_vector || (m->sides & PTOG_SIDE_VECTOR) || !m->cube_cores;
    bool is_one_to_one =
        m->whole_tiles && !m->split_tiles && (e->target->machine == PTOG_MACHINE_SIMT || !m->gm_rings);
    if (m->linked && m->cube_cores && e->wanted_subblocks == 0)
        e->subblocks = is_one_to_one ? 1 : MAX_SUBBLOCKS;
}

/* Takes the function as it was lowered with the bound types, and says what is wrong with it or with what is bound. */
enum ptog_status ptog_run_prepare(struct ptog_eval *e, const struct ptog_execution *execution,
                                  const struct ptog_function *function)
{
    if (!ptog_bind_names(e, execution->bindings, execution->binding_count))
        return PTOG_NO_MEMORY;
    e->blocks = ptog_max(execution->blocks, 1);
    e->subblocks = execution->subblocks > 1 ? execution->subblocks : 1;
    e->watch = execution->watch;
    e->progress = execution->progress;
    ptog_limits_set(e, execution);
    e->bound = true;
    e->wanted_subblocks = execution->subblocks;
    ptog_functions_check(e->program, execution->target != NULL, e->diags);
    struct ptog_lowered *lowered = ptog_lowered_share(e->offered, e->target, e);
    if (!lowered)
        lowered = ptog_lowered_get(e->program, function, e->target, e, &e->legality);
    if (!lowered || !ptog_lowered_take(e, lowered))
        return PTOG_NO_MEMORY;
    link_cores(e);
    ptog_lowered_say_walk(lowered, e->diags);
    if (e->diags->refusals == 0)
        ptog_bind_check(e);
    if (e->diags->refusals == 0)
        ptog_lowered_say_places(lowered, e->diags);
    if (e->no_memory)
        return PTOG_NO_MEMORY;
    if (e->diags->refusals > 0 || !ptog_limit_memory(e, (struct ptog_span){0}, memory_of(e, execution)))
        return PTOG_ILLEGAL;
    return PTOG_OK;
}

/* Binds numbers, makes the tables of a run, and opens the device: from now on the evaluator is running. PTOG_OK or
 * PTOG_NO_MEMORY. */
enum ptog_status ptog_run_start(struct ptog_eval *e, const struct ptog_execution *execution)
{
    e->faults_of = calloc((size_t)e->tree->op_count + 1, sizeof *e->faults_of);
    e->code = calloc((size_t)e->tree->op_count + 1, sizeof(*e->code));
    e->running = true;
    ptog_bind_numbers(e);
    if (e->faults_of && e->code)
        return ptog_machine_open(e, execution);
    return PTOG_NO_MEMORY;
}

/* ---- blocks */

/* What stands in scope from the start can be dumped too. */
static void note_slot_tiles(struct ptog_eval *e)
{
    for (uint32_t i = 0; i < e->slot_count; i++) {
        const struct ptog_slot_state *slot = &e->slots[i];
        if (slot->value.kind != PTOG_VALUE_TILE || slot->value.tile.place == 0)
            continue;
        const struct ptog_tile_place *place = &e->places[slot->value.tile.place - 1];
        struct ptog_tile_value *last = place->needed ? ptog_last_tile(e, slot->name) : NULL;
        if (last && last->tile.dtype == PTOG_DTYPE_NONE)
            last->tile = ptog_tile_static_at(slot->value.tile.tile, place->addr);
    }
}

/* A run that issued nothing has judged nothing. */
static void say_empty(struct ptog_eval *e)
{
    if (e->issued == 0 && !e->stopped && !e->no_memory)
        ptog_run_say(e->diags, "run-empty", "no instruction was executed");
}

/* One core of a block. False: the run is over. */
static bool run_core(struct ptog_eval *e, const struct ptog_function *function, bool keep)
{
    if (!ptog_limit_steps(e, (struct ptog_span){0}) ||
        !ptog_limit_work(e, (struct ptog_span){0}, BLOCK_BYTES + e->target->ub_bytes))
        return false;
    if (ptog_machine_block(e) != PTOG_OK) {
        e->no_memory = true;
        return false;
    }
    e->hung = false;
    ptog_bind_tiles(e);
    ptog_interp_start(e, function);
    ptog_say_misaligned(e);
    ptog_machine_block_end(e, keep);
    return !e->stopped && !e->no_memory;
}

/* Runs the function once for each block and sub-block, each on a core of its own: one that hangs does not stop the
 * others. `keep`: a copy of the last core's UB stays. */
void ptog_run_blocks(struct ptog_eval *e, const struct ptog_function *function, bool keep)
{
    bool more = !e->machine.linked;
    if (e->machine.linked)
        ptog_streams_run(e, function, keep);
    for (e->block = 0; more && e->block < e->blocks; e->block++)
        for (e->subblock = 0; more && e->subblock < e->subblocks; e->subblock++)
            more = run_core(e, function, keep && e->block + 1 == e->blocks && e->subblock + 1 == e->subblocks);
    note_slot_tiles(e);
    say_empty(e);
}

/* Prepares, starts and runs all blocks of a function; returns the status of the first step that fails. */
enum ptog_status ptog_run_once(struct ptog_eval *e, const struct ptog_execution *execution,
                               const struct ptog_function *function)
{
    enum ptog_status status = ptog_run_prepare(e, execution, function);
    if (status == PTOG_OK)
        status = ptog_run_start(e, execution);
    if (status != PTOG_OK)
        return status;
    ptog_run_blocks(e, function, false);
    if (e->no_memory)
        return PTOG_NO_MEMORY;
    return PTOG_OK;
}

void ptog_run_close(struct ptog_eval *e)
{
    ptog_machine_close(e);
    ptog_eval_close(e);
}
