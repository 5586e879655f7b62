/* lower: partition_view: a part of a view, as a view of its own. */
#include <inttypes.h>

#include "base/arith.h"
#include "lower/emit.h"
#include "lower/ops/made.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/scope.h"
#include "lower/types.h"
#include "model/dtype.h"

struct part {
    int64_t offset[PTOG_MAX_DIMS], size[PTOG_MAX_DIMS];
    uint32_t rank;
};

/* The part that the numbers describe. False after an error. */
static bool read_part(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                      const struct ptog_number *n, struct part *part)
{
    part->rank = made->rank;
    return ptog_list_extents(e, op, PTOG_WORD_offsets, "text-partition", 0, n, part->rank, part->offset) &&
           ptog_list_extents(e, op, PTOG_WORD_sizes, "text-partition", 0, n + part->rank, part->rank, part->size);
}

/* Reports that view, offsets and sizes differ in their number; stops a run. Always false. */
static bool refuse_rank(struct ptog_eval *e, const struct ptog_op *op, uint32_t rank, uint32_t offsets, uint32_t sizes)
{
    ptog_diag_emit(e->diags, "text-partition", op->name_span,
                   "the view has %u dimensions, but there are %u offsets and %u sizes", (unsigned)rank,
                   (unsigned)offsets, (unsigned)sizes);
    e->stopped = e->running;
    return false;
}

/* Whether a part lies inside its view, as far as numbers are known; reports where not, and stops a run. */
static bool check_inside(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_view_value *from,
                         const struct part *part)
{
    for (uint32_t i = 0; i < part->rank; i++) {
        int64_t whole = from->tensor.shape[5 - part->rank + i], end;
        int64_t offset = part->offset[i] == PTOG_DYN ? 0 : part->offset[i];
        int64_t size = part->size[i] == PTOG_DYN ? 0 : part->size[i];
        if (whole == PTOG_DYN || (ptog_add_i64(offset, size, &end) && end <= whole))
            continue;
        ptog_diag_emit(e->diags, "text-partition", op->name_span,
                       "dimension %u has %" PRId64 " elements, but the part has offset %" PRId64 " and size %" PRId64,
                       (unsigned)i, whole, offset, size);
        e->stopped = e->running;
        return false;
    }
    return true;
}

/* Moves the start of a view to its part's first element, unknown where an offset or stride is; false, with a report,
 * when it does not fit in 63 bits. */
static bool move_base(struct ptog_eval *e, const struct ptog_op *op, const struct part *part,
                      struct ptog_view_value *view)
{
    int64_t size = (int64_t)ptog_dtype_size(view->tensor.dtype);
    struct ptog_number *at = &view->base.at;
    for (uint32_t i = 0; i < part->rank && at->known; i++) {
        int64_t stride = view->tensor.stride[5 - part->rank + i], bytes;
        if (part->offset[i] == 0)
            continue;
        if (part->offset[i] == PTOG_DYN || stride == PTOG_DYN || stride == 0 || size == 0)
            at->known = false;
        else if (!ptog_mul_i64(part->offset[i], stride, &bytes) || !ptog_mul_i64(bytes, size, &bytes) ||
                 !ptog_add_i64(at->value, bytes, &at->value))
            return ptog_refuse(e, "text-partition", op->name_span, "the address does not fit in 63 bits");
    }
    return true;
}

static int64_t dim_of(const struct ptog_type *type, uint32_t i)
{
    if (type->dims[i].name)
        return PTOG_DYN;
    return type->dims[i].value;
}

/* The result's type may leave out dimensions of 1, or add them: both lists are matched from the right. False when they
 * do not match. */
static bool match_dims(const struct ptog_type *type, const struct part *part, const struct ptog_tensor *from,
                       struct ptog_tensor *to)
{
    uint32_t i = part->rank, j = type->rank;
    while (i > 0 || j > 0) {
        int64_t size = i > 0 ? part->size[i - 1] : 1;
        int64_t dim = j > 0 ? dim_of(type, j - 1) : 1;
        if (i > 0 && j > 0 && (size == dim || size == PTOG_DYN || dim == PTOG_DYN)) {
            uint32_t at = 5 - type->rank + j - 1;
            to->shape[at] = size != PTOG_DYN ? size : dim;
            to->stride[at] = from->stride[5 - part->rank + i - 1];
            i--;
            j--;
        } else if (i > 0 && size == 1) {
            i--;
        } else if (j > 0 && dim == 1) {
            j--;
        } else {
            return false;
        }
    }
    return true;
}

/* Whether only a run can tell which sizes are the 1s that a type of another rank leaves out. */
static bool is_matched_by_run(const struct ptog_type *type, const struct part *part)
{
    bool open = false;
    for (uint32_t i = 0; i < part->rank; i++)
        open = open || part->size[i] == PTOG_DYN;
    return open && part->rank != type->rank;
}

/* Replaces shape and strides of a view by those of the part, with the dimensions of its written type. False after a
 * report: they do not match. */
static bool reshape_part(struct ptog_eval *e, const struct ptog_type_use *use, const struct part *part,
                         struct ptog_view_value *view)
{
    const struct ptog_type *type = use->type;
    struct ptog_tensor from = view->tensor;
    for (int d = 0; d < 5; d++) {
        view->tensor.shape[d] = 1;
        view->tensor.stride[d] = 0;
    }
    view->rank = type->rank;
    if (match_dims(type, part, &from, &view->tensor))
        return true;
    if (!is_matched_by_run(type, part))
        return ptog_refuse(e, "text-partition", use->span, "the type of the result does not match the sizes");
    for (uint32_t j = 0; j < type->rank; j++) {
        view->tensor.shape[5 - type->rank + j] = dim_of(type, j);
        view->tensor.stride[5 - type->rank + j] = PTOG_DYN;
    }
    return true;
}

/* Writes out strides that stand for "packed", before the shape changes. False after a report: the view is too large. */
static bool fill_strides(struct ptog_eval *e, const struct ptog_op *op, struct ptog_view_value *view)
{
    int64_t *stride = view->tensor.stride;
    int64_t packed = 1;
    for (uint32_t i = 5; i-- > 5 - view->rank;) {
        if (stride[i] == 0)
            stride[i] = packed;
        int64_t extent = view->tensor.shape[i] == 0 ? 1 : view->tensor.shape[i];
        if (stride[i] == PTOG_DYN || extent == PTOG_DYN)
            packed = PTOG_DYN;
        else if (!ptog_mul_i64(stride[i], extent, &packed))
            return ptog_refuse(e, "text-partition", op->name_span, "the view is too large");
    }
    return true;
}

/* Makes *value the part of a view that the numbers describe. False after a report. */
bool ptog_make_part(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                    const struct ptog_value *from, const struct ptog_number *n, struct ptog_value *value)
{
    const struct ptog_type_use *use = made->use;
    struct part part;
    *value = *from;
    value->type = ptog_used_type(use);
    struct ptog_view_value *view = &value->view;
    if (!read_part(e, op, made, n, &part))
        return false;
    if (view->rank != 0 && part.rank != view->rank)
        return refuse_rank(e, op, view->rank, part.rank, part.rank);
    if (!check_inside(e, op, view, &part) || !fill_strides(e, op, view) || !move_base(e, op, &part, view))
        return false;
    if (use && !use->type->elided && use->type->rank > 0 && use->type->rank <= PTOG_MAX_DIMS)
        return reshape_part(e, use, &part, view);
    for (uint32_t i = 0; i < part.rank; i++)
        view->tensor.shape[5 - part.rank + i] = part.size[i];
    view->rank = part.rank;
    return true;
}

/* ---- the check */

/* Reads offsets and sizes, and writes the record. False after an error. */
static bool read_partition(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *operand,
                           const struct ptog_value *from, struct ptog_made_code *made, struct ptog_number *n)
{
    const struct ptog_item *offsets, *sizes;
    struct ptog_number size[PTOG_MAX_DIMS];
    uint32_t size_count;
    if (!ptog_read_list(e, op, PTOG_WORD_offsets, "text-partition", n, &offsets, &made->rank) ||
        !ptog_read_list(e, op, PTOG_WORD_sizes, "text-partition", size, &sizes, &size_count))
        return false;
    if (made->rank != size_count)
        return refuse_rank(e, op, from->view.rank, made->rank, size_count);
    struct ptog_code_arg args[PTOG_MAX_MADE_ARGS] = {ptog_code_arg_of(e, operand)};
    for (uint32_t i = 0; i < made->rank; i++) {
        n[made->rank + i] = size[i];
        args[1 + i] = ptog_code_arg_of(e, &offsets[i]);
        args[1 + made->rank + i] = ptog_code_arg_of(e, &sizes[i]);
    }
    ptog_emit_made(e, PTOG_CODE_PARTITION, op, made, args, 1 + 2 * made->rank);
    return true;
}

/* Reports that a part is written with another element type than its view has. */
static void check_element_type(struct ptog_eval *e, const struct ptog_type_use *use, const struct ptog_value *from)
{
    enum ptog_dtype written = use ? use->type->element.dtype : PTOG_DTYPE_NONE;
    if (written != PTOG_DTYPE_NONE && from->view.tensor.dtype != PTOG_DTYPE_NONE && written != from->view.tensor.dtype)
        ptog_diag_emit(e->diags, "text-element", use->span, "the part has element type %s, but its view has %s",
                       ptog_dtype_name(written), ptog_dtype_name(from->view.tensor.dtype));
}

/* Whether a lone type is the result's: it is not the operand's, and a view of a part. PTO-AS writes that as a memref.
 */
static bool is_of_result(const struct ptog_eval *e, const struct ptog_item *operand, const struct ptog_type *type)
{
    const struct ptog_value *from = ptog_value_of(e, operand);
    if (!from || !from->type)
        return type->kind == PTOG_TYPE_PARTITION_VIEW;
    return (type->kind == PTOG_TYPE_PARTITION_VIEW || type->kind == PTOG_TYPE_PTO_MEMREF) &&
           !ptog_types_agree(type, from->type);
}

/* `: T -> T`, or one of the two. */
static const struct ptog_type_use *result_type(const struct ptog_eval *e, const struct ptog_operands *operands)
{
    const struct ptog_type_use *first = ptog_operand_type(operands, 0);
    if (operands->result_count > 0)
        return operands->results;
    if (first && is_of_result(e, &operands->items[0], first->type))
        return first;
    return NULL;
}

/* Lowers pto.partition_view: defines a part of a view, and appends its record. */
void ptog_eval_partition(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    if (!ptog_want_operands(e, op, operands.count, 1, 1) || !ptog_want_results(e, op, 1))
        return;
    const struct ptog_type_use *use = result_type(e, &operands), *first = ptog_operand_type(&operands, 0);
    struct ptog_value *from =
        ptog_use_as(e, &operands.items[0], operands.result_count > 0 || first != use ? first : NULL, PTOG_VALUE_VIEW);
    struct ptog_made_code made = {.use = use};
    struct ptog_number n[2 * PTOG_MAX_DIMS];
    struct ptog_value value = {0};
    if (from)
        check_element_type(e, use, from);
    if (from &&
        (!read_partition(e, op, &operands.items[0], from, &made, n) || !ptog_make_part(e, op, &made, from, n, &value)))
        value = (struct ptog_value){0};
    ptog_define_result(e, op, 0, &value);
}
