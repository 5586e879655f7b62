/* lint: which pipes of a text are the two ends of one, and what compilers find out about them together: whether
 * tiles are split, and which flags of the machine they take. */
#include <stdlib.h>
#include <string.h>

#include "asm/op_parts.h"
#include "lint/fifo/fifo.h"
#include "lint/fifo/keys.h"

#define FLAGS 16 /* that the two cores share */
#define BY_ID UINT32_MAX

/* ---- one pipe */

static bool lies_in_global_memory(const struct ptog_fifo_pipe *pipe)
{
    return !pipe->c2v && !pipe->v2c;
}

/* Whether a pipe can be judged together with others: a module for "vpto" may be compiled without a look at pipes, and
 * parts of a module are compiled one by one. */
static bool is_judged(const struct ptog_fifo *fifo, const struct ptog_fifo_pipe *pipe)
{
    const struct ptog_function *function = &fifo->program->functions[pipe->function];
    const struct ptog_tree *tree = &fifo->program->tree;
    const struct ptog_item *backend =
        function->module ? ptog_module_attribute(tree, function->module, "pto.backend") : NULL;
    bool whole = function->outer == 0 && !ptog_item_is_word(tree, backend, "vpto");
    return whole && pipe->clear && !fifo->uses[pipe->use].helper && pipe->direction >= 1 && pipe->direction <= 3;
}

static bool add_end(struct ptog_fifo_keys *ends, const struct ptog_fifo_end *end, uint64_t direction, uint32_t pipe)
{
    if (end->function == PTOG_FIFO_NONE)
        return true;
    return ptog_fifo_keys_add(ends, (struct ptog_fifo_key){end->function, end->name, direction, pipe});
}

/* Adds the keys by which a pipe is found by others: buffers at both of its ends, or its id in global memory. False when
 * out of memory. */
static bool add_ends(const struct ptog_fifo *fifo, struct ptog_fifo_keys *ends, uint32_t number)
{
    const struct ptog_fifo_pipe *pipe = &fifo->pipes[number];
    uint64_t scope = fifo->program->functions[pipe->function].scope;
    if (!pipe->clear)
        return true;
    if (lies_in_global_memory(pipe))
        return !pipe->by_id ||
               ptog_fifo_keys_add(ends, (struct ptog_fifo_key){((uint64_t)BY_ID << 32) | scope, (uint64_t)pipe->id,
                                                               (uint64_t)pipe->direction, number});
    return ((pipe->direction & 1) == 0 || add_end(ends, &pipe->ends[0], 1, number)) &&
           ((pipe->direction & 2) == 0 || add_end(ends, &pipe->ends[1], 2, number));
}

/* ---- groups */

/* The first pipe of the group; on the way there, pipes come nearer to it. */
static uint32_t first_of(struct ptog_fifo *fifo, uint32_t pipe)
{
    while (fifo->pipes[pipe].group != pipe) {
        fifo->pipes[pipe].group = fifo->pipes[fifo->pipes[pipe].group].group;
        pipe = fifo->pipes[pipe].group;
    }
    return pipe;
}

/* Makes the groups of two pipes one; its number is that of the first pipe. */
static void join_groups(struct ptog_fifo *fifo, uint32_t a, uint32_t b)
{
    uint32_t one = first_of(fifo, a), other = first_of(fifo, b);
    if (one < other)
        fifo->pipes[other].group = one;
    else
        fifo->pipes[one].group = other;
}

static bool same_key(const struct ptog_fifo_key *a, const struct ptog_fifo_key *b)
{
    return a->where == b->where && a->name == b->name && a->other == b->other;
}

/* Without a word of it, as many as there are in global memory. */
static int64_t local_slots(const struct ptog_fifo_pipe *pipe)
{
    if (pipe->by_id && pipe->local_slots == PTOG_DYN)
        return pipe->slots;
    return pipe->local_slots;
}

/* Adds a pipe to its group, and notes at the first one how many there are, how they split, and which one is its peer.
 */
static void add_member(struct ptog_fifo *fifo, uint32_t number)
{
    struct ptog_fifo_pipe *pipe = &fifo->pipes[number], *first = &fifo->pipes[pipe->group];
    first->group_count++;
    first->group_splits |= pipe->splits;
    if (pipe == first)
        return;
    if (first->group_count == 2) {
        first->peer = number;
        pipe->peer = pipe->group;
    } else if (first->peer != PTOG_FIFO_NONE) {
        fifo->pipes[first->peer].peer = PTOG_FIFO_NONE;
        first->peer = PTOG_FIFO_NONE;
    }
    first->judged = first->judged && pipe->judged;
    first->shapes_differ |= pipe->direction != first->direction || pipe->slot_size != first->slot_size ||
                            pipe->slots != first->slots ||
                            (pipe->by_id == first->by_id && local_slots(pipe) != local_slots(first));
    first->nosplits_differ |= pipe->nosplit >= 0 && first->nosplit >= 0 && pipe->nosplit != first->nosplit;
    first->flags_differ |= pipe->flags != PTOG_DYN && first->flags != PTOG_DYN && pipe->flags != first->flags;
}

/* ---- flags */

/* A pipe takes two flags for each direction, the same ones in both functions. */
static void take_flags(struct ptog_fifo_pipe *first, uint32_t *one, uint32_t *other, int64_t wanted)
{
    uint32_t width = first->direction == 3 ? 4 : 2, mask = (1u << width) - 1, taken = *one | *other, base = 0;
    if (wanted != PTOG_DYN) {
        if (wanted > FLAGS - width)
            return; /* said of the pipe alone */
        base = (uint32_t)wanted;
        first->flags_clash = ((taken >> base) & mask) != 0;
    } else {
        while (base + width <= FLAGS && ((taken >> base) & mask) != 0)
            base += 2;
        first->flags_over = base + width > FLAGS;
    }
    if (first->flags_over)
        return;
    *one |= mask << base;
    *other |= mask << base;
}

/* Others find it by its buffer or its id; else its flags are its own business. */
static bool is_named(const struct ptog_fifo_pipe *pipe)
{
    return lies_in_global_memory(pipe) || ((pipe->direction & 1) && pipe->ends[0].function != PTOG_FIFO_NONE) ||
           ((pipe->direction & 2) && pipe->ends[1].function != PTOG_FIFO_NONE);
}

/* Gives each pipe its flags as compilers do, by the smallest id of the ends, then by direction, then in the order of the
 * text, and marks pipes whose flags clash or do not fit (`flags_clash`, `flags_over`). False when out of memory. */
static bool give_flags(struct ptog_fifo *fifo)
{
    struct ptog_fifo_keys order = {0};
    uint32_t *taken = calloc(fifo->program->function_count + 1, sizeof *taken);
    bool good = taken != NULL;
    for (uint32_t i = 0; good && i < fifo->pipe_count; i++) {
        const struct ptog_fifo_pipe *pipe = &fifo->pipes[i];
        if (pipe->group != i || !pipe->judged || !is_named(pipe))
            continue;
        const struct ptog_fifo_pipe *peer = pipe->peer == PTOG_FIFO_NONE ? pipe : &fifo->pipes[pipe->peer];
        uint64_t id = (uint64_t)(peer->id < pipe->id ? peer->id : pipe->id);
        good = ptog_fifo_keys_add(&order, (struct ptog_fifo_key){!pipe->by_id, pipe->by_id ? id : 0,
                                                                 pipe->by_id ? (uint64_t)pipe->direction : 0, i});
    }
    ptog_fifo_keys_sort(&order);
    for (size_t i = 0; good && i < order.count; i++) {
        struct ptog_fifo_pipe *first = &fifo->pipes[order.of[i].of];
        const struct ptog_fifo_pipe *peer = first->peer == PTOG_FIFO_NONE ? first : &fifo->pipes[first->peer];
        take_flags(first, &taken[first->function], &taken[peer->function],
                   first->flags == PTOG_DYN ? peer->flags : first->flags);
    }
    free(taken);
    ptog_fifo_keys_free(&order);
    return good;
}

/* ---- all of it */

/* Joins the pipes that are the same FIFO seen from both kinds of cores, and notes at the first pipe of each group its
 * size, its peer and where its members disagree. Then gives the groups their flags as compilers do, and marks those
 * whose flags clash or do not fit. False when out of memory. */
bool ptog_fifo_read_groups(struct ptog_fifo *fifo)
{
    struct ptog_fifo_keys ends = {0};
    bool good = true;
    for (uint32_t i = 0; good && i < fifo->pipe_count; i++) {
        fifo->pipes[i].judged = is_judged(fifo, &fifo->pipes[i]);
        good = add_ends(fifo, &ends, i);
    }
    ptog_fifo_keys_sort(&ends);
    for (size_t i = 1; good && i < ends.count; i++)
        if (same_key(&ends.of[i - 1], &ends.of[i]))
            join_groups(fifo, ends.of[i - 1].of, ends.of[i].of);
    for (uint32_t i = 0; good && i < fifo->pipe_count; i++)
        fifo->pipes[i].group = first_of(fifo, i);
    for (uint32_t i = 0; good && i < fifo->pipe_count; i++)
        add_member(fifo, i);
    ptog_fifo_keys_free(&ends);
    return good && give_flags(fifo);
}
