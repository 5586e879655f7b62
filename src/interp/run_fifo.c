/* interp: records of FIFOs between the cores. What the operations do is in core/fifo.c. */
#include "interp/run_fifo.h"

#include <stdlib.h>

#include "core/inside.h"
#include "interp/judge.h"
#include "interp/machine.h"
#include "interp/slots.h"
#include "lower/bind.h"
#include "lower/ops/fifo.h"
#include "lower/ops/made.h"
#include "lower/place.h"

/* ---- rings */

/* The ring of a FIFO without global memory: one per block, in a buffer that the run has for it. */
static bool add_ring(struct ptog_eval *e, const struct ptog_fifo_options *fifo)
{
    struct ptog_fifo_ring *ring = &e->machine.rings[fifo->number];
    uint64_t bytes = ptog_fifo_bytes(fifo) * (uint64_t)e->blocks;
    if (ring->data)
        return true;
    ring->data = calloc(1, (size_t)bytes + 1);
    if (!ring->data)
        return false;
    ring->handle = ptog_device_buffer(e->machine.device, fifo->name ? fifo->name : "fifo", ring->data, (size_t)bytes);
    return ring->handle >= 0;
}

/* Adds a buffer of the device for each FIFO of the program that has no global memory of its own. False when out of
 * memory. */
bool ptog_fifo_add_rings(struct ptog_eval *e)
{
    for (size_t f = 0; e->tree->has_fifo && f < e->program->function_count; f++)
        for (uint32_t i = 0; i < e->code_of[f].count; i++) {
            const struct ptog_code *code = &e->code_of[f].of[i];
            if (code->kind == PTOG_CODE_FIFO && code->fifo->step == PTOG_FIFO_OPEN && code->fifo->fifo.local &&
                !add_ring(e, &code->fifo->fifo))
                return false;
        }
    return true;
}

/* ---- steps */

/* Where the ring is in global memory; false, and the run stops, when the pointer is of no buffer. */
static bool find_ring(struct ptog_eval *e, const struct ptog_code *code, struct ptog_fifo_options *fifo)
{
    const struct ptog_value *memory = ptog_slot_value(e, &code->args[0]);
    const struct ptog_base *base = memory->kind == PTOG_VALUE_VIEW ? &memory->view.base : &memory->pointer.base;
    bool is_memory = memory->kind == PTOG_VALUE_VIEW || memory->kind == PTOG_VALUE_POINTER;
    if (!is_memory || base->memory == 0 || !base->at.known || base->at.value < 0) {
        ptog_diag_emit(e->diags, "run-stopped", code->op->name_span,
                       "the ring starts before its buffer, or its buffer is unknown");
        e->stopped = true;
        return false;
    }
    fifo->gm = e->memories[base->memory - 1].handle;
    fifo->offset = (uint64_t)base->at.value;
    return ptog_fifo_keep_view(e, fifo->number, memory);
}

/* Opens a FIFO on the core with its ring and the addresses of its consumers. Returns the core's status, or PTOG_FAULT
 * after a report when the ring is no memory. */
static enum ptog_status run_open(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_fifo_options fifo = code->fifo->fifo;
    struct ptog_number at;
    uint32_t next = code->fifo->has_memory;
    if (code->fifo->has_memory && !find_ring(e, code, &fifo))
        return PTOG_FAULT;
    if (fifo.local) {
        fifo.gm = e->machine.rings[fifo.number].handle;
        fifo.offset = ptog_fifo_bytes(&fifo) * (uint64_t)e->block;
    }
    if (code->fifo->has_from_cube && ptog_read_number(e, &code->args[next++], &at))
        fifo.consumer[0] = (uint64_t)at.value;
    if (code->fifo->has_from_vector && ptog_read_number(e, &code->args[next], &at))
        fifo.consumer[1] = (uint64_t)at.value;
    return ptog_core_fifo_open(e->machine.core, &fifo);
}

/* Pushes a tile, or a slot that was filled through its view. Returns the core's status. */
static enum ptog_status run_push(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_value *value = ptog_slot_value(e, &code->args[0]);
    enum ptog_split split = (enum ptog_split)code->fifo->split;
    if (value->kind != PTOG_VALUE_TILE)
        return ptog_core_fifo_push(e->machine.core, code->fifo->fifo.number, NULL, split);
    ptog_place_use(e, value);
    struct ptog_tile tile = value->tile.tile;
    tile.name = ptog_written_name(e, value->name);
    return ptog_core_fifo_push(e->machine.core, code->fifo->fifo.number, &tile, split);
}

/* Pops an entry into the tile `value`, and defines it as the operation's result. Returns the core's status. */
static enum ptog_status run_pop_tile(struct ptog_eval *e, const struct ptog_code *code, struct ptog_value *value)
{
    struct ptog_number n[2] = {{0}};
    for (uint32_t i = 0; i < code->arg_count; i++)
        ptog_read_number(e, &code->args[i], &n[i]);
    if (!ptog_fifo_set_valid(e, code->fifo, n, code->arg_count, value))
        return PTOG_FAULT;
    struct ptog_tile tile = value->tile.tile;
    tile.name = ptog_written_name(e, value->name);
    enum ptog_status status =
        ptog_core_fifo_pop(e->machine.core, code->fifo->fifo.number, &tile, (enum ptog_split)code->fifo->split);
    if (status == PTOG_OK || status == PTOG_ILLEGAL) {
        ptog_place_at(e, value, (struct ptog_number){(int64_t)tile.addr, true}, code->op->name_span);
        ptog_define_result(e, code->op, 0, value);
    }
    return status;
}

/* Allocates or pops an entry in global memory, and defines a view of it as the operation's result. Returns the core's
 * status. */
static enum ptog_status run_entry(struct ptog_eval *e, const struct ptog_code *code, struct ptog_value *value)
{
    uint64_t offset = 0;
    enum ptog_split split = (enum ptog_split)code->fifo->split;
    enum ptog_status status = code->fifo->step == PTOG_FIFO_ALLOC
                                  ? ptog_core_fifo_alloc(e->machine.core, code->fifo->fifo.number, split, &offset)
                                  : ptog_core_fifo_pop_slot(e->machine.core, code->fifo->fifo.number, split, &offset);
    if (status == PTOG_OK) {
        ptog_fifo_place_view(e, code->fifo, (struct ptog_number){(int64_t)offset, true}, value);
        ptog_define_result(e, code->op, 0, value);
    }
    return status;
}

/* A number is an f32; that the result is signed stands in bit 46. */
static enum ptog_status run_scale(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_value *value = ptog_slot_value(e, &code->args[0]);
    bool is_signed = code->fifo->fifo.element == PTOG_I8;
    if (value->kind != PTOG_VALUE_TILE)
        return ptog_core_fifo_scale(e->machine.core, code->fifo->fifo.number,
                                    (uint32_t)value->real.bits | (uint64_t)is_signed << 46, NULL);
    ptog_place_use(e, value);
    struct ptog_tile tile = value->tile.tile;
    tile.name = ptog_written_name(e, value->name);
    return ptog_core_fifo_scale(e->machine.core, code->fifo->fifo.number, 0, &tile);
}

/* Defines the address of a reserved buffer as the operation's result; a buffer without a written address gets a place.
 * Always PTOG_OK. */
static enum ptog_status run_reserve(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_value number = {.kind = PTOG_VALUE_NUMBER, .width = 32, .number = code->fifo->base},
                      buffer = code->fifo->value;
    if (!number.number.known) {
        ptog_place_new(e, code->op, 0, &buffer);
        number.number = (struct ptog_number){(int64_t)buffer.tile.tile.addr, true};
    }
    ptog_define_result(e, code->op, 0, &number);
    return PTOG_OK;
}

static enum ptog_status run_import(struct ptog_eval *e, const struct ptog_code *code)
{
    static const struct ptog_value number = {.kind = PTOG_VALUE_NUMBER, .width = 32, .number = {0, true}};
    ptog_define_result(e, code->op, 0, &number);
    return PTOG_OK;
}

/* Executes one operation of a FIFO; returns the core's status. */
static enum ptog_status run_step(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_value value = code->fifo->value;
    switch ((enum ptog_fifo_step)code->fifo->step) {
    case PTOG_FIFO_OPEN: return run_open(e, code);
    case PTOG_FIFO_PUSH: return run_push(e, code);
    case PTOG_FIFO_ALLOC: return run_entry(e, code, &value);
    case PTOG_FIFO_POP:
        return value.kind == PTOG_VALUE_TILE ? run_pop_tile(e, code, &value) : run_entry(e, code, &value);
    case PTOG_FIFO_FREE: return ptog_core_fifo_free(e->machine.core, code->fifo->fifo.number);
    case PTOG_FIFO_SCALE: return run_scale(e, code);
    case PTOG_FIFO_RESERVE: return run_reserve(e, code);
    case PTOG_FIFO_IMPORT: return run_import(e, code);
    }
    return PTOG_OK;
}

void ptog_run_fifo(struct ptog_eval *e, const struct ptog_code *code)
{
    enum ptog_status status = ptog_machine_stand_at(e, code->op);
    if (status == PTOG_OK)
        status = run_step(e, code);
    const char *refusal = status == PTOG_ILLEGAL ? ptog_core_refusal(e->machine.core) : NULL;
    if (refusal)
        ptog_diag_emit(e->diags, "run-stopped", code->op->name_span, "the entry cannot be moved: %s", refusal);
    e->blocked = status == PTOG_BLOCKED;
    e->issued += !e->blocked;
    if (!e->blocked)
        ptog_judge_step(e, code->op, status);
}
