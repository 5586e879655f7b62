/* program: views of global memory: make_tensor_view. */
#include <inttypes.h>

#include "base/arith.h"
#include "model/dtype.h"
#include "program/ops.h"
#include "program/parts.h"
#include "program/scope.h"
#include "program/types.h"

/* The numbers of a list; PTOG_DYN where they are not known. `least` is the smallest that makes sense. */
bool ptog_view_numbers(struct ptog_eval *e, const struct ptog_op *op, ptog_symbol word, const char *id, int64_t least,
                       int64_t *numbers, uint32_t *count)
{
    const struct ptog_item *items = ptog_list_of(op, word, count);
    if (!items)
        return ptog_refuse(e, id, op->name_span, "shape and strides, or offsets and sizes, are missing");
    if (*count < 1 || *count > PTOG_MOST_DIMS)
        return ptog_refuse(e, id, op->name_span, "a view must have 1 to 5 dimensions");
    bool good = true;
    for (uint32_t i = 0; i < *count; i++) {
        struct ptog_number number;
        good = ptog_use_number(e, &items[i], NULL, &number) && good;
        numbers[i] = number.known ? number.value : PTOG_DYN;
        if (!number.known || number.value >= least)
            continue;
        const char *name = ptog_tree_text(e->tree, word);
        ptog_say(e->finds, id, items[i].span, "%s[%u] is %" PRId64 ", but must be at least %" PRId64, name, (unsigned)i,
                 number.value, least);
        e->stopped = e->running;
        good = false;
    }
    return good;
}

static const char *layout_name(int i)
{
    return ptog_layout_name((enum ptog_layout)i);
}

int ptog_attr_layout(struct ptog_eval *e, const struct ptog_item *item)
{
    return ptog_attr_enum(e, item, layout_name, PTOG_ND, PTOG_NZ);
}

/* Without a layout the strides say it: the dimension that has stride 1. */
static bool read_layout(struct ptog_eval *e, const struct ptog_op *op, struct ptog_view_value *view)
{
    const struct ptog_item *item = ptog_op_word_attr(op, PTOG_WORD_layout);
    const int64_t *stride = view->tensor.stride;
    view->tensor.layout = PTOG_ND;
    if (!item) {
        if (view->rank > 1 && stride[4] > 1 && stride[3] == 1)
            view->tensor.layout = PTOG_DN;
        return true;
    }
    int layout = ptog_attr_layout(e, item);
    if (layout >= 0)
        view->tensor.layout = (enum ptog_layout)layout;
    view->has_layout = true;
    return layout >= 0;
}

/* ---- make_tensor_view */

/* The type's extents hold; what it leaves open comes from the operands. */
static bool check_against_type(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type_use *use,
                               const int64_t *shape, uint32_t rank)
{
    if (use->type->elided)
        return true;
    if (use->type->rank != rank) {
        ptog_say(e->finds, "text-view", use->span, "the type has %u dimensions, but shape has %u",
                 (unsigned)use->type->rank, (unsigned)rank);
        e->stopped = e->running;
        return false;
    }
    for (uint32_t i = 0; i < rank; i++) {
        const struct ptog_extent *extent = &use->type->dims[i];
        if (extent->name != 0 || extent->value == PTOG_DYN || shape[i] == PTOG_DYN || shape[i] == extent->value)
            continue;
        struct ptog_found *found =
            ptog_say(e->finds, "text-view", ptog_type_inside(use, extent->inside),
                     "the type says %" PRId64 ", but shape[%u] is %" PRId64, extent->value, (unsigned)i, shape[i]);
        ptog_say_related(found, op->name_span, "created here");
        e->stopped = e->running;
        return false;
    }
    return true;
}

/* The first generation wrote how many dimensions a view has, and not which: !pto.tensor_view<2xf32>. */
static bool is_only_rank(const struct ptog_type *type, uint32_t rank)
{
    return rank > 1 && type->rank == 1 && type->dims[0].name == 0 && type->dims[0].value == (int64_t)rank;
}

static bool make_view(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type_use *use,
                      struct ptog_value *value)
{
    int64_t shape[PTOG_MOST_DIMS], stride[PTOG_MOST_DIMS];
    uint32_t rank, strides;
    struct ptog_view_value *view = &value->view;
    if (!ptog_view_numbers(e, op, PTOG_WORD_shape, "text-view", 0, shape, &rank) ||
        !ptog_view_numbers(e, op, PTOG_WORD_strides, "text-view", 1, stride, &strides))
        return false;
    if (rank != strides)
        return ptog_refuse(e, "text-view", op->name_span, "shape and strides have different lengths");
    if (use && ptog_type_is_view(use->type) && !is_only_rank(use->type, rank) &&
        !check_against_type(e, op, use, shape, rank))
        return false;
    view->rank = rank;
    for (uint32_t i = 0; i < 5; i++)
        view->tensor.shape[i] = 1;
    for (uint32_t i = 0; i < rank; i++) {
        const struct ptog_extent *dim = use && use->type->rank == rank ? &use->type->dims[i] : NULL;
        int64_t written = dim && dim->name == 0 ? dim->value : PTOG_DYN;
        view->tensor.shape[5 - rank + i] = shape[i] != PTOG_DYN ? shape[i] : written;
        view->tensor.stride[5 - rank + i] = stride[i];
    }
    return read_layout(e, op, view);
}

void ptog_eval_view(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    if (!ptog_want_operands(e, op, operands.count, 1, 1) || !ptog_want_results(e, op, 1))
        return;
    const struct ptog_type_use *use = ptog_only_type(&operands);
    struct ptog_value *pointer = ptog_use_as(e, &operands.items[0], NULL, PTOG_VALUE_POINTER);
    struct ptog_value value = {.kind = PTOG_VALUE_VIEW, .type = ptog_used_type(use)};
    if (use && !ptog_type_is_view(use->type)) {
        ptog_refuse(e, "text-view", use->span, "the result of make_tensor_view must be a view");
        pointer = NULL;
    }
    bool good = make_view(e, op, use, &value);
    if (!pointer || !good) {
        value = (struct ptog_value){0};
    } else {
        value.view.base = pointer->pointer.base;
        value.view.elsewhere = pointer->pointer.elsewhere;
        value.view.tensor.dtype = pointer->pointer.dtype;
        value.odd = pointer->odd;
        enum ptog_dtype written = use ? use->type->element.dtype : PTOG_DTYPE_NONE;
        if (written != PTOG_DTYPE_NONE && value.view.tensor.dtype != PTOG_DTYPE_NONE &&
            written != value.view.tensor.dtype)
            ptog_say(e->finds, "text-element", use->span, "the view has element type %s, but its pointer has %s",
                     ptog_dtype_name(written), ptog_dtype_name(value.view.tensor.dtype));
        else if (written != PTOG_DTYPE_NONE)
            value.view.tensor.dtype = written;
        value.open = value.view.tensor.dtype == PTOG_DTYPE_NONE && !value.odd;
    }
    ptog_define_result(e, op, 0, &value);
}
