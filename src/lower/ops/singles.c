/* lower: single elements of tiles: `%v = pto.tgetval ins(%t, %k : T, index) outs : f32`, whose result is a number,
 * and tsetval, which is an instruction like others. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/singles.h"

#include <string.h>

#include "lower/bind.h"
#include "lower/emit.h"
#include "lower/insn/text_insn.h"
#include "lower/ops/ops.h"
#include "lower/ops/scalars.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "lower/scope.h"
#include "lower/types.h"
#include "model/dtype.h"

/* ---- tsetval */

/* Nothing is left out of the types of tgetval and tsetval. */
static void infer_singles(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    (void)e, (void)insn; /* a tile has the type that the text gives it */
}

const struct ptog_text_family ptog_text_singles = {ptog_insn_attrs, infer_singles, NULL};

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

/* Fills *insn with the instruction that reads or writes one element of a tile; it must be verified before it is
 * executed. */
void ptog_describe_single(struct ptog_eval *e, const struct ptog_op *op, struct ptog_value *tile,
                          struct ptog_number element, enum ptog_dtype dtype, struct ptog_text_insn *insn)
{
    struct ptog_operands operands = operands_of(op);
    memset(insn, 0, offsetof(struct ptog_text_insn, insn));
    insn->op = op;
    insn->form = PTOG_FORM_SINGLE;
    insn->count = 1;
    insn->of[0] = (struct ptog_text_operand){.role = ptog_operand_name(PTOG_AT_SRC),
                                             .position = PTOG_SINGLE_TILE,
                                             .item = &operands.items[0],
                                             .type = ptog_operand_type(&operands, 0),
                                             .value = tile};
    ptog_insn_start(&insn->insn, PTOG_TGETVAL);
    ptog_insn_set_tile(&insn->insn, PTOG_SINGLE_TILE, &tile->tile.tile);
    insn->insn.of[PTOG_SINGLE_TILE].tile.name = ptog_written_name(e, operands.items[0].name);
    ptog_insn_set_scalar(&insn->insn, PTOG_SINGLE_WHERE, PTOG_I64, element.known ? (uint64_t)element.value : 0);
    ptog_insn_set_scalar(&insn->insn, PTOG_SINGLE_VALUE, dtype, 0);
}

/* Checks it, and writes its record. */
static void check_get_value(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands,
                            struct ptog_value *tile, struct ptog_number element, const struct ptog_value *value)
{
    struct ptog_text_insn insn;
    enum ptog_dtype dtype = wanted_type(value, tile->tile.tile.dtype);
    if (tile->open || tile->odd) {
        ptog_refuse(e, "text-operand", operands->items[0].span,
                    "the type of the tile is unknown here, or not simulated");
        return;
    }
    ptog_place_use(e, tile);
    ptog_describe_single(e, op, tile, element, dtype, &insn);
    ptog_mark_read(e, tile);
    ptog_judge_insn(e, &insn);
    struct ptog_code *code = ptog_emit(e, PTOG_CODE_GET_VALUE, op);
    code->scalar = ptog_scalar_result(value);
    code->scalar.predicate = (uint8_t)dtype;
    ptog_emit_args(e, code, operands->items, 2);
}

/* Lowers pto.tgetval: checks the element, defines the number, and appends its record. */
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
        check_get_value(e, op, &operands, tile, element, &value);
    ptog_define_result(e, op, 0, &value);
}
