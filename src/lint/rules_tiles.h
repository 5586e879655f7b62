/* lint: what several tables of asks say of tiles: layouts, types of elements, extents; and short spellings for their
 * examples. */
#ifndef PTOG_LINT_RULES_TILES_H
#define PTOG_LINT_RULES_TILES_H

#include "model/target.h"
#include "lint/rules.h"

/* ---- elements, as ptog_asked_element spells them */
#define ASKED_INT8 "i8 u8"
#define ASKED_INT16 "i16 u16"
#define ASKED_INT32 "i32 u32"
#define ASKED_FLOAT8 "f8e4m3 f8e5m2 f8E4M3FNUZ f8E4M3B11FNUZ f8E5M2FNUZ"
#define ASKED_FLOAT4 "!pto.f4E1M2x2 !pto.f4E2M1x2"

/* ---- operands */

static inline struct ptog_asked_operand asked_in(uint32_t n)
{
    return (struct ptog_asked_operand){PTOG_ASKED_INS, n};
}

static inline struct ptog_asked_operand asked_out(uint32_t n)
{
    return (struct ptog_asked_operand){PTOG_ASKED_OUTS, n};
}

static inline bool asked_on_a5(const struct ptog_asked *a)
{
    return (a->e->target->as & PTOG_ON_A5) != 0;
}

/* What is known of an operand, where the functions of asks.h hold for whatever is not: its elements are one of a list,
 * it is a tile in this place. */
static inline bool asked_is_of(const struct ptog_asked *a, struct ptog_asked_operand operand, const char *elements)
{
    bool known = !ptog_asked_element(a, operand, "");
    return known && ptog_asked_element(a, operand, elements);
}

static inline bool asked_is_in(const struct ptog_asked *a, struct ptog_asked_operand operand, enum ptog_loc loc)
{
    return ptog_asked_field(a, operand, PTOG_FIELD_LOC) == (int64_t)loc;
}

/* Something holds for all operands of a list. */
static inline bool asked_all(const struct ptog_asked *a, enum ptog_asked_list list,
                             bool (*holds)(const struct ptog_asked *a, struct ptog_asked_operand operand))
{
    for (uint32_t i = 0; i < ptog_asked_count(a, list); i++)
        if (!holds(a, (struct ptog_asked_operand){list, i}))
            return false;
    return true;
}

/* ---- layouts */

static inline bool asked_laid_out(const struct ptog_asked *a, struct ptog_asked_operand operand, int64_t blayout,
                                  int64_t slayout)
{
    return ptog_asked_equal(ptog_asked_field(a, operand, PTOG_FIELD_BLAYOUT), blayout) &&
           ptog_asked_equal(ptog_asked_field(a, operand, PTOG_FIELD_SLAYOUT), slayout);
}

static inline bool asked_row_major(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    return ptog_asked_equal(ptog_asked_field(a, operand, PTOG_FIELD_BLAYOUT), PTOG_ROW_MAJOR);
}

static inline bool asked_nd(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    return asked_laid_out(a, operand, PTOG_ROW_MAJOR, PTOG_NONE_BOX);
}

static inline bool asked_dn(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    return asked_laid_out(a, operand, PTOG_COL_MAJOR, PTOG_NONE_BOX);
}

static inline bool asked_nz(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    return asked_laid_out(a, operand, PTOG_COL_MAJOR, PTOG_BOX_ROW_MAJOR);
}

/* ---- extents */

static inline int64_t asked_valid_rows(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    return ptog_asked_field(a, operand, PTOG_FIELD_V_ROW);
}

static inline int64_t asked_valid_cols(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    return ptog_asked_field(a, operand, PTOG_FIELD_V_COL);
}

static inline bool asked_valid_is(const struct ptog_asked *a, struct ptog_asked_operand operand, int64_t rows,
                                  int64_t cols)
{
    return ptog_asked_equal(asked_valid_rows(a, operand), rows) && ptog_asked_equal(asked_valid_cols(a, operand), cols);
}

/* It has elements and valid extents of the first operand. */
static inline bool asked_as_source(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    struct ptog_asked_operand source = asked_in(0);
    return ptog_asked_same_element(a, operand, source) &&
           asked_valid_is(a, operand, asked_valid_rows(a, source), asked_valid_cols(a, source));
}

/* Its shape, whatever is valid of it. */
static inline bool asked_extends(const struct ptog_asked *a, struct ptog_asked_operand operand, int64_t rows,
                                 int64_t cols)
{
    return ptog_asked_equal(ptog_asked_field(a, operand, PTOG_FIELD_ROWS), rows) &&
           ptog_asked_equal(ptog_asked_field(a, operand, PTOG_FIELD_COLS), cols);
}

/* So many parts of a size cover an extent. */
static inline int64_t asked_parts(int64_t extent, int64_t size)
{
    return extent == PTOG_DYN ? PTOG_DYN : extent / size + (extent % size != 0);
}

/* ---- examples: operands are arguments, so that nothing is said of the place they would need */
#define ASKED_TILE(name, type) "%" name ": !pto.tile_buf<" type ">"
#define ASKED_TILES2(a, b) ASKED_TILE("a", a) ", " ASKED_TILE("b", b)
#define ASKED_TILES3(a, b, c) ASKED_TILES2(a, b) ", " ASKED_TILE("c", c)
#define ASKED_TILES4(a, b, c, d) ASKED_TILES3(a, b, c) ", " ASKED_TILE("d", d)
#define ASKED_TILES5(a, b, c, d, e) ASKED_TILES4(a, b, c, d) ", " ASKED_TILE("e", e)
#define ASKED_FUNC(arguments, line) "func.func @f(" arguments ") {\n  " line "\n  return\n}"
#define ASKED_FUNC_A5(arguments, line)                                                                                 \
    "module attributes {pto.target_arch = \"a5\"} {\n" ASKED_FUNC(arguments, line) "\n}"
#define ASKED_NZ ", blayout=col_major, slayout=row_major"
#define ASKED_DN ", blayout=col_major"

#endif
