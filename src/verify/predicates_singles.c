/* verify: predicates on single elements of tiles. */
#include "model/singles.h"

#include "verify/predicates.h"

bool ptog_element_is_inside(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = &c->insn->of[PTOG_SINGLE_TILE].tile;
    int64_t element = ptog_single_element(c->insn);
    (void)o;
    return ptog_tile_bytes(tile) <= 0 || (element >= 0 && element < tile->rows * tile->cols);
}

bool ptog_value_is_of_tile(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_dtype dtype = c->at[o]->tile.dtype, tile = c->insn->of[PTOG_SINGLE_TILE].tile.dtype;
    return dtype == PTOG_DTYPE_NONE || tile == PTOG_DTYPE_NONE || dtype == tile;
}
