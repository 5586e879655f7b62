/* verify: predicates on TLOAD and TSTORE. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

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
    return (unsigned)ptog_check_tile(c, o)->pad <= PTOG_PAD_CUSTOM;
}

/* Whether two extents are equal, or one is open. */
static bool may_be_same(int64_t a, int64_t b)
{
    return a == PTOG_DYN || b == PTOG_DYN || a == b;
}

/* Whether an extent is at least as large as another one, or either is open. */
static bool may_cover(int64_t view, int64_t valid)
{
    return view == PTOG_DYN || valid == PTOG_DYN || view >= valid;
}

/* All rows of a larger ND view move, and all columns of a larger DN view: they have to have a place in the tile. */
static bool may_be_larger(const struct ptog_check *c, int64_t rows, int64_t cols)
{
    const struct ptog_tile *tile = ptog_check_at(c, PTOG_AT_TILE);
    enum ptog_layout layout = ptog_check_tensor(c)->layout;
    if (c->form == PTOG_FORM_STORE && c->target->stores_region)
        return may_cover(rows, tile->valid_row) && may_cover(cols, tile->valid_col);
    bool is_single = layout == PTOG_DN ? cols == 1 : rows == 1; /* nothing is skewed */
    if (layout == PTOG_NZ || !(c->target->larger_views || (c->target->skews_views && is_single)))
        return false;
    if (layout == PTOG_DN ? cols > tile->cols : rows > tile->rows)
        return false;
    return may_cover(rows, tile->valid_row) && may_cover(cols, tile->valid_col);
}

/* A machine moves every row of an ND view, every column of a DN view and all of an NZ view, whatever is valid. */
bool ptog_view_fits_tile(const struct ptog_check *c, enum ptog_operand_name o)
{
    int64_t rows, cols;
    const struct ptog_tile *tile = ptog_check_at(c, PTOG_AT_TILE);
    enum ptog_layout layout = ptog_check_tensor(c)->layout;
    if (!ptog_shape_not_negative(c, o) || !ptog_has_shape(c, PTOG_AT_TILE) || !ptog_table_fits(c, o))
        return true; /* other rules report that */
    ptog_view_extents(ptog_check_tensor(c), &rows, &cols);
    if (layout == PTOG_NZ)
        return may_be_same(rows, tile->valid_row) && may_be_same(cols, tile->valid_col);
    return (layout == PTOG_DN ? cols <= tile->cols : rows <= tile->rows) || ptog_transfer_turns_row(c->insn);
}

/* The view has the extents of the tile's valid region, or larger ones where the target allows that. */
bool ptog_view_is_valid_region(const struct ptog_check *c, enum ptog_operand_name o)
{
    int64_t rows, cols;
    const struct ptog_tile *tile = ptog_check_at(c, PTOG_AT_TILE);
    if (!ptog_shape_not_negative(c, o) || !ptog_has_shape(c, PTOG_AT_TILE) || !ptog_table_fits(c, o))
        return true; /* other rules report that */
    if (c->target->machine != PTOG_NO_MACHINE && !ptog_view_fits_tile(c, o))
        return true; /* so does transfer-rows */
    ptog_view_extents(ptog_check_tensor(c), &rows, &cols);
    return (may_be_same(rows, tile->valid_row) && may_be_same(cols, tile->valid_col)) || may_be_larger(c, rows, cols) ||
           ptog_transfer_turns_row(c->insn);
}

bool ptog_view_lies_as_tile(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    return !ptog_transfer_turns_row(c->insn);
}

bool ptog_dn_columns_are_contiguous(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tensor *view = ptog_check_tensor(c);
    (void)o;
    return view->layout != PTOG_DN || view->shape[3] == PTOG_DYN || view->shape[3] <= 1 ||
           view->stride[3] == PTOG_DYN || view->stride[3] == 1;
}

/* A store that adds has an element type that can be added atomically. */
bool ptog_atomic_is_accepted(const struct ptog_check *c, enum ptog_operand_name o)
{
    const uint32_t taken =
        1u << PTOG_I8 | 1u << PTOG_I16 | 1u << PTOG_I32 | 1u << PTOG_F16 | 1u << PTOG_BF16 | 1u << PTOG_F32;
    int32_t atomic = c->insn->attr[PTOG_TSTORE_ATOMIC];
    enum ptog_dtype dtype = ptog_check_tile(c, o)->dtype;
    if (atomic == PTOG_ATOMIC_NONE || ptog_dtype_size(dtype) == 0)
        return true;
    return atomic == PTOG_ATOMIC_ADD && taken >> dtype & 1;
}

/* A layout or order that no instruction addresses is reported by its own rule. One row or column is stored as either.
 */
bool ptog_view_pairs(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_at(c, PTOG_AT_TILE);
    enum ptog_tile_order order = ptog_tile_order(tile);
    bool is_line = tile->valid_row == 1 || tile->valid_col == 1;
    (void)o;
    if (order > PTOG_ORDER_NZ)
        return true;
    if (c->insn->opcode == PTOG_TSTORE && is_line && order != PTOG_ORDER_NZ)
        return ptog_check_tensor(c)->layout != PTOG_NZ;
    switch (ptog_check_tensor(c)->layout) {
    case PTOG_ND: return order == PTOG_ORDER_ROW;
    case PTOG_DN: return order == PTOG_ORDER_COL;
    case PTOG_NZ: return order == PTOG_ORDER_NZ;
    }
    return true;
}
