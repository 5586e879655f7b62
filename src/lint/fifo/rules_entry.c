/* lint: the entries of the FIFO: tiles, or views of global memory, that are pushed, popped, allocated and freed, and
 * that the two vector cores take half of each where they are split. */
#include <string.h>

#include "asm/op_parts.h"
#include "asm/types.h"
#include "lint/fifo/rules.h"
#include "model/target.h"

bool ptog_lint_is_view(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry)
{
    const struct ptog_type *type = ptog_lint_type(ctx, entry);
    return type && type->kind == PTOG_TYPE_TENSOR_VIEW;
}

/* ---- splits */

bool ptog_lint_is_odd(const struct ptog_lint_ctx *ctx)
{
    int64_t split = ptog_lint_value(ctx, "split");
    return split == 3 || split == 4;
}

/* The core that an operation belongs to which names its pipe by a value, when tiles go from cube to vector. */
static enum ptog_core_kind upward_core(const struct ptog_op *op)
{
    if (op->name == PTOG_OP_NAME_TALLOC || op->name == PTOG_OP_NAME_TPUSH)
        return PTOG_CORE_CUBE;
    return PTOG_CORE_VECTOR;
}

/* Whether an odd split is allowed here: tiles, and no views, that go from cube to vector through global memory into a
 * buffer on the chip; on A5 a pointer to that memory is passed over. */
bool ptog_lint_halves_odd(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    if (!pipe || !pipe->clear || !ptog_lint_is_odd(ctx))
        return true;
    bool memory = pipe->gm;
    if (pipe->by_id)
        memory = pipe->tensor || (pipe->gm && !(ctx->target->as & PTOG_ON_A5));
    else if (!ptog_lint_on_core(ctx, upward_core(ctx->op)))
        return false;
    return memory && pipe->direction == 1 && pipe->c2v && !ptog_lint_is_view(ctx, entry);
}

/* The extent that is halved; PTOG_DYN when it is not known. */
static int64_t halved_extent(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry, bool rows)
{
    const struct ptog_type *type = ptog_lint_type(ctx, entry);
    if (!type || type->elided)
        return PTOG_DYN;
    if (ptog_type_is_tile(type) && rows)
        return ptog_lint_field(ctx, entry, PTOG_FIELD_V_ROW);
    if (ptog_type_is_tile(type))
        return ptog_lint_field(ctx, entry, PTOG_FIELD_V_COL);
    if (type->kind == PTOG_TYPE_TENSOR_VIEW && type->rank == 2 && type->dims[!rows].name == 0)
        return type->dims[!rows].value;
    return PTOG_DYN;
}

/* It is even for split 1 (rows) and 2 (columns), and odd for 3 and 4. */
bool ptog_lint_halves(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry)
{
    int64_t split = ptog_lint_value(ctx, "split");
    if (split < 1 || split > 4)
        return true;
    int64_t extent = halved_extent(ctx, entry, split == 1 || split == 3);
    return extent == PTOG_DYN || (extent % 2 != 0) == (split > 2);
}

static bool has_subblock(const struct ptog_lint_ctx *ctx)
{
    for (uint32_t i = 0; i < ctx->op->part_count; i++)
        if (ctx->op->parts[i].kind == PTOG_PART_CLAUSE &&
            ptog_tree_is(ctx->tree, ctx->op->parts[i].word, "aiv_subblockid"))
            return true;
    return false;
}

bool ptog_lint_subblock_fits(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry)
{
    if (!has_subblock(ctx))
        return true;
    return ptog_lint_value(ctx, "split") != 0 && !ptog_lint_is_view(ctx, entry) && ptog_lint_loc(ctx, entry, "vec");
}

/* A pop that is given valid extents makes a tile whose own are open. */
bool ptog_lint_valid_is_open(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_lint_operand result = {PTOG_LINT_RESULTS, 0};
    if (ptog_lint_count(ctx, PTOG_LINT_ARGS) == 0)
        return true;
    return !ptog_lint_is_view(ctx, result) && ptog_lint_field(ctx, result, PTOG_FIELD_V_ROW) == PTOG_DYN &&
           ptog_lint_field(ctx, result, PTOG_FIELD_V_COL) == PTOG_DYN;
}

/* ---- slots of global memory */

/* One more extent; PTOG_DYN when it is not known, or the product too large. */
static int64_t times(int64_t bytes, const struct ptog_extent *extent)
{
    if (bytes == PTOG_DYN || extent->name != 0 || extent->value < 0)
        return PTOG_DYN;
    if (extent->value > 0 && bytes > INT64_MAX / 2 / extent->value)
        return PTOG_DYN;
    return bytes * extent->value;
}

int64_t ptog_bytes_of(const struct ptog_type *type)
{
    if (!type || type->elided || type->element.dtype == PTOG_DTYPE_NONE)
        return PTOG_DYN;
    int64_t bytes = (int64_t)ptog_dtype_size(type->element.dtype);
    if (ptog_type_is_tile(type))
        return times(times(bytes, &type->field[PTOG_FIELD_ROWS]), &type->field[PTOG_FIELD_COLS]);
    for (uint32_t i = 0; i < type->rank; i++)
        bytes = times(bytes, &type->dims[i]);
    return bytes;
}

const struct ptog_type *ptog_lint_slot(const struct ptog_lint_ctx *ctx, const struct ptog_fifo_pipe *pipe)
{
    const struct ptog_op *setup = ctx->fifo->uses[pipe->use].op;
    struct ptog_operands operands = ptog_operands_of(setup);
    uint32_t n = ptog_fifo_operand(ctx->tree, setup, "gm_slot_tensor", pipe->by_id ? PTOG_FIFO_NONE : 0);
    if (n == PTOG_FIFO_NONE)
        return NULL;
    return ptog_used_type(ptog_operand_type(&operands, n));
}

/* Whether an entry that is a view goes through a pipe that was set up with a view. */
bool ptog_lint_slot_is_view(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    if (!pipe || !pipe->clear || !ptog_lint_is_view(ctx, entry))
        return true;
    if (pipe->by_id)
        return pipe->tensor;
    const struct ptog_type *slot = ptog_lint_slot(ctx, pipe);
    return pipe->gm && !pipe->c2v && (!slot || slot->kind == PTOG_TYPE_TENSOR_VIEW);
}

/* Whether an entry that is a view has the type of the view that its pipe was set up with. */
bool ptog_lint_like_slot(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    if (!pipe || !ptog_lint_is_view(ctx, entry))
        return true;
    const struct ptog_type *slot = ptog_lint_slot(ctx, pipe), *type = ptog_lint_type(ctx, entry);
    if (!slot || slot->kind != PTOG_TYPE_TENSOR_VIEW || slot->elided || type->elided)
        return true;
    bool same = slot->rank == type->rank && slot->element.name == type->element.name;
    for (uint32_t i = 0; same && i < type->rank; i++)
        same = ptog_lint_equal(slot->dims[i].value, type->dims[i].value) || slot->dims[i].name != 0 ||
               type->dims[i].name != 0;
    return same;
}

/* Whether an entry is as large as the slots of its pipe, where a value says how large those are; one that is split is
 * half of a slot, or all of it. */
bool ptog_lint_fills_slot(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand entry)
{
    const struct ptog_fifo_pipe *pipe = ptog_lint_pipe(ctx);
    if (!pipe || pipe->by_id || !ptog_lint_is_view(ctx, entry))
        return true;
    int64_t bytes = ptog_bytes_of(ptog_lint_type(ctx, entry));
    return ptog_lint_equal(bytes, pipe->slot_size) ||
           (ptog_lint_value(ctx, "split") > 0 && bytes * 2 == pipe->slot_size);
}
