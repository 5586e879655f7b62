/* lower: dtype and shape of bound data as dtype and extents of the operand it is bound to. */
#include <inttypes.h>

#include "base/arith.h"
#include "base/pick.h"
#include "lower/bind.h"
#include "model/dtype.h"

/* Reports that a slot cannot be bound; always false. */
static bool refuse_binding(struct ptog_eval *e, const struct ptog_slot_state *slot, const char *what)
{
    ptog_diag_emit(e->diags, "run-binding", slot->span, "%%%.80s cannot be bound: %s",
                   ptog_tree_text(e->tree, slot->name), what);
    return false;
}

/* Data carries a type when it is of that type, an integer of its width, or, for types that files do not have, anything
 * of its width. */
bool ptog_bind_carries(enum ptog_dtype data, enum ptog_dtype dtype)
{
    bool small = dtype == PTOG_BF16 || dtype >= PTOG_F8E4M3;
    bool integers = dtype <= PTOG_U64 && data <= PTOG_U64;
    return data == dtype || (ptog_dtype_size(data) == ptog_dtype_size(dtype) && (small || integers));
}

/* Takes the element type of the bound data where *dtype is open. False after a report when both are known and differ.
 */
bool ptog_bind_dtype(struct ptog_eval *e, const struct ptog_slot_state *slot, enum ptog_dtype *dtype)
{
    enum ptog_dtype data = slot->binding->dtype;
    if (slot->binding->is_number || data == PTOG_DTYPE_NONE)
        return true;
    if (*dtype == PTOG_DTYPE_NONE) {
        *dtype = data;
        return true;
    }
    if (ptog_bind_carries(data, *dtype))
        return true;
    ptog_diag_emit(e->diags, "run-binding", slot->span, "%%%.80s has element type %s, but is bound to data of type %s",
                   ptog_tree_text(e->tree, slot->name), ptog_dtype_name(*dtype), ptog_dtype_name(data));
    return false;
}

/* Raw bytes say how many rows there are when everything else is known. */
static void outermost_from_bytes(const struct ptog_binding *binding, struct ptog_view_value *view)
{
    int64_t *shape = view->tensor.shape;
    uint32_t first = 5 - view->rank;
    int64_t inner = (int64_t)ptog_dtype_size(view->tensor.dtype);
    if (view->rank == 0 || inner == 0 || shape[first] != PTOG_DYN)
        return;
    for (uint32_t i = first + 1; i < 5; i++)
        if (shape[i] < 1 || !ptog_mul_i64(inner, shape[i], &inner))
            return;
    shape[first] = (int64_t)(binding->data.bytes / (uint64_t)inner);
}

/* Fills in strides that the type leaves open: those of packed data. False after a report when they cannot be known. */
static bool open_strides(struct ptog_eval *e, const struct ptog_slot_state *slot, struct ptog_view_value *view)
{
    const struct ptog_binding *binding = slot->binding;
    int64_t packed = 1;
    for (int i = 0; i < (int)view->rank; i++) {
        bool known = binding->rank == (int)view->rank;
        if (view->tensor.stride[4 - i] == PTOG_DYN && !known)
            return refuse_binding(e, slot,
                                  "its type leaves strides open, and the data has a different number of dimensions");
        if (view->tensor.stride[4 - i] == PTOG_DYN)
            view->tensor.stride[4 - i] = packed;
        if (known && !ptog_mul_i64(packed, binding->shape[binding->rank - 1 - i], &packed))
            return refuse_binding(e, slot, "its data is too large");
    }
    return true;
}

/* Takes element type, extents and strides of the bound data where the view leaves them open. False after a report. */
bool ptog_bind_view(struct ptog_eval *e, const struct ptog_slot_state *slot, struct ptog_value *value)
{
    const struct ptog_binding *binding = slot->binding;
    struct ptog_view_value *view = &value->view;
    if (!ptog_bind_dtype(e, slot, &view->tensor.dtype) || binding->is_number)
        return !binding->is_number;
    int rank = binding->rank < 0 || binding->rank > 5 ? 0 : binding->rank;
    for (int i = 0; i < rank; i++)
        if (binding->shape[i] < 0)
            return refuse_binding(e, slot, "its shape has a negative extent");
    if (view->rank == 0 && rank > 0) {
        view->rank = (uint32_t)rank;
        for (int i = 0; i < rank; i++)
            view->tensor.shape[5 - rank + i] = binding->shape[i];
    }
    for (int i = 0; i < rank && i < (int)view->rank; i++)
        if (view->tensor.shape[4 - i] == PTOG_DYN)
            view->tensor.shape[4 - i] = binding->shape[rank - 1 - i];
    if (rank == 0)
        outermost_from_bytes(binding, view);
    return open_strides(e, slot, view);
}

/* ---- tiles */

/* Sets *rows and *cols to the extents of a binding of which at most two are not 1; false for others. */
static bool shape_of(const struct ptog_binding *binding, int64_t *rows, int64_t *cols)
{
    int rank = binding->rank;
    if (rank < 1 || rank > 5)
        return false;
    *rows = rank > 1 ? binding->shape[rank - 2] : 1;
    *cols = binding->shape[rank - 1];
    for (int i = 0; i < rank - 2; i++)
        if (binding->shape[i] != 1)
            return false;
    return *rows > 0 && *cols > 0;
}

bool ptog_bind_tile_fits(struct ptog_eval *e, const struct ptog_slot_state *slot, const struct ptog_tile *tile)
{
    int64_t rows = ptog_given(tile->valid_row, tile->rows);
    int64_t cols = ptog_given(tile->valid_col, tile->cols);
    int64_t bytes = (int64_t)ptog_dtype_size(tile->dtype);
    if (rows < 0 || cols < 0 || bytes == 0)
        return true; /* not known yet: said elsewhere */
    if (!ptog_mul_i64(bytes, rows, &bytes) || !ptog_mul_i64(bytes, cols, &bytes))
        return refuse_binding(e, slot, "the tile is too large");
    if (slot->binding->data.bytes == (uint64_t)bytes)
        return true;
    ptog_diag_emit(e->diags, "run-binding", slot->span,
                   "%%%.80s has a valid region of %" PRId64 " bytes, but is bound to %zu bytes",
                   ptog_tree_text(e->tree, slot->name), bytes, slot->binding->data.bytes);
    return false;
}

/* Takes element type and extents of the bound data where the tile leaves them open, and checks that the bytes fit.
 * False after a report. */
bool ptog_bind_tile(struct ptog_eval *e, const struct ptog_slot_state *slot, struct ptog_value *value)
{
    struct ptog_tile *tile = &value->tile.tile;
    int64_t rows, cols;
    if (!ptog_bind_dtype(e, slot, &tile->dtype) || slot->binding->is_number)
        return !slot->binding->is_number;
    if (shape_of(slot->binding, &rows, &cols)) {
        if (tile->rows < 0 && tile->cols < 0) {
            tile->rows = rows;
            tile->cols = cols;
        }
        if (tile->rows < 0)
            tile->rows = rows;
        if (tile->cols < 0)
            tile->cols = cols;
        if (tile->valid_row == PTOG_DYN)
            tile->valid_row = rows;
        if (tile->valid_col == PTOG_DYN)
            tile->valid_col = cols;
    }
    value->open = tile->rows < 0 || tile->cols < 0 || tile->dtype == PTOG_DTYPE_NONE;
    if (tile->rows > 0 && tile->cols > 0 && (tile->valid_row > tile->rows || tile->valid_col > tile->cols))
        return refuse_binding(e, slot, "the data is larger than the tile");
    if (tile->rows > 0 && tile->cols > 0 && (tile->valid_row == PTOG_DYN || tile->valid_col == PTOG_DYN))
        return refuse_binding(e, slot, "its type leaves the valid region open, and the data has no shape");
    return ptog_bind_tile_fits(e, slot, tile);
}
