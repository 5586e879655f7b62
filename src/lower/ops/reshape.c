/* lower: treshape and bitcast: another tile over the bytes of a tile, with the type that the text gives it. Nothing
 * moves, and no pipe works. */
#include <inttypes.h>

#include "lower/emit.h"
#include "lower/ops/made.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "lower/scope.h"
#include "lower/types.h"
#include "model/tile.h"

/* Valid extents that the type leaves to the run are those of the source where the shape stays, else all of the tile. */
static void settle_valid(struct ptog_tile *tile, const struct ptog_tile *from)
{
    bool same = tile->rows == from->rows && tile->cols == from->cols;
    if (tile->valid_row == PTOG_DYN)
        tile->valid_row = same ? from->valid_row : tile->rows;
    if (tile->valid_col == PTOG_DYN)
        tile->valid_col = same ? from->valid_col : tile->cols;
}

/* Whether a tile may be seen as another type: same memory, same bytes, both boxed or neither. Reports where not. */
static bool check_bytes(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_tile *tile,
                        const struct ptog_tile *from)
{
    int64_t bytes = ptog_tile_bytes(tile), have = ptog_tile_bytes(from);
    if (tile->loc != from->loc) {
        ptog_diag_emit(e->diags, "treshape-bytes", op->name_span, "the tile is in %s, but its new type is in %s",
                       ptog_loc_name(from->loc), ptog_loc_name(tile->loc));
        return false;
    }
    if (bytes > 0 && have > 0 && bytes != have) {
        ptog_diag_emit(e->diags, "treshape-bytes", op->name_span,
                       "the tile has %" PRId64 " bytes, but %" PRId64 "x%" PRId64 " %s have %" PRId64, have, tile->rows,
                       tile->cols, ptog_dtype_name(tile->dtype), bytes);
        return false;
    }
    if ((tile->slayout == PTOG_NONE_BOX) == (from->slayout == PTOG_NONE_BOX))
        return true;
    ptog_diag_emit(e->diags, "treshape-boxed", op->name_span,
                   "one of the two tiles has a boxed layout and the other does not");
    return false;
}

/* Makes *value another tile over the bytes of `from`, which counts as used. False after a report. */
bool ptog_make_reshaped(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                        struct ptog_value *from, struct ptog_value *value)
{
    if (from->open)
        return ptog_refuse(e, "text-operand", op->name_span, "the type of the tile is unknown here");
    ptog_place_use(e, from);
    *value = made->value;
    if (!check_bytes(e, op, &value->tile.tile, &from->tile.tile)) {
        e->stopped = e->running;
        return false;
    }
    settle_valid(&value->tile.tile, &from->tile.tile);
    value->tile.place = from->tile.place;
    value->tile.root = from->tile.root;
    value->tile.tile.placed = from->tile.tile.placed;
    value->tile.tile.is_static = from->tile.tile.is_static;
    value->tile.tile.addr = from->tile.tile.addr;
    value->tile.tile.part = from->tile.tile.part;
    return true;
}

/* Reads the new type, and writes the record. False after an error. */
static bool read_reshape(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands,
                         struct ptog_value *from, struct ptog_value *value)
{
    struct ptog_made_code made = {.use = operands->result_count > 0 ? operands->results : NULL};
    if (!made.use || !ptog_type_is_tile(made.use->type))
        return ptog_refuse(e, "text-operands", op->name_span, "the new tile needs a type: %r = ... %t : T -> T");
    if (!from->open && !ptog_tile_from_type(e, made.use, &made.value)) {
        ptog_place_use(e, from);
        return false;
    }
    struct ptog_code_arg arg = ptog_code_arg_of(e, &operands->items[0]);
    ptog_emit_made(e, PTOG_CODE_RESHAPE, op, &made, &arg, 1);
    return ptog_make_reshaped(e, op, &made, from, value);
}

/* Lowers pto.treshape and pto.bitcast: defines another tile over the same bytes. */
void ptog_eval_reshape(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    if (!ptog_want_operands(e, op, operands.count, 1, 1) || !ptog_want_results(e, op, 1))
        return;
    struct ptog_value *from = ptog_use_as(e, &operands.items[0], ptog_operand_type(&operands, 0), PTOG_VALUE_TILE);
    struct ptog_value value = {0};
    if (from && !read_reshape(e, op, &operands, from, &value))
        value = (struct ptog_value){0};
    ptog_define_result(e, op, 0, &value);
}
