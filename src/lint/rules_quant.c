/* lint: what compilers ask of quantization: to 8-bit integers, and to microscaling formats. */
#include "lint/rules_tiles.h"
#include "program/types.h"

/* ---- quantization to 8-bit integers */

static bool has_its_offset(const struct ptog_asked *a)
{
    uint32_t count = ptog_asked_count(a, PTOG_ASKED_INS);
    if (ptog_asked_word(a, "quant_type", "INT8_SYM"))
        return count == 2;
    return !ptog_asked_word(a, "quant_type", "INT8_ASYM") || count == 3;
}

static bool have_quantized_elements(const struct ptog_asked *a)
{
    return ptog_asked_element(a, asked_in(0), "f32") && ptog_asked_element(a, asked_in(2), "f32") &&
           ptog_asked_element(a, asked_out(0), ASKED_INT8) && ptog_asked_element(a, asked_out(1), "f32");
}

static bool is_tmp_of_quantization(const struct ptog_asked *a)
{
    struct ptog_asked_operand source = asked_in(0), tmp = asked_out(1);
    return asked_row_major(a, tmp) && asked_as_source(a, tmp) &&
           asked_extends(a, tmp, ptog_asked_field(a, source, PTOG_FIELD_ROWS),
                         ptog_asked_field(a, source, PTOG_FIELD_COLS));
}

/* A column with a factor, or an offset, for each row. */
static bool is_column(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    bool column = ptog_asked_equal(ptog_asked_field(a, operand, PTOG_FIELD_BLAYOUT), PTOG_COL_MAJOR);
    return column && asked_valid_is(a, operand, asked_valid_rows(a, asked_out(0)), 1);
}

static bool has_static_source(const struct ptog_asked *a)
{
    const struct ptog_type *type = ptog_asked_type(a, asked_in(0));
    if (!type || !ptog_type_is_tile(type) || type->elided)
        return true;
    return asked_valid_rows(a, asked_in(0)) != PTOG_DYN && asked_valid_cols(a, asked_in(0)) != PTOG_DYN;
}

/* ---- quantization to microscaling formats: an exponent for 32 elements of a row (axis1) or of a column (axis0) */

#define GROUP 32 /* elements */

static bool goes_down(const struct ptog_asked *a)
{
    return ptog_asked_word(a, "grpAxis", "axis0");
}

static bool is_nd(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    return ptog_asked_loc(a, operand, "vec") && asked_nd(a, operand);
}

static bool have_mx_layouts(const struct ptog_asked *a)
{
    return is_nd(a, asked_in(0)) && asked_all(a, PTOG_ASKED_OUTS, is_nd);
}

static bool have_mx_elements(const struct ptog_asked *a)
{
    struct ptog_asked_operand source = asked_in(0), out = asked_out(0);
    bool fits = ptog_asked_element(a, source, "f32 f16 bf16") && ptog_asked_element(a, asked_out(1), ASKED_INT8) &&
                ptog_asked_same_element(a, asked_out(2), source) && ptog_asked_same_element(a, asked_out(3), source) &&
                ptog_asked_element(a, asked_out(4), ASKED_INT8);
    if (ptog_asked_word(a, "quant_type", "MXFP8"))
        return fits && ptog_asked_element(a, out, ASKED_INT8);
    if (!ptog_asked_word(a, "quant_type", "MXFP4_E2M1"))
        return fits;
    return fits && ptog_asked_element(a, source, "f16 bf16") && ptog_asked_element(a, out, "!pto.f4E2M1x2");
}

static bool has_whole_groups(const struct ptog_asked *a)
{
    int64_t extent = goes_down(a) ? asked_valid_rows(a, asked_in(0)) : asked_valid_cols(a, asked_in(0));
    return extent == PTOG_DYN || (extent > 0 && extent % GROUP == 0);
}

/* One element for each group: in the shape of the groups, or along axis1 all in one row. */
static bool has_groups(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    int64_t rows = asked_valid_rows(a, asked_in(0)), cols = asked_valid_cols(a, asked_in(0));
    if (rows == PTOG_DYN || cols == PTOG_DYN || !has_whole_groups(a))
        return true;
    if (goes_down(a))
        return asked_valid_is(a, operand, rows / GROUP, cols);
    uint64_t groups = (uint64_t)rows * (uint64_t)(cols / GROUP);
    return asked_valid_is(a, operand, rows, cols / GROUP) ||
           (asked_valid_rows(a, operand) == 1 && (uint64_t)asked_valid_cols(a, operand) == groups);
}

static bool fits_groups(const struct ptog_asked *a)
{
    bool woven = ptog_asked_word(a, "interleave", "true");
    return has_groups(a, asked_out(2)) && has_groups(a, asked_out(3)) && (woven || has_groups(a, asked_out(1)));
}

static bool keeps_extents(const struct ptog_asked *a)
{
    int64_t rows = asked_valid_rows(a, asked_in(0)), cols = asked_valid_cols(a, asked_in(0));
    if (cols != PTOG_DYN && ptog_asked_word(a, "quant_type", "MXFP4_E2M1"))
        return asked_valid_is(a, asked_out(0), rows, cols / 2); /* an element of fp4 is two */
    return !ptog_asked_word(a, "quant_type", "MXFP8") || asked_valid_is(a, asked_out(0), rows, cols);
}

#define ASKS "spec/lint_quant.def"
#define ASKS_NAME quant
#include "lint/rule_table.h"
