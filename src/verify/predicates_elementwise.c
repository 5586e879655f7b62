/* verify: predicates on instructions that go element by element. */
#include "model/dtype.h"
#include "model/elementwise.h"
#include "model/tile.h"
#include "verify/predicates.h"

/* Extents that were open when the instruction was written. */
static bool is_late(const struct ptog_check *c, enum ptog_operand_name name)
{
    const struct ptog_tile *tile = &c->written->of[ptog_insn_find(c->written, name)].tile;
    return tile->valid_row == PTOG_DYN || tile->valid_col == PTOG_DYN;
}

static bool is_scalar(const struct ptog_check *c, enum ptog_operand_name o)
{
    return c->at[o]->kind == PTOG_IS_SCALAR;
}

static bool is_same_region(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *src = ptog_check_tile(c, o), *dst = ptog_check_at(c, PTOG_AT_DST);
    return !ptog_tile_is_sound(src) || !ptog_tile_is_sound(dst) ||
           (src->valid_row == dst->valid_row && src->valid_col == dst->valid_col);
}

bool ptog_valid_is_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    return is_scalar(c, o) || is_late(c, o) || is_late(c, PTOG_AT_DST) || is_same_region(c, o);
}

bool ptog_late_valid_is_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    return is_scalar(c, o) || !(is_late(c, o) || is_late(c, PTOG_AT_DST)) || is_same_region(c, o);
}

bool ptog_valid_covers_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *src = ptog_check_tile(c, o), *dst = ptog_check_at(c, PTOG_AT_DST);
    return is_scalar(c, o) || !ptog_tile_is_sound(src) || !ptog_tile_is_sound(dst) ||
           (src->valid_row >= dst->valid_row && src->valid_col >= dst->valid_col);
}

bool ptog_source_dtype_is_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    return is_scalar(c, o) || ptog_dtype_is_dst(c, o);
}

/* ---- scalars */

static bool is_integer(enum ptog_dtype dtype)
{
    return dtype >= PTOG_I8 && dtype <= PTOG_U64;
}

static bool is_shift(const struct ptog_check *c)
{
    return c->row->lane == PTOG_LANE_shl || c->row->lane == PTOG_LANE_shr;
}

bool ptog_scalar_fits_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_dtype dtype = ptog_check_tile(c, o)->dtype, dst = ptog_check_at(c, PTOG_AT_DST)->dtype;
    if (!is_scalar(c, o) || dtype == PTOG_DTYPE_NONE || dst == PTOG_DTYPE_NONE || dtype == dst)
        return true;
    return (ptog_dtype_is_float(dtype) && ptog_dtype_is_float(dst)) || (is_shift(c) && is_integer(dtype));
}

bool ptog_scalar_is_kept(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_dtype dtype = ptog_check_tile(c, o)->dtype, dst = ptog_check_at(c, PTOG_AT_DST)->dtype;
    return !is_scalar(c, o) || !ptog_dtype_is_float(dtype) || !ptog_dtype_is_float(dst) || dtype == dst;
}

bool ptog_one_is_scalar(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    return is_scalar(c, PTOG_AT_SRC0) != is_scalar(c, PTOG_AT_SRC1);
}

/* ---- limits of libraries */

bool ptog_i64_fits_step(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_tile(c, o);
    return ptog_elementwise_repeats_64(c->insn) || ptog_dtype_size(dst->dtype) != 8 || dst->valid_col <= 64;
}

bool ptog_tmp_has_room(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tmp = ptog_check_tile(c, o);
    return !ptog_tile_is_sound(tmp) || ptog_tile_bytes(tmp) >= ptog_elementwise_clobbers(c->target, c->insn);
}
