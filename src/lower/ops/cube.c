/* lower: operations of the cube core. Its tiles lie in memories of their own (mat is L1, then left, right, acc, bias,
 * scaling). Loads into L1, copies from there, products and stores of accumulators are instructions like others; what is
 * not simulated is checked as far as it shares something with the vector core (names, types, where a tile may lie, how
 * large its elements are), and noted. */
#include <string.h>

#include "asm/insn_words.h"
#include "lower/emit.h"
#include "lower/insn/text_insn.h"
#include "lower/ops/flow.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/scope.h"
#include "lower/types.h"
#include "model/cube/memories.h"
#include "model/dtype.h"
#include "model/tile.h"

/* The tiles whose place decides: what a load, a gather or texpands fills, what a store empties, both ends of a copy. */
enum deciding { DECIDES_NOT, DECIDES_OUT, DECIDES_IN, DECIDES_EITHER };

/* Which end of a move says whether it is one of the cube core. */
static enum deciding deciding_end(const struct ptog_op *op)
{
    switch (op->name) {
    case PTOG_OP_NAME_TSTORE: return DECIDES_IN;
    case PTOG_OP_NAME_TLOAD:
    case PTOG_OP_NAME_MGATHER:
    case PTOG_OP_NAME_TEXPANDS: return DECIDES_OUT;
    case PTOG_OP_NAME_TMOV:
    case PTOG_OP_NAME_TEXTRACT:
    case PTOG_OP_NAME_TINSERT:
    case PTOG_OP_NAME_TTRANS:
    case PTOG_OP_NAME_TFILLPAD:
    case PTOG_OP_NAME_TFILLPAD_INPLACE:
    case PTOG_OP_NAME_TMATMUL:
    case PTOG_OP_NAME_TMATMUL_ACC:
    case PTOG_OP_NAME_TMATMUL_BIAS:
    case PTOG_OP_NAME_TGEMV:
    case PTOG_OP_NAME_TGEMV_ACC:
    case PTOG_OP_NAME_TGEMV_BIAS:
    case PTOG_OP_NAME_TFILLPAD_EXPAND: return DECIDES_EITHER;
    default: return DECIDES_NOT;
    }
}

/* The first value of a part, and its type; NULL: none. */
static const struct ptog_item *first_of(const struct ptog_part *part, const struct ptog_type_use **use)
{
    if (!part || part->count == 0 || part->items[0].kind != PTOG_ITEM_VALUE)
        return NULL;
    *use = ptog_part_type(part, 0);
    return &part->items[0];
}

/* The memory that a tile is in, by its value or its type; -1: not known. */
static int loc_of(const struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use)
{
    const struct ptog_value *value = ptog_value_named(e, item->name);
    if (value && value->kind == PTOG_VALUE_TILE)
        return (int)value->tile.tile.loc;
    bool tile = use && ptog_type_is_tile(use->type) && !use->type->elided && use->type->field[PTOG_FIELD_LOC].name == 0;
    if (tile)
        return (int)use->type->field[PTOG_FIELD_LOC].value;
    return PTOG_VEC;
}

/* Of an operation of the cube core, the tile that makes it one; NULL: it is none. */
static const struct ptog_item *cube_item(const struct ptog_eval *e, const struct ptog_op *op, int *loc)
{
    enum deciding end = deciding_end(op);
    const struct ptog_type_use *use;
    const struct ptog_item *out = end & DECIDES_OUT ? first_of(op->outs, &use) : NULL;
    *loc = out ? loc_of(e, out, use) : PTOG_VEC;
    if (*loc != PTOG_VEC)
        return out;
    const struct ptog_item *in = end & DECIDES_IN ? first_of(op->ins, &use) : NULL;
    *loc = in ? loc_of(e, in, use) : PTOG_VEC;
    return *loc != PTOG_VEC ? in : NULL;
}

bool ptog_op_is_cube(const struct ptog_eval *e, const struct ptog_op *op)
{
    int loc;
    return cube_item(e, op, &loc) != NULL;
}

/* ---- what is simulated */

/* The memory of operand i, by its value or its type; -1: there is no such operand, or its elements are not modelled. */
int ptog_operand_loc(const struct ptog_eval *e, const struct ptog_part *part, uint32_t i)
{
    if (!part || i >= part->count || part->items[i].kind != PTOG_ITEM_VALUE)
        return -1;
    const struct ptog_value *value = ptog_value_named(e, part->items[i].name);
    if (value && value->kind == PTOG_VALUE_TILE && value->tile.tile.dtype == PTOG_DTYPE_NONE)
        return -1;
    return loc_of(e, &part->items[i], ptog_part_type(part, i));
}

/* Whether the operands are tiles in these memories. */
static bool are_at(const struct ptog_eval *e, const struct ptog_part *ins, const int *locs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (ptog_operand_loc(e, ins, i) != locs[i])
            return false;
    return ins && ins->count == count;
}

/* Whether the form of ReLU is one that is simulated. */
static bool is_relu_known(const struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_item *relu = ptog_op_word_attr(op, PTOG_WORD_reluPreMode);
    return !relu || ptog_item_is_word(e->tree, relu, "no_relu") || ptog_item_is_word(e->tree, relu, "normal_relu");
}

/* A tile whose elements have 8 bytes. */
static bool has_wide_elements(const struct ptog_eval *e, const struct ptog_part *part)
{
    const struct ptog_value *value =
        part && part->count > 0 ? ptog_value_named(e, part->items[part->count - 1].name) : NULL;
    return value && value->kind == PTOG_VALUE_TILE && ptog_dtype_size(value->tile.tile.dtype) == 8;
}

/* Behind `others` operands nothing, a number, or a tile. */
static bool is_scale_known(const struct ptog_eval *e, const struct ptog_op *op, uint32_t others)
{
    uint32_t count = op->ins ? op->ins->count : 0;
    return count == others || (count == others + 1 && ptog_value_named(e, op->ins->items[others].name));
}

/* How many operands a copy has before a scale: tmov has one, textract and tinsert also say where; 0: it is no copy. */
static uint32_t operands_of_copy(const struct ptog_op *op)
{
    if (op->name == PTOG_OP_NAME_TMOV)
        return 1;
    if (op->name == PTOG_OP_NAME_TEXTRACT || op->name == PTOG_OP_NAME_TINSERT)
        return 3;
    return 0;
}

/* tmov, textract and tinsert of an accumulator into an NZ tile of L1, or a tile of UB that is no other kind of boxes. */
static bool is_from_acc(const struct ptog_eval *e, const struct ptog_op *op, int out)
{
    uint32_t others = operands_of_copy(op);
    const struct ptog_value *to = op->outs && op->outs->count > 0 ? ptog_value_named(e, op->outs->items[0].name) : NULL;
    if (others == 0 || (out != (int)PTOG_MAT && out != (int)PTOG_VEC) ||
        ptog_operand_loc(e, op->ins, 0) != (int)PTOG_ACC || !to || to->kind != PTOG_VALUE_TILE)
        return false;
    enum ptog_tile_order order = ptog_tile_order(&to->tile.tile);
    bool plain = order == PTOG_ORDER_ROW || order == PTOG_ORDER_COL;
    return (order == PTOG_ORDER_NZ || (plain && out == (int)PTOG_VEC)) && is_scale_known(e, op, others);
}

bool ptog_op_sends_to_l1(const struct ptog_eval *e, const struct ptog_op *op)
{
    uint32_t others = operands_of_copy(op);
    return others > 0 && ptog_operand_loc(e, op->ins, 0) == (int)PTOG_VEC &&
           ptog_operand_loc(e, op->outs, 0) == (int)PTOG_MAT && op->ins->count == others;
}

/* Whether the accumulator consists of whole boxes, as those of libraries do; compilers know one of a single row, too.
 */
static bool is_whole_sum(const struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_type_use *use = NULL;
    const struct ptog_item *item = first_of(op->outs, &use);
    const struct ptog_value *sum = item ? ptog_value_named(e, item->name) : NULL;
    if (sum && sum->kind == PTOG_VALUE_TILE)
        return sum->tile.tile.rows % 16 == 0;
    return use && ptog_type_is_tile(use->type) && !use->type->elided &&
           use->type->field[PTOG_FIELD_ROWS].value % 16 == 0;
}

/* A store of an accumulator, with or without a scale, or of a tile of L1 where the target has one. */
static bool is_store_known(const struct ptog_eval *e, const struct ptog_op *op)
{
    int loc = ptog_operand_loc(e, op->ins, 0);
    bool from_l1 = loc == (int)PTOG_MAT && !e->target->loads_any_location;
    return (from_l1 && op->ins->count == 1) || (loc == (int)PTOG_ACC && is_scale_known(e, op, 1));
}

#define PADS_UP_TO_A_BOX 3 /* compact = 3 */

/* tfillpad of a tile in L1, which fills all of it. */
static bool is_fill_of_l1(const struct ptog_eval *e, const struct ptog_op *op, int out)
{
    const struct ptog_type_use *use = NULL;
    const struct ptog_item *item = first_of(op->outs, &use);
    const struct ptog_value *to = item ? ptog_value_named(e, item->name) : NULL;
    const struct ptog_type *type = use ? use->type : NULL;
    if (to && to->type)
        type = to->type;
    bool partly = type && ptog_type_is_tile(type) && !type->elided && type->field[PTOG_FIELD_COMPACT].name == 0 &&
                  type->field[PTOG_FIELD_COMPACT].value == PADS_UP_TO_A_BOX;
    return out == (int)PTOG_MAT && op->ins && op->ins->count == 1 && ptog_operand_loc(e, op->ins, 0) == out && !partly;
}

bool ptog_cube_is_modelled(const struct ptog_eval *e, const struct ptog_op *op)
{
    static const int product[] = {PTOG_ACC, PTOG_LEFT, PTOG_RIGHT, PTOG_BIAS};
    int out = ptog_operand_loc(e, op->outs, 0);
    bool to_l0 = out == (int)PTOG_LEFT || out == (int)PTOG_RIGHT || out == (int)PTOG_BIAS;
    if (!is_relu_known(e, op))
        return false;
    if (is_from_acc(e, op, out) || ptog_op_sends_to_l1(e, op))
        return true;
    bool one_row =
        op->name == PTOG_OP_NAME_TGEMV || op->name == PTOG_OP_NAME_TGEMV_ACC || op->name == PTOG_OP_NAME_TGEMV_BIAS;
    if (one_row && !is_whole_sum(e, op))
        return false;
    switch (op->name) {
    case PTOG_OP_NAME_TLOAD: return out == (int)PTOG_MAT && op->ins && op->ins->count == 1;
    case PTOG_OP_NAME_MGATHER: return out == (int)PTOG_MAT;
    case PTOG_OP_NAME_TFILLPAD:
    case PTOG_OP_NAME_TFILLPAD_INPLACE: return is_fill_of_l1(e, op, out);
    case PTOG_OP_NAME_TSTORE: return is_store_known(e, op);
    case PTOG_OP_NAME_TMOV:
        return (to_l0 || (out == (int)PTOG_SCALING && has_wide_elements(e, op->outs))) && op->ins &&
               op->ins->count == 1 && ptog_operand_loc(e, op->ins, 0) == (int)PTOG_MAT;
    case PTOG_OP_NAME_TEXTRACT:
        return to_l0 && op->ins && op->ins->count == 3 && ptog_operand_loc(e, op->ins, 0) == (int)PTOG_MAT;
    case PTOG_OP_NAME_TGEMV:
    case PTOG_OP_NAME_TMATMUL: return out == (int)PTOG_ACC && are_at(e, op->ins, product + 1, 2);
    case PTOG_OP_NAME_TGEMV_ACC:
    case PTOG_OP_NAME_TMATMUL_ACC: return out == (int)PTOG_ACC && are_at(e, op->ins, product, 3);
    case PTOG_OP_NAME_TGEMV_BIAS:
    case PTOG_OP_NAME_TMATMUL_BIAS: return out == (int)PTOG_ACC && are_at(e, op->ins, product + 1, 3);
    default: return false;
    }
}

/* ---- what is checked */

/* A load fills vec and mat, on a5 any tile; a store empties vec and acc, on a2a3 mat too. */
static void check_location(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item, int loc)
{
    bool any = e->target->loads_any_location, fits = loc == (int)PTOG_MAT;
    if (op->name == PTOG_OP_NAME_TLOAD)
        fits = fits || any;
    if (op->name == PTOG_OP_NAME_TSTORE)
        fits = loc == (int)PTOG_ACC || (fits && !any);
    if (!fits)
        ptog_diag_emit(e->diags, "text-location", item->span, "%%%.80s is in a memory that '%s' cannot access on %s",
                       ptog_tree_text(e->tree, item->name), ptog_op_info(op->name)->name, e->target->name);
}

/* Reports a load between elements of different sizes: it moves them whatever their types; a store from acc converts. */
static void check_sizes(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_value *tile,
                        const struct ptog_value *view)
{
    if (op->name != PTOG_OP_NAME_TLOAD || !tile || !view || tile->kind != PTOG_VALUE_TILE ||
        view->kind != PTOG_VALUE_VIEW)
        return;
    enum ptog_dtype a = tile->tile.tile.dtype, b = view->view.tensor.dtype;
    if (a != PTOG_DTYPE_NONE && b != PTOG_DTYPE_NONE && ptog_dtype_size(a) != ptog_dtype_size(b))
        ptog_diag_emit(e->diags, "text-element", op->name_span,
                       "'pto.tload' needs elements of the same size, but %s and %s differ", ptog_dtype_name(b),
                       ptog_dtype_name(a));
}

/* ---- all of it */

#define MAX_USED 4u /* operands whose values are looked at */

/* Checks an instruction of the cube core that is not simulated: uses its operands, reports memories and sizes that do
 * not fit, and lint's rules. A run stops there. */
void ptog_eval_cube(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_value *ins[MAX_USED] = {0}, *outs[MAX_USED] = {0};
    int loc;
    const struct ptog_item *item = cube_item(e, op, &loc);
    size_t errors = e->diags->errors;
    ptog_use_all(e, op->ins, ins, MAX_USED);
    if (!op->defines)
        ptog_use_all(e, op->outs, outs, MAX_USED);
    if (e->target->ub_bytes > 0 && deciding_end(op) != DECIDES_EITHER)
        check_location(e, op, item, loc);
    check_sizes(e, op, outs[0], ins[0]);
    if (ptog_eval_lint(e, op) && e->diags->errors == errors)
        ptog_say_not_modelled(e, op->name_span, "'%s' of the cube core is not simulated", ptog_op_info(op->name)->name);
    ptog_define_any(e, op);
}
