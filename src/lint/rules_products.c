/* lint: what compilers ask of matrix products. Their operands stand in one order: what is added to, the left matrix,
 * its scales, the right one, its scales, the bias; which of them an operation has is in its name. */
#include <string.h>

#include "lint/rules_tiles.h"

static bool is_called(const struct ptog_asked *a, const char *part)
{
    return strstr(ptog_op_info(a->op->name)->name, part) != NULL;
}

/* ---- operands */

static struct ptog_asked_operand left_of(const struct ptog_asked *a)
{
    return asked_in(is_called(a, ".acc"));
}

/* The matrix or the bias after a matrix, which may have scales between them. */
static struct ptog_asked_operand after(const struct ptog_asked *a, struct ptog_asked_operand matrix)
{
    return asked_in(matrix.n + 1 + is_called(a, ".mx"));
}

static struct ptog_asked_operand right_of(const struct ptog_asked *a)
{
    return after(a, left_of(a));
}

static struct ptog_asked_operand bias_of(const struct ptog_asked *a)
{
    return after(a, right_of(a));
}

static struct ptog_asked_operand scales_of(struct ptog_asked_operand matrix)
{
    return asked_in(matrix.n + 1);
}

/* ---- where they lie, and how */

/* Tests of A5 also hand over matrices in L1, and nothing more is known of these. */
static bool are_in_their_buffers(const struct ptog_asked *a)
{
    const char *left = asked_on_a5(a) ? "left mat" : "left", *right = asked_on_a5(a) ? "right mat" : "right";
    return ptog_asked_loc(a, left_of(a), left) && ptog_asked_loc(a, right_of(a), right) &&
           ptog_asked_loc(a, asked_out(0), "acc");
}

/* Compilers choose the blayout of a left tile themselves. */
static bool are_in_their_layouts(const struct ptog_asked *a)
{
    bool left = ptog_asked_equal(ptog_asked_field(a, left_of(a), PTOG_FIELD_SLAYOUT), PTOG_BOX_ROW_MAJOR),
         right = asked_laid_out(a, right_of(a), PTOG_ROW_MAJOR, PTOG_BOX_COL_MAJOR);
    return (left || ptog_asked_loc(a, left_of(a), "mat")) && (right || ptog_asked_loc(a, right_of(a), "mat")) &&
           asked_nz(a, asked_out(0));
}

/* ---- extents */

/* What counts of a tile: its valid extent, and where that is not known before a run, all of it. */
static int64_t extent(const struct ptog_asked *a, struct ptog_asked_operand operand, enum ptog_tile_field valid,
                      enum ptog_tile_field all)
{
    int64_t known = ptog_asked_field(a, operand, valid);
    return known != PTOG_DYN ? known : ptog_asked_field(a, operand, all);
}

static int64_t rows_of(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    return extent(a, operand, PTOG_FIELD_V_ROW, PTOG_FIELD_ROWS);
}

static int64_t cols_of(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    return extent(a, operand, PTOG_FIELD_V_COL, PTOG_FIELD_COLS);
}

static bool fits_as_matrices(const struct ptog_asked *a)
{
    return ptog_asked_equal(rows_of(a, left_of(a)), rows_of(a, asked_out(0))) &&
           ptog_asked_equal(cols_of(a, left_of(a)), rows_of(a, right_of(a))) &&
           ptog_asked_equal(cols_of(a, right_of(a)), cols_of(a, asked_out(0)));
}

/* For A2/A3 compilers ask a product with one row only for the valid extents that they know. */
static bool fits_where_known(const struct ptog_asked *a)
{
    return ptog_asked_equal(asked_valid_cols(a, left_of(a)), asked_valid_rows(a, right_of(a))) &&
           ptog_asked_equal(asked_valid_cols(a, right_of(a)), asked_valid_cols(a, asked_out(0)));
}

static bool fits(const struct ptog_asked *a)
{
    if (is_called(a, "tgemv") && !asked_on_a5(a))
        return fits_where_known(a);
    return fits_as_matrices(a);
}

static bool is_one_row(const struct ptog_asked *a)
{
    return ptog_asked_equal(asked_valid_rows(a, left_of(a)), 1) &&
           ptog_asked_equal(asked_valid_rows(a, asked_out(0)), 1);
}

#define MOST_EXTENT 4095

static bool is_small(const struct ptog_asked *a)
{
    return asked_valid_rows(a, left_of(a)) <= MOST_EXTENT && asked_valid_cols(a, left_of(a)) <= MOST_EXTENT &&
           asked_valid_cols(a, right_of(a)) <= MOST_EXTENT;
}

/* ---- elements */

static bool are_both(const struct ptog_asked *a, const char *elements)
{
    return ptog_asked_element(a, left_of(a), elements) && ptog_asked_element(a, right_of(a), elements);
}

static bool have_product(const struct ptog_asked *a)
{
    bool alike = ptog_asked_same_element(a, left_of(a), right_of(a));
    if (ptog_asked_element(a, asked_out(0), ASKED_INT32) && are_both(a, ASKED_INT8))
        return true;
    if (!ptog_asked_element(a, asked_out(0), "f32"))
        return false;
    if (asked_on_a5(a) && (are_both(a, ASKED_FLOAT8) || are_both(a, "hif8")))
        return true;
    return alike && are_both(a, "f16 bf16 f32");
}

static bool have_scaled_product(const struct ptog_asked *a)
{
    return ptog_asked_element(a, asked_out(0), "f32") && (are_both(a, ASKED_FLOAT8) || are_both(a, ASKED_FLOAT4));
}

/* Elements of a type that is written like this: f8E4M3 and f8E4M3FN are one type here, and two for the compiler. */
static bool is_written(const struct ptog_asked *a, struct ptog_asked_operand operand, const char *element)
{
    const struct ptog_type *type = ptog_asked_type(a, operand);
    return type && !type->elided && strcmp(ptog_tree_text(a->e->tree, type->element.name), element) == 0;
}

/* ---- bias, and what is added to */

static bool is_sum(const struct ptog_asked *a)
{
    struct ptog_asked_operand sum = asked_in(0), out = asked_out(0);
    if (!ptog_asked_loc(a, sum, "acc"))
        return false;
    return !is_called(a, ".mx") || (ptog_asked_same_element(a, sum, out) &&
                                    asked_valid_is(a, sum, asked_valid_rows(a, out), asked_valid_cols(a, out)));
}

static bool is_bias(const struct ptog_asked *a)
{
    return ptog_asked_loc(a, bias_of(a), "bias") &&
           ptog_asked_equal(ptog_asked_field(a, bias_of(a), PTOG_FIELD_ROWS), 1) &&
           ptog_asked_same_element(a, bias_of(a), asked_out(0)) && (!asked_on_a5(a) || asked_row_major(a, bias_of(a)));
}

/* ---- scales, as the newest compiler has them: one for 32 elements of K */

#define SCALED 32 /* elements */

static bool are_scaling(const struct ptog_asked *a)
{
    return ptog_asked_loc(a, scales_of(left_of(a)), "scaling") && ptog_asked_loc(a, scales_of(right_of(a)), "scaling");
}

static bool has_scales(const struct ptog_asked *a)
{
    struct ptog_asked_operand left = left_of(a), right = right_of(a);
    int64_t parts = asked_parts(asked_valid_cols(a, left), SCALED);
    return asked_valid_is(a, scales_of(left), asked_valid_rows(a, left), parts) &&
           asked_valid_is(a, scales_of(right), parts, asked_valid_cols(a, right));
}

/* Of a product with one row, the tiles of its scales are no larger than what is valid of them. */
static bool has_room_for_scales(const struct ptog_asked *a)
{
    struct ptog_asked_operand left = left_of(a), right = right_of(a);
    int64_t m = ptog_asked_field(a, left, PTOG_FIELD_ROWS), k = ptog_asked_field(a, left, PTOG_FIELD_COLS);
    if (is_called(a, "tgemv")) {
        m = asked_valid_rows(a, left);
        k = asked_valid_cols(a, left);
    }
    return asked_extends(a, scales_of(left), m, asked_parts(k, SCALED)) &&
           asked_extends(a, scales_of(right), asked_parts(k, SCALED), ptog_asked_field(a, right, PTOG_FIELD_COLS));
}

static bool have_scales_their_layouts(const struct ptog_asked *a)
{
    struct ptog_asked_operand left = scales_of(left_of(a)), right = scales_of(right_of(a));
    return asked_laid_out(a, left, PTOG_ROW_MAJOR, PTOG_BOX_ROW_MAJOR) &&
           asked_laid_out(a, right, PTOG_COL_MAJOR, PTOG_BOX_COL_MAJOR) &&
           ptog_asked_equal(ptog_asked_field(a, left, PTOG_FIELD_FRACTAL), 32) &&
           ptog_asked_equal(ptog_asked_field(a, right, PTOG_FIELD_FRACTAL), 32);
}

static bool has_whole_steps(int64_t k)
{
    return k == PTOG_DYN || (k > 0 && k % 64 == 0);
}

/* ---- the table */

/* Of the examples: the arguments that the products share, and those that an example is about. */
#define PRODUCT(function, line, m, left, scales, right, out)                                                                                                       \
    function(                                                                                                                                                      \
        ASKED_TILE("l", left) ", " ASKED_TILE("s", scales) ", " ASKED_TILE("r", right) ", " ASKED_TILE(                                                            \
            "t",                                                                                                                                                   \
            "scaling, 2x16xf16, blayout=col_major, slayout=col_major, fractal=32") ", " ASKED_TILE("d",                                                            \
                                                                                                   out) ", " ASKED_TILE("c",                                       \
                                                                                                                        ACC(m)) ", " ASKED_TILE("b",               \
                                                                                                                                                "bias, 1x16xf32"), \
        line " outs(%d)")
#define LEFT(m, k, element) "left, " m "x" k "x" element ASKED_NZ
#define RIGHT(k, element) "right, " k "x16x" element ", slayout=col_major"
#define ACC(m) "acc, " m "x16xf32" ASKED_NZ
#define SCALES(m) "scaling, " m "x2xf16, slayout=row_major, fractal=32"

/* The whole example, of which only the elements change. */
#define GOOD_PRODUCT(function, line, m, k, left, right)                                                                \
    PRODUCT(function, line, m, LEFT(m, k, left), SCALES(m), RIGHT(k, right), ACC(m))

#define ASKS "spec/lint_products.def"
#define ASKS_NAME products
#include "lint/rule_table.h"
