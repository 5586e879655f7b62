/* verify: predicates of rules.def on instructions that combine elements of several tiles. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/dtype.h"
#include "model/target.h"
#include "model/tile.h"
#include "verify/predicates.h"

static bool selects_parts(enum ptog_opcode opcode)
{
    return opcode == PTOG_TPARTARGMAX || opcode == PTOG_TPARTARGMIN;
}

/* ---- types */

/* Which types become which when a sum is made narrower. */
static bool narrows_to(enum ptog_dtype from, enum ptog_dtype to)
{
    if (from == PTOG_F32)
        return to == PTOG_F16;
    return to == PTOG_I8 && (from == PTOG_F16 || from == PTOG_I16);
}

/* The operand whose type decides that of `o`. */
static enum ptog_operand_name leader_of(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_opcode opcode = c->insn->opcode;
    if (opcode == PTOG_TADDRELUCONV || opcode == PTOG_TSUBRELUCONV)
        return o == PTOG_AT_SRC1 ? PTOG_AT_SRC0 : PTOG_AT_SELF;
    if (opcode == PTOG_TADDDEQRELU || opcode == PTOG_TDEQUANT || opcode == PTOG_TQUANT)
        return PTOG_AT_SELF;
    if (opcode == PTOG_TCONCATCOUNTS && (o == PTOG_AT_IDX || o == PTOG_AT_IDX1))
        return PTOG_AT_DST1;
    if (opcode == PTOG_TCONCATCOUNTS && o == PTOG_AT_DST1)
        return PTOG_AT_SELF;
    if (selects_parts(opcode) && (o == PTOG_AT_IDX || o == PTOG_AT_IDX1))
        return PTOG_AT_DST1;
    return selects_parts(opcode) && o == PTOG_AT_DST1 ? PTOG_AT_SELF : PTOG_AT_DST;
}

/* The element type of the operand goes with those of the others, as the instruction has it. */
bool ptog_combined_types_fit(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_opcode opcode = c->insn->opcode;
    enum ptog_dtype own = ptog_check_at(c, o)->dtype, dst = ptog_check_at(c, PTOG_AT_DST)->dtype;
    enum ptog_operand_name leader = leader_of(c, o);
    if (!ptog_dtype_accepted(c, o) || !ptog_dtype_accepted(c, PTOG_AT_DST))
        return true;
    if (c->at[o]->kind == PTOG_IS_SCALAR && o == PTOG_AT_SRC1)
        return false; /* the second source of tdeinterleave may be left out, but it is a tile */
    if (leader != PTOG_AT_SELF)
        return own == ptog_check_at(c, leader)->dtype;
    if ((opcode == PTOG_TADDRELUCONV || opcode == PTOG_TSUBRELUCONV) && o == PTOG_AT_SRC0)
        return narrows_to(own, dst);
    return !selects_parts(opcode) || ptog_dtype_size(own) == 4 || ptog_dtype_size(dst) <= 2;
}

/* ---- regions */

static bool is_region(const struct ptog_tile *tile, int64_t rows, int64_t cols)
{
    return tile->valid_row == rows && tile->valid_col == cols;
}

/* An index tile has the valid region of its values. */
static const struct ptog_tile *values_of(const struct ptog_check *c, enum ptog_operand_name o)
{
    if (o == PTOG_AT_IDX)
        return ptog_check_at(c, PTOG_AT_SRC0);
    return ptog_check_at(c, o == PTOG_AT_IDX1 ? PTOG_AT_SRC1 : PTOG_AT_DST);
}

/* Both sources lie in dst, and one of them is as large as dst. */
static bool parts_fit(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST), *a = ptog_check_at(c, PTOG_AT_SRC0),
                           *b = ptog_check_at(c, PTOG_AT_SRC1), *own = ptog_check_at(c, o), *values = values_of(c, o);
    if (!ptog_tile_is_sound(a) || !ptog_tile_is_sound(b) || !ptog_tile_is_sound(values))
        return true;
    if (values != dst || o == PTOG_AT_DST1)
        return is_region(own, values->valid_row, values->valid_col);
    bool whole = is_region(a, dst->valid_row, dst->valid_col) || is_region(b, dst->valid_row, dst->valid_col);
    return whole && own->valid_row <= dst->valid_row && own->valid_col <= dst->valid_col;
}

/* One source that is split has the columns of both results. */
static int64_t columns_of(const struct ptog_check *c, enum ptog_operand_name o)
{
    int64_t cols = ptog_check_at(c, PTOG_AT_DST)->valid_col;
    bool one = c->insn->opcode == PTOG_TDEINTERLEAVE && !ptog_check_tile(c, PTOG_AT_SRC1) && o == PTOG_AT_SRC0;
    return one ? 2 * cols : cols;
}

static bool both_sound(const struct ptog_check *c, enum ptog_operand_name o)
{
    return c->at[o]->kind != PTOG_IS_SCALAR && ptog_tile_is_sound(ptog_check_at(c, o)) &&
           ptog_tile_is_sound(ptog_check_at(c, PTOG_AT_DST));
}

/* The valid region of the operand is the one that dst's needs. */
bool ptog_combined_valid_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *own = ptog_check_at(c, o), *dst = ptog_check_at(c, PTOG_AT_DST);
    if (!both_sound(c, o))
        return true;
    if (selects_parts(c->insn->opcode))
        return parts_fit(c, o);
    if (c->insn->opcode == PTOG_TCONCATCOUNTS)
        return own->valid_row == dst->valid_row;
    return is_region(own, dst->valid_row, columns_of(c, o));
}

bool ptog_combined_has_room(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *own = ptog_check_at(c, o), *dst = ptog_check_at(c, PTOG_AT_DST);
    bool scale = o == PTOG_AT_QUANT || o == PTOG_AT_OFFSET || c->insn->opcode == PTOG_TCONCATCOUNTS;
    if (!both_sound(c, o) || selects_parts(c->insn->opcode))
        return true;
    return own->rows >= dst->valid_row && (scale || own->cols >= columns_of(c, o));
}

bool ptog_columns_are_even(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, o);
    bool halves = c->insn->opcode == PTOG_TINTERLEAVE || ptog_check_tile(c, PTOG_AT_SRC1);
    return !halves || !ptog_tile_is_sound(dst) || dst->valid_col % 2 == 0;
}

bool ptog_offset_is_for_unsigned(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    const struct ptog_tile *offset = ptog_check_tile(c, PTOG_AT_OFFSET);
    return (offset != NULL) == (ptog_check_at(c, PTOG_AT_DST)->dtype == PTOG_U8);
}

/* A column: A5 takes elements as they follow each other. */
bool ptog_scales_are_columns(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *scale = ptog_check_tile(c, o), *dst = ptog_check_at(c, PTOG_AT_DST);
    return !scale || !ptog_tile_is_sound(dst) || dst->valid_row == 1 || ptog_tile_order(scale) == PTOG_ORDER_COL ||
           scale->cols == 1;
}

/* The library of A2/A3 adds in tmp. */
bool ptog_sum_has_tmp(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, o), *tmp = ptog_check_tile(c, PTOG_AT_TMP);
    return !ptog_tile_is_sound(dst) || (tmp && tmp->rows >= dst->valid_row && tmp->cols >= dst->valid_col);
}
