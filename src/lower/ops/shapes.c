/* lower: questions about extents: get_validshape of a tile, get_tensor_view_dim and get_tensor_view_stride of a view.
 */
#include <inttypes.h>

#include "lower/emit.h"
#include "lower/ops/made.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/scope.h"
#include "model/tile.h"

/* An extent that is PTOG_DYN is not known before a run. */
static struct ptog_number extent_number(int64_t extent)
{
    if (extent == PTOG_NOTHING_VALID)
        return (struct ptog_number){0, true};
    return (struct ptog_number){extent, extent != PTOG_DYN};
}

/* Defines result `i` as an extent; a run stops where it is not known. */
static void define_extent(struct ptog_eval *e, const struct ptog_op *op, uint32_t i, int64_t extent)
{
    struct ptog_value value = {.kind = PTOG_VALUE_NUMBER, .width = 64, .number = extent_number(extent)};
    e->stopped = e->stopped || (e->running && !value.number.known);
    ptog_define_result(e, op, i, &value);
}

void ptog_define_valid_shape(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_value *tile)
{
    define_extent(e, op, 0, tile ? tile->tile.tile.valid_row : PTOG_DYN);
    define_extent(e, op, 1, tile ? tile->tile.tile.valid_col : PTOG_DYN);
}

/* Lowers pto.get_validshape: defines the valid rows and columns of a tile. */
void ptog_eval_get_validshape(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    if (!ptog_want_operands(e, op, operands.count, 1, 1) || !ptog_want_results(e, op, 2))
        return;
    const struct ptog_value *tile =
        ptog_use_as(e, &operands.items[0], ptog_operand_type(&operands, 0), PTOG_VALUE_TILE);
    ptog_emit_args(e, ptog_emit(e, PTOG_CODE_VALID_SHAPE, op), operands.items, 1);
    ptog_define_valid_shape(e, op, tile);
}

/* Extent or stride `number` of a view; PTOG_DYN when it is not known, or after a report. */
static int64_t view_extent(struct ptog_eval *e, const struct ptog_made_code *made, const struct ptog_view_value *view,
                           struct ptog_number number)
{
    if (!number.known || view->rank == 0)
        return PTOG_DYN;
    if (number.value < 0 || number.value >= view->rank) {
        ptog_diag_emit(e->diags, "text-operand", made->spans[0],
                       "the view has %u dimensions, counted from 0, and no dimension %" PRId64, (unsigned)view->rank,
                       number.value);
        return PTOG_DYN;
    }
    int64_t at = 5 - (int64_t)view->rank + number.value;
    return made->is_stride ? view->tensor.stride[at] : view->tensor.shape[at];
}

void ptog_define_view_extent(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                             const struct ptog_value *view, struct ptog_number dimension)
{
    define_extent(e, op, 0, view ? view_extent(e, made, &view->view, dimension) : PTOG_DYN);
}

/* Lowers the operations that give an extent or a stride of a view. */
void ptog_eval_view_extent(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    struct ptog_number number;
    if (!ptog_want_operands(e, op, operands.count, 2, 2) || !ptog_want_results(e, op, 1))
        return;
    const struct ptog_value *view =
        ptog_use_as(e, &operands.items[0], ptog_operand_type(&operands, 0), PTOG_VALUE_VIEW);
    bool good = ptog_use_number(e, &operands.items[1], NULL, &number);
    struct ptog_made_code made = {.is_stride = op->name == PTOG_OP_NAME_GET_TENSOR_VIEW_STRIDE,
                                  .spans = {operands.items[1].span}};
    if (good) {
        struct ptog_code_arg args[2] = {ptog_code_arg_of(e, &operands.items[0]),
                                        ptog_code_arg_of(e, &operands.items[1])};
        ptog_emit_made(e, PTOG_CODE_VIEW_EXTENT, op, &made, args, 2);
    }
    ptog_define_view_extent(e, op, &made, good ? view : NULL, number);
}
