/* lower: views of global memory: make_tensor_view. */
#include <inttypes.h>

#include "base/arith.h"
#include "lower/emit.h"
#include "lower/ops/made.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/scope.h"
#include "lower/types.h"
#include "model/dtype.h"

/* ---- lists of numbers */

bool ptog_read_list(struct ptog_eval *e, const struct ptog_op *op, ptog_symbol word, const char *id,
                    struct ptog_number *numbers, const struct ptog_item **items, uint32_t *count)
{
    *items = ptog_list_of(op, word, count);
    if (!*items)
        return ptog_refuse(e, id, op->name_span, "shape and strides, or offsets and sizes, are missing");
    if (*count < 1 || *count > PTOG_MAX_DIMS)
        return ptog_refuse(e, id, op->name_span, "a view must have 1 to 5 dimensions");
    bool good = true;
    for (uint32_t i = 0; i < *count; i++)
        good = ptog_use_number(e, &(*items)[i], NULL, &numbers[i]) && good;
    return good;
}

/* Reports extent or stride `i` of a list that is too small. */
static void say_below(struct ptog_eval *e, const struct ptog_op *op, ptog_symbol word, const char *id, uint32_t i,
                      int64_t value, int64_t least)
{
    uint32_t count;
    const struct ptog_item *items = ptog_list_of(op, word, &count);
    ptog_diag_emit(e->diags, id, items[i].span, "%s[%u] is %" PRId64 ", but must be at least %" PRId64,
                   ptog_tree_text(e->tree, word), (unsigned)i, value, least);
    e->stopped = e->running;
}

bool ptog_list_extents(struct ptog_eval *e, const struct ptog_op *op, ptog_symbol word, const char *id, int64_t least,
                       const struct ptog_number *numbers, uint32_t count, int64_t *extents)
{
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        extents[i] = numbers[i].known ? numbers[i].value : PTOG_DYN;
        if (!numbers[i].known || numbers[i].value >= least)
            continue;
        say_below(e, op, word, id, i, numbers[i].value, least);
        good = false;
    }
    return good;
}

/* ---- layouts */

static const char *layout_name(int i)
{
    return ptog_layout_name((enum ptog_layout)i);
}

int ptog_attr_layout(struct ptog_eval *e, const struct ptog_item *item)
{
    return ptog_attr_enum(e, item, layout_name, PTOG_ND, PTOG_NZ);
}

/* Reads the layout that the text gives; -1 when it gives none. False after an error. */
static bool read_layout(struct ptog_eval *e, const struct ptog_op *op, int *layout)
{
    const struct ptog_item *item = ptog_op_word_attr(op, PTOG_WORD_layout);
    *layout = item ? ptog_attr_layout(e, item) : -1;
    return !item || *layout >= 0;
}

/* Without a layout the strides say it: the dimension that has stride 1. */
static void set_layout(int layout, struct ptog_view_value *view)
{
    const int64_t *stride = view->tensor.stride;
    bool is_by_column = view->rank > 1 && stride[4] > 1 && stride[3] == 1;
    view->has_layout = layout >= 0;
    view->tensor.layout = PTOG_ND;
    if (layout >= 0)
        view->tensor.layout = (enum ptog_layout)layout;
    else if (is_by_column)
        view->tensor.layout = PTOG_DN;
}

/* ---- make_tensor_view */

/* Whether the extents agree with those that the view's type has, as far as both are known; reported if not. */
static bool check_against_type(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type_use *use,
                               const int64_t *shape, uint32_t rank)
{
    if (use->type->elided)
        return true;
    if (use->type->rank != rank) {
        ptog_diag_emit(e->diags, "text-view", use->span, "the type has %u dimensions, but shape has %u",
                       (unsigned)use->type->rank, (unsigned)rank);
        e->stopped = e->running;
        return false;
    }
    for (uint32_t i = 0; i < rank; i++) {
        const struct ptog_extent *extent = &use->type->dims[i];
        if (extent->name != 0 || extent->value == PTOG_DYN || shape[i] == PTOG_DYN || shape[i] == extent->value)
            continue;
        struct ptog_diag_entry *found = ptog_diag_emit(e->diags, "text-view", ptog_type_inside(use, extent->inside),
                                                       "the type says %" PRId64 ", but shape[%u] is %" PRId64,
                                                       extent->value, (unsigned)i, shape[i]);
        ptog_diag_relate(found, op->name_span, "created here");
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

/* Sets the extents of the view: the operands', or the type's where they are not known. False after a report. */
static bool set_extents(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                        const struct ptog_number *n, struct ptog_view_value *view)
{
    const struct ptog_type_use *use = made->use;
    int64_t shape[PTOG_MAX_DIMS], stride[PTOG_MAX_DIMS];
    uint32_t rank = made->rank;
    if (!ptog_list_extents(e, op, PTOG_WORD_shape, "text-view", 0, n, rank, shape) ||
        !ptog_list_extents(e, op, PTOG_WORD_strides, "text-view", 1, n + rank, rank, stride))
        return false;
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
    return true;
}

/* Sets the element type of *value: the one that is written, or the pointer's. Two that differ are reported. */
static void set_element_type(struct ptog_eval *e, const struct ptog_type_use *use, const struct ptog_value *pointer,
                             struct ptog_value *value)
{
    enum ptog_dtype written = use ? use->type->element.dtype : PTOG_DTYPE_NONE, *dtype = &value->view.tensor.dtype;
    *dtype = pointer->pointer.dtype;
    value->odd = pointer->odd;
    if (written != PTOG_DTYPE_NONE && *dtype != PTOG_DTYPE_NONE && written != *dtype)
        ptog_diag_emit(e->diags, "text-element", use->span, "the view has element type %s, but its pointer has %s",
                       ptog_dtype_name(written), ptog_dtype_name(*dtype));
    else if (written != PTOG_DTYPE_NONE)
        *dtype = written;
    value->open = *dtype == PTOG_DTYPE_NONE && !value->odd;
}

bool ptog_make_view(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                    const struct ptog_value *pointer, const struct ptog_number *n, struct ptog_value *value)
{
    *value = (struct ptog_value){.kind = PTOG_VALUE_VIEW, .type = ptog_used_type(made->use)};
    if (!set_extents(e, op, made, n, &value->view) || !pointer)
        return false;
    set_layout(made->layout, &value->view);
    value->view.base = pointer->pointer.base;
    value->view.outside_gm = pointer->pointer.outside_gm;
    set_element_type(e, made->use, pointer, value);
    return true;
}

/* Reads shape and strides, and writes the record with `pointer` as its first argument. False after an error. */
static bool read_view(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *pointer,
                      struct ptog_made_code *made, struct ptog_number *n)
{
    const struct ptog_item *shape, *strides;
    struct ptog_number stride[PTOG_MAX_DIMS];
    uint32_t stride_count;
    if (!ptog_read_list(e, op, PTOG_WORD_shape, "text-view", n, &shape, &made->rank) ||
        !ptog_read_list(e, op, PTOG_WORD_strides, "text-view", stride, &strides, &stride_count))
        return false;
    if (made->rank != stride_count)
        return ptog_refuse(e, "text-view", op->name_span, "shape and strides have different lengths");
    if (!read_layout(e, op, &made->layout))
        return false;
    struct ptog_code_arg args[PTOG_MAX_MADE_ARGS] = {ptog_code_arg_of(e, pointer)};
    for (uint32_t i = 0; i < made->rank; i++) {
        n[made->rank + i] = stride[i];
        args[1 + i] = ptog_code_arg_of(e, &shape[i]);
        args[1 + made->rank + i] = ptog_code_arg_of(e, &strides[i]);
    }
    ptog_emit_made(e, PTOG_CODE_VIEW, op, made, args, 1 + 2 * made->rank);
    return true;
}

/* Lowers pto.make_tensor_view: defines a view over a pointer, and appends its record. */
void ptog_eval_view(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    if (!ptog_want_operands(e, op, operands.count, 1, 1) || !ptog_want_results(e, op, 1))
        return;
    struct ptog_made_code made = {.use = ptog_only_type(&operands)};
    struct ptog_number n[2 * PTOG_MAX_DIMS];
    struct ptog_value *pointer = ptog_use_as(e, &operands.items[0], NULL, PTOG_VALUE_POINTER);
    struct ptog_value value = {0};
    if (made.use && !ptog_type_is_view(made.use->type)) {
        ptog_refuse(e, "text-view", made.use->span, "the result of make_tensor_view must be a view");
        pointer = NULL;
    }
    bool good = read_view(e, op, &operands.items[0], &made, n);
    if (!good || !ptog_make_view(e, op, &made, pointer, n, &value))
        value = (struct ptog_value){0};
    ptog_define_result(e, op, 0, &value);
}
