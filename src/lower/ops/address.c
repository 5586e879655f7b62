/* lower: pointers as integers and back: ptrtoint and inttoptr. An address tells its buffer by its upper bits, so that
 * sums of it and of offsets stay in the buffer; the lower 48 bits are bytes from its start. */
#include "lower/bind.h"
#include "lower/emit.h"
#include "lower/ops/made.h"
#include "lower/ops/ops.h"
#include "lower/ops/scalars.h"
#include "lower/parts.h"
#include "lower/scope.h"
#include "lower/types.h"

#define OFFSET_BITS 48

struct ptog_number ptog_address_of(const struct ptog_base *base)
{
    bool known = base->memory > 0 && base->at.known;
    int64_t buffer = (int64_t)base->memory * ((int64_t)1 << OFFSET_BITS);
    return (struct ptog_number){known ? buffer + base->at.value : 0, known};
}

/* Sets *base to the buffer and offset that a pointer as an integer stands for. False when the number is unknown in a
 * run, or, after a report, lies in no buffer. */
bool ptog_base_of_address(struct ptog_eval *e, const struct ptog_op *op, struct ptog_number address,
                          struct ptog_base *base)
{
    int64_t memory = address.value >> OFFSET_BITS;
    *base = (struct ptog_base){.at = {address.value - memory * ((int64_t)1 << OFFSET_BITS), address.known}};
    if (!address.known)
        return !e->running;
    if (memory > 0 && memory <= (int64_t)e->memory_count) {
        base->memory = (uint32_t)memory;
        return true;
    }
    ptog_diag_emit(e->diags, "run-stopped", op->name_span, "address %lld lies in none of the buffers that are bound",
                   (long long)address.value);
    e->stopped = e->running;
    return false;
}

/* Lowers pto.ptrtoint: defines the address of a pointer. Whoever has it may write to the buffer. */
static void eval_to_address(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands)
{
    struct ptog_value *pointer =
        ptog_use_as(e, &operands->items[0], ptog_operand_type(operands, 0), PTOG_VALUE_POINTER);
    const struct ptog_type_use *use = ptog_result_type(operands);
    if (!pointer) {
        ptog_define_any(e, op);
        return;
    }
    ptog_mark_read(e, pointer);
    ptog_mark_written(e, pointer);
    struct ptog_scalar_code scalar = {.type = ptog_used_type(use), .width = 64};
    struct ptog_code *code = ptog_emit(e, PTOG_CODE_TO_ADDRESS, op);
    code->scalar = scalar;
    ptog_emit_args(e, code, operands->items, 1);
    ptog_define_integer(e, op, scalar.type, 64, (struct ptog_number){0, false});
}

/* Lowers pto.inttoptr: defines the pointer that has an address. */
static void eval_from_address(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands)
{
    struct ptog_number number;
    struct ptog_made_code made = {.use = ptog_result_type(operands)};
    struct ptog_value value = {0};
    if (!ptog_use_number(e, &operands->items[0], ptog_operand_type(operands, 0), &number) ||
        !ptog_value_from_type(e, made.use, &value) || value.kind != PTOG_VALUE_POINTER) {
        ptog_define_any(e, op);
        return;
    }
    made.value = value;
    struct ptog_code_arg arg = ptog_code_arg_of(e, &operands->items[0]);
    ptog_emit_made(e, PTOG_CODE_FROM_ADDRESS, op, &made, &arg, 1);
    ptog_define_result(e, op, 0, &value);
}

void ptog_eval_address(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    if (!ptog_want_operands(e, op, operands.count, 1, 1) || !ptog_want_results(e, op, 1))
        return;
    if (!ptog_eval_lint(e, op))
        ptog_define_any(e, op);
    else if (op->name == PTOG_OP_NAME_PTRTOINT)
        eval_to_address(e, op, &operands);
    else
        eval_from_address(e, op, &operands);
}
