/* lint: what compilers ask of tile operations of the vector core that are not modelled: histograms, quantization,
 * sorts; and of those that the newest compiler has no longer. */
#include <string.h>

#include "lint/rules_tiles.h"
#include "program/scope.h"
#include "program/types.h"

static bool is_in_vec(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    return ptog_asked_loc(a, operand, "vec");
}

static bool are_in_vec(const struct ptog_asked *a)
{
    return asked_all(a, PTOG_ASKED_INS, is_in_vec) && asked_all(a, PTOG_ASKED_OUTS, is_in_vec);
}

static bool are_alike(const struct ptog_asked *a)
{
    return asked_all(a, PTOG_ASKED_INS, asked_as_source) && asked_all(a, PTOG_ASKED_OUTS, asked_as_source);
}

/* ---- histograms: the byte of an element that is counted, and for 32-bit elements filters of the bytes above it */

static int64_t legacy_byte(const struct ptog_asked *a)
{
    return ptog_asked_word(a, "isMSB", "true");
}

static int64_t byte_of(const struct ptog_asked *a)
{
    if (ptog_asked_key(a, "byte"))
        return ptog_asked_value(a, "byte");
    return ptog_asked_key(a, "isMSB") ? legacy_byte(a) : 1;
}

static bool says_one_byte(const struct ptog_asked *a)
{
    return !ptog_asked_key(a, "byte") || !ptog_asked_key(a, "isMSB") || byte_of(a) == legacy_byte(a);
}

static bool counts_16_bits(const struct ptog_asked *a)
{
    return asked_is_of(a, asked_in(0), ASKED_INT16);
}

static bool has_that_byte(const struct ptog_asked *a)
{
    return !counts_16_bits(a) || byte_of(a) < 2 || byte_of(a) > 3;
}

static bool have_counted_elements(const struct ptog_asked *a)
{
    return ptog_asked_element(a, asked_in(0), ASKED_INT16 " " ASKED_INT32) &&
           ptog_asked_element(a, asked_in(1), ASKED_INT8) && ptog_asked_element(a, asked_out(0), ASKED_INT32);
}

static bool have_counted_layouts(const struct ptog_asked *a)
{
    bool filter = true;
    if (counts_16_bits(a))
        filter = asked_dn(a, asked_in(1));
    else if (asked_is_of(a, asked_in(0), ASKED_INT32) && byte_of(a) != 3)
        filter = asked_nd(a, asked_in(1));
    return asked_nd(a, asked_in(0)) && asked_nd(a, asked_out(0)) && filter;
}

static bool fits_filter(const struct ptog_asked *a)
{
    struct ptog_asked_operand source = asked_in(0), filter = asked_in(1);
    int64_t byte = byte_of(a), rows = ptog_asked_field(a, filter, PTOG_FIELD_ROWS);
    if (counts_16_bits(a))
        return asked_extends(a, filter, ptog_asked_field(a, source, PTOG_FIELD_ROWS), 1) &&
               ptog_asked_equal(asked_valid_rows(a, filter), asked_valid_rows(a, source));
    if (byte < 0 || byte > 2 || !asked_is_of(a, source, ASKED_INT32))
        return true;
    return asked_extends(a, filter, 3 - byte, ptog_asked_field(a, source, PTOG_FIELD_COLS)) &&
           (asked_valid_rows(a, filter) == 0 || ptog_asked_equal(asked_valid_rows(a, filter), rows)) &&
           ptog_asked_equal(asked_valid_cols(a, filter), asked_valid_cols(a, source));
}

static bool has_room_for_counts(const struct ptog_asked *a)
{
    struct ptog_asked_operand source = asked_in(0), counts = asked_out(0);
    return ptog_asked_equal(ptog_asked_field(a, counts, PTOG_FIELD_ROWS),
                            ptog_asked_field(a, source, PTOG_FIELD_ROWS)) &&
           ptog_asked_equal(asked_valid_rows(a, counts), asked_valid_rows(a, source)) &&
           ptog_asked_covers(ptog_asked_field(a, counts, PTOG_FIELD_COLS), 256) &&
           (asked_valid_cols(a, counts) == 0 || ptog_asked_covers(asked_valid_cols(a, counts), 256));
}

/* ---- sorts: one list whose parts are merged, or two to four lists, and a tmp after them */

static bool is_tile(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    const struct ptog_type *type = ptog_asked_type(a, operand);
    return type && ptog_type_is_tile(type);
}

static uint32_t lists_and_tmp(const struct ptog_asked *a)
{
    uint32_t count = 0;
    while (count < ptog_asked_count(a, PTOG_ASKED_INS) && is_tile(a, asked_in(count)))
        count++;
    return count;
}

/* The tmp is the last tile, unless the word no_tmp stands there. */
static bool has_tmp(const struct ptog_asked *a)
{
    uint32_t count = lists_and_tmp(a);
    bool none = count < ptog_asked_count(a, PTOG_ASKED_INS) && a->op->ins->items[count].kind == PTOG_ITEM_WORD;
    return count > 2 && !none;
}

static bool is_sorted_row(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    return ptog_asked_equal(ptog_asked_field(a, operand, PTOG_FIELD_ROWS), 1);
}

static bool is_of_sorted_type(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    return !is_tile(a, operand) || ptog_asked_same_element(a, operand, asked_out(0));
}

static bool have_sorted_elements(const struct ptog_asked *a)
{
    return ptog_asked_element(a, asked_out(0), "f16 f32") && asked_all(a, PTOG_ASKED_INS, is_of_sorted_type);
}

static bool are_rows(const struct ptog_asked *a)
{
    return asked_all(a, PTOG_ASKED_INS, is_sorted_row) && is_sorted_row(a, asked_out(0));
}

static int64_t sorted_cols(const struct ptog_asked *a)
{
    int64_t sum = 0;
    uint32_t count = lists_and_tmp(a);
    for (uint32_t i = 0; i + 1 < count; i++) {
        int64_t cols = ptog_asked_field(a, asked_in(i), PTOG_FIELD_COLS);
        if (cols < 0 || sum > INT64_MAX - cols)
            return PTOG_DYN;
        sum += cols;
    }
    return sum;
}

static int64_t tmp_cols(const struct ptog_asked *a)
{
    return has_tmp(a) ? ptog_asked_field(a, asked_in(lists_and_tmp(a) - 1), PTOG_FIELD_COLS) : PTOG_DYN;
}

static bool keeps_length(const struct ptog_asked *a)
{
    return lists_and_tmp(a) != 1 || ptog_asked_equal(ptog_asked_field(a, asked_in(0), PTOG_FIELD_COLS),
                                                     ptog_asked_field(a, asked_out(0), PTOG_FIELD_COLS));
}

static bool has_whole_parts(const struct ptog_asked *a)
{
    const struct ptog_item *item = ptog_asked_count(a, PTOG_ASKED_INS) == 2 ? &a->op->ins->items[1] : NULL;
    const struct ptog_value *value = NULL;
    if (item && item->kind == PTOG_ITEM_VALUE)
        value = ptog_value_named(a->e, item->name);
    if (!value || value->kind != PTOG_VALUE_NUMBER || !value->number.known)
        return true;
    return value->number.value > 0 && value->number.value % 64 == 0;
}

/* ---- the addresses of scales: one for so many elements */

#define SCALED 32

static bool has_room_for_scales(const struct ptog_asked *a)
{
    struct ptog_asked_operand matrix = asked_in(0), scales = asked_out(0);
    int64_t rows = asked_valid_rows(a, matrix), cols = asked_valid_cols(a, matrix);
    if (ptog_asked_loc(a, matrix, "left"))
        return asked_extends(a, scales, ptog_asked_field(a, matrix, PTOG_FIELD_ROWS), asked_parts(cols, SCALED)) &&
               asked_valid_is(a, scales, rows, asked_parts(cols, SCALED));
    return asked_extends(a, scales, asked_parts(rows, SCALED), ptog_asked_field(a, matrix, PTOG_FIELD_COLS)) &&
           asked_valid_is(a, scales, asked_parts(rows, SCALED), cols);
}

/* ---- the table */

#define ASKS "spec/lint_vector.def"
#define ASKS_NAME vector
#include "lint/rule_table.h"
