/* lint: the pipes of a text, and which of them each push, pop, ... is for: that with its id in the same function, or
 * the one that its operand is the result of. */
#include <stdlib.h>
#include <string.h>

#include "asm/op_parts.h"
#include "asm/types.h"
#include "base/array.h"
#include "lint/fifo/fifo.h"
#include "lint/fifo/keys.h"

static const struct ptog_tree *tree_of(const struct ptog_fifo *fifo)
{
    return &fifo->program->tree;
}

/* ---- pipes */

/* Whether an operation has a clause. */
static bool has_clause(const struct ptog_fifo *fifo, const struct ptog_op *op, const char *key)
{
    return ptog_fifo_operand(tree_of(fifo), op, key, PTOG_FIFO_NONE) != PTOG_FIFO_NONE;
}

/* Reads from the operands in which directions a pipe goes, and whether it lies in global memory. */
static void read_operands(const struct ptog_fifo *fifo, const struct ptog_op *op, struct ptog_fifo_pipe *pipe)
{
    uint32_t count = ptog_operands_of(op).count;
    pipe->clear = true;
    if (op->name == PTOG_OP_NAME_INITIALIZE_L2L_PIPE) {
        pipe->c2v = count > 0;
        pipe->v2c = count > 1;
    } else if (op->name == PTOG_OP_NAME_INITIALIZE_L2G2L_PIPE) {
        pipe->gm = true;
        pipe->c2v = count > 1;
        pipe->v2c = count > 2;
    } else {
        pipe->by_id = true;
        pipe->clear = op->form != PTOG_OP_GENERIC;
        pipe->gm = has_clause(fifo, op, "gm_slot_buffer");
        pipe->tensor = has_clause(fifo, op, "gm_slot_tensor");
        pipe->c2v = has_clause(fifo, op, "c2v_consumer_buf");
        pipe->v2c = has_clause(fifo, op, "v2c_consumer_buf");
    }
}

static int truth_of(const struct ptog_item *item)
{
    if (!item || item->kind != PTOG_ITEM_WORD)
        return -1;
    return item->name == PTOG_WORD_true;
}

/* The id of a pipe; without one it is 0. */
static int64_t id_of(const struct ptog_tree *tree, const struct ptog_op *op)
{
    if (ptog_op_attribute(tree, op, "id"))
        return ptog_fifo_number(tree, op, "id");
    return 0;
}

/* Adds the pipe that an operation sets up, with its numbers; false when out of memory. */
static bool add_pipe(struct ptog_fifo *fifo, uint32_t number)
{
    const struct ptog_tree *tree = tree_of(fifo);
    struct ptog_fifo_use *use = &fifo->uses[number];
    const struct ptog_op *op = use->op;
    struct ptog_fifo_pipe pipe = {.use = number,
                                  .function = use->function,
                                  .id = id_of(tree, op),
                                  .direction = ptog_fifo_number(tree, op, "dir_mask"),
                                  .slot_size = ptog_fifo_number(tree, op, "slot_size"),
                                  .slots = ptog_fifo_number(tree, op, "slot_num"),
                                  .local_slots = ptog_fifo_number(tree, op, "local_slot_num"),
                                  .flags = ptog_fifo_number(tree, op, "flag_base"),
                                  .nosplit = truth_of(ptog_op_attribute(tree, op, "nosplit")),
                                  .epilogue = ptog_epilogue_of(tree, ptog_op_attribute(tree, op, "acc_push_epilogue")),
                                  .pop = PTOG_FIFO_NONE,
                                  .group = (uint32_t)fifo->pipe_count,
                                  .peer = PTOG_FIFO_NONE};
    read_operands(fifo, op, &pipe);
    if (pipe.by_id && !ptog_op_attribute(tree, op, "slot_num"))
        pipe.slots = pipe.direction == 3 ? 4 : 8;
    if (!ptog_array_reserve(&fifo->pipes, fifo->pipe_count + 1, &fifo->pipe_room))
        return false;
    use->pipe = (uint32_t)fifo->pipe_count;
    fifo->pipes[fifo->pipe_count++] = pipe;
    return true;
}

/* Adds the id of a pipe to the keys; a pipe that a compiler made of one with an id keeps it. False when out of memory.
 */
static bool add_id(const struct ptog_fifo *fifo, struct ptog_fifo_keys *ids, uint32_t number)
{
    const struct ptog_fifo_pipe *pipe = &fifo->pipes[number];
    int64_t kept = ptog_fifo_number(tree_of(fifo), fifo->uses[pipe->use].op, "__pto.frontend_id");
    if (!pipe->by_id && kept == PTOG_DYN)
        return true;
    uint64_t id = (uint64_t)(pipe->by_id ? pipe->id : kept);
    return ptog_fifo_keys_add(ids, (struct ptog_fifo_key){pipe->function, id, 0, number});
}

static bool sets_up(const struct ptog_op *op)
{
    return op->name == PTOG_OP_NAME_AIC_INITIALIZE_PIPE || op->name == PTOG_OP_NAME_AIV_INITIALIZE_PIPE ||
           op->name == PTOG_OP_NAME_INITIALIZE_L2L_PIPE || op->name == PTOG_OP_NAME_INITIALIZE_L2G2L_PIPE;
}

/* ---- what uses them */

static bool is_by_operand(const struct ptog_op *op)
{
    return op->name == PTOG_OP_NAME_TALLOC || op->name == PTOG_OP_NAME_TPUSH || op->name == PTOG_OP_NAME_TPOP ||
           op->name == PTOG_OP_NAME_TFREE;
}

static bool is_of_buffers(const struct ptog_op *op)
{
    return op->name == PTOG_OP_NAME_RESERVE_BUFFER || op->name == PTOG_OP_NAME_IMPORT_RESERVED_BUFFER;
}

/* Finds the pipe that an operation pushes to or pops from, by its operand or its id. */
static void find_pipe(struct ptog_fifo *fifo, struct ptog_fifo_use *use, const struct ptog_fifo_keys *ids)
{
    size_t count = 0;
    if (is_by_operand(use->op)) {
        const struct ptog_fifo_use *from = use->from[0] ? ptog_fifo_use_of(fifo, use->from[0]) : NULL;
        if (from && sets_up(from->op))
            use->pipe = from->pipe;
        return;
    }
    int64_t id = id_of(tree_of(fifo), use->op);
    size_t first = ptog_fifo_keys_find(ids, use->function, (uint64_t)id, 0, &count);
    if (sets_up(use->op))
        use->twice = count > 1 && fifo->pipes[use->pipe].by_id && ids->of[first].of != use->pipe;
    else if (count > 0)
        use->pipe = ids->of[first].of;
}

/* Notes whether an operation splits what goes through its pipe. */
static void count_splits(struct ptog_fifo *fifo, const struct ptog_fifo_use *use)
{
    int64_t split = ptog_fifo_number(tree_of(fifo), use->op, "split");
    if (split == 0)
        fifo->pipes[use->pipe].splits |= PTOG_SPLITS_NOT;
    else if (split > 0)
        fifo->pipes[use->pipe].splits |= PTOG_SPLITS;
}

/* Notes the first pop of a pipe, and whether a later one has another type. */
static void count_pop(struct ptog_fifo *fifo, uint32_t number)
{
    struct ptog_fifo_pipe *pipe = &fifo->pipes[fifo->uses[number].pipe];
    if (pipe->pop == PTOG_FIFO_NONE) {
        pipe->pop = number;
        return;
    }
    struct ptog_operands one = ptog_operands_of(fifo->uses[pipe->pop].op),
                         other = ptog_operands_of(fifo->uses[number].op);
    const struct ptog_type_use *a = ptog_result_type(&one), *b = ptog_result_type(&other);
    if (a && b && a->type && b->type && !ptog_types_agree(a->type, b->type))
        pipe->pops_differ = true;
}

/* Pipes are in the order of their functions. */
static void find_mixed(struct ptog_fifo *fifo)
{
    for (size_t i = 1; i < fifo->pipe_count; i++) {
        struct ptog_fifo_pipe *pipe = &fifo->pipes[i], *before = pipe - 1;
        pipe->mixes = pipe->function == before->function && pipe->by_id && before->by_id &&
                      fifo->uses[pipe->use].op->name != fifo->uses[before->use].op->name;
    }
}

/* ---- scales before pushes */

static bool sets_scale(const struct ptog_op *op)
{
    return op->name == PTOG_OP_NAME_SET_QUANT_SCALAR || op->name == PTOG_OP_NAME_SET_QUANT_VECTOR;
}

/* Notes for each push through a pipe that converts with a scale whether a scale of that kind was set before it in its
 * block. False when out of memory. */
static bool find_scales(struct ptog_fifo *fifo)
{
    struct ptog_fifo_keys blocks = {0};
    uint32_t(*set)[2] = calloc(fifo->pipe_count + 1, sizeof *set);
    bool good = set != NULL;
    for (size_t i = 0; good && i < fifo->use_count; i++) {
        const struct ptog_fifo_use *use = &fifo->uses[i];
        if (use->pipe != PTOG_FIFO_NONE && (sets_scale(use->op) || use->op->name == PTOG_OP_NAME_TPUSH_TO_AIV))
            good = ptog_fifo_keys_add(&blocks, (struct ptog_fifo_key){use->block, use->order, 0, (uint32_t)i});
    }
    ptog_fifo_keys_sort(&blocks);
    for (size_t i = 0; good && i < blocks.count; i++) {
        struct ptog_fifo_use *use = &fifo->uses[blocks.of[i].of];
        const struct ptog_quant *quant = fifo->pipes[use->pipe].epilogue.quant;
        if (sets_scale(use->op))
            set[use->pipe][use->op->name == PTOG_OP_NAME_SET_QUANT_VECTOR] = use->block;
        else if (quant && quant->scale != PTOG_SCALE_NONE)
            use->configured = set[use->pipe][quant->scale == PTOG_SCALE_VECTOR] == use->block;
    }
    free(set);
    ptog_fifo_keys_free(&blocks);
    return good;
}

/* ---- all of it */

/* Lists the pipes of all functions, and gives every use its own; false when out of memory. */
bool ptog_fifo_read_pipes(struct ptog_fifo *fifo)
{
    struct ptog_fifo_keys ids = {0};
    bool good = true;
    for (uint32_t i = 0; good && i < fifo->use_count; i++) {
        if (!sets_up(fifo->uses[i].op))
            continue;
        good = add_pipe(fifo, i) && add_id(fifo, &ids, (uint32_t)fifo->pipe_count - 1);
    }
    ptog_fifo_keys_sort(&ids);
    for (uint32_t i = 0; good && i < fifo->use_count; i++) {
        struct ptog_fifo_use *use = &fifo->uses[i];
        if (is_of_buffers(use->op))
            continue;
        find_pipe(fifo, use, &ids);
        if (use->pipe == PTOG_FIFO_NONE)
            continue;
        if (!sets_up(use->op) && !sets_scale(use->op))
            count_splits(fifo, use);
        if (use->op->name == PTOG_OP_NAME_TPOP_FROM_AIC)
            count_pop(fifo, i);
    }
    ptog_fifo_keys_free(&ids);
    if (good)
        find_mixed(fifo);
    return good && find_scales(fifo);
}
