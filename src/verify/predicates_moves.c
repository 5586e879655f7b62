/* verify: predicates on copies between tiles. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "base/arith.h"
#include "base/pick.h"
#include "model/cube/memories.h"
#include "model/dtype.h"
#include "model/moves.h"
#include "model/target.h"
#include "model/tile.h"
#include "verify/predicates.h"

static bool both_sound(const struct ptog_check *c, enum ptog_operand_name o)
{
    return ptog_tile_is_sound(ptog_check_at(c, PTOG_AT_DST)) && ptog_tile_is_sound(ptog_check_at(c, o));
}

static bool is_nz(const struct ptog_tile *tile)
{
    return ptog_tile_order(tile) == PTOG_ORDER_NZ;
}

/* ---- tmov */

/* A2/A3 asserts the padded extents, the CPU simulator the valid ones. */
bool ptog_copy_shape_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST), *src = ptog_check_at(c, PTOG_AT_SRC);
    (void)o;
    if (!both_sound(c, PTOG_AT_SRC))
        return true;
    if (c->target->as & PTOG_ON_CPU)
        return dst->valid_row == src->valid_row && dst->valid_col == src->valid_col;
    return dst->rows == src->rows && dst->cols == src->cols;
}

/* A copy to or from NZ is one that the target has: rows to NZ, of as many rows of boxes as are valid. */
bool ptog_copy_makes_nz(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST), *src = ptog_check_at(c, PTOG_AT_SRC);
    (void)o;
    if (ptog_insn_sent(c->insn) >= 0 || !both_sound(c, PTOG_AT_SRC) || (!is_nz(dst) && !is_nz(src)))
        return true;
    int64_t rows = ptog_min(dst->valid_row, src->valid_row);
    return !(c->target->as & PTOG_ON_A2A3) && ptog_tile_order(src) == PTOG_ORDER_ROW &&
           dst->rows == (rows + 15) / 16 * 16;
}

/* NZ has rules of its own; a column is a row that stands. */
bool ptog_order_is_moved(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_tile(c, o);
    bool accepts_nz = c->form == PTOG_FORM_COPY || c->form == PTOG_FORM_WINDOW || tile->loc == PTOG_MAT;
    switch (ptog_tile_order(tile)) {
    case PTOG_ORDER_COL: return c->form == PTOG_FORM_COPY && tile->cols == 1;
    case PTOG_ORDER_NZ: return accepts_nz;
    default: return true;
    }
}

bool ptog_copy_orders_match(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_tile_order dst = ptog_tile_order(ptog_check_at(c, PTOG_AT_DST));
    (void)o;
    return dst == PTOG_ORDER_NZ || dst == ptog_tile_order(ptog_check_at(c, PTOG_AT_SRC)) || ptog_insn_sent(c->insn) >= 0;
}

/* ---- textract, tinsert */

/* The tile that the window is in, and the one that is as large as it. */
static const struct ptog_tile *around(const struct ptog_check *c)
{
    return ptog_check_at(c, c->insn->opcode == PTOG_TEXTRACT ? PTOG_AT_SRC : PTOG_AT_DST);
}

static const struct ptog_tile *inside(const struct ptog_check *c)
{
    return ptog_check_at(c, c->insn->opcode == PTOG_TEXTRACT ? PTOG_AT_DST : PTOG_AT_SRC);
}

static bool part_fits(int64_t at, int64_t count, int64_t whole)
{
    int64_t end;
    return at >= 0 && ptog_add_i64(at, count, &end) && end <= whole;
}

/* The window of textract or tinsert lies inside the larger tile; the CPU simulator looks at what is valid there. */
bool ptog_window_is_inside(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *whole = around(c), *part = inside(c);
    (void)o;
    if (!both_sound(c, PTOG_AT_SRC))
        return true;
    bool valid = (c->target->as & PTOG_ON_CPU) && c->insn->opcode == PTOG_TEXTRACT; /* it asserts what is valid */
    int64_t rows = whole->rows, cols = whole->cols;
    if (valid) {
        rows = whole->valid_row;
        cols = whole->valid_col;
    }
    return part_fits(ptog_move_number(c->insn, PTOG_MOVE_ROW), part->valid_row, rows) &&
           part_fits(ptog_move_number(c->insn, PTOG_MOVE_COL), part->valid_col, cols);
}

bool ptog_window_orders_match(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    return is_nz(around(c)) == is_nz(inside(c)) || ptog_insn_sent(c->insn) >= 0;
}

/* The one element that S moves may lie anywhere. */
bool ptog_window_is_aligned(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *part = inside(c);
    int64_t row = ptog_move_number(c->insn, PTOG_MOVE_ROW), col = ptog_move_number(c->insn, PTOG_MOVE_COL);
    (void)o;
    if (!both_sound(c, PTOG_AT_SRC) || (part->valid_row == 1 && part->valid_col == 1))
        return true;
    int64_t size = (int64_t)ptog_dtype_size(part->dtype);
    return col % ptog_c0(part->dtype) == 0 && (!is_nz(part) || row % 16 == 0) && part->valid_col * size % 2 == 0;
}

/* ---- tfillpad */

bool ptog_has_pad(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_pad pad = ptog_check_tile(c, o)->pad;
    if (ptog_check_tile(c, o)->loc == PTOG_MAT)
        return pad == PTOG_PAD_ZERO || pad == PTOG_PAD_NULL;
    return pad >= PTOG_PAD_ZERO && pad <= PTOG_PAD_CUSTOM;
}

/* dst of a fill has the shape of its source, or, for the expanding one, at least that. */
bool ptog_padded_shape_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST), *src = ptog_check_at(c, PTOG_AT_SRC);
    (void)o;
    if (!ptog_tile_is_sound(dst) || ptog_tile_bytes(src) < 0)
        return true;
    if (c->insn->opcode == PTOG_TFILLPAD_EXPAND)
        return dst->rows >= src->rows && dst->cols >= src->cols;
    return dst->rows == src->rows && dst->cols == src->cols;
}

bool ptog_padded_rows_cover(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    return !both_sound(c, PTOG_AT_SRC) ||
           ptog_check_at(c, PTOG_AT_SRC)->valid_row <= ptog_check_at(c, PTOG_AT_DST)->valid_row;
}

bool ptog_padded_in_place(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST), *src = ptog_check_at(c, PTOG_AT_SRC);
    (void)o;
    return !dst->placed || !src->placed || dst->addr == src->addr;
}

/* In L1 a tile is filled where it lies. */
bool ptog_padded_l1_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST), *src = ptog_check_at(c, PTOG_AT_SRC);
    (void)o;
    if (dst->loc != PTOG_MAT && src->loc != PTOG_MAT)
        return true;
    return c->insn->opcode != PTOG_TFILLPAD_EXPAND && dst->loc == src->loc && is_nz(dst) && is_nz(src) && dst->dtype == src->dtype &&
           dst->valid_row == src->valid_row && dst->valid_col == src->valid_col && ptog_padded_in_place(c, o);
}

/* ---- ttrans */

bool ptog_transposed_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST), *src = ptog_check_at(c, PTOG_AT_SRC);
    (void)o;
    return !both_sound(c, PTOG_AT_SRC) || (dst->rows >= src->valid_col && dst->cols >= src->valid_row);
}

bool ptog_transposing_tmp_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    if (!both_sound(c, PTOG_AT_SRC))
        return true;
    return ptog_tmp_is_given(c, PTOG_AT_SELF) &&
           (!ptog_check_tile(c, PTOG_AT_TMP) || ptog_tmp_has_room(c, PTOG_AT_TMP));
}

/* ---- tconcat */

bool ptog_rows_are_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    return !both_sound(c, o) || ptog_check_tile(c, o)->valid_row == ptog_check_at(c, PTOG_AT_DST)->valid_row;
}

/* The devices take what has room; the library of A5 asserts more in debug builds. */
bool ptog_joined_columns_fit(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST);
    (void)o;
    if (!both_sound(c, PTOG_AT_SRC0) || !both_sound(c, PTOG_AT_SRC1))
        return true;
    int64_t cols = ptog_check_at(c, PTOG_AT_SRC0)->valid_col + ptog_check_at(c, PTOG_AT_SRC1)->valid_col;
    return c->target->machine != PTOG_NO_MACHINE ? cols <= dst->cols : cols == dst->valid_col;
}
