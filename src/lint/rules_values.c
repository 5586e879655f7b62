/* lint: what compilers require of values and regions that are not simulated: structs, local arrays, pointers from
 * numbers, several tiles in one, fused regions and SIMT sections. What becomes of such a
 * value elsewhere in the text is in lint/escape_check.c. */
#include "lint/rules.h"

#include "asm/op_parts.h"
#include "asm/types.h"
#include "lint/structs.h"
#include "model/tile.h"

/* ---- structs and local arrays */

/* Where the path of struct_get or struct_set leads. */
static struct ptog_leaf leaf_of(const struct ptog_lint_ctx *ctx)
{
    struct ptog_operands operands = ptog_operands_of(ctx->op);
    if (operands.count == 0)
        return (struct ptog_leaf){PTOG_LEAF_UNKNOWN, NULL};
    return ptog_struct_follow(ptog_used_type(ptog_operand_type(&operands, 0)), &operands.items[0]);
}

static bool has_type_of_field(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand value)
{
    struct ptog_leaf leaf = leaf_of(ctx);
    return !ptog_leaf_differs(&leaf, ptog_lint_type(ctx, value));
}

static struct ptog_leaf elements_of(const struct ptog_lint_ctx *ctx, uint32_t *rank)
{
    struct ptog_operands operands = ptog_operands_of(ctx->op);
    return ptog_array_elements(ptog_used_type(ptog_operand_type(&operands, 0)), rank);
}

/* As many numbers in brackets as the array has dimensions. */
static bool has_all_indices(const struct ptog_lint_ctx *ctx)
{
    struct ptog_operands operands = ptog_operands_of(ctx->op);
    uint32_t rank;
    if (elements_of(ctx, &rank).kind == PTOG_LEAF_UNKNOWN || operands.count == 0 || !operands.items[0].called)
        return true;
    return operands.items[0].count == rank;
}

static bool has_type_of_element(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand value)
{
    uint32_t rank;
    struct ptog_leaf leaf = elements_of(ctx, &rank);
    return !ptog_leaf_differs(&leaf, ptog_lint_type(ctx, value));
}

/* ---- several tiles in one */

/* The written type of the several tiles that an operation allocates or takes one of; NULL: it is left out. */
static const struct ptog_type *multi_type(const struct ptog_lint_ctx *ctx)
{
    struct ptog_operands operands = ptog_operands_of(ctx->op);
    const struct ptog_type *type = ptog_used_type(ptog_only_type(&operands));
    if (ctx->op->name == PTOG_OP_NAME_MULTI_TILE_GET)
        type = ptog_used_type(ptog_operand_type(&operands, 0));
    if (type && type->kind == PTOG_TYPE_MULTI_TILE_BUF && !type->elided)
        return type;
    return NULL;
}

/* One of its tiles, as far as its type says. */
static struct ptog_tile slot_of(const struct ptog_type *multi)
{
    const struct ptog_extent *field = multi->field;
    return (struct ptog_tile){.dtype = multi->element.dtype,
                              .loc = (enum ptog_loc)field[PTOG_FIELD_LOC].value,
                              .rows = field[PTOG_FIELD_ROWS].value,
                              .cols = field[PTOG_FIELD_COLS].value,
                              .blayout = (enum ptog_blayout)field[PTOG_FIELD_BLAYOUT].value,
                              .slayout = (enum ptog_slayout)field[PTOG_FIELD_SLAYOUT].value,
                              .fractal = (int32_t)field[PTOG_FIELD_FRACTAL].value};
}

static bool slot_is_of_blocks(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_type *multi = multi_type(ctx);
    if (!multi || (ctx->target->ub_bytes == 0 && !ctx->program->strict))
        return true;
    struct ptog_tile slot = slot_of(multi);
    return ptog_tile_is_of_blocks(&slot);
}

/* Its tiles follow each other without gaps, and a row_plus_one has one after each row. */
static bool slot_is_dense(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_type *multi = multi_type(ctx);
    return !multi || multi->field[PTOG_FIELD_COMPACT].value != 2;
}

/* Its elements are no numbers that PTO has of its own, and no floats of 8 bits. */
static bool slot_is_precise(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_type *multi = multi_type(ctx);
    if (!multi || multi->element.placeholder)
        return true;
    return !ptog_element_is_low_precision(ctx->tree, &multi->element);
}

/* An extent is given exactly where the type has '?'. */
static bool has_valid(const struct ptog_lint_ctx *ctx, const char *key, enum ptog_tile_field field)
{
    const struct ptog_type *multi = multi_type(ctx);
    bool given = ptog_lint_key(ctx, key) != NULL;
    return !multi || multi->field[field].name != 0 || given == (multi->field[field].value == PTOG_DYN);
}

static bool has_positive_address(const struct ptog_lint_ctx *ctx)
{
    int64_t addr;
    return !ptog_lint_known_number(ctx, ptog_lint_key(ctx, "addr"), &addr) || addr >= 0;
}

/* Whether a written address of several tiles is a multiple of 512 bytes in L0, else of 32. */
static bool is_aligned(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_type *multi = multi_type(ctx);
    int64_t addr;
    if (!multi || !ptog_lint_known_number(ctx, ptog_lint_key(ctx, "addr"), &addr))
        return true;
    int64_t loc = multi->field[PTOG_FIELD_LOC].value;
    bool operand = loc == (int64_t)PTOG_LEFT || loc == (int64_t)PTOG_RIGHT || loc == (int64_t)PTOG_ACC;
    return addr % (operand ? 512 : 32) == 0;
}

/* Whether the number of a tile is one of those that were allocated together. */
static bool has_slot(const struct ptog_lint_ctx *ctx)
{
    struct ptog_operands operands = ptog_operands_of(ctx->op);
    const struct ptog_type *multi = multi_type(ctx);
    int64_t slot;
    if (!multi || operands.count == 0 || operands.items[0].count != 1 ||
        !ptog_lint_known_number(ctx, &operands.items[0].items[0], &slot))
        return true;
    return slot >= 0 && slot < multi->slots;
}

/* Whether the result has the type of one of the tiles that were allocated together. */
static bool is_of_slot_type(const struct ptog_lint_ctx *ctx)
{
    struct ptog_operands operands = ptog_operands_of(ctx->op);
    const struct ptog_type *multi = multi_type(ctx), *result = ptog_used_type(ptog_result_type(&operands));
    if (!multi || !result || !ptog_type_is_tile(result))
        return true;
    struct ptog_type slot = *multi;
    slot.kind = result->kind;
    return ptog_types_agree(&slot, result);
}

/* ---- regions */

/* What ends the body of a fused region; NULL: it is empty. */
static const struct ptog_op *last_of(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_part *body = ptog_op_part(ctx->op, PTOG_PART_REGION, 0);
    const struct ptog_op *last = body ? body->region->first : NULL;
    while (last && last->next)
        last = last->next;
    return last;
}

static const struct ptog_op *yield_of(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_op *last = last_of(ctx);
    if (last && last->name == PTOG_OP_NAME_PTO_YIELD)
        return last;
    return NULL;
}

static bool has_no_arguments(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_part *body = ptog_op_part(ctx->op, PTOG_PART_REGION, 0);
    const struct ptog_op *first = body ? body->region->first : NULL;
    return !first || first->name != PTOG_OP_NAME_LABEL || first->parts[1].region->arg_count == 0;
}

static bool yields_as_many(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_op *yield = yield_of(ctx);
    const struct ptog_part *types = ptog_op_part(ctx->op, PTOG_PART_TYPES, 0);
    return !yield || !types || ptog_operands_of(yield).count == types->type_count;
}

/* Whether a region yields values of the types that its operation is written with. */
static bool yields_its_types(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_op *yield = yield_of(ctx);
    const struct ptog_part *types = ptog_op_part(ctx->op, PTOG_PART_TYPES, 0);
    if (!yield || !types || !yields_as_many(ctx))
        return true;
    struct ptog_operands operands = ptog_operands_of(yield);
    for (uint32_t i = 0; i < types->type_count; i++) {
        const struct ptog_type_use *result = ptog_part_type(types, i), *yielded = ptog_operand_type(&operands, i);
        if (result && yielded && !ptog_types_agree(result->type, yielded->type))
            return false;
    }
    return true;
}

/* Threads of a SIMT section in each direction. */
static bool has_no_negative_extent(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_part *launch = ptog_op_part(ctx->op, PTOG_PART_LAUNCH, 0);
    for (uint32_t i = 0; launch && i < launch->count; i++)
        if (launch->items[i].kind == PTOG_ITEM_INT && launch->items[i].negative && launch->items[i].number > 0)
            return false;
    return true;
}

static bool is_outside_simt_entry(const struct ptog_lint_ctx *ctx)
{
    return !ctx->function || !ptog_module_attribute(ctx->tree, ctx->function, "pto.simt_entry");
}

#define LINT_TABLE "spec/lint_values.def"
#define LINT_NAME values
#include "lint/rule_table.h"
