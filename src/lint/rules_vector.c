/* lint: what compilers require of tile operations of the vector core that are not simulated: histograms, quantization,
 * sorts; and of those that the newest compiler has no longer. */
#include <string.h>

#include "asm/types.h"
#include "lint/rules_tiles.h"

static bool is_in_vec(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    return ptog_lint_loc(ctx, operand, "vec");
}

static bool are_in_vec(const struct ptog_lint_ctx *ctx)
{
    return lint_all(ctx, PTOG_LINT_INS, is_in_vec) && lint_all(ctx, PTOG_LINT_OUTS, is_in_vec);
}

static bool are_alike(const struct ptog_lint_ctx *ctx)
{
    return lint_all(ctx, PTOG_LINT_INS, lint_as_source) && lint_all(ctx, PTOG_LINT_OUTS, lint_as_source);
}

/* ---- histograms: the byte of an element that is counted, and for 32-bit elements filters of the bytes above it */

static int64_t legacy_byte(const struct ptog_lint_ctx *ctx)
{
    return ptog_lint_word(ctx, "isMSB", "true");
}

static int64_t byte_of(const struct ptog_lint_ctx *ctx)
{
    if (ptog_lint_key(ctx, "byte"))
        return ptog_lint_value(ctx, "byte");
    return ptog_lint_key(ctx, "isMSB") ? legacy_byte(ctx) : 1;
}

static bool says_one_byte(const struct ptog_lint_ctx *ctx)
{
    return !ptog_lint_key(ctx, "byte") || !ptog_lint_key(ctx, "isMSB") || byte_of(ctx) == legacy_byte(ctx);
}

static bool counts_16_bits(const struct ptog_lint_ctx *ctx)
{
    return lint_is_of(ctx, lint_in(0), LINT_INT16);
}

static bool has_that_byte(const struct ptog_lint_ctx *ctx)
{
    return !counts_16_bits(ctx) || byte_of(ctx) < 2 || byte_of(ctx) > 3;
}

static bool have_counted_elements(const struct ptog_lint_ctx *ctx)
{
    return ptog_lint_element(ctx, lint_in(0), LINT_INT16 " " LINT_INT32) &&
           ptog_lint_element(ctx, lint_in(1), LINT_INT8) && ptog_lint_element(ctx, lint_out(0), LINT_INT32);
}

static bool have_counted_layouts(const struct ptog_lint_ctx *ctx)
{
    bool filter = true;
    if (counts_16_bits(ctx))
        filter = lint_dn(ctx, lint_in(1));
    else if (lint_is_of(ctx, lint_in(0), LINT_INT32) && byte_of(ctx) != 3)
        filter = lint_nd(ctx, lint_in(1));
    return lint_nd(ctx, lint_in(0)) && lint_nd(ctx, lint_out(0)) && filter;
}

static bool fits_filter(const struct ptog_lint_ctx *ctx)
{
    struct ptog_lint_operand source = lint_in(0), filter = lint_in(1);
    int64_t byte = byte_of(ctx), rows = ptog_lint_field(ctx, filter, PTOG_FIELD_ROWS);
    if (counts_16_bits(ctx))
        return lint_extends(ctx, filter, ptog_lint_field(ctx, source, PTOG_FIELD_ROWS), 1) &&
               ptog_lint_equal(lint_valid_rows(ctx, filter), lint_valid_rows(ctx, source));
    if (byte < 0 || byte > 2 || !lint_is_of(ctx, source, LINT_INT32))
        return true;
    return lint_extends(ctx, filter, 3 - byte, ptog_lint_field(ctx, source, PTOG_FIELD_COLS)) &&
           (lint_valid_rows(ctx, filter) == 0 || ptog_lint_equal(lint_valid_rows(ctx, filter), rows)) &&
           ptog_lint_equal(lint_valid_cols(ctx, filter), lint_valid_cols(ctx, source));
}

static bool has_room_for_counts(const struct ptog_lint_ctx *ctx)
{
    struct ptog_lint_operand source = lint_in(0), counts = lint_out(0);
    return ptog_lint_equal(ptog_lint_field(ctx, counts, PTOG_FIELD_ROWS),
                           ptog_lint_field(ctx, source, PTOG_FIELD_ROWS)) &&
           ptog_lint_equal(lint_valid_rows(ctx, counts), lint_valid_rows(ctx, source)) &&
           ptog_lint_covers(ptog_lint_field(ctx, counts, PTOG_FIELD_COLS), 256) &&
           (lint_valid_cols(ctx, counts) == 0 || ptog_lint_covers(lint_valid_cols(ctx, counts), 256));
}

/* ---- sorts: one list whose parts are merged, or two to four lists, and a tmp after them */

static bool is_tile(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    const struct ptog_type *type = ptog_lint_type(ctx, operand);
    return type && ptog_type_is_tile(type);
}

static uint32_t lists_and_tmp(const struct ptog_lint_ctx *ctx)
{
    uint32_t count = 0;
    while (count < ptog_lint_count(ctx, PTOG_LINT_INS) && is_tile(ctx, lint_in(count)))
        count++;
    return count;
}

/* The tmp is the last tile, unless the word no_tmp stands there. */
static bool has_tmp(const struct ptog_lint_ctx *ctx)
{
    uint32_t count = lists_and_tmp(ctx);
    bool none = count < ptog_lint_count(ctx, PTOG_LINT_INS) && ctx->op->ins->items[count].kind == PTOG_ITEM_WORD;
    return count > 2 && !none;
}

static bool is_sorted_row(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    return ptog_lint_equal(ptog_lint_field(ctx, operand, PTOG_FIELD_ROWS), 1);
}

static bool is_of_sorted_type(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    return !is_tile(ctx, operand) || ptog_lint_same_element(ctx, operand, lint_out(0));
}

static bool have_sorted_elements(const struct ptog_lint_ctx *ctx)
{
    return ptog_lint_element(ctx, lint_out(0), "f16 f32") && lint_all(ctx, PTOG_LINT_INS, is_of_sorted_type);
}

static bool are_rows(const struct ptog_lint_ctx *ctx)
{
    return lint_all(ctx, PTOG_LINT_INS, is_sorted_row) && is_sorted_row(ctx, lint_out(0));
}

static int64_t sorted_cols(const struct ptog_lint_ctx *ctx)
{
    int64_t sum = 0;
    uint32_t count = lists_and_tmp(ctx);
    for (uint32_t i = 0; i + 1 < count; i++) {
        int64_t cols = ptog_lint_field(ctx, lint_in(i), PTOG_FIELD_COLS);
        if (cols < 0 || sum > INT64_MAX - cols)
            return PTOG_DYN;
        sum += cols;
    }
    return sum;
}

static int64_t tmp_cols(const struct ptog_lint_ctx *ctx)
{
    return has_tmp(ctx) ? ptog_lint_field(ctx, lint_in(lists_and_tmp(ctx) - 1), PTOG_FIELD_COLS) : PTOG_DYN;
}

static bool keeps_length(const struct ptog_lint_ctx *ctx)
{
    return lists_and_tmp(ctx) != 1 || ptog_lint_equal(ptog_lint_field(ctx, lint_in(0), PTOG_FIELD_COLS),
                                                      ptog_lint_field(ctx, lint_out(0), PTOG_FIELD_COLS));
}

static bool has_whole_parts(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_item *item = ptog_lint_count(ctx, PTOG_LINT_INS) == 2 ? &ctx->op->ins->items[1] : NULL;
    const struct ptog_value *value = NULL;
    if (item && item->kind == PTOG_ITEM_VALUE)
        value = ptog_lint_named(ctx, item->name);
    if (!value || value->kind != PTOG_VALUE_NUMBER || !value->number.known)
        return true;
    return value->number.value > 0 && value->number.value % 64 == 0;
}

/* ---- the addresses of scales: one for so many elements */

#define SCALED 32

static bool has_room_for_scales(const struct ptog_lint_ctx *ctx)
{
    struct ptog_lint_operand matrix = lint_in(0), scales = lint_out(0);
    int64_t rows = lint_valid_rows(ctx, matrix), cols = lint_valid_cols(ctx, matrix);
    if (ptog_lint_loc(ctx, matrix, "left"))
        return lint_extends(ctx, scales, ptog_lint_field(ctx, matrix, PTOG_FIELD_ROWS), lint_parts(cols, SCALED)) &&
               lint_valid_is(ctx, scales, rows, lint_parts(cols, SCALED));
    return lint_extends(ctx, scales, lint_parts(rows, SCALED), ptog_lint_field(ctx, matrix, PTOG_FIELD_COLS)) &&
           lint_valid_is(ctx, scales, lint_parts(rows, SCALED), cols);
}

/* ---- the table */

#define LINT_TABLE "spec/lint_vector.def"
#define LINT_NAME vector
#include "lint/rule_table.h"
