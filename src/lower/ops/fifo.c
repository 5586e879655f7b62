/* lower: the FIFO between the cube core and the vector cores: setups, tiles and entries that are pushed and popped, and
 * the buffers of the core that pops. Which setup an operation belongs to is known from the text: src/lint/fifo. */
#include "lower/ops/fifo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/op_parts.h"
#include "lint/lint.h"
#include "lower/alive.h"
#include "lower/bind.h"
#include "lower/emit.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "lower/scope.h"
#include "lower/types.h"
#include "lower/insn/text_insn.h"
#include "model/dtype.h"

#define MAX_ARGS 3u

/* ---- what it gives */

bool ptog_fifo_keep_view(struct ptog_eval *e, uint32_t number, const struct ptog_value *memory)
{
    if (!e->machine.views && !(e->machine.views = calloc(1, sizeof *e->machine.views))) {
        e->no_memory = true;
        return false;
    }
    struct ptog_view_value *view = &e->machine.views->of[number];
    *view = (struct ptog_view_value){0};
    if (memory && memory->kind == PTOG_VALUE_VIEW)
        *view = memory->view;
    else if (memory && memory->kind == PTOG_VALUE_POINTER)
        view->base = memory->pointer.base;
    return true;
}

void ptog_fifo_place_view(struct ptog_eval *e, const struct ptog_fifo_code *code, struct ptog_number offset,
                          struct ptog_value *value)
{
    const struct ptog_view_value *ring = e->machine.views ? &e->machine.views->of[code->fifo.number] : NULL;
    struct ptog_tensor *tensor = &value->view.tensor;
    int64_t part = 0;
    if (!ring)
        return;
    for (int i = 0; i < 5 && ring->rank > 0; i++)
        tensor->stride[i] = ring->tensor.stride[i];
    bool second = e->running && e->subblock == 1 && e->on == PTOG_SIDE_VECTOR;
    if (second && (code->split == PTOG_SPLIT_UP_DOWN || code->split == PTOG_SPLIT_UP_DOWN_ODD))
        part = tensor->shape[3] * tensor->stride[3];
    else if (second && code->split != PTOG_SPLIT_NONE)
        part = tensor->shape[4] * tensor->stride[4];
    value->view.base = ring->base;
    value->view.base.at = offset;
    value->view.base.at.value += part * (int64_t)ptog_dtype_size(tensor->dtype);
}

bool ptog_fifo_set_valid(struct ptog_eval *e, const struct ptog_fifo_code *code, const struct ptog_number *n,
                         uint32_t count, struct ptog_value *value)
{
    struct ptog_tile *tile = &value->tile.tile;
    if (count == 2)
        return ptog_set_valid(e, code->at, n[0], tile->rows, &tile->valid_row) &&
               ptog_set_valid(e, code->at, n[1], tile->cols, &tile->valid_col);
    if (tile->valid_row == PTOG_DYN)
        tile->valid_row = tile->rows;
    if (tile->valid_col == PTOG_DYN)
        tile->valid_col = tile->cols;
    return true;
}

/* ---- records */

/* A record with a copy of what the text fixes. */
static struct ptog_code *emit_fifo(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_fifo_code *fifo,
                                   const struct ptog_code_arg *args, uint32_t count)
{
    struct ptog_code *code = ptog_emit(e, PTOG_CODE_FIFO, op);
    struct ptog_fifo_code *copy = ptog_arena_alloc(&e->emits->arena, sizeof *copy);
    if (copy)
        *copy = *fifo;
    else
        e->no_memory = true;
    code->fifo = copy;
    ptog_emit_given_args(e, code, args, count);
    return code;
}

/* The core that has such an operation; PTOG_SIDE_ANY: the text around says it. */
static uint8_t side_of(const struct ptog_op *op, const struct ptog_value *tile)
{
    switch (op->name) {
    case PTOG_OP_NAME_AIC_INITIALIZE_PIPE:
    case PTOG_OP_NAME_TPUSH_TO_AIV:
    case PTOG_OP_NAME_TALLOC_TO_AIV:
    case PTOG_OP_NAME_TPOP_FROM_AIV:
    case PTOG_OP_NAME_TFREE_FROM_AIV: return PTOG_SIDE_CUBE;
    case PTOG_OP_NAME_AIV_INITIALIZE_PIPE:
    case PTOG_OP_NAME_TPUSH_TO_AIC:
    case PTOG_OP_NAME_TALLOC_TO_AIC:
    case PTOG_OP_NAME_TPOP_FROM_AIC:
    case PTOG_OP_NAME_TFREE_FROM_AIC: return PTOG_SIDE_VECTOR;
    default: break;
    }
    if (tile && tile->kind == PTOG_VALUE_TILE && tile->tile.tile.loc != PTOG_VEC)
        return PTOG_SIDE_CUBE;
    return tile && tile->kind == PTOG_VALUE_TILE ? PTOG_SIDE_VECTOR : PTOG_SIDE_ANY;
}

/* ---- buffers */

/* Checks reserve_buffer, gives the buffer its place, writes the record, and defines its address. */
static void eval_reserve(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_item *location = ptog_op_attribute(e->tree, op, "location");
    const struct ptog_item *size = ptog_op_attribute(e->tree, op, "size"),
                           *base = ptog_op_attribute(e->tree, op, "base");
    bool in_l1 = location && ptog_item_is_word(e->tree, location, "mat");
    struct ptog_fifo_code code = {.step = PTOG_FIFO_RESERVE, .at = op->name_span};
    struct ptog_value number = {.kind = PTOG_VALUE_NUMBER, .width = 32};
    if (size && size->kind == PTOG_ITEM_INT) {
        code.value = (struct ptog_value){.kind = PTOG_VALUE_TILE, .span = op->name_span};
        struct ptog_tile buffer = ptog_tile_vec(PTOG_U8, 1, (int64_t)size->number);
        buffer.loc = in_l1 ? PTOG_MAT : PTOG_VEC;
        code.value.tile.tile = buffer;
        if (base && base->kind == PTOG_ITEM_INT) {
            code.base = (struct ptog_number){(int64_t)base->number, true};
            ptog_place_at(e, &code.value, code.base, base->span);
        } else {
            ptog_place_new(e, op, 0, &code.value);
            ptog_place_use(e, &code.value);
            ptog_life_lend(e, &code.value);
        }
        number.number = code.base;
    }
    emit_fifo(e, op, &code, NULL, 0)->on = in_l1 ? PTOG_SIDE_CUBE : PTOG_SIDE_VECTOR;
    ptog_define_result(e, op, 0, &number);
}

/* Where the buffer of the other core lies does not matter here: its own setup says it. */
static void eval_import(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_fifo_code code = {.step = PTOG_FIFO_IMPORT, .at = op->name_span};
    struct ptog_value number = {.kind = PTOG_VALUE_NUMBER, .width = 32};
    emit_fifo(e, op, &code, NULL, 0);
    ptog_define_result(e, op, 0, &number);
}

/* ---- setups */

/* A ring in memory of the core that pops: that is what A5 has, and what is left where there is no global memory. */
static bool is_local(const struct ptog_eval *e, const struct ptog_op *op, const struct ptog_fifo_setup *setup)
{
    bool by_core = op->name == PTOG_OP_NAME_AIC_INITIALIZE_PIPE || op->name == PTOG_OP_NAME_AIV_INITIALIZE_PIPE;
    bool has_buffer = setup->from_cube != PTOG_NO_OPERAND || setup->from_vector != PTOG_NO_OPERAND;
    return setup->is_local || (by_core && has_buffer && e->target->machine == PTOG_MACHINE_SIMT);
}

/* Adds an operand of the setup to the arguments of its record. */
static bool add_operand(struct ptog_eval *e, const struct ptog_operands *operands, uint32_t operand,
                        struct ptog_code_arg *args, uint32_t *count)
{
    if (operand >= operands->count)
        return false;
    args[(*count)++] = ptog_code_arg_of(e, &operands->items[operand]);
    return true;
}

/* What messages call a FIFO: its buffer, or its id. NULL: it has neither. */
static const char *fifo_label(struct ptog_eval *e, const struct ptog_fifo_setup *setup)
{
    char id[24];
    if (setup->name)
        return ptog_tree_text(e->tree, setup->name);
    if (setup->id == PTOG_DYN)
        return NULL;
    snprintf(id, sizeof id, "%lld", (long long)setup->id);
    return ptog_arena_copy(&e->emits->arena, id, strlen(id));
}

/* What the cube core makes of the elements that it pushes: those that are popped. */
static void read_epilogue(struct ptog_eval *e, const struct ptog_fifo_setup *setup, struct ptog_fifo_options *fifo)
{
    static const enum ptog_layout layouts[] = {PTOG_ND, PTOG_DN, PTOG_NZ, PTOG_ND};
    struct ptog_value popped;
    if (ptog_value_from_type(e, setup->popped, &popped))
        fifo->element = ptog_value_dtype(&popped);
    fifo->layout = layouts[setup->epilogue->layout];
    fifo->relu = setup->epilogue->relu == PTOG_RELU_NORMAL;
}

/* Checks the setup of a FIFO, and writes the record that opens it. */
static void eval_open(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_fifo_setup *setup)
{
    struct ptog_operands operands = ptog_operands_of(op);
    struct ptog_code_arg args[MAX_ARGS];
    uint32_t count = 0;
    struct ptog_fifo_code code = {.step = PTOG_FIFO_OPEN, .at = op->name_span};
    for (uint32_t i = 0; i < operands.count; i++) {
        const struct ptog_value *value =
            ptog_use(e, &operands.items[i], ptog_operand_type(&operands, i), PTOG_VALUE_ANY);
        if (i == setup->memory && value)
            ptog_mark_written(e, value);
        if (i == setup->memory)
            ptog_fifo_keep_view(e, setup->number, value);
    }
    code.fifo = (struct ptog_fifo_options){.number = setup->number,
                                           .name = fifo_label(e, setup),
                                           .direction = (enum ptog_fifo_direction)setup->direction,
                                           .slot_size = (uint64_t)setup->slot_size,
                                           .local = is_local(e, op, setup)};
    if (setup->slots > 0 && setup->slots <= UINT16_MAX)
        code.fifo.slots = (uint32_t)setup->slots;
    if (setup->local_slots > 0 && setup->local_slots <= UINT16_MAX)
        code.fifo.local_slots = (uint32_t)setup->local_slots;
    if (setup->epilogue)
        read_epilogue(e, setup, &code.fifo);
    code.has_memory = !code.fifo.local && add_operand(e, &operands, setup->memory, args, &count);
    code.has_from_cube = add_operand(e, &operands, setup->from_cube, args, &count);
    code.has_from_vector = add_operand(e, &operands, setup->from_vector, args, &count);
    e->machine.whole_tiles |= !setup->splits;
    e->machine.split_tiles |= setup->splits;
    e->machine.gm_rings |= !code.fifo.local;
    uint8_t on = side_of(op, NULL);
    emit_fifo(e, op, &code, args, count)->on = on;
    ptog_define_any(e, op);
}

/* ---- pushes and pops */

static uint8_t split_of(const struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_item *split = ptog_op_attribute(e->tree, op, "split");
    return split && split->kind == PTOG_ITEM_INT && split->number <= PTOG_SPLIT_LEFT_RIGHT_ODD ? (uint8_t)split->number
                                                                                               : 0;
}

/* The tile or entry that is an operand; NULL: there is none. */
static struct ptog_value *use_entry(struct ptog_eval *e, const struct ptog_operands *operands)
{
    struct ptog_value *value =
        operands->count > 0 ? ptog_use(e, &operands->items[0], ptog_operand_type(operands, 0), PTOG_VALUE_ANY) : NULL;
    if (value && value->kind == PTOG_VALUE_TILE)
        ptog_place_use(e, value);
    return value;
}

/* Completes `code` for a push, uses the entry, and writes the record on the core that pushes. */
static void eval_push(struct ptog_eval *e, const struct ptog_op *op, struct ptog_fifo_code *code)
{
    struct ptog_operands operands = ptog_operands_of(op);
    struct ptog_code_arg arg;
    const struct ptog_value *value = use_entry(e, &operands);
    code->step = PTOG_FIFO_PUSH;
    if (operands.count == 0 || operands.items[0].kind != PTOG_ITEM_VALUE)
        return;
    arg = ptog_code_arg_of(e, &operands.items[0]);
    uint8_t on = side_of(op, value);
    emit_fifo(e, op, code, &arg, 1)->on = on;
}

/* A result, whose type says what it is: a tile, or a view of the slot. */
static void eval_result(struct ptog_eval *e, const struct ptog_op *op, struct ptog_fifo_code *code)
{
    struct ptog_operands operands = ptog_operands_of(op);
    const struct ptog_type_use *use = ptog_result_type(&operands);
    struct ptog_number n[2] = {{0}};
    struct ptog_code_arg args[2];
    uint32_t count = code->step == PTOG_FIFO_POP && operands.count == 2 ? 2 : 0;
    if (!use || op->result_count != 1 || !ptog_value_from_type(e, use, &code->value))
        return;
    for (uint32_t i = 0; i < count; i++) {
        ptog_use_number(e, &operands.items[i], NULL, &n[i]);
        args[i] = ptog_code_arg_of(e, &operands.items[i]);
    }
    code->value.name = op->results[0].name;
    code->value.span = op->results[0].span;
    struct ptog_value value = code->value;
    if (value.kind == PTOG_VALUE_TILE) {
        ptog_place_at(e, &value, (struct ptog_number){0, false}, op->name_span);
        ptog_fifo_set_valid(e, code, n, count, &value);
    } else if (value.kind == PTOG_VALUE_VIEW) {
        ptog_fifo_place_view(e, code, (struct ptog_number){0, false}, &value);
    }
    uint8_t on = side_of(op, &value);
    emit_fifo(e, op, code, args, count)->on = on;
    ptog_define_result(e, op, 0, &value);
}

/* The number or the tile that pushes scale with. */
static void eval_scale(struct ptog_eval *e, const struct ptog_op *op, struct ptog_fifo_code *code)
{
    struct ptog_operands operands = ptog_operands_of(op);
    const struct ptog_value *value = use_entry(e, &operands);
    if (!value)
        return;
    struct ptog_code_arg arg = ptog_code_arg_of(e, &operands.items[0]);
    code->step = PTOG_FIFO_SCALE;
    emit_fifo(e, op, code, &arg, 1)->on = PTOG_SIDE_CUBE;
}

/* Completes `code` for giving an entry back, and writes the record. */
static void eval_free(struct ptog_eval *e, const struct ptog_op *op, struct ptog_fifo_code *code)
{
    struct ptog_operands operands = ptog_operands_of(op);
    for (uint32_t i = 0; i < operands.count; i++)
        ptog_use(e, &operands.items[i], ptog_operand_type(&operands, i), PTOG_VALUE_ANY);
    code->step = PTOG_FIFO_FREE;
    uint8_t on = side_of(op, NULL);
    emit_fifo(e, op, code, NULL, 0)->on = on;
}

/* Lowers an operation of a FIFO whose setup is known. */
static void eval_step(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_fifo_setup *setup)
{
    struct ptog_fifo_code code = {.split = split_of(e, op), .fifo = {.number = setup->number}, .at = op->name_span};
    switch (op->name) {
    case PTOG_OP_NAME_TPUSH:
    case PTOG_OP_NAME_TPUSH_TO_AIC:
    case PTOG_OP_NAME_TPUSH_TO_AIV: eval_push(e, op, &code); break;
    case PTOG_OP_NAME_TALLOC_TO_AIC:
    case PTOG_OP_NAME_TALLOC_TO_AIV:
        code.step = PTOG_FIFO_ALLOC;
        eval_result(e, op, &code);
        break;
    case PTOG_OP_NAME_TPOP_FROM_AIC:
    case PTOG_OP_NAME_TPOP_FROM_AIV:
        code.step = PTOG_FIFO_POP;
        eval_result(e, op, &code);
        break;
    case PTOG_OP_NAME_TFREE:
    case PTOG_OP_NAME_TFREE_FROM_AIC:
    case PTOG_OP_NAME_TFREE_FROM_AIV: eval_free(e, op, &code); break;
    case PTOG_OP_NAME_SET_QUANT_SCALAR:
    case PTOG_OP_NAME_SET_QUANT_VECTOR:
        read_epilogue(e, setup, &code.fifo);
        eval_scale(e, op, &code);
        break;
    default: eval_open(e, op, setup); break;
    }
}

/* What a setup has that is not simulated; NULL: nothing. */
static const char *unsupported(const struct ptog_op *op, const struct ptog_fifo_setup *setup)
{
    if (setup->number >= PTOG_FIFOS)
        return "'%s': more than 64 FIFOs between the cores are not supported yet";
    if (setup->epilogue && !setup->popped)
        return "'%s': a FIFO that converts its tiles, and from which nothing is popped, is not supported yet";
    if (op->name == PTOG_OP_NAME_TALLOC || op->name == PTOG_OP_NAME_TPOP)
        return "'%s' of a pipe that a value names is not supported yet";
    return NULL;
}

void ptog_eval_fifo(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_fifo_setup setup;
    const char *name = ptog_op_info(op->name)->name;
    size_t errors = e->diags->errors;
    if (!ptog_eval_lint(e, op) || e->diags->errors > errors) {
        ptog_define_any(e, op);
        return;
    }
    if (op->name == PTOG_OP_NAME_RESERVE_BUFFER) {
        eval_reserve(e, op);
        return;
    }
    if (op->name == PTOG_OP_NAME_IMPORT_RESERVED_BUFFER) {
        eval_import(e, op);
        return;
    }
    bool known = e->fifo && ptog_fifo_setup_of(e->fifo, op, &setup) && setup.direction >= 1 && setup.slot_size > 0;
    const char *why = known ? unsupported(op, &setup) : "'%s': the setup of its FIFO is not known here";
    if (why) {
        ptog_say_not_modelled(e, op->name_span, why, name);
        ptog_define_any(e, op);
        return;
    }
    e->machine.crosses = true;
    if (e->machine.meets.length == 0)
        e->machine.meets = op->name_span;
    eval_step(e, op, &setup);
    if (!e->emitted)
        ptog_define_any(e, op);
}
