/* lint: where operations of the FIFO stand, the pipes that they name, and the buffers that functions reserve. */
#include <string.h>

#include "lint/fifo/rules.h"
#include "lint/module_check.h"
#include "program/parts.h"

#define MAT_BYTES 524288

bool ptog_ask_on_core(const struct ptog_asked *a, enum ptog_core_kind core)
{
    const struct ptog_fifo_use *use = ptog_asked_use(a);
    if (!use || use->helper)
        return true;
    if (core == PTOG_CORE_ANY)
        return use->core != PTOG_CORE_ANY;
    return use->core == core;
}

bool ptog_ask_is_first(const struct ptog_asked *a)
{
    const struct ptog_fifo_use *use = ptog_asked_use(a);
    return !use || !use->twice;
}

/* ---- its pipe */

bool ptog_ask_has_pipe(const struct ptog_asked *a)
{
    const struct ptog_fifo_use *use = ptog_asked_use(a);
    return !use || use->pipe != PTOG_FIFO_NONE;
}

/* The setup stands before it, in the same braces or around them; where a function jumps, nobody asks. */
bool ptog_ask_follows_setup(const struct ptog_asked *a)
{
    const struct ptog_fifo *fifo = a->e->fifo;
    const struct ptog_fifo_use *use = ptog_asked_use(a);
    if (!use || use->pipe == PTOG_FIFO_NONE || fifo->labels[use->function])
        return true;
    const struct ptog_fifo_use *setup = &fifo->uses[fifo->pipes[use->pipe].use];
    return setup->order < use->order && use->order <= setup->last;
}

/* As dir_mask has it: 1 from cube to vector, 2 from vector to cube. */
static int64_t direction_of(const struct ptog_op *op)
{
    switch (op->name) {
    case PTOG_OP_NAME_TALLOC_TO_AIV:
    case PTOG_OP_NAME_TPUSH_TO_AIV:
    case PTOG_OP_NAME_TPOP_FROM_AIC:
    case PTOG_OP_NAME_TFREE_FROM_AIC: return 1;
    default: return 2;
    }
}

bool ptog_ask_pipe_goes(const struct ptog_asked *a)
{
    const struct ptog_fifo_pipe *pipe = ptog_asked_pipe(a);
    return !pipe || pipe->direction == PTOG_DYN || (pipe->direction & direction_of(a->op)) != 0;
}

bool ptog_ask_no_hidden(const struct ptog_asked *a)
{
    static const char *const hidden[] = {"stPhase",        "st_phase",       "atomicType",       "atomic_type",
                                         "subBlockId",     "subBlockid",     "sub_blockid",      "clipReluMode",
                                         "clip_relu_mode", "isChannelSplit", "is_channel_split", "channelSplit",
                                         "channel_split"};
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (ptog_asked_key(a, hidden[i]))
            return false;
    return true;
}

/* ---- buffers */

bool ptog_ask_peer_exists(const struct ptog_asked *a)
{
    const struct ptog_fifo_use *use = ptog_asked_use(a);
    return !use || use->peer != PTOG_FIFO_NONE;
}

bool ptog_ask_peer_reserves(const struct ptog_asked *a)
{
    const struct ptog_fifo_use *use = ptog_asked_use(a);
    return !use || use->peer == PTOG_FIFO_NONE || use->peer_reserves;
}

/* Modules with backends of their own are compiled one by one, each with a copy of the functions that it names. */
bool ptog_ask_peer_is_leaf(const struct ptog_asked *a)
{
    const struct ptog_fifo_use *use = ptog_asked_use(a);
    if (!use || use->peer == PTOG_FIFO_NONE)
        return true;
    const struct ptog_function *own = &a->e->program->functions[use->function];
    bool apart = own->scope != a->e->program->functions[use->peer].scope &&
                 ptog_frame_attribute(a->e->tree, own->module, "pto.backend");
    return !apart || !a->e->fifo->calls[use->peer];
}

static bool is_auto(const struct ptog_asked *a)
{
    return ptog_asked_word(a, "auto", "true");
}

bool ptog_ask_base_fits(const struct ptog_asked *a)
{
    return !ptog_asked_key(a, "auto") || is_auto(a) != (ptog_asked_key(a, "base") != NULL);
}

bool ptog_ask_buffer_fits(const struct ptog_asked *a)
{
    int64_t base = ptog_asked_value(a, "base"), size = ptog_asked_value(a, "size"), room = PTOG_DYN;
    if (ptog_asked_word(a, "location", "vec"))
        room = (int64_t)a->e->target->ub_bytes;
    else if (ptog_asked_word(a, "location", "mat"))
        room = MAT_BYTES;
    if (base == PTOG_DYN || size == PTOG_DYN || room == PTOG_DYN || is_auto(a))
        return true;
    return base % 256 == 0 && size <= room && base <= room - size;
}
