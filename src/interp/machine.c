/* interp: the machine underneath a run: a device with the bound buffers, a core per block, instructions with places.
 */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "interp/machine.h"

#include <stdlib.h>
#include <string.h>

#include "asm/loc.h"
#include "base/arena.h"
#include "base/pick.h"
#include "core/automatic.h"
#include "core/inside.h"
#include "core/signal.h"
#include "diag/where.h"
#include "interp/added.h"
#include "interp/limits.h"
#include "interp/run_fifo.h"
#include "lower/bind.h"
#include "lower/scope.h"
#include "model/mgather.h"
#include "model/tgather.h"

/* ---- the device */

/* Whoever watches is told of gathers, as the older descriptions have them. */
static void pass_on(void *user, const struct ptog_insn *insn, const struct ptog_run *run)
{
    const struct ptog_eval *e = user;
    const struct ptog_where *where = &e->machine.places[e->machine.running->number]->kept.where;
    struct ptog_mgather m;
    struct ptog_tgather t;
    bool is_mgather = insn->opcode == PTOG_MGATHER;
    bool is_older = insn->opcode == PTOG_TGATHER || (is_mgather && !ptog_mgather_is_l1(insn));
    if (e->watch->accesses)
        e->watch->accesses(e->watch->user,
                           &(struct ptog_access_seen){.insn = insn,
                                                      .run = run,
                                                      .name = ptog_op_info(e->machine.running->name)->name,
                                                      .line = where->line,
                                                      .column = where->column,
                                                      .target = e->target,
                                                      .origin = where->origin});
    if (!e->watch->gathers || !is_older)
        return;
    if (is_mgather)
        m = ptog_mgather_of(insn);
    else
        t = ptog_tgather_of(insn);
    e->watch->gathers(e->watch->user, &(struct ptog_gather_seen){.name = ptog_op_info(e->machine.running->name)->name,
                                                                 .line = where->line,
                                                                 .column = where->column,
                                                                 .mgather = is_mgather ? &m : NULL,
                                                                 .tgather = is_mgather ? NULL : &t,
                                                                 .run = run,
                                                                 .origin = where->origin});
}

/* Gives a bound buffer to the device, and keeps its handle. False when out of memory. */
static bool add_buffer(struct ptog_eval *e, struct ptog_bound_memory *memory)
{
    const struct ptog_slot_state *slot = memory->slot ? &e->slots[memory->slot - 1] : NULL;
    const char *name = slot ? ptog_written_name(e, slot->name) : "gm";
    void *data = memory->data ? memory->data : &e->machine.nothing;
    uint64_t bytes = memory->data ? memory->bytes : 0;
    memory->handle = slot && !slot->written ? ptog_device_input(e->machine.device, name, data, (size_t)bytes)
                                            : ptog_device_buffer(e->machine.device, name, data, (size_t)bytes);
    return memory->handle >= 0;
}

/* Opens the device with the options of the execution, and adds every buffer of the function and the rings of its
 * FIFOs. PTOG_OK, or PTOG_NO_MEMORY. */
enum ptog_status ptog_machine_open(struct ptog_eval *e, const struct ptog_execution *execution)
{
    struct ptog_device_options options = {
        .schedule = execution->schedule,
        .seed = execution->seed,
        .dyn_ub = execution->dyn_ub,
        .launch = execution->launch,
        .no_sanitize = execution->no_sanitize,
        .trace = execution->trace,
        .trace_drawings = execution->trace_drawings,
        .trace_short = execution->trace_short,
        .late = execution->late,
        .late_count = execution->late_count,
        .spelling = PTOG_SPELL_TEXT,
        .threads = execution->threads,
        .cube = e->machine.uses_cube && !e->machine.uses_vector && !e->machine.linked,
        .linked = e->machine.linked,
    };
    enum ptog_status status = ptog_device_open(&e->machine.device, e->target, &options);
    e->machine.pipes = e->target->machine != PTOG_NO_MACHINE && !execution->watch;
    e->machine.watch = (struct ptog_watch){pass_on, e};
    if (status == PTOG_OK && !e->machine.pipes)
        ptog_device_make_direct(e->machine.device, execution->watch ? &e->machine.watch : NULL);
    if (status == PTOG_OK)
        ptog_device_share_legality(e->machine.device, &e->legality);
    e->machine.places = calloc((size_t)e->tree->op_count + 1, sizeof(*e->machine.places));
    if (status == PTOG_OK && !e->machine.places)
        status = PTOG_NO_MEMORY;
    for (uint32_t i = 0; status == PTOG_OK && i < e->memory_count; i++)
        if (!add_buffer(e, &e->memories[i]))
            status = PTOG_NO_MEMORY;
    if (status == PTOG_OK && !ptog_fifo_add_rings(e))
        status = PTOG_NO_MEMORY;
    return status;
}

/* Closes the core and the device, and frees the rings, the places and the copy of UB. */
void ptog_machine_close(struct ptog_eval *e)
{
    ptog_core_close(e->machine.core);
    ptog_device_close(e->machine.device);
    for (int i = 0; i < PTOG_FIFOS; i++)
        free(e->machine.rings[i].data);
    free(e->machine.places);
    free(e->machine.ub);
}

/* ---- places */

/* Makes the place of an operation, which the core gets with its steps; NULL when out of memory. */
static struct ptog_op_place *new_place(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_line_text text;
    struct ptog_where where = ptog_where_of(&e->program->source, op->name_span, &text);
    struct ptog_op_place *place = ptog_arena_alloc(&e->diags->arena, sizeof *place);
    where.text = ptog_arena_copy(&e->diags->arena, text.text, strlen(text.text));
    if (!place || !where.text || !ptog_loc_origin(e->tree, op->loc, &e->diags->arena, &where.origin))
        return NULL;
    *place = (struct ptog_op_place){{.where = where}, op->name_span, op->span, op->number};
    return place;
}

/* Tells the core that what comes next belongs to this operation, whose place is made at first use. False when out of
 * memory. */
static bool stand_at(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_machine *m = &e->machine;
    if (m->at == op)
        return true;
    struct ptog_op_place **place = &m->places[op->number];
    if (!*place && !(*place = new_place(e, op)))
        return false;
    ptog_core_go_to(m->core, &(*place)->kept);
    m->at = op;
    return true;
}

/* ---- lines that are not in the text: added.h */

#define MAX_LINES 6 /* what one instruction needs, and some flags back */

/* Flags that need flags back on one way through the program, and others on another, would never end: a barrier does it.
 * Halves, which belong to flags of the text, stay. False when out of memory. */
static bool replace_lines(struct ptog_trial *trial, struct ptog_lines *lines)
{
    static const struct ptog_sync barrier = {PTOG_ALL, PTOG_ALL, 0, PTOG_SYNC_WHOLE};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < lines->count; i++)
        if (lines->of[i].part != PTOG_SYNC_WHOLE)
            lines->of[kept++] = lines->of[i];
    lines->count = kept;
    trial->at_line = 1;
    return ptog_lines_add(lines, 0, &barrier, 1);
}

/* Called when the core has inserted a flag or barrier: writes it down as a line of the trial before the operation at
 * hand. False when out of memory. */
static bool add_line(void *user, const struct ptog_sync *sync)
{
    struct ptog_trial *trial = user;
    struct ptog_lines *lines = &trial->added->before[trial->at_op];
    trial->grew = true;
    if (lines->count >= MAX_LINES)
        return replace_lines(trial, lines);
    trial->at_line = ptog_min_u32(trial->at_line, lines->count); /* lines that a barrier replaced are gone */
    return ptog_lines_add(lines, trial->at_line++, sync, 1);
}

/* A copy: a line that is put in before it moves the others. */
static enum ptog_status carry_out(ptog_core *core, struct ptog_sync sync)
{
    enum ptog_pipe src = (enum ptog_pipe)sync.src, dst = (enum ptog_pipe)sync.dst;
    if (sync.part == PTOG_SYNC_FLUSH)
        return ptog_core_dcci(core, -1, 0);
    if (ptog_sync_is_barrier(&sync)) {
        enum ptog_status status = ptog_core_barrier(core, src);
        return status == PTOG_OK && sync.part == PTOG_SYNC_FENCE ? ptog_core_dsb(core) : status;
    }
    enum ptog_status status = sync.part != PTOG_SYNC_WAIT ? ptog_core_set_flag(core, src, dst, sync.id) : PTOG_OK;
    if (status == PTOG_OK && sync.part != PTOG_SYNC_SET)
        return ptog_core_wait_flag(core, src, dst, sync.id);
    return status;
}

/* Tells the core at which operation it is, unless it knows. PTOG_OK, or PTOG_NO_MEMORY. */
static enum ptog_status tell_core_place(struct ptog_eval *e, const struct ptog_op *op)
{
    if (stand_at(e, op))
        return PTOG_OK;
    return PTOG_NO_MEMORY;
}

enum ptog_status ptog_machine_stand_at(struct ptog_eval *e, const struct ptog_op *op)
{
    e->machine.running = op;
    return tell_core_place(e, op);
}

/* Executes the lines that a trial has before an operation; in a run in turn, a barrier on all pipes instead. */
enum ptog_status ptog_machine_before(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_trial *trial = e->machine.trial;
    const struct ptog_lines *lines = &trial->added->before[op->number];
    enum ptog_status status = lines->count > 0 ? tell_core_place(e, op) : PTOG_OK;
    if (trial->in_turn)
        return ptog_core_barrier(e->machine.core, PTOG_ALL);
    trial->at_op = op->number;
    for (trial->at_line = 0; trial->at_line < lines->count && status == PTOG_OK; trial->at_line++)
        if (op->number != trial->without_op || trial->at_line + 1 != trial->without_line)
            status = carry_out(e->machine.core, lines->of[trial->at_line]);
    return status;
}

enum ptog_status ptog_machine_after(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_lines *lines = &e->machine.trial->added->after[op->number];
    enum ptog_status status = lines->count > 0 ? tell_core_place(e, op) : PTOG_OK;
    for (uint32_t i = 0; i < lines->count && !e->machine.trial->in_turn && status == PTOG_OK; i++)
        status = carry_out(e->machine.core, lines->of[i]);
    return status;
}

/* ---- blocks */

/* Opens the core of this block and sub-block. In a trial that looks for missing flags the core inserts them and tells
 * add_line. */
enum ptog_status ptog_machine_block(struct ptog_eval *e)
{
    struct ptog_trial *trial = e->machine.trial;
    e->machine.at = NULL;
    enum ptog_status status =
        e->on == PTOG_SIDE_CUBE
            ? ptog_core_open_cube(&e->machine.core, e->machine.device, (uint32_t)e->block)
            : ptog_core_open_subblock(&e->machine.core, e->machine.device, (uint32_t)e->block, e->subblock);
    if (status == PTOG_OK && trial && trial->discovers) {
        struct ptog_automatic how = {.on = true, .leaves_held = true, .inserted = add_line, .user = trial};
        memcpy(how.avoid, e->machine.used_ids, sizeof how.avoid);
        ptog_core_automatic(e->machine.core, &how);
    }
    return status;
}

void ptog_machine_block_end(struct ptog_eval *e, bool keep)
{
    if (keep && !(e->machine.ub = ptog_core_take_ub(e->machine.core, &e->machine.ub_bytes)))
        e->no_memory = true;
    if (e->stopped)
        ptog_device_stop(e->machine.device);
    ptog_core_close(e->machine.core);
    e->machine.core = NULL;
}

/* ---- instructions */

/* Counts an instruction that touched so many bytes against the limits, which may stop the run, and stops a trial that
 * has found what it looks for. Returns `status`. */
static enum ptog_status done(struct ptog_eval *e, const struct ptog_op *op, uint64_t bytes, enum ptog_status status)
{
    struct ptog_trial *trial = e->machine.trial;
    if (ptog_limit_work(e, op->name_span, bytes) && e->machine.pipes)
        ptog_limit_memory(e, op->name_span, e->copied + ptog_core_memory(e->machine.core));
    if (trial && trial->stops && ptog_device_unordered(e->machine.device) > trial->tolerated)
        trial->found = e->stopped = true;
    return status;
}

/* Issues a tile instruction, or one that was issued before with the same `repeat`, and counts its work. Returns the
 * core's status. */
enum ptog_status ptog_machine_insn(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_insn *insn,
                                   const struct ptog_run *extents, const struct ptog_insn_size *size,
                                   struct ptog_repeat *repeat)
{
    e->machine.running = op;
    enum ptog_status status = tell_core_place(e, op);
    if (status != PTOG_OK)
        return status;
    e->effort += size->effort;
    return done(e, op, size->bytes, ptog_core_insn_again(e->machine.core, insn, extents, repeat));
}

/* Loads a scalar of global memory into *value, or stores it, and tells whoever watches. Returns the core's status. */
enum ptog_status ptog_machine_scalar(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_base *base,
                                     size_t bytes, void *value, bool store)
{
    int gm = e->memories[base->memory - 1].handle;
    uint64_t at = (uint64_t)base->at.value;
    if (e->watch && e->watch->accesses) {
        const void *data = e->memories[base->memory - 1].data + at;
        e->watch->accesses(e->watch->user, &(struct ptog_access_seen){.data = data, .bytes = bytes, .stores = store});
    }
    enum ptog_status status = tell_core_place(e, op);
    if (status != PTOG_OK)
        return status;
    if (!store)
        return done(e, op, bytes, ptog_core_load_scalar(e->machine.core, gm, at, bytes, value));
    return done(e, op, bytes, ptog_core_store_scalar(e->machine.core, gm, at, bytes, value));
}

/* Whether a trial runs each operation after the end of the one before, without flags. */
static bool is_in_turn(const struct ptog_eval *e)
{
    return e->machine.trial && e->machine.trial->in_turn;
}

/* A flag or a barrier of a run in turn, which leaves it out. */
static void write_flag_down(const struct ptog_trial *trial, const struct ptog_op *op, const struct ptog_sync *flag)
{
    if (trial->flags && op->name != PTOG_OP_NAME_SET_FLAG_DYN && op->name != PTOG_OP_NAME_WAIT_FLAG_DYN)
        trial->flags[op->number] = *flag;
}

/* The edit of a flag or barrier of the text; NULL: it stays. */
static const struct ptog_edit *edit_of(const struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_trial *trial = e->machine.trial;
    const struct ptog_edit *edits = trial && trial->added ? trial->added->edits : NULL;
    if (!edits || edits[op->number].kind == PTOG_EDIT_NONE)
        return NULL;
    return &edits[op->number];
}

/* Hands the flag or barrier that replaces a statement to the core. */
static enum ptog_status carry_out_edit(struct ptog_eval *e, const struct ptog_edit *edit)
{
    if (edit->kind == PTOG_EDIT_REPLACE)
        return carry_out(e->machine.core, edit->sync);
    return PTOG_OK;
}

/* Sets a flag or waits for it, or executes the edit that replaces the statement. A run in turn only writes it down. */
enum ptog_status ptog_machine_flag(struct ptog_eval *e, const struct ptog_op *op, enum ptog_pipe src,
                                   enum ptog_pipe dst, int id, bool wait)
{
    if (is_in_turn(e)) {
        write_flag_down(
            e->machine.trial, op,
            &(struct ptog_sync){(uint8_t)src, (uint8_t)dst, (uint8_t)id, wait ? PTOG_SYNC_WAIT : PTOG_SYNC_SET});
        return PTOG_OK;
    }
    enum ptog_status status = tell_core_place(e, op);
    if (status != PTOG_OK)
        return status;
    if (edit_of(e, op))
        return carry_out_edit(e, edit_of(e, op));
    if (wait)
        return ptog_core_wait_flag(e->machine.core, src, dst, id);
    return ptog_core_set_flag(e->machine.core, src, dst, id);
}

/* Executes a barrier on a pipe, or the edit that replaces it. A run in turn only writes it down. */
enum ptog_status ptog_machine_barrier(struct ptog_eval *e, const struct ptog_op *op, enum ptog_pipe pipe)
{
    if (is_in_turn(e)) {
        write_flag_down(e->machine.trial, op, &(struct ptog_sync){(uint8_t)pipe, (uint8_t)pipe, 0, PTOG_SYNC_WHOLE});
        return PTOG_OK;
    }
    enum ptog_status status = tell_core_place(e, op);
    if (status != PTOG_OK)
        return status;
    if (edit_of(e, op))
        return carry_out_edit(e, edit_of(e, op));
    return ptog_core_barrier(e->machine.core, pipe);
}

/* Executes a barrier on all pipes, and dsb. No edit of a repair replaces it: it does more than a barrier. */
enum ptog_status ptog_machine_fence(struct ptog_eval *e, const struct ptog_op *op)
{
    enum ptog_status status = tell_core_place(e, op);
    if (status == PTOG_OK && !is_in_turn(e))
        status = ptog_core_barrier(e->machine.core, PTOG_ALL);
    if (status == PTOG_OK)
        status = ptog_core_dsb(e->machine.core);
    return status;
}

/* Sets a counter between cores, waits for one, or waits for all cores. PTOG_BLOCKED: this core stands still until
 * another one acts. */
enum ptog_status ptog_machine_cross(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_sync_code *sync,
                                    int id)
{
    enum ptog_status status = tell_core_place(e, op);
    if (status != PTOG_OK)
        return status;
    if (sync->kind == PTOG_SYNC_ALL)
        return ptog_core_sync_all(e->machine.core, (enum ptog_all)id);
    if (sync->kind == PTOG_SYNC_INTRA_SET)
        return ptog_core_intra_set(e->machine.core, (enum ptog_pipe)sync->from, id);
    if (sync->kind == PTOG_SYNC_INTRA_WAIT)
        return ptog_core_intra_wait(e->machine.core, (enum ptog_pipe)sync->from, id);
    if (sync->kind == PTOG_SYNC_CROSS_WAIT)
        return ptog_core_cross_wait(e->machine.core, id);
    return ptog_core_cross_set(e->machine.core, (enum ptog_pipe)sync->from, id, sync->mode);
}

enum ptog_status ptog_machine_look(struct ptog_eval *e, const struct ptog_op *op)
{
    enum ptog_status status = tell_core_place(e, op);
    return status == PTOG_OK ? ptog_core_begin_signal(e->machine.core) : status;
}

enum ptog_status ptog_machine_notify(struct ptog_eval *e, const struct ptog_op *op, int gm, uint64_t offset,
                                     int32_t value, bool adds)
{
    enum ptog_status status = tell_core_place(e, op);
    if (status != PTOG_OK)
        return status;
    return done(e, op, sizeof value, ptog_core_notify(e->machine.core, gm, offset, value, adds));
}

enum ptog_status ptog_machine_own_flag(struct ptog_eval *e, const struct ptog_op *op, enum ptog_pipe src,
                                       enum ptog_pipe dst, int id)
{
    enum ptog_status status = is_in_turn(e) ? PTOG_OK : tell_core_place(e, op);
    if (status == PTOG_OK && !is_in_turn(e))
        status = ptog_core_own_flag(e->machine.core, src, dst, id);
    return status;
}

enum ptog_status ptog_machine_dcci(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_base *line)
{
    enum ptog_status status = tell_core_place(e, op);
    if (status != PTOG_OK)
        return status;
    if (line)
        return ptog_core_dcci(e->machine.core, e->memories[line->memory - 1].handle, (uint64_t)line->at.value);
    return ptog_core_dcci(e->machine.core, -1, 0);
}
