/* verify: predicates on instructions that go element by element. */
#include "verify/predicates.h"

/* Extents that were open when the instruction was written. */
static bool is_late(const struct ptog_check *c, enum ptog_operand_name name)
{
    const struct ptog_tile *tile = &c->written->of[ptog_insn_find(c->written, name)].tile;
    return tile->valid_row == PTOG_DYN || tile->valid_col == PTOG_DYN;
}

static bool is_same_region(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *src = ptog_check_tile(c, o), *dst = ptog_check_at(c, PTOG_AT_DST);
    return !ptog_tile_is_sound(src) || !ptog_tile_is_sound(dst) ||
           (src->valid_row == dst->valid_row && src->valid_col == dst->valid_col);
}

bool ptog_valid_is_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    return is_late(c, o) || is_late(c, PTOG_AT_DST) || is_same_region(c, o);
}

bool ptog_late_valid_is_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    return !(is_late(c, o) || is_late(c, PTOG_AT_DST)) || is_same_region(c, o);
}

bool ptog_valid_covers_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *src = ptog_check_tile(c, o), *dst = ptog_check_at(c, PTOG_AT_DST);
    return !ptog_tile_is_sound(src) || !ptog_tile_is_sound(dst) ||
           (src->valid_row >= dst->valid_row && src->valid_col >= dst->valid_col);
}
