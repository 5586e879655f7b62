/* verify: predicates on MGATHER, and on the table or view of any instruction. */
#include "model/mgather.h"
#include "model/tensor.h"
#include "model/tile.h"
#include "verify/predicates.h"

#define UNUSED_OPERAND (void)o

static bool is_nz(const struct ptog_check *c)
{
    return ptog_check_tensor(c)->layout == PTOG_NZ;
}

static bool is_nz_with_type(const struct ptog_check *c)
{
    return is_nz(c) && ptog_dtype_size(ptog_check_tensor(c)->dtype) > 0;
}

/* Equal, or not both known. */
static bool same(int64_t a, int64_t b)
{
    return a == PTOG_DYN || b == PTOG_DYN || a == b;
}

bool ptog_shape_not_negative(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    for (int d = 0; d < 5; d++)
        if (ptog_check_tensor(c)->shape[d] < PTOG_DYN)
            return false;
    return true;
}

bool ptog_strides_positive(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    for (int d = 0; d < 5; d++)
        if (ptog_check_tensor(c)->stride[d] < PTOG_DYN)
            return false;
    return true;
}

/* Known, not negative: what the arithmetic below may multiply. */
static bool table_known(const struct ptog_check *c)
{
    for (int d = 0; d < 5; d++)
        if (ptog_check_tensor(c)->shape[d] < 0 || ptog_check_tensor(c)->stride[d] < 0)
            return false;
    return true;
}

bool ptog_table_is_sound(const struct ptog_check *c)
{
    int64_t elements;
    return table_known(c) && ptog_dtype_size(ptog_check_tensor(c)->dtype) > 0 &&
           ptog_tensor_elements(ptog_check_tensor(c), &elements) && elements > 0;
}

bool ptog_table_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    int64_t elements;
    return !table_known(c) || ptog_tensor_elements(ptog_check_tensor(c), &elements);
}

bool ptog_nd_inner_stride_is_1(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    int64_t stride = ptog_check_tensor(c)->stride[4];
    bool one = ptog_insn_family(c->insn) == PTOG_FAMILY_TRANSFER && ptog_check_tensor(c)->shape[4] == 1;
    return ptog_check_tensor(c)->layout != PTOG_ND || stride < 0 || stride == 1 || one;
}

bool ptog_has_capacity(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    for (int d = 0; d < 5; d++)
        if (ptog_check_tensor(c)->shape[d] == 0)
            return false;
    return !ptog_table_is_sound(c) || ptog_mgather_capacity(c->target, c->insn) > 0;
}

bool ptog_capacity_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return !ptog_table_is_sound(c) || ptog_mgather_capacity(c->target, c->insn) <= UINT32_MAX;
}

bool ptog_table_layout_known(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    unsigned layout = (unsigned)ptog_check_tensor(c)->layout;
    return layout < 3 && (c->target->table_layouts >> layout & 1);
}

bool ptog_outer_dims_are_1(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    for (int d = 0; d < 3; d++)
        if (ptog_check_tensor(c)->shape[d] > 1)
            return false;
    return true;
}

/* A target that gathers from no NZ table at all says so by a rule of its own; loads and stores have NZ views
 * everywhere.
 */
static bool nz_is_read(const struct ptog_check *c)
{
    return is_nz(c) && (!ptog_check_is(c, PTOG_FAMILY_MGATHER) || ptog_table_layout_known(c, PTOG_AT_TABLE));
}

bool ptog_nz_shape3_is_16(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return !nz_is_read(c) || ptog_check_tensor(c)->shape[3] == PTOG_NZ_ROWS;
}

bool ptog_nz_shape4_is_c0(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return !nz_is_read(c) || !is_nz_with_type(c) ||
           ptog_check_tensor(c)->shape[4] == ptog_c0(ptog_check_tensor(c)->dtype);
}

/* A layout or a width that the target refuses altogether is reported by its own rule. */
bool ptog_pitch_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    bool refused = !ptog_table_layout_known(c, o) || (c->target->row_pitch == PTOG_PITCH_VALID_COL &&
                                                      c->form == PTOG_FORM_ROW && !ptog_width_is_dst(c, o));
    return refused || !ptog_table_is_sound(c) || !ptog_tile_is_sound(ptog_check_at(c, PTOG_AT_DST)) ||
           ptog_mgather_pitch_fits(c->target, c->insn);
}

bool ptog_coalesce_known(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return ptog_mgather_coalesce(c->insn) == PTOG_ROW || ptog_mgather_coalesce(c->insn) == PTOG_ELEM;
}

bool ptog_oob_known(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return (unsigned)ptog_mgather_oob(c->insn) <= PTOG_OOB_ZERO;
}

bool ptog_order_taken(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_tile_order order = ptog_tile_order(ptog_check_tile(c, o));
    uint32_t taken = o == PTOG_AT_DST ? c->target->dst_orders : c->target->index_orders;
    return order == PTOG_ORDER_OTHER || (taken >> order & 1);
}

/* An order or layout that the target does not know at all is reported by its own rule. */
bool ptog_layouts_pair(const struct ptog_check *c, enum ptog_operand_name o)
{
    if (!ptog_order_taken(c, o) || !ptog_table_layout_known(c, o) || !ptog_is_known_order(c, o))
        return true;
    return is_nz(c) == (ptog_tile_order(ptog_check_at(c, PTOG_AT_DST)) == PTOG_ORDER_NZ);
}

bool ptog_row_index_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    const struct ptog_tile *idx = ptog_check_at(c, PTOG_AT_IDX), *dst = ptog_check_at(c, PTOG_AT_DST);
    if (!ptog_has_shape(c, PTOG_AT_DST) || !ptog_has_shape(c, PTOG_AT_IDX))
        return true;
    bool row = same(idx->valid_row, 1) && same(idx->valid_col, dst->valid_row);
    bool column = same(idx->valid_col, 1) && same(idx->valid_row, dst->valid_row);
    switch (c->target->row_index) {
    case PTOG_ROW_INDEX_1R: return row;
    case PTOG_ROW_INDEX_PACKED:
        if (idx->cols == 1 && column)
            return true; /* fall through */
    case PTOG_ROW_INDEX_LINEAR: return ptog_tile_order(idx) == PTOG_ORDER_COL ? column : row;
    default: return row || column;
    }
}

bool ptog_index_is_dst_shape(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    const struct ptog_tile *idx = ptog_check_at(c, PTOG_AT_IDX), *dst = ptog_check_at(c, PTOG_AT_DST);
    if (!ptog_has_shape(c, PTOG_AT_DST) || !ptog_has_shape(c, PTOG_AT_IDX))
        return true;
    return same(idx->valid_row, dst->valid_row) && same(idx->valid_col, dst->valid_col);
}

bool ptog_index_columns_fit(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return ptog_check_at(c, PTOG_AT_IDX)->cols == 1 ||
           ptog_check_at(c, PTOG_AT_IDX)->cols == ptog_check_at(c, PTOG_AT_DST)->cols ||
           !ptog_has_shape(c, PTOG_AT_IDX) || !ptog_has_shape(c, PTOG_AT_DST);
}

bool ptog_index_rows_match(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return ptog_check_at(c, PTOG_AT_IDX)->rows == ptog_check_at(c, PTOG_AT_DST)->rows ||
           !ptog_has_shape(c, PTOG_AT_IDX) || !ptog_has_shape(c, PTOG_AT_DST);
}

/* Open, or within the padded columns: whatever its rows are, widths can be compared with it. */
static bool dst_width_is_sound(const struct ptog_check *c)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST);
    return dst->valid_col == PTOG_DYN || (dst->valid_col >= 1 && dst->valid_col <= dst->cols);
}

bool ptog_width_is_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return ptog_check_tensor(c)->shape[4] <= 0 ||
           same(ptog_check_tensor(c)->shape[4], ptog_check_at(c, PTOG_AT_DST)->valid_col) || !dst_width_is_sound(c);
}

bool ptog_width_covers_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    int64_t width = ptog_check_tensor(c)->shape[4];
    return is_nz(c) || width <= 0 || ptog_check_at(c, PTOG_AT_DST)->valid_col <= width || !dst_width_is_sound(c);
}

/* The NZ rules below judge a table whose fractal dimensions are right. */
static bool nz_is_sound(const struct ptog_check *c)
{
    return is_nz_with_type(c) && ptog_table_is_sound(c) && ptog_nz_shape4_is_c0(c, PTOG_AT_TABLE) &&
           ptog_nz_shape3_is_16(c, PTOG_AT_TABLE) && dst_width_is_sound(c);
}

bool ptog_nz_width_covers_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return !nz_is_sound(c) || ptog_check_at(c, PTOG_AT_DST)->valid_col <= ptog_tensor_nz_cols(ptog_check_tensor(c));
}

bool ptog_nz_row_fits_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return !nz_is_sound(c) || ptog_tensor_nz_cols(ptog_check_tensor(c)) <= ptog_check_at(c, PTOG_AT_DST)->cols;
}

bool ptog_mode_is_elem(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return ptog_mgather_coalesce(c->insn) == PTOG_ELEM;
}

bool ptog_oob_is_undefined(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return ptog_mgather_oob(c->insn) == PTOG_OOB_UNDEFINED;
}

bool ptog_mode_is_as_written(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    enum ptog_coalesce mode = c->form == PTOG_FORM_ROW ? PTOG_ROW : PTOG_ELEM;
    return !ptog_index_columns_fit(c, PTOG_AT_IDX) || ptog_mgather_coalesce(c->insn) == mode;
}
