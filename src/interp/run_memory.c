/* interp: single elements of global memory (load_scalar, store_scalar) and of tiles (tgetval). */
#include "interp/run_memory.h"

#include <string.h>

#include "core/inside.h"
#include "interp/judge.h"
#include "interp/limits.h"
#include "interp/machine.h"
#include "interp/slots.h"
#include "lower/bind.h"
#include "lower/insn/text_insn.h"
#include "lower/ops/ops.h"
#include "lower/place.h"
#include "model/dtype.h"

struct memory_element {
    enum ptog_dtype dtype;
    struct ptog_base base;
};

/* The element at an offset of a pointer, or of the start of a view. False after an error. */
static bool find_element(struct ptog_eval *e, const struct ptog_code *code, uint32_t owner,
                         struct memory_element *element)
{
    const struct ptog_value *value = ptog_slot_value(e, &code->args[owner]);
    struct ptog_number offset = {0, true};
    bool is_pointer = value->kind == PTOG_VALUE_POINTER;
    e->stopped = e->stopped || (!is_pointer && value->kind != PTOG_VALUE_VIEW);
    if (e->stopped || (code->arg_count > owner + 1 && !ptog_read_number(e, &code->args[owner + 1], &offset)))
        return false;
    element->dtype = is_pointer ? value->pointer.dtype : value->view.tensor.dtype;
    element->base = is_pointer ? value->pointer.base : value->view.base;
    return ptog_advance_base(e, code->op, &element->base, element->dtype, offset);
}

/* Whether the element lies in its buffer. If not, an out-of-bounds fault of the operation is recorded. */
static bool is_inside(struct ptog_eval *e, const struct ptog_op *op, const struct memory_element *element)
{
    size_t size = ptog_dtype_size(element->dtype);
    const struct ptog_bound_memory *memory = &e->memories[element->base.memory - 1];
    int64_t at = element->base.at.value;
    if (at >= 0 && memory->bytes >= size && (uint64_t)at <= memory->bytes - size)
        return true;
    int64_t index = at / (int64_t)size;
    ptog_judge_fault(e, op, PTOG_FAULT_GM_OUT_OF_BOUNDS, 0, (uint64_t)index, memory->bytes / size);
    return false;
}

/* Reads or writes the element's bits. */
static void move_element(struct ptog_eval *e, const struct ptog_op *op, const struct memory_element *element,
                         uint64_t *bits, bool store)
{
    size_t size = ptog_dtype_size(element->dtype);
    e->issued++;
    if (element->base.memory == 0 || size == 0) {
        e->stopped = true;
        return;
    }
    if (e->machine.pipes || is_inside(e, op, element)) /* with pipes, the machine judges it */
        ptog_judge_step(e, op, ptog_machine_scalar(e, op, &element->base, size, bits, store));
}

/* The result of a record, with the bits of an element. */
static void define_element(struct ptog_eval *e, const struct ptog_code *code, enum ptog_dtype dtype, uint64_t bits)
{
    struct ptog_value value = {.kind = PTOG_VALUE_NUMBER, .width = code->scalar.width, .type = code->scalar.type};
    unsigned drop = 64u - 8u * (unsigned)ptog_dtype_size(dtype);
    if (code->scalar.is_real) {
        value.kind = PTOG_VALUE_REAL;
        value.real.dtype = (enum ptog_dtype)code->scalar.dtype;
        value.real.bits = bits;
        value.real.known = true;
    } else {
        value.number = (struct ptog_number){(int64_t)bits, true};
        if (ptog_dtype_is_signed(dtype))
            value.number.value = (int64_t)(bits << drop) >> drop;
    }
    ptog_define_result(e, code->op, 0, &value);
}

/* Defines the result of a load whose address is unknown: a number or real of the right type without a value. */
static void define_unknown(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_value value = {.kind = PTOG_VALUE_NUMBER, .width = code->scalar.width, .type = code->scalar.type};
    if (code->scalar.is_real) {
        value.kind = PTOG_VALUE_REAL;
        value.real.dtype = (enum ptog_dtype)code->scalar.dtype;
    }
    ptog_define_result(e, code->op, 0, &value);
}

void ptog_run_load(struct ptog_eval *e, const struct ptog_code *code)
{
    struct memory_element element;
    uint64_t bits = 0;
    if (!find_element(e, code, 0, &element)) {
        define_unknown(e, code);
        return;
    }
    memset(&bits, 0xAA, ptog_dtype_size(element.dtype));
    move_element(e, code->op, &element, &bits, false);
    define_element(e, code, element.dtype, bits);
}

void ptog_run_store(struct ptog_eval *e, const struct ptog_code *code)
{
    struct memory_element element;
    const struct ptog_value *value = ptog_slot_value(e, &code->args[0]);
    if (!find_element(e, code, 1, &element))
        return;
    uint64_t bits = value->kind == PTOG_VALUE_REAL ? value->real.bits : (uint64_t)value->number.value;
    move_element(e, code->op, &element, &bits, true);
}

void ptog_run_get_value(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_text_insn insn;
    struct ptog_value *tile = ptog_slot_value(e, &code->args[0]);
    struct ptog_number element;
    struct ptog_repeat once = {0};
    e->issued++;
    if (!ptog_read_number(e, &code->args[1], &element))
        return;
    ptog_place_use(e, tile);
    ptog_describe_single(e, code->op, tile, element, (enum ptog_dtype)code->scalar.predicate, &insn);
    if (!tile->tile.tile.placed) {
        ptog_diag_emit(e->diags, "run-stopped", code->op->name_span, "the tile has no address in UB");
        e->stopped = true;
        return;
    }
    struct ptog_insn_size size = ptog_insn_size_of(&insn.insn);
    ptog_judge_run(e, &insn, ptog_machine_insn(e, code->op, &insn.insn, NULL, &size, &once));
    uint64_t bits = ptog_core_value(e->machine.core);
    if (!e->stopped)
        ptog_judge_insn(e, &insn);
    define_element(e, code, tile->tile.tile.dtype, bits);
}
