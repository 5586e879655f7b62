/* model: the conditions that rows of tables have besides form and target. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/condition.h"

#include "model/broadcast.h"
#include "model/cube/memories.h"
#include "model/dtype.h"
#include "model/mgather.h"
#include "model/moves.h"
#include "model/mscatter.h"
#include "model/reduce.h"
#include "model/tile.h"

static bool is_nz_zero(const struct ptog_insn *insn)
{
    return ptog_mgather_table(insn)->layout == PTOG_NZ && ptog_mgather_oob(insn) == PTOG_OOB_ZERO;
}

/* Whether an mgather has one lane, where the target does that without a launch. */
static bool is_1x1(const struct ptog_rule_context *c)
{
    const struct ptog_tile *dst = ptog_mgather_dst(c->insn);
    return ptog_mgather_as(c->target, c->insn)->scalar_1x1 && dst->valid_row == 1 && dst->valid_col == 1;
}

/* Whether the source has fewer valid rows or columns than dst. */
static bool is_smaller(const struct ptog_rule_context *c)
{
    const struct ptog_tile *dst = &c->insn->of[0].tile, *source = &c->insn->of[c->source].tile;
    return source->valid_row < dst->valid_row || source->valid_col < dst->valid_col;
}

/* Which one that is, the run alone knows as long as an extent is open. */
static bool is_spread(const struct ptog_rule_context *c)
{
    return !ptog_insn_is_open(c->insn) && c->source == ptog_broadcast_of(c->target, c->insn).small;
}

/* Whether a conversion between these types drops upper bits instead of saturating. */
static bool is_cut(const struct ptog_insn *insn, enum ptog_dtype from, enum ptog_dtype to)
{
    return insn->attr[PTOG_TCVT_SATURATION] == PTOG_SATURATION_OFF && insn->of[1].tile.dtype == from &&
           insn->of[0].tile.dtype == to;
}

static bool insn_has_tmp(const struct ptog_insn *insn)
{
    int at = ptog_insn_find(insn, PTOG_AT_TMP);
    return at >= 0 && insn->of[at].tile.dtype != PTOG_DTYPE_NONE;
}

/* Of dst for textract, of the source for tinsert. */
static bool is_one_element(const struct ptog_rule_context *c)
{
    int i = c->insn->opcode == PTOG_TEXTRACT ? PTOG_MOVE_DST : PTOG_MOVE_SRC;
    const struct ptog_tile *written = &c->written->of[i].tile, *known = &c->insn->of[i].tile;
    bool open = written->valid_row == PTOG_DYN || written->valid_col == PTOG_DYN;
    return !open && known->valid_row == 1 && known->valid_col == 1;
}

/* Whether a move of 1-byte elements changes the value that pads them. */
static bool has_byte_pads(const struct ptog_insn *insn)
{
    const struct ptog_tile *dst = &insn->of[PTOG_MOVE_DST].tile, *src = &insn->of[PTOG_MOVE_SRC].tile;
    return ptog_dtype_size(dst->dtype) == 1 && !ptog_same_pad(dst, src);
}

/* Whether the first source of a concatenation ends inside of a 32-byte block. */
static bool is_split_block(const struct ptog_insn *insn)
{
    const struct ptog_tile *first = &insn->of[PTOG_MOVE_SRC].tile;
    return first->valid_col % ptog_c0(first->dtype) != 0;
}

/* What the A2/A3 library of row reductions has been tuned for. */
static bool is_one_of_four(const struct ptog_rule_context *c)
{
    const struct ptog_tile *dst = &c->insn->of[0].tile, *src = &c->insn->of[1].tile;
    if (c->open || src->dtype != PTOG_F32 || ptog_tile_order(dst) != PTOG_ORDER_COL || dst->valid_col != 1)
        return false;
    bool whole = src->rows == src->valid_row && src->cols == src->valid_col;
    bool listed = src->rows == 64 || src->rows == 32 || src->rows == 16 || src->rows == 8;
    return whole && listed && src->rows * src->cols == 8192;
}

/* Whether the valid part of a row is longer than a repeat, 256 bytes. */
static bool is_long_row(const struct ptog_tile *src)
{
    return src->valid_col * (int64_t)ptog_dtype_size(src->dtype) > 256;
}

/* Whether the condition of a row of the tables is true for an instruction on a target. */
bool ptog_condition_holds(enum ptog_condition condition, const struct ptog_rule_context *c)
{
    enum ptog_dtype dtype = c->insn->of[0].tile.dtype;
    switch (condition) {
    case PTOG_WHEN_ALWAYS: return true;
    case PTOG_WHEN_NZ_ZERO: return is_nz_zero(c->insn);
    case PTOG_WHEN_1X1: return is_1x1(c);
    case PTOG_WHEN_STATIC_1X1: return is_1x1(c) && !ptog_insn_is_open(c->written);
    case PTOG_WHEN_L1_ELEM: return ptog_mgather_coalesce(c->insn) == PTOG_ELEM;
    case PTOG_WHEN_ADDS: return ptog_mscatter_atomic(c->insn) != PTOG_SCATTER_NONE;
    case PTOG_WHEN_FLOAT: return ptog_dtype_is_float(dtype);
    case PTOG_WHEN_HALF: return dtype == PTOG_F16;
    case PTOG_WHEN_F32: return dtype == PTOG_F32;
    case PTOG_WHEN_WHOLE: return !ptog_dtype_is_float(dtype);
    case PTOG_WHEN_LONG_INT: return dtype == PTOG_I64 || dtype == PTOG_U64;
    case PTOG_WHEN_U64: return dtype == PTOG_U64;
    case PTOG_WHEN_SHORT_INT: return dtype >= PTOG_I16 && dtype <= PTOG_U32;
    case PTOG_WHEN_INVERSE: return ptog_dtype_is_float(dtype) && c->insn->of[1].kind == PTOG_IS_SCALAR;
    case PTOG_WHEN_IN_PLACE: return ptog_dtype_is_float(dtype) && c->in_place;
    case PTOG_WHEN_PRECISE: return dtype == PTOG_F32 && c->insn->attr[PTOG_REMAINDER_PRECISE] != 0;
    case PTOG_WHEN_FIRST: return c->source == 1;
    case PTOG_WHEN_FIRST_WHOLE: return c->source == 1 && !ptog_dtype_is_float(dtype);
    case PTOG_WHEN_HALF_TO_I16: return is_cut(c->insn, PTOG_F16, PTOG_I16);
    case PTOG_WHEN_HALF_TO_I8: return is_cut(c->insn, PTOG_F16, PTOG_I8);
    case PTOG_WHEN_FLOAT_TO_I16: return is_cut(c->insn, PTOG_F32, PTOG_I16);
    case PTOG_WHEN_HAS_TMP: return insn_has_tmp(c->insn);
    case PTOG_WHEN_SPREAD: return is_spread(c);
    case PTOG_WHEN_UPRIGHT: return ptog_broadcast_is_upright(c->target, c->insn);
    case PTOG_WHEN_FILLS_BLOCKS: return ptog_broadcast_fills_blocks(c->written);
    case PTOG_WHEN_SMALLER: return is_smaller(c);
    case PTOG_WHEN_ONE_ELEMENT: return is_one_element(c);
    case PTOG_WHEN_BYTE_PADS: return has_byte_pads(c->insn);
    case PTOG_WHEN_BLOCKS: return c->insn->of[0].tile.cols % ptog_transposed_rows(dtype) == 0;
    case PTOG_WHEN_SPLIT_BLOCK: return is_split_block(c->insn);
    case PTOG_WHEN_BINARY: return c->insn->attr[PTOG_TCOLSUM_BINARY] != 0;
    case PTOG_WHEN_LONG_ROW: return is_long_row(&c->insn->of[1].tile);
    case PTOG_WHEN_IN_ROWS: return c->insn->of[0].tile.cols != 1 || c->insn->of[PTOG_REDUCE_VAL].tile.cols != 1;
    case PTOG_WHEN_IN_L1: return c->insn->of[0].tile.loc == PTOG_MAT;
    case PTOG_WHEN_SENT: return ptog_insn_sent(c->insn) >= 0;
    case PTOG_WHEN_EXHAUSTED: return c->insn->attr[PTOG_TMRGSORT_EXHAUSTED] != 0;
    case PTOG_WHEN_KEEPS_ALL: return c->insn->attr[PTOG_TSCATTER_PATTERN] == PTOG_P1111;
    case PTOG_WHEN_MOVES_ROWS: return c->insn->attr[PTOG_TSCATTER_AXIS] == PTOG_AXIS_COL;
    case PTOG_WHEN_FOUR_SHAPES: return is_one_of_four(c);
    }
    return false;
}
