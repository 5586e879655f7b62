/* lint: pipes that convert tiles of acc on their way to the vector core, as acc_push_epilogue says. */
#include <string.h>

#include "asm/op_parts.h"
#include "base/text.h"
#include "lint/fifo/rules.h"

static const struct ptog_epilogue *epilogue_of(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    if (pipe && pipe->epilogue.item)
        return &pipe->epilogue;
    return NULL;
}

static const struct ptog_quant *quant_of(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_epilogue *epilogue = epilogue_of(ctx);
    if (epilogue)
        return epilogue->quant;
    return NULL;
}

/* ---- the setup */

bool ptog_lint_epilogue_known(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_epilogue *epilogue = epilogue_of(ctx);
    return !epilogue || ptog_epilogue_is_whole(epilogue);
}

/* Both ends say it alike: the first one in the text is checked. */
bool ptog_lint_epilogue_not_a5(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    const struct ptog_quant *quant = quant_of(ctx);
    return !quant || !quant->a5 || &ctx->fifo->pipes[pipe->group] != pipe;
}

bool ptog_lint_epilogue_up(const struct ptog_lint_ctx *ctx)
{
    return !epilogue_of(ctx) || ptog_lint_equal(ptog_lint_value(ctx, "dir_mask"), 1);
}

bool ptog_lint_epilogue_nosplit(const struct ptog_lint_ctx *ctx)
{
    return !epilogue_of(ctx) || ptog_lint_pipe(ctx)->nosplit == 1;
}

/* Whether the buffer of a pipe with an epilogue is reserved by the vector core and imported by the cube core. */
bool ptog_lint_epilogue_buffer(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    if (!epilogue_of(ctx) || pipe->direction != 1 || !pipe->c2v)
        return true;
    const struct ptog_op *from = ptog_lint_use(ctx)->from[0];
    ptog_symbol wanted = PTOG_OP_NAME_RESERVE_BUFFER;
    if (ctx->op->name == PTOG_OP_NAME_AIC_INITIALIZE_PIPE)
        wanted = PTOG_OP_NAME_IMPORT_RESERVED_BUFFER;
    return from && from->name == wanted;
}

bool ptog_lint_epilogue_popped(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    return !epilogue_of(ctx) || pipe->direction != 1 || pipe->pop != PTOG_FIFO_NONE;
}

bool ptog_lint_epilogue_same_pops(const struct ptog_lint_ctx *ctx)
{
    return !epilogue_of(ctx) || !ptog_lint_pipe(ctx)->pops_differ;
}

/* The type of what is popped from a pipe; NULL: it is not known. */
static const struct ptog_type *popped_type(const struct ptog_lint_ctx *ctx, const struct ptog_fifo_pipe *pipe)
{
    if (pipe->pop == PTOG_FIFO_NONE)
        return NULL;
    struct ptog_operands operands = ptog_operands_of(ctx->fifo->uses[pipe->pop].op);
    return ptog_used_type(ptog_result_type(&operands));
}

/* Whether a slot of a pipe with an epilogue holds what is popped, at both ends. */
bool ptog_lint_epilogue_slot(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    if (!epilogue_of(ctx))
        return true;
    int64_t bytes = ptog_bytes_of(popped_type(ctx, pipe));
    bool peer = pipe->peer == PTOG_FIFO_NONE || ptog_lint_covers(ctx->fifo->pipes[pipe->peer].slot_size, bytes);
    return peer && ptog_lint_covers(pipe->slot_size, bytes);
}

/* ---- pushes and pops */

bool ptog_lint_epilogue_whole(const struct ptog_lint_ctx *ctx)
{
    return !epilogue_of(ctx) || ptog_lint_value(ctx, "split") <= 0;
}

bool ptog_lint_epilogue_tile(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry)
{
    return !epilogue_of(ctx) || !ptog_lint_is_view(ctx, entry);
}

bool ptog_lint_epilogue_loc(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry)
{
    return !epilogue_of(ctx) || ptog_lint_loc(ctx, entry, "acc");
}

/* The elements of a type as written; 0: they are not known. */
static ptog_symbol element_of_type(const struct ptog_type *type)
{
    if (!type || type->elided || type->element.placeholder)
        return 0;
    return type->element.name;
}

bool ptog_lint_epilogue_accepts(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry)
{
    const struct ptog_quant *quant = quant_of(ctx);
    ptog_symbol element = element_of_type(ptog_lint_type(ctx, entry));
    return !quant || element == 0 || ptog_tree_is_listed(ctx->tree, element, quant->sources);
}

bool ptog_lint_epilogue_gives(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry)
{
    const struct ptog_quant *quant = quant_of(ctx);
    ptog_symbol element = element_of_type(ptog_lint_type(ctx, entry));
    return !quant || element == 0 || ptog_tree_is_listed(ctx->tree, element, quant->results);
}

bool ptog_lint_epilogue_keeps(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    const struct ptog_quant *quant = quant_of(ctx);
    if (!quant || strcmp(quant->word, "no_convert") != 0 || pipe->peer == PTOG_FIFO_NONE)
        return true;
    ptog_symbol pushed = element_of_type(ptog_lint_type(ctx, entry));
    ptog_symbol popped = element_of_type(popped_type(ctx, &ctx->fifo->pipes[pipe->peer]));
    return pushed == 0 || popped == 0 || pushed == popped;
}

bool ptog_lint_epilogue_layout(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry)
{
    const struct ptog_epilogue *epilogue = epilogue_of(ctx);
    if (!epilogue || epilogue->layout == PTOG_NO_LAYOUT)
        return true;
    bool columns = epilogue->layout != PTOG_NZ2ND, boxed = epilogue->layout == PTOG_NZ2NZ;
    return ptog_lint_loc(ctx, entry, "vec") &&
           ptog_lint_equal(ptog_lint_field(ctx, entry, PTOG_FIELD_BLAYOUT), columns) &&
           ptog_lint_equal(ptog_lint_field(ctx, entry, PTOG_FIELD_SLAYOUT), boxed);
}

/* ---- scales */

bool ptog_lint_epilogue_scaled(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_quant *quant = quant_of(ctx);
    return !quant || quant->scale == PTOG_SCALE_NONE || ptog_lint_use(ctx)->configured;
}

bool ptog_lint_accepts_scale(const struct ptog_lint_ctx *ctx, enum ptog_scale scale)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    if (!pipe)
        return true;
    bool vector = ctx->fifo->uses[pipe->use].op->name == PTOG_OP_NAME_AIV_INITIALIZE_PIPE;
    return !vector && pipe->epilogue.item && (!pipe->epilogue.quant || pipe->epilogue.quant->scale == scale);
}
