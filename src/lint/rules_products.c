/* lint: what compilers require of matrix products. Their operands stand in one order: what is added to, the left
 * matrix, its scales, the right one, its scales, the bias; which of them an operation has is in its name. */
#include "asm/insn_words.h"
#include "lint/rules_tiles.h"

/* ---- what a product is: by its name, as the table of operations has it */

static bool adds_to_matrix(const struct ptog_lint_ctx *ctx)
{
    switch (ctx->op->name) {
    case PTOG_OP_NAME_TMATMUL_ACC:
    case PTOG_OP_NAME_TMATMUL_MX_ACC:
    case PTOG_OP_NAME_TGEMV_ACC:
    case PTOG_OP_NAME_TGEMV_MX_ACC: return true;
    default: return false;
    }
}

static bool is_scaled(const struct ptog_lint_ctx *ctx)
{
    switch (ctx->op->name) {
    case PTOG_OP_NAME_TMATMUL_MX:
    case PTOG_OP_NAME_TMATMUL_MX_ACC:
    case PTOG_OP_NAME_TMATMUL_MX_BIAS:
    case PTOG_OP_NAME_TGEMV_MX:
    case PTOG_OP_NAME_TGEMV_MX_ACC:
    case PTOG_OP_NAME_TGEMV_MX_BIAS: return true;
    default: return false;
    }
}

/* The left matrix is one row. */
static bool is_of_vector(const struct ptog_lint_ctx *ctx)
{
    switch (ctx->op->name) {
    case PTOG_OP_NAME_TGEMV:
    case PTOG_OP_NAME_TGEMV_ACC:
    case PTOG_OP_NAME_TGEMV_BIAS:
    case PTOG_OP_NAME_TGEMV_MX:
    case PTOG_OP_NAME_TGEMV_MX_ACC:
    case PTOG_OP_NAME_TGEMV_MX_BIAS: return true;
    default: return false;
    }
}

/* ---- operands */

static struct ptog_lint_operand left_of(const struct ptog_lint_ctx *ctx)
{
    return lint_in(adds_to_matrix(ctx));
}

/* The matrix or the bias after a matrix, which may have scales between them. */
static struct ptog_lint_operand after(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand matrix)
{
    return lint_in(matrix.n + 1 + is_scaled(ctx));
}

static struct ptog_lint_operand right_of(const struct ptog_lint_ctx *ctx)
{
    return after(ctx, left_of(ctx));
}

static struct ptog_lint_operand bias_of(const struct ptog_lint_ctx *ctx)
{
    return after(ctx, right_of(ctx));
}

static struct ptog_lint_operand scales_of(struct ptog_lint_operand matrix)
{
    return lint_in(matrix.n + 1);
}

/* ---- where they lie, and how */

/* Tests of A5 also hand over matrices in L1, and nothing more is known of these. */
static bool are_in_their_buffers(const struct ptog_lint_ctx *ctx)
{
    const char *left = lint_on_a5(ctx) ? "left mat" : "left", *right = lint_on_a5(ctx) ? "right mat" : "right";
    return ptog_lint_loc(ctx, left_of(ctx), left) && ptog_lint_loc(ctx, right_of(ctx), right) &&
           ptog_lint_loc(ctx, lint_out(0), "acc");
}

/* Compilers choose the blayout of a left tile themselves. */
static bool are_in_their_layouts(const struct ptog_lint_ctx *ctx)
{
    bool left = ptog_lint_equal(ptog_lint_field(ctx, left_of(ctx), PTOG_FIELD_SLAYOUT), PTOG_BOX_ROW_MAJOR),
         right = lint_laid_out(ctx, right_of(ctx), PTOG_ROW_MAJOR, PTOG_BOX_COL_MAJOR);
    return (left || ptog_lint_loc(ctx, left_of(ctx), "mat")) && (right || ptog_lint_loc(ctx, right_of(ctx), "mat")) &&
           lint_nz(ctx, lint_out(0));
}

/* ---- extents */

/* What counts of a tile: its valid extent, and where that is not known before a run, all of it. */
static int64_t extent(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand, enum ptog_tile_field valid,
                      enum ptog_tile_field all)
{
    int64_t known = ptog_lint_field(ctx, operand, valid);
    return known != PTOG_DYN ? known : ptog_lint_field(ctx, operand, all);
}

static int64_t rows_of(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    return extent(ctx, operand, PTOG_FIELD_V_ROW, PTOG_FIELD_ROWS);
}

static int64_t cols_of(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    return extent(ctx, operand, PTOG_FIELD_V_COL, PTOG_FIELD_COLS);
}

static bool fits_as_matrices(const struct ptog_lint_ctx *ctx)
{
    return ptog_lint_equal(rows_of(ctx, left_of(ctx)), rows_of(ctx, lint_out(0))) &&
           ptog_lint_equal(cols_of(ctx, left_of(ctx)), rows_of(ctx, right_of(ctx))) &&
           ptog_lint_equal(cols_of(ctx, right_of(ctx)), cols_of(ctx, lint_out(0)));
}

/* For A2/A3 compilers check the valid extents of a product with one row only where they know them. */
static bool fits_where_known(const struct ptog_lint_ctx *ctx)
{
    return ptog_lint_equal(lint_valid_cols(ctx, left_of(ctx)), lint_valid_rows(ctx, right_of(ctx))) &&
           ptog_lint_equal(lint_valid_cols(ctx, right_of(ctx)), lint_valid_cols(ctx, lint_out(0)));
}

static bool product_fits(const struct ptog_lint_ctx *ctx)
{
    if (is_of_vector(ctx) && !lint_on_a5(ctx))
        return fits_where_known(ctx);
    return fits_as_matrices(ctx);
}

static bool is_one_row(const struct ptog_lint_ctx *ctx)
{
    return ptog_lint_equal(lint_valid_rows(ctx, left_of(ctx)), 1) &&
           ptog_lint_equal(lint_valid_rows(ctx, lint_out(0)), 1);
}

#define MAX_EXTENT 4095

static bool is_small(const struct ptog_lint_ctx *ctx)
{
    return lint_valid_rows(ctx, left_of(ctx)) <= MAX_EXTENT && lint_valid_cols(ctx, left_of(ctx)) <= MAX_EXTENT &&
           lint_valid_cols(ctx, right_of(ctx)) <= MAX_EXTENT;
}

/* ---- elements */

static bool are_both(const struct ptog_lint_ctx *ctx, const char *elements)
{
    return ptog_lint_element(ctx, left_of(ctx), elements) && ptog_lint_element(ctx, right_of(ctx), elements);
}

/* Whether the element types of matrices and result belong to a product that the target has. */
static bool have_product(const struct ptog_lint_ctx *ctx)
{
    bool alike = ptog_lint_same_element(ctx, left_of(ctx), right_of(ctx));
    if (ptog_lint_element(ctx, lint_out(0), LINT_INT32) && are_both(ctx, LINT_INT8))
        return true;
    if (!ptog_lint_element(ctx, lint_out(0), "f32"))
        return false;
    if (lint_on_a5(ctx) && (are_both(ctx, LINT_FLOAT8) || are_both(ctx, "hif8")))
        return true;
    return alike && are_both(ctx, "f16 bf16 f32");
}

static bool have_scaled_product(const struct ptog_lint_ctx *ctx)
{
    return ptog_lint_element(ctx, lint_out(0), "f32") && (are_both(ctx, LINT_FLOAT8) || are_both(ctx, LINT_FLOAT4));
}

/* Elements of a type that is written like this: f8E4M3 and f8E4M3FN are one type here, and two for the compiler. */
static bool is_written(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand, const char *element)
{
    const struct ptog_type *type = ptog_lint_type(ctx, operand);
    return type && !type->elided && ptog_tree_is(ctx->tree, type->element.name, element);
}

/* ---- bias, and what is added to */

static bool is_sum(const struct ptog_lint_ctx *ctx)
{
    struct ptog_lint_operand sum = lint_in(0), out = lint_out(0);
    if (!ptog_lint_loc(ctx, sum, "acc"))
        return false;
    return !is_scaled(ctx) || (ptog_lint_same_element(ctx, sum, out) &&
                               lint_valid_is(ctx, sum, lint_valid_rows(ctx, out), lint_valid_cols(ctx, out)));
}

static bool is_bias(const struct ptog_lint_ctx *ctx)
{
    return ptog_lint_loc(ctx, bias_of(ctx), "bias") &&
           ptog_lint_equal(ptog_lint_field(ctx, bias_of(ctx), PTOG_FIELD_ROWS), 1) &&
           ptog_lint_same_element(ctx, bias_of(ctx), lint_out(0)) &&
           (!lint_on_a5(ctx) || lint_row_major(ctx, bias_of(ctx)));
}

/* ---- scales, as the newest compiler has them: one for 32 elements of K */

#define SCALED 32 /* elements */

static bool are_scaling(const struct ptog_lint_ctx *ctx)
{
    return ptog_lint_loc(ctx, scales_of(left_of(ctx)), "scaling") &&
           ptog_lint_loc(ctx, scales_of(right_of(ctx)), "scaling");
}

static bool has_scales(const struct ptog_lint_ctx *ctx)
{
    struct ptog_lint_operand left = left_of(ctx), right = right_of(ctx);
    int64_t parts = lint_parts(lint_valid_cols(ctx, left), SCALED);
    return lint_valid_is(ctx, scales_of(left), lint_valid_rows(ctx, left), parts) &&
           lint_valid_is(ctx, scales_of(right), parts, lint_valid_cols(ctx, right));
}

/* Of a product with one row, the tiles of its scales are no larger than what is valid of them. */
static bool has_room_for_scales(const struct ptog_lint_ctx *ctx)
{
    struct ptog_lint_operand left = left_of(ctx), right = right_of(ctx);
    int64_t m = ptog_lint_field(ctx, left, PTOG_FIELD_ROWS), k = ptog_lint_field(ctx, left, PTOG_FIELD_COLS);
    if (is_of_vector(ctx)) {
        m = lint_valid_rows(ctx, left);
        k = lint_valid_cols(ctx, left);
    }
    return lint_extends(ctx, scales_of(left), m, lint_parts(k, SCALED)) &&
           lint_extends(ctx, scales_of(right), lint_parts(k, SCALED), ptog_lint_field(ctx, right, PTOG_FIELD_COLS));
}

static bool have_scales_their_layouts(const struct ptog_lint_ctx *ctx)
{
    struct ptog_lint_operand left = scales_of(left_of(ctx)), right = scales_of(right_of(ctx));
    return lint_laid_out(ctx, left, PTOG_ROW_MAJOR, PTOG_BOX_ROW_MAJOR) &&
           lint_laid_out(ctx, right, PTOG_COL_MAJOR, PTOG_BOX_COL_MAJOR) &&
           ptog_lint_equal(ptog_lint_field(ctx, left, PTOG_FIELD_FRACTAL), 32) &&
           ptog_lint_equal(ptog_lint_field(ctx, right, PTOG_FIELD_FRACTAL), 32);
}

static bool has_whole_steps(int64_t k)
{
    return k == PTOG_DYN || (k > 0 && k % 64 == 0);
}

/* ---- the table */

/* Of the examples: the arguments that the products share, and those that an example is about. */
#define PRODUCT(function, line, m, left, scales, right, out)                                                                                                    \
    function(                                                                                                                                                   \
        LINT_TILE("l", left) ", " LINT_TILE("s", scales) ", " LINT_TILE("r", right) ", " LINT_TILE(                                                             \
            "t",                                                                                                                                                \
            "scaling, 2x16xf16, blayout=col_major, slayout=col_major, fractal=32") ", " LINT_TILE("d",                                                          \
                                                                                                  out) ", " LINT_TILE("c",                                      \
                                                                                                                      ACC(m)) ", " LINT_TILE("b",               \
                                                                                                                                             "bias, 1x16xf32"), \
        line " outs(%d)")
#define LEFT(m, k, element) "left, " m "x" k "x" element LINT_NZ
#define RIGHT(k, element) "right, " k "x16x" element ", slayout=col_major"
#define ACC(m) "acc, " m "x16xf32" LINT_NZ
#define SCALES(m) "scaling, " m "x2xf16, slayout=row_major, fractal=32"

/* The whole example, of which only the elements change. */
#define GOOD_PRODUCT(function, line, m, k, left, right)                                                                \
    PRODUCT(function, line, m, LEFT(m, k, left), SCALES(m), RIGHT(k, right), ACC(m))

#define LINT_TABLE "spec/lint_products.def"
#define LINT_NAME products
#include "lint/rule_table.h"
