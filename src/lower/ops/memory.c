/* lower: pointers (addptr, casts) and single elements of global memory (load_scalar, store_scalar, memref.load, ...):
 * each is checked, and the run has the core do it. */
#include "base/arith.h"
#include "lower/bind.h"
#include "lower/emit.h"
#include "lower/ops/made.h"
#include "lower/ops/ops.h"
#include "lower/ops/scalars.h"
#include "lower/parts.h"
#include "lower/scope.h"
#include "lower/types.h"
#include "model/dtype.h"

/* Moves *base on by so many elements; what is not known stays unknown, which a run does not allow. False when the
 * address is lost, after a report if it overflows. */
bool ptog_advance_base(struct ptog_eval *e, const struct ptog_op *op, struct ptog_base *base, enum ptog_dtype dtype,
                       struct ptog_number elements)
{
    int64_t bytes;
    base->at.known = base->at.known && elements.known && dtype != PTOG_DTYPE_NONE;
    if (!base->at.known)
        return !e->running;
    if (ptog_mul_i64(elements.value, (int64_t)ptog_dtype_size(dtype), &bytes) &&
        ptog_add_i64(base->at.value, bytes, &base->at.value))
        return true;
    ptog_diag_emit(e->diags, "text-view", op->name_span, "the address does not fit in 63 bits");
    e->stopped = e->running;
    return false;
}

bool ptog_make_pointer(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                       const struct ptog_value *from, struct ptog_number offset, struct ptog_value *value)
{
    *value = *from;
    if (made->use)
        value->type = made->use->type;
    return ptog_advance_base(e, op, &value->pointer.base, value->pointer.dtype, offset);
}

/* Lowers pto.addptr: defines a pointer so many elements further. */
static void eval_addptr(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    if (!ptog_want_operands(e, op, operands.count, 2, 2) || !ptog_want_results(e, op, 1))
        return;
    struct ptog_value *pointer =
        ptog_use_as(e, &operands.items[0], ptog_operand_type(&operands, 0), PTOG_VALUE_POINTER);
    struct ptog_number offset;
    bool good = ptog_use_number(e, &operands.items[1], ptog_operand_type(&operands, 1), &offset);
    struct ptog_made_code made = {.use = operands.result_count > 0 ? operands.results : NULL};
    struct ptog_value value = {0};
    if (pointer && good) {
        struct ptog_code_arg args[2] = {ptog_code_arg_of(e, &operands.items[0]),
                                        ptog_code_arg_of(e, &operands.items[1])};
        ptog_emit_made(e, PTOG_CODE_POINTER, op, &made, args, 2);
        if (made.use && pointer->type && !ptog_types_agree(made.use->type, pointer->type))
            ptog_diag_emit(e->diags, "text-type-mismatch", made.use->span, "the result must have the type of %%%.80s",
                           ptog_tree_text(e->tree, operands.items[0].name));
        if (!ptog_make_pointer(e, op, &made, pointer, offset, &value))
            value = (struct ptog_value){0};
    }
    ptog_define_result(e, op, 0, &value);
}

/* ---- elements */

struct element {
    enum ptog_dtype dtype;
    struct ptog_base base;
};

/* Sets *element and *owner for pointer[offset], or for the first element of a view at an offset. False after an error.
 */
static bool read_element(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item,
                         const struct ptog_type_use *use, struct element *element, struct ptog_value **owner)
{
    struct ptog_value *value = ptog_use(e, item, use, PTOG_VALUE_POINTER);
    struct ptog_number offset = {0, true};
    if (!value || value->kind == PTOG_VALUE_ANY)
        return false;
    bool pointer = value->kind == PTOG_VALUE_POINTER;
    if (!pointer && value->kind != PTOG_VALUE_VIEW) {
        ptog_diag_emit(e->diags, "text-operand", item->span, "%%%.80s is %s, but a pointer is expected here",
                       ptog_tree_text(e->tree, item->name), ptog_value_kind_name((enum ptog_value_kind)value->kind));
        return false;
    }
    if (item->called && item->count > 1) {
        ptog_diag_emit(e->diags, "text-operands", item->span, "a pointer has one offset, not %u",
                       (unsigned)item->count);
        return false;
    }
    if (item->called && item->count == 1 && !ptog_use_number(e, &item->items[0], NULL, &offset))
        return false;
    *owner = value;
    element->dtype = pointer ? value->pointer.dtype : value->view.tensor.dtype;
    element->base = pointer ? value->pointer.base : value->view.base;
    return ptog_advance_base(e, op, &element->base, element->dtype, offset);
}

/* Whether a value fits memory of an element type: a number of that type, or an integer of its width, whatever its
 * sign; reported if not. Memory without a type takes any number. */
static bool check_moved(struct ptog_eval *e, struct ptog_span span, const struct ptog_value *value,
                        enum ptog_dtype dtype)
{
    bool real = value->kind == PTOG_VALUE_REAL;
    if (dtype == PTOG_DTYPE_NONE || (!real && !value->type))
        return true;
    if (real ? value->real.dtype == dtype
             : !ptog_dtype_is_float(dtype) && dtype < PTOG_HIF8 && value->width == 8 * ptog_dtype_size(dtype))
        return true;
    ptog_diag_emit(e->diags, "text-element", span, "the memory has element type %s, but this is another type",
                   ptog_dtype_name(dtype));
    return false;
}

/* The item of an element: its owner, and the offset in brackets. */
static uint32_t element_args(const struct ptog_eval *e, const struct ptog_item *item, struct ptog_code_arg args[2])
{
    bool has_offset = item->called && item->count == 1;
    args[0] = ptog_code_arg_of(e, item);
    if (has_offset)
        args[1] = ptog_code_arg_of(e, &item->items[0]);
    return 1 + has_offset;
}

/* Appends the record of a load, with its pointer or view and its offset. */
static void emit_load(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item,
                      const struct ptog_value *value)
{
    struct ptog_code_arg args[2];
    uint32_t count = element_args(e, item, args);
    struct ptog_code *code = ptog_emit(e, PTOG_CODE_LOAD, op);
    code->scalar = ptog_scalar_result(value);
    ptog_emit_given_args(e, code, args, count);
}

/* Appends the record of a store: number, pointer or view, and offset. */
static void emit_store(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *number,
                       const struct ptog_item *item)
{
    struct ptog_code_arg args[3] = {ptog_code_arg_of(e, number)};
    uint32_t count = element_args(e, item, &args[1]);
    ptog_emit_given_args(e, ptog_emit(e, PTOG_CODE_STORE, op), args, count + 1);
}

/* Lowers a scalar load; marks the memory as read. */
static void eval_load(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    if (!ptog_want_operands(e, op, operands.count, 1, 1) || !ptog_want_results(e, op, 1))
        return;
    struct element element;
    struct ptog_value *owner, value = {0};
    bool good = read_element(e, op, &operands.items[0], ptog_operand_type(&operands, 0), &element, &owner);
    if (operands.result_count > 0)
        ptog_value_from_type(e, &operands.results[0], &value);
    if (good)
        ptog_mark_read(e, owner);
    if (good && value.kind == PTOG_VALUE_ANY) {
        bool real = ptog_dtype_is_float(element.dtype);
        value.kind = real ? PTOG_VALUE_REAL : PTOG_VALUE_NUMBER;
        value.width = 64;
        if (real)
            value.real.dtype = element.dtype;
    }
    bool number = value.kind == PTOG_VALUE_REAL || value.kind == PTOG_VALUE_NUMBER;
    if (good && operands.result_count > 0 && !number) {
        ptog_diag_emit(e->diags, "text-operand", operands.results[0].span, "the result of a load must be a number");
        good = false;
    }
    good = good &&
           check_moved(e, operands.result_count > 0 ? operands.results[0].span : op->name_span, &value, element.dtype);
    if (good)
        emit_load(e, op, &operands.items[0], &value);
    ptog_define_result(e, op, 0, &value);
}

/* Lowers a scalar store; marks the memory as written. */
static void eval_store(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    if (!ptog_want_operands(e, op, operands.count, 2, 2) || !ptog_want_results(e, op, 0))
        return;
    struct element element;
    struct ptog_value *owner;
    uint32_t last = operands.type_count - 1; /* the memory's type stands first, but for the generic form */
    bool swapped = operands.type_count > 0 && operands.types[0].type->kind == PTOG_TYPE_SCALAR;
    const struct ptog_type_use *number_type = ptog_operand_type(&operands, swapped ? 0 : 1);
    const struct ptog_type_use *memory_type = ptog_operand_type(&operands, swapped ? 1 : 0);
    if (swapped && last == 0)
        memory_type = NULL;
    struct ptog_value *value = ptog_use(e, &operands.items[0], number_type, PTOG_VALUE_NUMBER);
    bool good = read_element(e, op, &operands.items[1], memory_type, &element, &owner);
    if (!good || !value)
        return;
    ptog_mark_written(e, owner);
    bool real = value->kind == PTOG_VALUE_REAL;
    if (!real && value->kind != PTOG_VALUE_NUMBER) {
        if (value->kind != PTOG_VALUE_ANY)
            ptog_diag_emit(e->diags, "text-operand", operands.items[0].span, "only a number can be stored here");
        return;
    }
    if (check_moved(e, operands.items[0].span, value, element.dtype))
        emit_store(e, op, &operands.items[0], &operands.items[1]);
}

/* Lowers a scalar operation on pointers and global memory. */
void ptog_eval_memory(struct ptog_eval *e, const struct ptog_op *op)
{
    switch (op->name) {
    case PTOG_OP_NAME_ADDPTR: eval_addptr(e, op); break;
    case PTOG_OP_NAME_LOAD_SCALAR: eval_load(e, op); break;
    default: eval_store(e, op); break;
    }
}
