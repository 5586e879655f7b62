/* program: single elements of tiles: `%v = pto.tgetval ins(%t, %k : T, index) outs : f32`, whose result is a number,
 * and tsetval, which is an instruction like others. */
#include "model/singles.h"

#include <string.h>

#include "core/inside.h"
#include "model/dtype.h"
#include "program/bind.h"
#include "program/judge.h"
#include "program/ops.h"
#include "program/parts.h"
#include "program/place.h"
#include "program/scalars.h"
#include "program/scope.h"
#include "program/text_insn.h"
#include "program/types.h"

/* ---- tsetval */

static void infer(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    (void)e, (void)insn; /* a tile has the type that the text gives it */
}

const struct ptog_text_family ptog_text_singles = {ptog_insn_attrs, infer, NULL};

/* ---- tgetval */

/* The operands in brackets after `ins`, or as they stand in the generic form, and the type of the result. */
static struct ptog_operands operands_of(const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    const struct ptog_part *ins = ptog_op_part(op, PTOG_PART_CLAUSE, PTOG_WORD_ins);
    const struct ptog_part *types = ptog_op_part(op, PTOG_PART_TYPES, 0);
    if (!ins)
        return operands;
    operands.items = ins->items;
    operands.count = ins->count;
    operands.types = ins->types;
    operands.type_count = ins->type_count;
    if (types && !operands.results) {
        operands.results = types->types;
        operands.result_count = types->type_count;
    }
    return operands;
}

/* A number of the type that the text gives, or of the tile's where it gives none. False after an error. */
static bool start_value(struct ptog_eval *e, const struct ptog_operands *operands, enum ptog_dtype dtype,
                        struct ptog_value *value)
{
    const struct ptog_type_use *use = ptog_result_type(operands);
    if (use && !ptog_value_from_type(e, use, value))
        return false;
    if (value->kind == PTOG_VALUE_REAL || value->kind == PTOG_VALUE_NUMBER)
        return true;
    if (use)
        return ptog_refuse(e, "text-operand", use->span, "the result must be a number, as an element of a tile is");
    value->kind = PTOG_VALUE_NUMBER;
    value->width = (uint8_t)(8 * ptog_dtype_size(dtype));
    if (ptog_dtype_is_float(dtype)) {
        value->kind = PTOG_VALUE_REAL;
        value->real.dtype = dtype;
    }
    return true;
}

/* The type that the value is asked in: an integer of the tile's width is of its type, whatever its sign. */
static enum ptog_dtype wanted_type(const struct ptog_value *value, enum ptog_dtype tile)
{
    static const enum ptog_dtype by_size[] = {PTOG_I8, PTOG_I16, PTOG_I32, PTOG_I64};
    int log = 0;
    if (value->kind == PTOG_VALUE_REAL)
        return value->real.dtype;
    if (!ptog_dtype_is_float(tile) && value->width == 8 * ptog_dtype_size(tile))
        return tile;
    while (log < 3 && value->width > 8u << log)
        log++;
    return by_size[log];
}

static void take_value(struct ptog_value *value, enum ptog_dtype dtype, uint64_t bits)
{
    unsigned drop = 64u - 8u * (unsigned)ptog_dtype_size(dtype);
    if (value->kind == PTOG_VALUE_REAL) {
        value->real.bits = bits;
        value->real.known = true;
        return;
    }
    value->number = (struct ptog_number){(int64_t)bits, true};
    if (ptog_dtype_is_signed(dtype))
        value->number.value = (int64_t)(bits << drop) >> drop;
}

static void describe(struct ptog_eval *e, struct ptog_text_insn *insn, const struct ptog_operands *operands,
                     struct ptog_value *tile, struct ptog_number element, enum ptog_dtype dtype)
{
    memset(insn, 0, offsetof(struct ptog_text_insn, insn));
    insn->form = PTOG_FORM_SINGLE;
    insn->count = 1;
    insn->of[0] = (struct ptog_text_operand){.role = ptog_operand_name(PTOG_AT_SRC),
                                             .position = PTOG_SINGLE_TILE,
                                             .item = &operands->items[0],
                                             .type = ptog_operand_type(operands, 0),
                                             .value = tile};
    ptog_insn_start(&insn->insn, PTOG_TGETVAL);
    ptog_insn_set_tile(&insn->insn, PTOG_SINGLE_TILE, &tile->tile.tile);
    insn->insn.of[PTOG_SINGLE_TILE].tile.name = ptog_written_name(e, operands->items[0].name);
    ptog_insn_set_scalar(&insn->insn, PTOG_SINGLE_WHERE, PTOG_I64, element.known ? (uint64_t)element.value : 0);
    ptog_insn_set_scalar(&insn->insn, PTOG_SINGLE_VALUE, dtype, 0);
}

/* Checks it, or runs it and has the number. */
static void get(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands,
                struct ptog_value *tile, struct ptog_number element, struct ptog_value *value)
{
    struct ptog_text_insn insn;
    enum ptog_dtype dtype = tile->tile.tile.dtype;
    if (tile->open || tile->odd) {
        ptog_refuse(e, "text-operand", operands->items[0].span,
                    "the type of the tile is unknown here, or not simulated");
        return;
    }
    ptog_place_use(e, tile);
    describe(e, &insn, operands, tile, element, wanted_type(value, dtype));
    insn.op = op;
    if (!e->running) {
        ptog_mark_read(e, tile);
    } else if (!tile->tile.tile.placed) {
        ptog_say(e->finds, "run-stopped", op->name_span, "the tile has no address in UB");
        e->stopped = true;
    } else {
        struct ptog_insn_size size = ptog_insn_size_of(&insn.insn);
        struct ptog_repeat once = {0};
        ptog_judge_run(e, &insn, ptog_machine_insn(e, op, &insn.insn, NULL, &size, &once));
        take_value(value, dtype, ptog_core_value(e->machine.core));
    }
    if (!e->stopped)
        ptog_judge_insn(e, &insn);
}

void ptog_eval_get_value(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = operands_of(op);
    struct ptog_value value = {0};
    struct ptog_number element;
    if (!ptog_want_operands(e, op, operands.count, 2, 2) || !ptog_want_results(e, op, 1))
        return;
    struct ptog_value *tile = ptog_use_as(e, &operands.items[0], ptog_operand_type(&operands, 0), PTOG_VALUE_TILE);
    bool good = ptog_use_number(e, &operands.items[1], ptog_operand_type(&operands, 1), &element);
    if (tile && good && start_value(e, &operands, tile->tile.tile.dtype, &value))
        get(e, op, &operands, tile, element, &value);
    ptog_define_result(e, op, 0, &value);
}
