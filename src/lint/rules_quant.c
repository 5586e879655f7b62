/* lint: what compilers require of quantization: to 8-bit integers, and to microscaling formats. */
#include "asm/insn_words.h"
#include "asm/types.h"
#include "lint/rules_tiles.h"

/* ---- quantization to 8-bit integers */

static bool is_tmp_of_quantization(const struct ptog_lint_ctx *ctx)
{
    struct ptog_lint_operand source = lint_in(0), tmp = lint_out(1);
    return lint_row_major(ctx, tmp) && lint_as_source(ctx, tmp) &&
           lint_extends(ctx, tmp, ptog_lint_field(ctx, source, PTOG_FIELD_ROWS),
                        ptog_lint_field(ctx, source, PTOG_FIELD_COLS));
}

static bool has_static_source(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_type *type = ptog_lint_type(ctx, lint_in(0));
    if (!type || !ptog_type_is_tile(type) || type->elided)
        return true;
    return lint_valid_rows(ctx, lint_in(0)) != PTOG_DYN && lint_valid_cols(ctx, lint_in(0)) != PTOG_DYN;
}

/* ---- quantization to microscaling formats: an exponent for 32 elements of a row (axis1) or of a column (axis0) */

#define GROUP 32 /* elements */

static bool goes_down(const struct ptog_lint_ctx *ctx)
{
    return ptog_lint_word(ctx, "grpAxis", "axis0");
}

static bool is_nd(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    return ptog_lint_loc(ctx, operand, "vec") && lint_nd(ctx, operand);
}

static bool have_mx_layouts(const struct ptog_lint_ctx *ctx)
{
    return is_nd(ctx, lint_in(0)) && lint_all(ctx, PTOG_LINT_OUTS, is_nd);
}

/* Whether the element types of source, result and scales belong together for the quant_type that is written. */
static bool have_mx_elements(const struct ptog_lint_ctx *ctx)
{
    struct ptog_lint_operand source = lint_in(0), out = lint_out(0);
    bool fits = ptog_lint_element(ctx, source, "f32 f16 bf16") && ptog_lint_element(ctx, lint_out(1), LINT_INT8) &&
                ptog_lint_same_element(ctx, lint_out(2), source) && ptog_lint_same_element(ctx, lint_out(3), source) &&
                ptog_lint_element(ctx, lint_out(4), LINT_INT8);
    if (ptog_lint_word(ctx, "quant_type", "MXFP8"))
        return fits && ptog_lint_element(ctx, out, LINT_INT8);
    if (!ptog_lint_word(ctx, "quant_type", "MXFP4_E2M1"))
        return fits;
    return fits && ptog_lint_element(ctx, source, "f16 bf16") && ptog_lint_element(ctx, out, "f4e2m1x2");
}

static bool has_whole_groups(const struct ptog_lint_ctx *ctx)
{
    int64_t extent = goes_down(ctx) ? lint_valid_rows(ctx, lint_in(0)) : lint_valid_cols(ctx, lint_in(0));
    return extent == PTOG_DYN || (extent > 0 && extent % GROUP == 0);
}

/* One element for each group: in the shape of the groups, or along axis1 all in one row. */
static bool has_groups(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    int64_t rows = lint_valid_rows(ctx, lint_in(0)), cols = lint_valid_cols(ctx, lint_in(0));
    if (rows == PTOG_DYN || cols == PTOG_DYN || !has_whole_groups(ctx))
        return true;
    if (goes_down(ctx))
        return lint_valid_is(ctx, operand, rows / GROUP, cols);
    uint64_t groups = (uint64_t)rows * (uint64_t)(cols / GROUP);
    return lint_valid_is(ctx, operand, rows, cols / GROUP) ||
           (lint_valid_rows(ctx, operand) == 1 && (uint64_t)lint_valid_cols(ctx, operand) == groups);
}

static bool fits_groups(const struct ptog_lint_ctx *ctx)
{
    bool woven = ptog_lint_word(ctx, "interleave", "true");
    return has_groups(ctx, lint_out(2)) && has_groups(ctx, lint_out(3)) && (woven || has_groups(ctx, lint_out(1)));
}

static bool keeps_extents(const struct ptog_lint_ctx *ctx)
{
    int64_t rows = lint_valid_rows(ctx, lint_in(0)), cols = lint_valid_cols(ctx, lint_in(0));
    if (cols != PTOG_DYN && ptog_lint_word(ctx, "quant_type", "MXFP4_E2M1"))
        return lint_valid_is(ctx, lint_out(0), rows, cols / 2); /* an element of fp4 is two */
    return !ptog_lint_word(ctx, "quant_type", "MXFP8") || lint_valid_is(ctx, lint_out(0), rows, cols);
}

#define LINT_TABLE "spec/lint_quant.def"
#define LINT_NAME quant
#include "lint/rule_table.h"
