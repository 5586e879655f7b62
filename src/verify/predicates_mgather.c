/* verify: predicates on MGATHER and MSCATTER, and on the table or view of any instruction. */
#include "base/arith.h"
#include "model/mgather.h"
#include "model/mscatter.h"
#include "model/tensor.h"
#include "model/tile.h"
#include "verify/predicates.h"

#define UNUSED_OPERAND (void)o

/* The tile whose elements move: dst of MGATHER, the source of MSCATTER. */
static const struct ptog_tile *moved_tile(const struct ptog_check *c)
{
    return ptog_mgather_dst(c->insn);
}

static enum ptog_operand_name moved_name(const struct ptog_check *c)
{
    return ptog_check_is(c, PTOG_FAMILY_MSCATTER) ? PTOG_AT_SRC : PTOG_AT_DST;
}

static const struct ptog_target *as_target(const struct ptog_check *c)
{
    return ptog_mgather_as(c->target, c->insn);
}

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
    return layout < 3 && (as_target(c)->table_layouts >> layout & 1);
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
    return is_nz(c) && (ptog_check_is(c, PTOG_FAMILY_TRANSFER) || ptog_table_layout_known(c, PTOG_AT_TABLE));
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
    bool refused =
        !ptog_table_layout_known(c, o) || (as_target(c)->row_pitch == PTOG_PITCH_VALID_COL &&
                                           ptog_mgather_is_row(c->target, c->insn) && !ptog_width_is_dst(c, o));
    return refused || !ptog_table_is_sound(c) || !ptog_tile_is_sound(moved_tile(c)) ||
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

bool ptog_order_accepted(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_tile_order order = ptog_tile_order(ptog_check_tile(c, o));
    uint32_t taken = o == PTOG_AT_IDX ? as_target(c)->index_orders : as_target(c)->dst_orders;
    return order > PTOG_ORDER_NZ || (taken >> order & 1);
}

/* An order or layout that the target does not know at all is reported by its own rule. */
bool ptog_layouts_pair(const struct ptog_check *c, enum ptog_operand_name o)
{
    if (!ptog_order_accepted(c, o) || !ptog_table_layout_known(c, o) || !ptog_is_known_order(c, o))
        return true;
    return is_nz(c) == (ptog_tile_order(moved_tile(c)) == PTOG_ORDER_NZ);
}

/* The index tile of Row has one index for each row, in the shape that the target reads. */
bool ptog_row_index_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    const struct ptog_tile *idx = ptog_check_at(c, PTOG_AT_IDX), *dst = moved_tile(c);
    if (!ptog_has_shape(c, moved_name(c)) || !ptog_has_shape(c, PTOG_AT_IDX))
        return true;
    bool row = same(idx->valid_row, 1) && same(idx->valid_col, dst->valid_row);
    bool column = same(idx->valid_col, 1) && same(idx->valid_row, dst->valid_row);
    switch (as_target(c)->row_index) {
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
    const struct ptog_tile *idx = ptog_check_at(c, PTOG_AT_IDX), *dst = moved_tile(c);
    if (!ptog_has_shape(c, moved_name(c)) || !ptog_has_shape(c, PTOG_AT_IDX))
        return true;
    return same(idx->valid_row, dst->valid_row) && same(idx->valid_col, dst->valid_col);
}

bool ptog_index_columns_fit(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return ptog_check_at(c, PTOG_AT_IDX)->cols == 1 || ptog_check_at(c, PTOG_AT_IDX)->cols == moved_tile(c)->cols ||
           !ptog_has_shape(c, PTOG_AT_IDX) || !ptog_has_shape(c, moved_name(c));
}

bool ptog_index_rows_match(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return ptog_check_at(c, PTOG_AT_IDX)->rows == moved_tile(c)->rows || !ptog_has_shape(c, PTOG_AT_IDX) ||
           !ptog_has_shape(c, moved_name(c));
}

/* Open, or within the padded columns: whatever its rows are, widths can be compared with it. */
static bool dst_width_is_sound(const struct ptog_check *c)
{
    const struct ptog_tile *dst = moved_tile(c);
    return dst->valid_col == PTOG_DYN || (dst->valid_col >= 1 && dst->valid_col <= dst->cols);
}

bool ptog_width_is_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return ptog_check_tensor(c)->shape[4] <= 0 || same(ptog_check_tensor(c)->shape[4], moved_tile(c)->valid_col) ||
           !dst_width_is_sound(c);
}

bool ptog_width_covers_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    int64_t width = ptog_check_tensor(c)->shape[4];
    bool row = c->form != PTOG_FORM_GATHER_L1 || ptog_mgather_is_row(c->target, c->insn);
    return is_nz(c) || width <= 0 || moved_tile(c)->valid_col <= width || !dst_width_is_sound(c) || !row;
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
    return !nz_is_sound(c) || moved_tile(c)->valid_col <= ptog_tensor_nz_cols(ptog_check_tensor(c));
}

bool ptog_nz_row_fits_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return !nz_is_sound(c) || ptog_tensor_nz_cols(ptog_check_tensor(c)) <= moved_tile(c)->cols;
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
    enum ptog_coalesce mode = ptog_mgather_is_row(c->target, c->insn) ? PTOG_ROW : PTOG_ELEM;
    return !ptog_index_columns_fit(c, PTOG_AT_IDX) || ptog_mgather_coalesce(c->insn) == mode;
}

/* ---- MGATHER into L1 */

bool ptog_indices_are_in_memory(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return c->insn->of[PTOG_MGATHER_INDICES].kind == PTOG_IS_VIEW;
}

bool ptog_index_view_type_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    return !ptog_indices_are_in_memory(c, o) || (ptog_check_dtypes(c, o) >> c->at[o]->view.dtype & 1);
}

/* The elements of a view; a negative number where they are not known. */
static int64_t view_elements(const struct ptog_tensor *view)
{
    int64_t count = 1;
    for (int d = 0; d < 5; d++)
        if (view->shape[d] < 0 || !ptog_mul_i64(count, view->shape[d], &count))
            return PTOG_DYN;
    return count;
}

/* An index for each row, or for each element. */
bool ptog_has_all_indices(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = moved_tile(c);
    int64_t count = view_elements(&c->at[o]->view);
    bool row = ptog_mgather_is_row(c->target, c->insn);
    return !ptog_indices_are_in_memory(c, o) || count < 0 || !ptog_tile_is_sound(dst) || count >= dst->valid_row * (row ? 1 : dst->valid_col);
}

bool ptog_l1_is_nz(const struct ptog_check *c, enum ptog_operand_name o)
{
    return ptog_tile_order(ptog_check_tile(c, o)) == PTOG_ORDER_NZ;
}

bool ptog_table_is_nd(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return ptog_check_tensor(c)->layout == PTOG_ND;
}

static bool has_scratch(const struct ptog_check *c)
{
    return c->insn->of[PTOG_MGATHER_SCRATCH].kind == PTOG_IS_VIEW;
}

/* The CPU simulator, and host, gather without it. */
bool ptog_elem_has_scratch(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return has_scratch(c) || ptog_mgather_is_row(c->target, c->insn);
}

bool ptog_row_has_no_scratch(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return !has_scratch(c) || !ptog_mgather_is_row(c->target, c->insn);
}

/* Elements of dst's type, as many as the whole tile has. */
bool ptog_scratch_has_room(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tensor *scratch = &c->at[o]->view;
    const struct ptog_tile *dst = moved_tile(c);
    int64_t count = view_elements(scratch);
    if (!ptog_tile_is_sound(dst))
        return true;
    return scratch->dtype == dst->dtype && (count < 0 || count >= dst->rows * dst->cols);
}

/* ---- MSCATTER */

bool ptog_scatter_oob_known(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return (unsigned)c->insn->attr[PTOG_MSCATTER_OOB] <= PTOG_SCATTER_OOB_WRAP;
}

static bool atomic_is_known(const struct ptog_check *c)
{
    return (unsigned)ptog_mscatter_atomic(c->insn) <= PTOG_SCATTER_MIN;
}

/* Whether the target has this atomic operation for the type of the moved tile; none is always accepted, and a type that
 * the target does not scatter at all is reported by its own rule. */
bool ptog_atomic_accepted(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_scatter_atomic atomic = ptog_mscatter_atomic(c->insn);
    if (!atomic_is_known(c))
        return false;
    if (atomic == PTOG_SCATTER_NONE || !ptog_dtype_accepted(c, o) || moved_tile(c)->dtype == PTOG_DTYPE_NONE)
        return true;
    return ptog_mscatter_atomic_types(c->target, atomic) >> moved_tile(c)->dtype & 1;
}

/* A2/A3 has no such choice; the CPU simulator cannot look for the last lane and add. */
bool ptog_conflict_accepted(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    if ((unsigned)ptog_mscatter_conflict(c->insn) > PTOG_CONFLICT_DEFAULT)
        return false;
    return c->target->machine != PTOG_MACHINE_DMA || ptog_mscatter_conflict(c->insn) == PTOG_CONFLICT_LAST;
}

bool ptog_conflict_is_free(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return ptog_mscatter_conflict(c->insn) != PTOG_CONFLICT_LAST || !atomic_is_known(c) ||
           ptog_mscatter_atomic(c->insn) == PTOG_SCATTER_NONE;
}

bool ptog_dtype_is_src(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    enum ptog_dtype table = ptog_check_tensor(c)->dtype, src = moved_tile(c)->dtype;
    return table == src || ptog_dtype_size(table) == 0 || ptog_dtype_size(src) == 0;
}
