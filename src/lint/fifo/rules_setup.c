/* lint: the setup of pipes: what each has, and whether the two ends of one fit each other. */
#include "asm/op_parts.h"
#include "lint/fifo/rules.h"

/* ---- operands and numbers */

bool ptog_lint_has_buffers(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    if (!pipe || !pipe->clear || pipe->direction == PTOG_DYN || (pipe->tensor && !pipe->c2v && !pipe->v2c))
        return true;
    return ((pipe->direction & 1) == 0 || pipe->c2v) && ((pipe->direction & 2) == 0 || pipe->v2c);
}

bool ptog_lint_one_memory(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    return !pipe || !pipe->gm || !pipe->tensor;
}

bool ptog_lint_some_memory(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    return !pipe || !pipe->clear || pipe->gm || pipe->tensor;
}

bool ptog_lint_view_and_buffers(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    if (!pipe || !pipe->tensor || (!pipe->c2v && !pipe->v2c))
        return true;
    return pipe->direction == 1 && !pipe->v2c;
}

bool ptog_lint_slot_fits(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    if (!pipe || !pipe->tensor)
        return true;
    int64_t bytes = ptog_bytes_of(ptog_lint_slot(ctx, pipe));
    return ptog_lint_equal(bytes, pipe->slot_size) || bytes * 2 == pipe->slot_size;
}

/* Slots on the chip are at most as many as those in global memory; without a buffer there are none. */
bool ptog_lint_local_slots(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    if (!pipe || !pipe->clear || !ptog_lint_key(ctx, "local_slot_num"))
        return true;
    return (pipe->c2v || pipe->v2c) && ptog_lint_number(ctx, "local_slot_num", 1, INT32_MAX) &&
           ptog_lint_covers(pipe->slots, pipe->local_slots);
}

bool ptog_lint_flags_fit(const struct ptog_lint_ctx *ctx)
{
    int64_t most = ptog_lint_value(ctx, "dir_mask") == 3 ? 12 : 14;
    return ptog_lint_number(ctx, "flag_base", 0, most);
}

bool ptog_lint_peer_buffer(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    if (!pipe || pipe->direction == PTOG_DYN || !pipe->c2v)
        return true;
    return pipe->v2c == (pipe->direction == 3);
}

bool ptog_lint_one_core(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    return !pipe || !pipe->mixes;
}

/* ---- both ends */

static bool is_known(const struct ptog_op *from)
{
    return from && (from->name == PTOG_OP_NAME_RESERVE_BUFFER || from->name == PTOG_OP_NAME_IMPORT_RESERVED_BUFFER);
}

/* The buffer of one direction is enough to find the other end by. */
static bool has_known_buffer(const struct ptog_fifo_pipe *pipe, const struct ptog_fifo_use *use)
{
    if (!pipe->by_id)
        return is_known(use->from[0]) || (pipe->direction == 3 && is_known(use->from[1]));
    return ((pipe->direction & 1) && is_known(use->from[0])) || ((pipe->direction & 2) && is_known(use->from[1]));
}

bool ptog_lint_buffer_known(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    if (!pipe || !pipe->judged || pipe->flags != PTOG_DYN || pipe->epilogue.item || !ptog_lint_has_buffers(ctx))
        return true;
    return (!pipe->c2v && !pipe->v2c) || has_known_buffer(pipe, ptog_lint_use(ctx));
}

/* The pipe, if it is the first one of those that are one; NULL: another one is checked. */
static const struct ptog_fifo_pipe *first_end(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    if (pipe && &ctx->fifo->pipes[pipe->group] == pipe)
        return pipe;
    return NULL;
}

static const struct ptog_fifo_pipe *judged_end(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *first = first_end(ctx);
    if (first && first->judged)
        return first;
    return NULL;
}

static const struct ptog_fifo_pipe *other_end(const struct ptog_lint_ctx *ctx, const struct ptog_fifo_pipe *pipe)
{
    if (pipe->peer == PTOG_FIFO_NONE)
        return NULL;
    return &ctx->fifo->pipes[pipe->peer];
}

/* Whether both ends of a pipe are set up alike, where it converts tiles on their way. */
bool ptog_lint_is_paired(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *first = first_end(ctx);
    if (!first || !(first->judged || first->epilogue.item) || (!first->c2v && !first->v2c))
        return true;
    if (first->ends[0].function == PTOG_FIFO_NONE && first->ends[1].function == PTOG_FIFO_NONE)
        return true;
    const struct ptog_fifo_pipe *other = other_end(ctx, first);
    return other && other->function != first->function;
}

bool ptog_lint_same_shape(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *first = judged_end(ctx);
    return !first || !first->shapes_differ || !ptog_lint_is_paired(ctx);
}

bool ptog_lint_same_flags(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *first = judged_end(ctx);
    return !first || !first->flags_differ;
}

bool ptog_lint_flags_free(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *first = judged_end(ctx);
    return !first || !first->flags_clash;
}

bool ptog_lint_flags_left(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *first = judged_end(ctx);
    return !first || !first->flags_over;
}

/* What converts tiles splits none, and each push and pop is checked for that. */
bool ptog_lint_same_split(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *first = judged_end(ctx);
    return !first || first->epilogue.item || first->group_splits != (PTOG_SPLITS | PTOG_SPLITS_NOT);
}

static int nosplit_of(const struct ptog_fifo_pipe *first, const struct ptog_fifo_pipe *other)
{
    if (first->nosplit >= 0 || !other)
        return first->nosplit;
    return other->nosplit;
}

bool ptog_lint_nosplit_true(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *first = judged_end(ctx);
    if (!first || first->epilogue.item || !ptog_lint_same_split(ctx))
        return true;
    int nosplit = nosplit_of(first, other_end(ctx, first));
    bool lies = (nosplit == 1 && first->group_splits == PTOG_SPLITS) ||
                (nosplit == 0 && first->group_splits == PTOG_SPLITS_NOT);
    return !lies && !first->nosplits_differ;
}

bool ptog_lint_same_epilogue(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *first = first_end(ctx), *other = first ? other_end(ctx, first) : NULL;
    if (!other || first->direction != 1 || (!first->epilogue.item && !other->epilogue.item))
        return true;
    if (!first->epilogue.item || !other->epilogue.item)
        return false;
    return !ptog_epilogue_is_whole(&first->epilogue) || !ptog_epilogue_is_whole(&other->epilogue) ||
           ptog_epilogues_agree(&first->epilogue, &other->epilogue);
}
