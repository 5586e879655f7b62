/* lint: what several tables of rules say of tiles: layouts, types of elements, extents; and short spellings for their
 * examples. */
#ifndef PTOG_LINT_RULES_TILES_H
#define PTOG_LINT_RULES_TILES_H

#include "lint/rules.h"
#include "model/target.h"

/* ---- elements, as ptog_lint_element spells them */
#define LINT_INT8 "i8 u8"
#define LINT_INT16 "i16 u16"
#define LINT_INT32 "i32 u32"
#define LINT_FLOAT8 "f8e4m3 f8e5m2 f8E4M3FNUZ f8E4M3B11FNUZ f8E5M2FNUZ"
#define LINT_FLOAT4 "f4e1m2x2 f4e2m1x2"

/* ---- operands */

static inline struct ptog_lint_operand lint_in(uint32_t n)
{
    return (struct ptog_lint_operand){PTOG_LINT_INS, n};
}

static inline struct ptog_lint_operand lint_out(uint32_t n)
{
    return (struct ptog_lint_operand){PTOG_LINT_OUTS, n};
}

static inline bool lint_on_a5(const struct ptog_lint_ctx *ctx)
{
    return (ctx->target->as & PTOG_ON_A5) != 0;
}

/* What is known of an operand, where the functions of lint/rules.h hold for whatever is not: its elements are one of a
 * list, it is a tile in this place. */
static inline bool lint_is_of(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand, const char *elements)
{
    bool known = !ptog_lint_element(ctx, operand, "");
    return known && ptog_lint_element(ctx, operand, elements);
}

static inline bool lint_is_in(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand, enum ptog_loc loc)
{
    return ptog_lint_field(ctx, operand, PTOG_FIELD_LOC) == (int64_t)loc;
}

/* Something holds for all operands of a list. */
static inline bool lint_all(const struct ptog_lint_ctx *ctx, enum ptog_lint_list list,
                            bool (*holds)(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand))
{
    for (uint32_t i = 0; i < ptog_lint_count(ctx, list); i++)
        if (!holds(ctx, (struct ptog_lint_operand){list, i}))
            return false;
    return true;
}

/* ---- layouts */

static inline bool lint_laid_out(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand, int64_t blayout,
                                 int64_t slayout)
{
    return ptog_lint_equal(ptog_lint_field(ctx, operand, PTOG_FIELD_BLAYOUT), blayout) &&
           ptog_lint_equal(ptog_lint_field(ctx, operand, PTOG_FIELD_SLAYOUT), slayout);
}

static inline bool lint_row_major(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    return ptog_lint_equal(ptog_lint_field(ctx, operand, PTOG_FIELD_BLAYOUT), PTOG_ROW_MAJOR);
}

static inline bool lint_nd(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    return lint_laid_out(ctx, operand, PTOG_ROW_MAJOR, PTOG_NONE_BOX);
}

static inline bool lint_dn(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    return lint_laid_out(ctx, operand, PTOG_COL_MAJOR, PTOG_NONE_BOX);
}

static inline bool lint_nz(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    return lint_laid_out(ctx, operand, PTOG_COL_MAJOR, PTOG_BOX_ROW_MAJOR);
}

/* ---- extents */

static inline int64_t lint_valid_rows(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    return ptog_lint_field(ctx, operand, PTOG_FIELD_V_ROW);
}

static inline int64_t lint_valid_cols(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    return ptog_lint_field(ctx, operand, PTOG_FIELD_V_COL);
}

static inline bool lint_valid_is(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand, int64_t rows,
                                 int64_t cols)
{
    return ptog_lint_equal(lint_valid_rows(ctx, operand), rows) && ptog_lint_equal(lint_valid_cols(ctx, operand), cols);
}

/* It has elements and valid extents of the first operand. */
static inline bool lint_as_source(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    struct ptog_lint_operand source = lint_in(0);
    return ptog_lint_same_element(ctx, operand, source) &&
           lint_valid_is(ctx, operand, lint_valid_rows(ctx, source), lint_valid_cols(ctx, source));
}

/* Its shape, whatever is valid of it. */
static inline bool lint_extends(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand, int64_t rows,
                                int64_t cols)
{
    return ptog_lint_equal(ptog_lint_field(ctx, operand, PTOG_FIELD_ROWS), rows) &&
           ptog_lint_equal(ptog_lint_field(ctx, operand, PTOG_FIELD_COLS), cols);
}

/* So many parts of a size cover an extent. */
static inline int64_t lint_parts(int64_t extent, int64_t size)
{
    return extent == PTOG_DYN ? PTOG_DYN : extent / size + (extent % size != 0);
}

/* ---- examples: operands are arguments, so that nothing is said of the place they would need */
#define LINT_TILE(name, type) "%" name ": !pto.tile_buf<" type ">"
#define LINT_TILES2(a, b) LINT_TILE("a", a) ", " LINT_TILE("b", b)
#define LINT_TILES3(a, b, c) LINT_TILES2(a, b) ", " LINT_TILE("c", c)
#define LINT_TILES4(a, b, c, d) LINT_TILES3(a, b, c) ", " LINT_TILE("d", d)
#define LINT_TILES5(a, b, c, d, e) LINT_TILES4(a, b, c, d) ", " LINT_TILE("e", e)
#define LINT_FUNC(arguments, line) "func.func @f(" arguments ") {\n  " line "\n  return\n}"
#define LINT_FUNC_A5(arguments, line)                                                                                  \
    "module attributes {pto.target_arch = \"a5\"} {\n" LINT_FUNC(arguments, line) "\n}"
#define LINT_NZ ", blayout=col_major, slayout=row_major"
#define LINT_DN ", blayout=col_major"

#endif
