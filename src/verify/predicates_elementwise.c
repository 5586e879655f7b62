/* verify: predicates on instructions that go element by element. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/convert.h"
#include "model/dtype.h"
#include "model/elementwise.h"
#include "model/target_quirks.h"
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

/* So many columns of one number for so many elements: a pair holds two, and the last one may be half empty. */
static bool fits_pairs(int64_t cols, int64_t elements, int numbers)
{
    return cols <= elements * numbers && cols > (elements - 1) * numbers;
}

/* Whether a source has the valid region of dst, counted in numbers where an element holds two. */
static bool is_same_region(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *src = ptog_check_tile(c, o), *dst = ptog_check_at(c, PTOG_AT_DST);
    if (!ptog_tile_is_sound(src) || !ptog_tile_is_sound(dst))
        return true;
    int packs = ptog_dtype_numbers(dst->dtype), unpacks = ptog_dtype_numbers(src->dtype);
    bool cols = src->valid_col == dst->valid_col;
    if (packs > unpacks)
        cols = fits_pairs(src->valid_col, dst->valid_col, packs);
    if (packs < unpacks)
        cols = fits_pairs(dst->valid_col, src->valid_col, unpacks);
    return cols && src->valid_row == dst->valid_row;
}

bool ptog_valid_is_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    return is_scalar(c, o) || is_late(c, o) || is_late(c, PTOG_AT_DST) || is_same_region(c, o);
}

bool ptog_late_valid_is_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    return is_scalar(c, o) || !(is_late(c, o) || is_late(c, PTOG_AT_DST)) || is_same_region(c, o);
}

/* The valid region of the source covers that of dst, counted in numbers. */
bool ptog_valid_covers_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *src = ptog_check_tile(c, o), *dst = ptog_check_at(c, PTOG_AT_DST);
    if (is_scalar(c, o) || !ptog_tile_is_sound(src) || !ptog_tile_is_sound(dst))
        return true;
    int packs = ptog_dtype_numbers(dst->dtype); /* of the last pair one number is enough here */
    int64_t numbers = src->valid_col * ptog_dtype_numbers(src->dtype) + packs - 1;
    return src->valid_row >= dst->valid_row && numbers >= dst->valid_col * packs;
}

/* A fill does not look where rows and columns are: boxes alone are in its way. */
bool ptog_elementwise_layout_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    return ptog_is_row_major(c, o) ||
           (c->form == PTOG_FORM_FILL && ptog_tile_order(ptog_check_tile(c, o)) == PTOG_ORDER_COL);
}

bool ptog_source_dtype_is_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    return is_scalar(c, o) || ptog_dtype_is_dst(c, o) ||
           ptog_quirk_widens(c->insn, ptog_check_tile(c, o)->dtype, ptog_check_at(c, PTOG_AT_DST)->dtype);
}

/* One source has dst's region, and the other one is no larger. */
bool ptog_parts_make_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST);
    for (int i = 1; i <= 2; i++) {
        const struct ptog_tile *part = &c->insn->of[i].tile;
        if (!ptog_tile_is_sound(part) || !ptog_tile_is_sound(dst))
            return true;
        if (part->valid_row > dst->valid_row || part->valid_col > dst->valid_col)
            return false;
    }
    return is_same_region(c, PTOG_AT_SRC0) || is_same_region(c, PTOG_AT_SRC1);
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
    enum ptog_dtype dtype = ptog_check_tile(c, o)->dtype, data = ptog_elementwise_data(c->insn);
    if (!is_scalar(c, o) || dtype == PTOG_DTYPE_NONE || data == PTOG_DTYPE_NONE || dtype == data)
        return true;
    return (ptog_dtype_is_float(dtype) && ptog_dtype_is_float(data)) || (is_shift(c) && is_integer(dtype));
}

bool ptog_scalar_is_kept(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_dtype dtype = ptog_check_tile(c, o)->dtype, data = ptog_elementwise_data(c->insn);
    return !is_scalar(c, o) || !ptog_dtype_is_float(dtype) || !ptog_dtype_is_float(data) || dtype == data;
}

bool ptog_one_is_scalar(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    return is_scalar(c, PTOG_AT_SRC0) != is_scalar(c, PTOG_AT_SRC1);
}

/* ---- conversions */

bool ptog_is_not_hif8(const struct ptog_check *c, enum ptog_operand_name o)
{
    return ptog_check_tile(c, o)->dtype != PTOG_HIF8;
}

bool ptog_is_no_exponent(const struct ptog_check *c, enum ptog_operand_name o)
{
    return ptog_check_tile(c, o)->dtype != PTOG_F8E8M0;
}

bool ptog_types_convert(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    enum ptog_dtype from = ptog_check_at(c, PTOG_AT_SRC)->dtype, to = ptog_check_at(c, PTOG_AT_DST)->dtype;
    if (from == PTOG_DTYPE_NONE || to == PTOG_DTYPE_NONE || from == PTOG_F8E8M0 || to == PTOG_F8E8M0)
        return true; /* rules of their own */
    return ptog_converts(c->target, from, to);
}

/* The tile that is not of pairs has both numbers of each, side by side; on A5 the last pair may be half empty. */
bool ptog_pairs_are_whole(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_tile(c, o), *src = ptog_check_at(c, PTOG_AT_SRC),
                           *dst = ptog_check_at(c, PTOG_AT_DST);
    bool halves = c->target->machine == PTOG_MACHINE_SIMT;
    if (ptog_dtype_numbers(src->dtype) == ptog_dtype_numbers(dst->dtype) || !ptog_tile_is_sound(tile))
        return true;
    if (ptog_tile_order(tile) != PTOG_ORDER_ROW || ptog_dtype_size(tile->dtype) > 4)
        return false;
    return ptog_dtype_numbers(tile->dtype) > 1 || (tile->cols % 2 == 0 && (halves || tile->valid_col % 2 == 0));
}

bool ptog_conversion_known(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    const int32_t *attr = c->insn->attr;
    return attr[PTOG_TCVT_ROUND] >= PTOG_ROUND_NONE && attr[PTOG_TCVT_ROUND] <= PTOG_ROUND_CAST_RINT &&
           (attr[PTOG_TCVT_SATURATION] == PTOG_SATURATION_ON || attr[PTOG_TCVT_SATURATION] == PTOG_SATURATION_OFF);
}

/* ---- numbers by their place */

bool ptog_has_one_row(const struct ptog_check *c, enum ptog_operand_name o)
{
    return ptog_check_tile(c, o)->rows == 1;
}

/* The type of a start number is dst's; TTRI takes any integer. */
bool ptog_start_fits_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_dtype dtype = ptog_check_tile(c, o)->dtype, dst = ptog_check_at(c, PTOG_AT_DST)->dtype;
    if (dtype == PTOG_DTYPE_NONE || dst == PTOG_DTYPE_NONE)
        return true;
    if (c->insn->opcode == PTOG_TTRI)
        return is_integer(dtype);
    return dtype == dst;
}

bool ptog_flag_is_known(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    return c->insn->attr[0] == 0 || c->insn->attr[0] == 1;
}

/* ---- limits of libraries */

bool ptog_i64_fits_step(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_tile(c, o);
    return ptog_quirk_repeats_64(c->insn) || ptog_dtype_size(dst->dtype) != 8 || dst->valid_col <= 64;
}

/* ---- tmp, where a library uses it */

bool ptog_tmp_is_given(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    struct ptog_tmp_use use;
    return !ptog_quirk_tmp(c->target, c->insn, &use) || !use.is_wanted || c->present >> PTOG_AT_TMP & 1;
}

bool ptog_tmp_has_room(const struct ptog_check *c, enum ptog_operand_name o)
{
    struct ptog_tmp_use use;
    const struct ptog_tile *tmp = ptog_check_tile(c, o);
    if (!ptog_tile_is_sound(tmp) || !ptog_tile_is_sound(ptog_check_at(c, PTOG_AT_DST)))
        return true;
    return !ptog_quirk_tmp(c->target, c->insn, &use) || ptog_tile_bytes(tmp) >= use.need;
}

/* The valid shape of a tmp is as the library and the compiler require it: tprelu has a valid column per eight of dst,
 * tpow and tpows have that of dst, others any. A tmp whose valid shape is not said is valid as a whole. */
bool ptog_tmp_valid_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tmp = ptog_check_tile(c, o), *dst = ptog_check_at(c, PTOG_AT_DST);
    struct ptog_tmp_use use;
    if (!ptog_tile_is_sound(tmp) || !ptog_tile_is_sound(dst) || !ptog_quirk_tmp(c->target, c->insn, &use))
        return true;
    switch (c->insn->opcode) {
    case PTOG_TPRELU: return 8 * tmp->valid_col >= dst->valid_col;
    case PTOG_TPOW:
    case PTOG_TPOWS: return tmp->valid_row == dst->valid_row && tmp->valid_col == dst->valid_col;
    default: return true;
    }
}

bool ptog_tmp_dtype_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    struct ptog_tmp_use use;
    enum ptog_dtype dtype = ptog_check_tile(c, o)->dtype;
    return !ptog_quirk_tmp(c->target, c->insn, &use) || use.dtype == PTOG_DTYPE_NONE || use.dtype == dtype;
}
