/* lint: what compilers require of tile operations of the vector core that are not simulated; and of those that the newest compiler has no longer. */
#include <string.h>

#include "asm/insn_words.h"
#include "asm/types.h"
#include "lint/rules_tiles.h"

static bool are_alike(const struct ptog_lint_ctx *ctx)
{
    return lint_all(ctx, PTOG_LINT_INS, lint_as_source) && lint_all(ctx, PTOG_LINT_OUTS, lint_as_source);
}

/* ---- the addresses of scales: one for so many elements */

#define SCALED 32

/* Whether the tile of scales has one scale for each part of a row (left matrix) or column. */
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
