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
