/* draw: an operand as a plane of elements: a tile with its padding, a view with its outer dimensions folded into rows,
 * a scalar as a plane of one. */
#include "draw/draw.h"

#include <stdio.h>
#include <string.h>

#include "base/pick.h"
#include "model/dtype.h"
#include "model/tensor.h"
#include "model/tile.h"
#include "ref/lane.h"

#define LONG_FLOAT 9 /* characters; a float that needs more is rounded further */

/* ---- extents */

/* Makes a view of up to five dimensions a plane of rows and columns. */
static void start_view(struct ptog_plane *plane, const struct ptog_tensor *view)
{
    const int64_t *shape = view->shape;
    plane->dtype = view->dtype;
    plane->rows = shape[0] * shape[1] * shape[2] * shape[3];
    plane->cols = shape[4];
    if (view->layout == PTOG_NZ) {
        plane->rows = shape[2] * shape[3];
        plane->cols = ptog_tensor_nz_cols(view);
    }
    plane->valid_rows = plane->rows;
    plane->valid_cols = plane->cols;
}

/* Fills *plane with an operand's extents, type and bytes; nothing of it is shown yet. */
void ptog_plane_start(struct ptog_plane *plane, const struct ptog_operand *operand, const struct ptog_operand_row *row,
                      struct ptog_cbuf bytes)
{
    *plane = (struct ptog_plane){.operand = operand, .name = row->name, .bytes = bytes, .before = bytes};
    plane->written = row->role == PTOG_ROLE_OUT;
    if (operand->kind == PTOG_IS_VIEW) {
        start_view(plane, &operand->view);
        return;
    }
    plane->dtype = operand->tile.dtype;
    plane->rows = plane->cols = plane->valid_rows = plane->valid_cols = 1;
    if (operand->kind == PTOG_IS_SCALAR)
        return;
    plane->rows = operand->tile.rows;
    plane->cols = operand->tile.cols;
    plane->valid_rows = operand->tile.valid_row;
    plane->valid_cols = operand->tile.valid_col;
}

/* ---- places */

/* The five coordinates of a view's element, and back. A dimension without elements counts as one: nothing is read
 * there. */
static void split(const struct ptog_tensor *view, int64_t r, int64_t c, int64_t at[5])
{
    int64_t shape[5];
    for (int d = 0; d < 5; d++)
        shape[d] = ptog_max(view->shape[d], 1);
    if (view->layout == PTOG_NZ) {
        int64_t block = c / shape[4];
        memcpy(at, (int64_t[5]){block / shape[1], block % shape[1], r / shape[3], r % shape[3], c % shape[4]},
               5 * sizeof at[0]);
        return;
    }
    at[4] = c;
    for (int d = 3; d >= 0; d--) {
        at[d] = r % shape[d];
        r /= shape[d];
    }
}

/* Sets *r and *c to the row and column that an element of a view has in its plane. */
static void join_dims(const struct ptog_tensor *view, const int64_t at[5], int64_t *r, int64_t *c)
{
    const int64_t *shape = view->shape;
    if (view->layout == PTOG_NZ) {
        *r = at[2] * shape[3] + at[3];
        *c = (at[0] * shape[1] + at[1]) * shape[4] + at[4];
        return;
    }
    *c = at[4];
    *r = ((at[0] * shape[1] + at[1]) * shape[2] + at[2]) * shape[3] + at[3];
}

uint64_t ptog_plane_place(const struct ptog_plane *plane, int64_t r, int64_t c)
{
    int64_t at[5], place = 0;
    if (plane->operand->kind == PTOG_IS_SCALAR)
        return 0;
    if (plane->operand->kind == PTOG_IS_TILE)
        return (uint64_t)ptog_tile_offset(&plane->operand->tile, r, c);
    split(&plane->operand->view, r, c, at);
    for (int d = 0; d < 5; d++)
        place += at[d] * plane->operand->view.stride[d];
    return (uint64_t)place;
}

/* The dimension with the largest stride below that of `before`, the outer one first; -1: there is none left. */
static int next_inner(const struct ptog_tensor *view, const bool done[5])
{
    int found = -1;
    for (int d = 0; d < 5; d++)
        if (!done[d] && view->shape[d] > 1 && view->stride[d] > 0 &&
            (found < 0 || view->stride[d] > view->stride[found]))
            found = d;
    return found;
}

/* Sets *r and *c to the element that lies at `place` in a view; false when none does. */
static bool find_in_view(const struct ptog_tensor *view, uint64_t place, int64_t *r, int64_t *c)
{
    int64_t at[5] = {0};
    bool done[5] = {false};
    for (int d; (d = next_inner(view, done)) >= 0; done[d] = true) {
        uint64_t stride = (uint64_t)view->stride[d], most = (uint64_t)view->shape[d] - 1, turns = place / stride;
        at[d] = (int64_t)ptog_min(turns, most);
        place -= (uint64_t)at[d] * stride;
    }
    join_dims(view, at, r, c);
    return place == 0;
}

/* Sets *r and *c to the element that lies at `place` in a tile, padding included; false when none does. */
static bool find_in_tile(const struct ptog_tile *tile, uint64_t place, int64_t *r, int64_t *c)
{
    int64_t at = (int64_t)place, c0 = ptog_c0(tile->dtype);
    if (place >= (uint64_t)(tile->rows * tile->cols))
        return false;
    switch (ptog_tile_order(tile)) {
    case PTOG_ORDER_COL:
        *r = at % tile->rows;
        *c = at / tile->rows;
        return true;
    case PTOG_ORDER_NZ:
        *r = at / c0 % tile->rows;
        *c = at / (tile->rows * c0) * c0 + at % c0;
        return *c < tile->cols;
    default:
        *r = at / tile->cols;
        *c = at % tile->cols;
        return true;
    }
}

/* Sets *r and *c to the element that lies `place` elements behind the first one; false when the operand has none
 * there. */
bool ptog_plane_find(const struct ptog_plane *plane, uint64_t place, int64_t *r, int64_t *c)
{
    if (plane->operand->kind == PTOG_IS_VIEW)
        return find_in_view(&plane->operand->view, place, r, c);
    *r = *c = 0;
    if (plane->operand->kind == PTOG_IS_TILE)
        return find_in_tile(&plane->operand->tile, place, r, c);
    return place == 0;
}

bool ptog_plane_is_plain(const struct ptog_plane *plane)
{
    if (plane->operand->kind == PTOG_IS_TILE)
        return ptog_tile_order(&plane->operand->tile) == PTOG_ORDER_ROW || plane->rows == 1 || plane->cols == 1;
    return plane->operand->kind == PTOG_IS_SCALAR ||
           (plane->operand->view.layout == PTOG_ND && ptog_tensor_is_packed(&plane->operand->view));
}

bool ptog_plane_is_nz(const struct ptog_plane *plane)
{
    if (plane->operand->kind == PTOG_IS_TILE)
        return ptog_tile_order(&plane->operand->tile) == PTOG_ORDER_NZ;
    return plane->operand->kind == PTOG_IS_VIEW && plane->operand->view.layout == PTOG_NZ;
}

/* ---- values */

/* Reads the element of a plane from some bytes; false when they end before it. *bits is then what the plane itself
 * says. */
static bool read_from(const struct ptog_plane *plane, struct ptog_cbuf bytes, int64_t r, int64_t c, uint64_t *bits)
{
    *bits = 0;
    if (ptog_lane_read(bytes, ptog_plane_place(plane, r, c), ptog_dtype_size(plane->dtype), bits))
        return true;
    *bits = plane->operand->kind == PTOG_IS_SCALAR ? plane->operand->bits : 0; /* not the run's, but its own */
    return plane->operand->kind == PTOG_IS_SCALAR;
}

bool ptog_plane_bits(const struct ptog_plane *plane, int64_t r, int64_t c, uint64_t *bits)
{
    return read_from(plane, plane->before, r, c, bits);
}

bool ptog_plane_is_changed(const struct ptog_plane *plane, int64_t r, int64_t c)
{
    uint64_t before, after;
    bool had = read_from(plane, plane->before, r, c, &before), has = read_from(plane, plane->bytes, r, c, &after);
    return has && (!had || before != after);
}

/* Whether the bytes are those that the reference loop writes for want of data. */
static bool is_no_data(uint64_t bits, size_t size)
{
    uint64_t none;
    memset(&none, PTOG_NO_DATA, sizeof none);
    return memcmp(&bits, &none, size) == 0;
}

/* What nobody has written, or what could not be read, is 0xAA in every byte: there is no value to show. */
static bool may_have_none(enum ptog_cell_state state)
{
    return state == PTOG_CELL_PLAIN || state == PTOG_CELL_PADDING || state == PTOG_CELL_OUTSIDE;
}

/* Writes the value of an element as a cell shows it; "--" where there is none. */
void ptog_plane_text(const struct ptog_plane *plane, int64_t r, int64_t c, enum ptog_cell_state state,
                     char text[PTOG_PLANE_TEXT])
{
    uint64_t bits;
    bool is_tile = plane->operand->kind == PTOG_IS_TILE;
    if (!read_from(plane, plane->bytes, r, c, &bits) ||
        (is_tile && may_have_none(state) && is_no_data(bits, ptog_dtype_size(plane->dtype)))) {
        strcpy(text, "--");
        return;
    }
    if (!ptog_dtype_is_float(plane->dtype)) {
        ptog_dtype_format(text, PTOG_PLANE_TEXT, plane->dtype, &bits);
        return;
    }
    double value = (double)ptog_dtype_to_float(plane->dtype, bits); /* rounded: 10 and not 1e+01 */
    if (snprintf(text, PTOG_PLANE_TEXT, "%.6g", value) > LONG_FLOAT)
        snprintf(text, PTOG_PLANE_TEXT, "%.3g", value);
}
