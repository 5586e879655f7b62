/* lint: where operations of the FIFO stand, the pipes that they name, and the buffers that functions reserve. */
#include <string.h>

#include "asm/op_parts.h"
#include "lint/fifo/rules.h"

#define MAT_BYTES 524288

/* Whether the operation stands in a function of that core; PTOG_CORE_ANY: of either one. Holds in helpers. */
bool ptog_lint_on_core(const struct ptog_lint_ctx *ctx, enum ptog_core_kind core)
{
    const struct ptog_fifo_use *use = ptog_lint_use(ctx);
    if (!use || use->helper)
        return true;
    if (core == PTOG_CORE_ANY)
        return use->core != PTOG_CORE_ANY;
    return use->core == core;
}

bool ptog_lint_is_first(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_use *use = ptog_lint_use(ctx);
    return !use || !use->twice;
}

/* ---- its pipe */

bool ptog_lint_has_pipe(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_use *use = ptog_lint_use(ctx);
    return !use || use->pipe != PTOG_FIFO_NONE;
}

/* Whether the setup of the pipe stands before the operation, in the same braces or around them; holds where a function
 * jumps. */
bool ptog_lint_follows_setup(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo *fifo = ctx->fifo;
    const struct ptog_fifo_use *use = ptog_lint_use(ctx);
    if (!use || use->pipe == PTOG_FIFO_NONE || fifo->labels[use->function])
        return true;
    const struct ptog_fifo_use *setup = &fifo->uses[fifo->pipes[use->pipe].use];
    return setup->order < use->order && use->order <= setup->last;
}

/* The direction of an operation as dir_mask has it: 1 from cube to vector, 2 from vector to cube. */
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

bool ptog_lint_pipe_goes(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    return !pipe || pipe->direction == PTOG_DYN || (pipe->direction & direction_of(ctx->op)) != 0;
}

bool ptog_lint_no_hidden(const struct ptog_lint_ctx *ctx)
{
    static const char *const hidden[] = {"stPhase",        "st_phase",       "atomicType",       "atomic_type",
                                         "subBlockId",     "subBlockid",     "sub_blockid",      "clipReluMode",
                                         "clip_relu_mode", "isChannelSplit", "is_channel_split", "channelSplit",
                                         "channel_split"};
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (ptog_lint_key(ctx, hidden[i]))
            return false;
    return true;
}

/* ---- buffers */

bool ptog_lint_peer_exists(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_use *use = ptog_lint_use(ctx);
    return !use || use->peer != PTOG_FIFO_NONE;
}

bool ptog_lint_peer_reserves(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_use *use = ptog_lint_use(ctx);
    return !use || use->peer == PTOG_FIFO_NONE || use->peer_reserves;
}

/* Whether peer_func names a function that modules with backends of their own can share: they are compiled one by one,
 * each with a copy of the functions that it names. */
bool ptog_lint_peer_is_leaf(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_use *use = ptog_lint_use(ctx);
    if (!use || use->peer == PTOG_FIFO_NONE)
        return true;
    const struct ptog_function *own = &ctx->program->functions[use->function];
    bool apart = own->scope != ctx->program->functions[use->peer].scope &&
                 ptog_module_attribute(ctx->tree, own->module, "pto.backend");
    return !apart || !ctx->fifo->calls[use->peer];
}

static bool is_auto(const struct ptog_lint_ctx *ctx)
{
    return ptog_lint_word(ctx, "auto", "true");
}

bool ptog_lint_base_fits(const struct ptog_lint_ctx *ctx)
{
    return !ptog_lint_key(ctx, "auto") || is_auto(ctx) != (ptog_lint_key(ctx, "base") != NULL);
}

bool ptog_lint_buffer_fits(const struct ptog_lint_ctx *ctx)
{
    int64_t base = ptog_lint_value(ctx, "base"), size = ptog_lint_value(ctx, "size"), room = PTOG_DYN;
    if (ptog_lint_word(ctx, "location", "vec"))
        room = (int64_t)ctx->target->ub_bytes;
    else if (ptog_lint_word(ctx, "location", "mat"))
        room = MAT_BYTES;
    if (base == PTOG_DYN || size == PTOG_DYN || room == PTOG_DYN || is_auto(ctx))
        return true;
    return base % 256 == 0 && size <= room && base <= room - size;
}
