/* lower: the types of a text (tile_buf, tensor_view, ptr, i32, ...) as tiles, tensors and numbers of the model. */
#include <string.h>

#include "base/arith.h"
#include "lower/ops/ops.h"
#include "lower/types.h"
#include "model/dtype.h"
#include "model/tile.h"

const char *ptog_value_kind_name(enum ptog_value_kind kind)
{
    static const char *const names[] = {"a value",       "a number", "a floating-point number",
                                        "a pointer",     "a view",   "a tile",
                                        "several tiles", "an array", "the address of a tile that is defined later"};
    return names[kind];
}

/* Width, kind and element type of a number of this type; width 0 and not real: the type is no number. */
struct ptog_scalar ptog_scalar_of(const struct ptog_tree *tree, const struct ptog_type *type)
{
    enum ptog_dtype dtype = type->element.dtype;
    if (type->kind != PTOG_TYPE_SCALAR)
        return (struct ptog_scalar){0};
    if (dtype != PTOG_DTYPE_NONE) {
        bool real = ptog_dtype_is_float(dtype) || dtype == PTOG_HIF8 || ptog_dtype_is_tiny(dtype);
        return (struct ptog_scalar){real ? 0 : (uint8_t)(8 * ptog_dtype_size(dtype)), real, dtype};
    }
    if (type->element.name == PTOG_WORD_index)
        return (struct ptog_scalar){64, false, PTOG_DTYPE_NONE};
    unsigned width = ptog_tree_int_width(tree, type->element.name);
    if (width > 0)
        return (struct ptog_scalar){(uint8_t)width, false, PTOG_DTYPE_NONE};
    return (struct ptog_scalar){0, ptog_tree_matches(tree, type->element.name, "f*"), PTOG_DTYPE_NONE};
}

/* ---- tiles */

/* Reports a part of a tile's type that cannot be. Always false. */
static bool fail_tile(struct ptog_eval *e, const struct ptog_type_use *use, const struct ptog_extent *part,
                      const char *message)
{
    struct ptog_span span = part->inside.length ? ptog_type_inside(use, part->inside) : use->span;
    ptog_diag_emit(e->diags, "text-tile-type", span, "%s", message);
    return false;
}

/* The extent, open where a placeholder stands for it. */
static int64_t known_extent(const struct ptog_extent *extent)
{
    if (extent->name != 0)
        return PTOG_DYN;
    return extent->value;
}

/* The value of a field, or another one where a placeholder stands for it. */
static int64_t known_word(const struct ptog_extent *extent, int64_t otherwise)
{
    if (extent->name != 0)
        return otherwise;
    return extent->value;
}

/* Whether the numbers of a tile's type can be; reports the first that cannot. */
static bool check_tile_type(struct ptog_eval *e, const struct ptog_type_use *use, const struct ptog_tile *tile)
{
    const struct ptog_extent *f = use->type->field;
    for (int i = PTOG_FIELD_ROWS; i <= PTOG_FIELD_COLS; i++) {
        if (f[i].name == 0 && f[i].value == PTOG_DYN)
            return fail_tile(e, use, &f[i],
                             "the rows and columns of a tile must be constants: '?' is allowed for valid extents only");
        if (f[i].name == 0 && f[i].value < 1)
            return fail_tile(e, use, &f[i], "a tile must have at least one row and one column");
    }
    if ((tile->rows > 0 && tile->valid_row > tile->rows) || (tile->cols > 0 && tile->valid_col > tile->cols))
        return fail_tile(e, use, &f[tile->valid_row > tile->rows ? PTOG_FIELD_V_ROW : PTOG_FIELD_V_COL],
                         "the valid region is larger than the tile");
    int64_t fractal = known_word(&f[PTOG_FIELD_FRACTAL], 512), pad = known_word(&f[PTOG_FIELD_PAD], 0);
    if (fractal != 32 && fractal != 512 && fractal != 1024)
        return fail_tile(e, use, &f[PTOG_FIELD_FRACTAL], "fractal must be 32, 512 or 1024");
    if (pad < 0 || pad > 3)
        return fail_tile(e, use, &f[PTOG_FIELD_PAD], "pad must be 0 (null), 1 (zero), 2 (max) or 3 (min)");
    if (tile->rows > 0 && tile->cols > 0 && tile->dtype != PTOG_DTYPE_NONE && ptog_tile_bytes(tile) < 0)
        return fail_tile(e, use, &f[PTOG_FIELD_ROWS], "the tile is too large");
    return true;
}

/* Valid extents: a placeholder means all, which is 0 in the model. */
static void valid_extent(const struct ptog_type_use *use, enum ptog_tile_field field, int64_t *to)
{
    const struct ptog_extent *extent = &use->type->field[field];
    *to = extent->name != 0 ? 0 : extent->value;
    bool none = use->type->field[field - PTOG_FIELD_V_ROW + PTOG_FIELD_ROWS].value == 0; /* an error of its own */
    if (extent->name == 0 && extent->value == 0 && !none)
        *to = PTOG_NOTHING_VALID;
}

bool ptog_tile_from_type(struct ptog_eval *e, const struct ptog_type_use *use, struct ptog_value *value)
{
    const struct ptog_type *type = use->type;
    const struct ptog_extent *f = type->field;
    struct ptog_tile *tile = &value->tile.tile;
    value->kind = PTOG_VALUE_TILE;
    value->type = type;
    memset(&value->tile, 0, sizeof value->tile);
    tile->rows = tile->cols = PTOG_DYN;
    value->open = true;
    if (type->elided)
        return true;
    tile->dtype = type->element.dtype;
    value->odd = tile->dtype == PTOG_DTYPE_NONE && !type->element.placeholder;
    tile->loc = (enum ptog_loc)known_word(&f[PTOG_FIELD_LOC], PTOG_VEC);
    tile->rows = known_extent(&f[PTOG_FIELD_ROWS]);
    tile->cols = known_extent(&f[PTOG_FIELD_COLS]);
    tile->blayout = (enum ptog_blayout)known_word(&f[PTOG_FIELD_BLAYOUT], PTOG_ROW_MAJOR);
    tile->slayout = (enum ptog_slayout)known_word(&f[PTOG_FIELD_SLAYOUT], PTOG_NONE_BOX);
    tile->fractal = (int32_t)known_word(&f[PTOG_FIELD_FRACTAL], 512);
    tile->pad = (enum ptog_pad)known_word(&f[PTOG_FIELD_PAD], PTOG_PAD_NULL);
    tile->compact = known_word(&f[PTOG_FIELD_COMPACT], 0) == 1 && tile->loc >= PTOG_LEFT && tile->loc <= PTOG_ACC;
    value->open = tile->rows < 0 || tile->cols < 0 || (tile->dtype == PTOG_DTYPE_NONE && !value->odd);
    valid_extent(use, PTOG_FIELD_V_ROW, &tile->valid_row);
    valid_extent(use, PTOG_FIELD_V_COL, &tile->valid_col);
    return check_tile_type(e, use, tile);
}

/* ---- views */

bool ptog_view_from_type(struct ptog_eval *e, const struct ptog_type_use *use, struct ptog_value *value)
{
    const struct ptog_type *type = use->type;
    struct ptog_view_value *view = &value->view;
    value->kind = PTOG_VALUE_VIEW;
    value->type = type;
    value->open = true;
    memset(view, 0, sizeof *view);
    view->base.at.known = true;
    for (int i = 0; i < 5; i++)
        view->tensor.shape[i] = 1;
    if (type->elided)
        return true;
    if (type->rank > 5 || type->rank == 0) {
        ptog_diag_emit(e->diags, "text-view", use->span, "a view must have 1 to 5 dimensions, not %u",
                       (unsigned)type->rank);
        return false;
    }
    view->rank = type->rank;
    view->tensor.dtype = type->element.dtype;
    value->odd = type->element.dtype == PTOG_DTYPE_NONE && !type->element.placeholder;
    value->open = view->tensor.dtype == PTOG_DTYPE_NONE && !value->odd;
    for (uint32_t i = 0; i < type->rank; i++) {
        view->tensor.shape[5 - type->rank + i] = known_extent(&type->dims[i]);
        value->open = value->open || type->dims[i].name != 0;
    }
    return ptog_memref_layout(e, use, view);
}

/* ---- any type */

/* Makes *value a number of a type, whose value is not known. */
static void scalar_from_type(struct ptog_eval *e, const struct ptog_type *type, struct ptog_value *value)
{
    struct ptog_scalar scalar = ptog_scalar_of(e->tree, type);
    value->type = type;
    if (scalar.width > 0) {
        value->kind = PTOG_VALUE_NUMBER;
        value->width = scalar.width;
        value->number = (struct ptog_number){0, false};
    } else if (scalar.real) {
        value->kind = PTOG_VALUE_REAL;
        value->real.dtype = scalar.dtype;
        value->real.known = false;
    }
}

/* Makes *value one of which only the type is known; PTOG_VALUE_ANY when the type is left out or unknown. False after a
 * report. */
bool ptog_value_from_type(struct ptog_eval *e, const struct ptog_type_use *use, struct ptog_value *value)
{
    *value = (struct ptog_value){0};
    if (!use || !use->type)
        return true;
    const struct ptog_type *type = use->type;
    if (ptog_type_is_tile(type))
        return ptog_tile_from_type(e, use, value);
    if (ptog_type_is_view(type))
        return ptog_view_from_type(e, use, value);
    if (type->kind == PTOG_TYPE_PTR) {
        value->kind = PTOG_VALUE_POINTER;
        value->type = type;
        value->pointer.dtype = type->element.dtype;
        value->pointer.outside_gm = type->space != 0 && type->space != PTOG_WORD_gm;
        value->odd = type->element.dtype == PTOG_DTYPE_NONE && !type->element.placeholder && !type->elided;
        value->open = type->element.dtype == PTOG_DTYPE_NONE && !value->odd;
    } else if (type->kind == PTOG_TYPE_SCALAR) {
        scalar_from_type(e, type, value);
    }
    return true;
}
