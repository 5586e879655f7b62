/* lint: what compilers ask of transfers, copies and fills of the cube core, and of conversions, where they are not
 * modelled. */
#include <string.h>

#include "lint/rules_tiles.h"
#include "program/types.h"

/* ---- what is scaled on its way out of acc: by a number, or by a tile of numbers after the word fp */

static bool is_scale_tile(const struct ptog_asked *a, uint32_t n)
{
    const struct ptog_item *item = &a->op->ins->items[n];
    return (item->lead & PTOG_LEAD_WORD) && strcmp(ptog_tree_text(a->e->tree, item->lead_word), "fp") == 0;
}

/* The place of the tile of numbers among ins; their count when there is none. */
static uint32_t scale_tile(const struct ptog_asked *a)
{
    uint32_t n = 0, count = ptog_asked_count(a, PTOG_ASKED_INS);
    while (n < count && !is_scale_tile(a, n))
        n++;
    return n;
}

/* `others` operands stand before the number. */
static bool is_scaled(const struct ptog_asked *a, uint32_t others)
{
    return ptog_asked_count(a, PTOG_ASKED_INS) > others;
}

static bool has_relu(const struct ptog_asked *a)
{
    return ptog_asked_key(a, "reluPreMode") && !ptog_asked_word(a, "reluPreMode", "no_relu");
}

/* ---- layouts */

static bool is_known_layout(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    return asked_nd(a, operand) || asked_dn(a, operand) || asked_nz(a, operand);
}

static bool is_thin(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    return ptog_asked_field(a, operand, PTOG_FIELD_ROWS) == 1 || ptog_asked_field(a, operand, PTOG_FIELD_COLS) == 1;
}

/* ---- stores */

static bool has_scale_tile(const struct ptog_asked *a)
{
    return scale_tile(a) < ptog_asked_count(a, PTOG_ASKED_INS);
}

/* What f32, and what i32, becomes on its way out of acc; a list that is NULL: nothing. */
static bool becomes(const struct ptog_asked *a, const char *of_f32, const char *of_i32)
{
    bool real = ptog_asked_element(a, asked_in(0), "f32"), whole = ptog_asked_element(a, asked_in(0), ASKED_INT32);
    return (real && ptog_asked_element(a, asked_out(0), of_f32)) ||
           (whole && of_i32 && ptog_asked_element(a, asked_out(0), of_i32));
}

/* A store of other elements than these two is said to be one already. */
static bool is_stored_number(const struct ptog_asked *a)
{
    return asked_is_in(a, asked_in(0), PTOG_ACC) && ptog_asked_element(a, asked_in(0), "f32 " ASKED_INT32) &&
           !has_scale_tile(a);
}

static bool is_stored(const struct ptog_asked *a, bool scaled, const char *of_f32, const char *of_i32)
{
    return !is_stored_number(a) || is_scaled(a, 1) != scaled || becomes(a, of_f32, of_i32);
}

/* The elements of a view; PTOG_DYN when they are not known, or none. */
static int64_t elements_of(const struct ptog_type *type)
{
    int64_t elements = 1;
    bool view = type && (type->kind == PTOG_TYPE_PARTITION_VIEW || type->kind == PTOG_TYPE_TENSOR_VIEW);
    for (uint32_t i = 0; view && i < type->rank; i++) {
        int64_t extent = type->dims[i].value;
        if (type->dims[i].name != 0 || extent <= 0 || elements > INT64_MAX / extent)
            return PTOG_DYN;
        elements *= extent;
    }
    return view && type->rank > 0 ? elements : PTOG_DYN;
}

static bool stores_all(const struct ptog_asked *a)
{
    int64_t rows = asked_valid_rows(a, asked_in(0)), cols = asked_valid_cols(a, asked_in(0));
    bool known = rows > 0 && cols > 0 && rows <= INT64_MAX / cols;
    if (!known || has_scale_tile(a))
        return true;
    return ptog_asked_equal(rows * cols, elements_of(ptog_asked_type(a, asked_out(0))));
}

/* ---- parts of tiles: tinsert and textract */

#define PART_OPERANDS 3 /* the source, and where the part is */

static bool is_from_acc(const struct ptog_asked *a)
{
    return asked_is_in(a, asked_in(0), PTOG_ACC);
}

static bool may_be_from_acc(const struct ptog_asked *a)
{
    return ptog_asked_loc(a, asked_in(0), "acc");
}

static bool is_taken_out(const struct ptog_asked *a, bool scaled, const char *of_f32, const char *of_i32)
{
    return !is_from_acc(a) || is_scaled(a, PART_OPERANDS) != scaled || becomes(a, of_f32, of_i32);
}

/* From acc, in NZ; into L1 as well, and into vec without boxes, where tinsert knows NZ, too. */
static bool has_acc_layouts(const struct ptog_asked *a, bool nz_in_vec)
{
    struct ptog_asked_operand to = asked_out(0);
    if (!is_from_acc(a))
        return true;
    if (ptog_asked_loc(a, to, "vec"))
        return asked_nz(a, asked_in(0)) && (asked_nd(a, to) || (nz_in_vec && asked_nz(a, to)));
    return asked_nz(a, asked_in(0)) && asked_nz(a, to);
}

static bool has_l1_layouts(const struct ptog_asked *a)
{
    bool into_l1 = ptog_asked_loc(a, asked_in(0), "vec") && ptog_asked_loc(a, asked_out(0), "mat");
    return !into_l1 || (asked_nz(a, asked_out(0)) && (asked_nd(a, asked_in(0)) || asked_nz(a, asked_in(0))));
}

/* From L1: what is laid out in columns has rows in its boxes, and what A5 brings to right is boxed. */
static bool has_l0_layouts(const struct ptog_asked *a)
{
    struct ptog_asked_operand from = asked_in(0), to = asked_out(0);
    bool boxed = asked_laid_out(a, from, PTOG_ROW_MAJOR, PTOG_BOX_COL_MAJOR) || asked_nz(a, from);
    if (!ptog_asked_loc(a, from, "mat"))
        return true;
    if (asked_on_a5(a) && ptog_asked_loc(a, to, "right scaling") && !boxed)
        return false;
    if (!asked_row_major(a, from) && !asked_nz(a, from))
        return false;
    if (ptog_asked_loc(a, to, "left"))
        return ptog_asked_equal(ptog_asked_field(a, to, PTOG_FIELD_SLAYOUT), PTOG_BOX_ROW_MAJOR);
    return !ptog_asked_loc(a, to, "right") || asked_laid_out(a, to, PTOG_ROW_MAJOR, PTOG_BOX_COL_MAJOR);
}

static bool goes(const struct ptog_asked *a, const char *from, const char *to)
{
    return ptog_asked_loc(a, asked_in(0), from) && ptog_asked_loc(a, asked_out(0), to);
}

/* ---- fills */

/* In L1 a fill changes nothing but bytes: both tiles have one type, also what of it is valid. */
static bool are_one_type(const struct ptog_asked *a)
{
    const struct ptog_type *from = ptog_asked_type(a, asked_in(0)), *to = ptog_asked_type(a, asked_out(0));
    if (!from || !to || !ptog_type_is_tile(from) || !ptog_type_is_tile(to) || from->elided || to->elided)
        return true;
    for (int i = 0; i < PTOG_FIELD_COUNT; i++) {
        bool named = from->field[i].name != 0 || to->field[i].name != 0;
        if (!named && i != PTOG_FIELD_DTYPE && from->field[i].value != to->field[i].value)
            return false;
    }
    return ptog_asked_same_element(a, asked_in(0), asked_out(0));
}

/* ---- conversions */

/* Elements of fp4 are two, side by side in a row or, col_major, in a column. */
static int64_t extent_of(const struct ptog_asked *a, struct ptog_asked_operand operand, enum ptog_tile_field field,
                         bool along_rows)
{
    int64_t extent = ptog_asked_field(a, operand, field);
    bool packed = asked_is_of(a, operand, ASKED_FLOAT4);
    if (extent == PTOG_DYN || extent > INT64_MAX / 2 || !packed || along_rows != asked_row_major(a, operand))
        return extent;
    return extent * 2;
}

static bool converts_all(const struct ptog_asked *a)
{
    static const struct {
        enum ptog_tile_field field;
        bool along_rows;
    } extents[] = {
        {PTOG_FIELD_ROWS, false}, {PTOG_FIELD_COLS, true}, {PTOG_FIELD_V_ROW, false}, {PTOG_FIELD_V_COL, true}};
    for (size_t i = 0; i < sizeof extents / sizeof extents[0]; i++)
        if (!ptog_asked_equal(extent_of(a, asked_in(0), extents[i].field, extents[i].along_rows),
                              extent_of(a, asked_out(0), extents[i].field, extents[i].along_rows)))
            return false;
    return true;
}

#define ASKS "spec/lint_cube.def"
#define ASKS_NAME cube
#include "lint/rule_table.h"
