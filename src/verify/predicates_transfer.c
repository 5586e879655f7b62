/* verify: predicates on TLOAD and TSTORE. */
#include "model/transfer.h"
#include "verify/predicates.h"

bool ptog_view_is_tile_dtype(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    enum ptog_dtype tile = ptog_check_at(c, PTOG_AT_TILE)->dtype, view = ptog_check_tensor(c)->dtype;
    return tile == view || ptog_dtype_size(tile) == 0 || ptog_dtype_size(view) == 0;
}

bool ptog_view_layout_known(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    return (unsigned)ptog_check_tensor(c)->layout <= PTOG_NZ;
}

bool ptog_pad_known(const struct ptog_check *c, enum ptog_operand_name o)
{
    return (unsigned)ptog_check_tile(c, o)->pad <= PTOG_PAD_MIN;
}

bool ptog_view_is_valid_region(const struct ptog_check *c, enum ptog_operand_name o)
{
    int64_t rows, cols;
    const struct ptog_tile *tile = ptog_check_at(c, PTOG_AT_TILE);
    if (!ptog_shape_not_negative(c, o) || !ptog_has_shape(c, PTOG_AT_TILE) || !ptog_table_fits(c, o))
        return true;
    if (!ptog_view_extents(ptog_check_tensor(c), &rows, &cols))
        return false;
    return (rows == PTOG_DYN || tile->valid_row == PTOG_DYN || rows == tile->valid_row) &&
           (cols == PTOG_DYN || tile->valid_col == PTOG_DYN || cols == tile->valid_col);
}

/* A layout or order that no instruction addresses is reported by its own rule. */
bool ptog_view_pairs(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    enum ptog_tile_order order = ptog_tile_order(ptog_check_at(c, PTOG_AT_TILE));
    switch (ptog_check_tensor(c)->layout) {
    case PTOG_ND: return order == PTOG_ORDER_ROW || order == PTOG_ORDER_OTHER;
    case PTOG_DN: return order == PTOG_ORDER_COL || order == PTOG_ORDER_OTHER;
    case PTOG_NZ: return order == PTOG_ORDER_NZ || order == PTOG_ORDER_OTHER;
    }
    return true;
}
