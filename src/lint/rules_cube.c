/* lint: what compilers require of transfers, copies and fills of the cube core, and of conversions, where they are not
 * modelled. */
#include <string.h>

#include "asm/insn_words.h"
#include "asm/types.h"
#include "lint/rules_tiles.h"

/* ---- what is scaled on its way out of acc: by a number, or by a tile of numbers after the word fp */

static bool is_scale_tile(const struct ptog_lint_ctx *ctx, uint32_t n)
{
    const struct ptog_item *item = &ctx->op->ins->items[n];
    return (item->lead & PTOG_LEAD_WORD) && item->lead_word == PTOG_WORD_fp;
}

/* The place of the tile of numbers among ins; their count when there is none. */
static uint32_t scale_tile(const struct ptog_lint_ctx *ctx)
{
    uint32_t n = 0, count = ptog_lint_count(ctx, PTOG_LINT_INS);
    while (n < count && !is_scale_tile(ctx, n))
        n++;
    return n;
}

/* `others` operands stand before the number. */
static bool is_scaled(const struct ptog_lint_ctx *ctx, uint32_t others)
{
    return ptog_lint_count(ctx, PTOG_LINT_INS) > others;
}

static bool has_relu(const struct ptog_lint_ctx *ctx)
{
    return ptog_lint_key(ctx, "reluPreMode") && !ptog_lint_word(ctx, "reluPreMode", "no_relu");
}

/* ---- layouts */

static bool is_known_layout(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    return lint_nd(ctx, operand) || lint_dn(ctx, operand) || lint_nz(ctx, operand);
}

static bool is_thin(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    return ptog_lint_field(ctx, operand, PTOG_FIELD_ROWS) == 1 || ptog_lint_field(ctx, operand, PTOG_FIELD_COLS) == 1;
}

/* ---- stores */

static bool has_scale_tile(const struct ptog_lint_ctx *ctx)
{
    return scale_tile(ctx) < ptog_lint_count(ctx, PTOG_LINT_INS);
}

/* What f32, and what i32, becomes on its way out of acc; a list that is NULL: nothing. */
static bool becomes(const struct ptog_lint_ctx *ctx, const char *of_f32, const char *of_i32)
{
    bool real = ptog_lint_element(ctx, lint_in(0), "f32"), whole = ptog_lint_element(ctx, lint_in(0), LINT_INT32);
    return (real && ptog_lint_element(ctx, lint_out(0), of_f32)) ||
           (whole && of_i32 && ptog_lint_element(ctx, lint_out(0), of_i32));
}

/* A store of other elements than these two is said to be one already. */
static bool is_stored_number(const struct ptog_lint_ctx *ctx)
{
    return lint_is_in(ctx, lint_in(0), PTOG_ACC) && ptog_lint_element(ctx, lint_in(0), "f32 " LINT_INT32) &&
           !has_scale_tile(ctx);
}

static bool is_stored(const struct ptog_lint_ctx *ctx, bool scaled, const char *of_f32, const char *of_i32)
{
    return !is_stored_number(ctx) || is_scaled(ctx, 1) != scaled || becomes(ctx, of_f32, of_i32);
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

static bool stores_all(const struct ptog_lint_ctx *ctx)
{
    int64_t rows = lint_valid_rows(ctx, lint_in(0)), cols = lint_valid_cols(ctx, lint_in(0));
    bool known = rows > 0 && cols > 0 && rows <= INT64_MAX / cols;
    if (!known || has_scale_tile(ctx))
        return true;
    return ptog_lint_equal(rows * cols, elements_of(ptog_lint_type(ctx, lint_out(0))));
}

/* ---- parts of tiles: tinsert and textract */

#define PART_OPERANDS 3 /* the source, and where the part is */

static bool is_from_acc(const struct ptog_lint_ctx *ctx)
{
    return lint_is_in(ctx, lint_in(0), PTOG_ACC);
}

static bool may_be_from_acc(const struct ptog_lint_ctx *ctx)
{
    return ptog_lint_loc(ctx, lint_in(0), "acc");
}

static bool is_taken_out(const struct ptog_lint_ctx *ctx, bool scaled, const char *of_f32, const char *of_i32)
{
    return !is_from_acc(ctx) || is_scaled(ctx, PART_OPERANDS) != scaled || becomes(ctx, of_f32, of_i32);
}

/* From acc, in NZ; into L1 as well, and into vec without boxes, where tinsert knows NZ, too. */
static bool has_acc_layouts(const struct ptog_lint_ctx *ctx, bool nz_in_vec)
{
    struct ptog_lint_operand to = lint_out(0);
    if (!is_from_acc(ctx))
        return true;
    if (ptog_lint_loc(ctx, to, "vec"))
        return lint_nz(ctx, lint_in(0)) && (lint_nd(ctx, to) || (nz_in_vec && lint_nz(ctx, to)));
    return lint_nz(ctx, lint_in(0)) && lint_nz(ctx, to);
}

static bool has_l1_layouts(const struct ptog_lint_ctx *ctx)
{
    bool into_l1 = ptog_lint_loc(ctx, lint_in(0), "vec") && ptog_lint_loc(ctx, lint_out(0), "mat");
    return !into_l1 || (lint_nz(ctx, lint_out(0)) && (lint_nd(ctx, lint_in(0)) || lint_nz(ctx, lint_in(0))));
}

/* From L1: what is laid out in columns has rows in its boxes, and what A5 brings to right is boxed. */
static bool has_l0_layouts(const struct ptog_lint_ctx *ctx)
{
    struct ptog_lint_operand from = lint_in(0), to = lint_out(0);
    bool boxed = lint_laid_out(ctx, from, PTOG_ROW_MAJOR, PTOG_BOX_COL_MAJOR) || lint_nz(ctx, from);
    if (!ptog_lint_loc(ctx, from, "mat"))
        return true;
    if (lint_on_a5(ctx) && ptog_lint_loc(ctx, to, "right scaling") && !boxed)
        return false;
    if (!lint_row_major(ctx, from) && !lint_nz(ctx, from))
        return false;
    if (ptog_lint_loc(ctx, to, "left"))
        return ptog_lint_equal(ptog_lint_field(ctx, to, PTOG_FIELD_SLAYOUT), PTOG_BOX_ROW_MAJOR);
    return !ptog_lint_loc(ctx, to, "right") || lint_laid_out(ctx, to, PTOG_ROW_MAJOR, PTOG_BOX_COL_MAJOR);
}

/* Whether the instruction moves from one memory to another. */
static bool goes(const struct ptog_lint_ctx *ctx, const char *from, const char *to)
{
    return ptog_lint_loc(ctx, lint_in(0), from) && ptog_lint_loc(ctx, lint_out(0), to);
}

/* ---- fills */

/* In L1 a fill changes nothing but bytes: both tiles have one type, also what of it is valid. */
static bool are_one_type(const struct ptog_lint_ctx *ctx)
{
    const struct ptog_type *from = ptog_lint_type(ctx, lint_in(0)), *to = ptog_lint_type(ctx, lint_out(0));
    if (!from || !to || !ptog_type_is_tile(from) || !ptog_type_is_tile(to) || from->elided || to->elided)
        return true;
    for (int i = 0; i < PTOG_FIELD_COUNT; i++) {
        bool named = from->field[i].name != 0 || to->field[i].name != 0;
        if (!named && i != PTOG_FIELD_DTYPE && from->field[i].value != to->field[i].value)
            return false;
    }
    return ptog_lint_same_element(ctx, lint_in(0), lint_out(0));
}

#define LINT_TABLE "spec/lint_cube.def"
#define LINT_NAME cube
#include "lint/rule_table.h"
