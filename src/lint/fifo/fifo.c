/* lint: reading the FIFO between the cores, and what the other checks look up in it. */
#include "lint/fifo/fifo.h"

#include <stdlib.h>
#include <string.h>

#include "asm/op_parts.h"
#include "lower/values.h"

struct ptog_fifo *ptog_fifo_read(const struct ptog_program *program)
{
    struct ptog_fifo *fifo = calloc(1, sizeof *fifo);
    if (!fifo)
        return NULL;
    fifo->program = program;
    fifo->use_of = calloc((size_t)program->tree.op_count + 1, sizeof *fifo->use_of);
    fifo->calls = calloc(program->function_count + 1, sizeof *fifo->calls);
    fifo->labels = calloc(program->function_count + 1, sizeof *fifo->labels);
    bool room = fifo->use_of && fifo->calls && fifo->labels;
    if (room && ptog_fifo_read_uses(fifo) && ptog_fifo_read_pipes(fifo) && ptog_fifo_read_names(fifo) &&
        ptog_fifo_read_groups(fifo))
        return fifo;
    ptog_fifo_free(fifo);
    return NULL;
}

void ptog_fifo_free(struct ptog_fifo *fifo)
{
    if (!fifo)
        return;
    free(fifo->uses);
    free(fifo->use_of);
    free(fifo->pipes);
    free(fifo->calls);
    free(fifo->labels);
    free(fifo);
}

const struct ptog_fifo_use *ptog_fifo_use_of(const struct ptog_fifo *fifo, const struct ptog_op *op)
{
    if (fifo && fifo->use_of[op->number] != 0)
        return &fifo->uses[fifo->use_of[op->number] - 1];
    return NULL;
}

const struct ptog_fifo_pipe *ptog_fifo_pipe_of(const struct ptog_fifo *fifo, const struct ptog_op *op)
{
    const struct ptog_fifo_use *use = ptog_fifo_use_of(fifo, op);
    if (use && use->pipe != PTOG_FIFO_NONE)
        return &fifo->pipes[use->pipe];
    return NULL;
}

/* ---- setups, for a run */

/* Finds which operands of a setup are its memory and its buffers. A pipe that a value names has the buffer of its only
 * direction first. */
static void find_operands(const struct ptog_fifo *fifo, const struct ptog_fifo_pipe *pipe,
                          struct ptog_fifo_setup *setup)
{
    const struct ptog_tree *tree = &fifo->program->tree;
    const struct ptog_op *op = setup->op;
    setup->memory = setup->from_cube = setup->from_vector = PTOG_NO_OPERAND;
    if (pipe->by_id) {
        setup->memory = ptog_fifo_operand(tree, op, pipe->tensor ? "gm_slot_tensor" : "gm_slot_buffer", PTOG_FIFO_NONE);
        setup->from_cube = ptog_fifo_operand(tree, op, "c2v_consumer_buf", PTOG_FIFO_NONE);
        setup->from_vector = ptog_fifo_operand(tree, op, "v2c_consumer_buf", PTOG_FIFO_NONE);
        return;
    }
    uint32_t next = 0, count = ptog_operands_of(op).count;
    if (pipe->gm)
        setup->memory = next++;
    if (pipe->direction != 2 && next < count)
        setup->from_cube = next++;
    if (pipe->direction != 1 && next < count)
        setup->from_vector = next;
}

/* The type of what is popped from a pipe, at this end or at the other one. */
static const struct ptog_type_use *popped_type(const struct ptog_fifo *fifo, const struct ptog_fifo_pipe *pipe)
{
    if (pipe->pop == PTOG_FIFO_NONE && pipe->peer != PTOG_FIFO_NONE)
        pipe = &fifo->pipes[pipe->peer];
    if (pipe->pop == PTOG_FIFO_NONE)
        return NULL;
    struct ptog_operands operands = ptog_operands_of(fifo->uses[pipe->pop].op);
    return ptog_result_type(&operands);
}

/* Sets *setup to how the pipe that an operation uses is set up. False: that is not known. */
bool ptog_fifo_setup_of(const struct ptog_fifo *fifo, const struct ptog_op *op, struct ptog_fifo_setup *setup)
{
    const struct ptog_fifo_pipe *pipe = ptog_fifo_pipe_of(fifo, op);
    if (!pipe)
        return false;
    const struct ptog_fifo_pipe *first = &fifo->pipes[pipe->group];
    *setup = (struct ptog_fifo_setup){.op = fifo->uses[pipe->use].op,
                                      .number = pipe->group,
                                      .id = pipe->by_id ? pipe->id : PTOG_DYN,
                                      .direction = pipe->direction,
                                      .slot_size = pipe->slot_size,
                                      .slots = pipe->slots,
                                      .local_slots = pipe->local_slots,
                                      .is_local = !pipe->gm && !pipe->tensor,
                                      .splits = (first->group_splits & PTOG_SPLITS) != 0,
                                      .epilogue = pipe->epilogue.item ? &pipe->epilogue : NULL,
                                      .popped = popped_type(fifo, pipe)};
    for (int i = 0; i < 2 && setup->name == 0; i++)
        if (pipe->ends[i].function != PTOG_FIFO_NONE)
            setup->name = pipe->ends[i].name;
    find_operands(fifo, pipe, setup);
    return true;
}

const struct ptog_function *ptog_fifo_partner(const struct ptog_fifo *fifo, const struct ptog_function *function)
{
    for (size_t i = 0; fifo && i < fifo->use_count; i++) {
        const struct ptog_fifo_use *use = &fifo->uses[i];
        const struct ptog_function *one = &fifo->program->functions[use->function];
        if (use->peer == PTOG_FIFO_NONE || use->peer == use->function)
            continue;
        const struct ptog_function *other = &fifo->program->functions[use->peer];
        if (one == function)
            return other;
        if (other == function)
            return one;
    }
    return NULL;
}

/* ---- parts of operations */

int64_t ptog_fifo_number(const struct ptog_tree *tree, const struct ptog_op *op, const char *key)
{
    const struct ptog_item *item = ptog_op_attribute(tree, op, key);
    if (item && item->kind == PTOG_ITEM_INT && !item->negative && item->number <= INT64_MAX)
        return (int64_t)item->number;
    return PTOG_DYN;
}

uint32_t ptog_fifo_operand(const struct ptog_tree *tree, const struct ptog_op *op, const char *key, uint32_t place)
{
    struct ptog_operands operands = ptog_operands_of(op);
    for (uint32_t i = 0; i < operands.count; i++) {
        const struct ptog_item *item = &operands.items[i];
        if ((item->lead & PTOG_LEAD_KEY) && ptog_tree_is(tree, item->lead_word, key))
            return i;
    }
    return place < operands.count ? place : PTOG_FIFO_NONE;
}
