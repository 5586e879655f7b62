/* program: transfers, gathers and fills of the cube core. Its tiles lie in buffers of their own (mat is L1, then left,
 * right, acc, bias, scaling), and this project does not move data there: what such an operation shares with those of
 * the vector core is checked (names, types, where a tile may lie, how large its elements are), and the rest is noted.
 */
#include <string.h>

#include "program/flow.h"
#include "program/ops.h"
#include "program/parts.h"
#include "program/scope.h"
#include "program/types.h"

/* The tiles whose place decides: what a load, a gather or texpands fills, what a store empties, both ends of a copy. */
enum deciding { DECIDES_NOT, DECIDES_OUT, DECIDES_IN, DECIDES_EITHER };

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
    case PTOG_OP_NAME_TFILLPAD_EXPAND: return DECIDES_EITHER;
    default: return DECIDES_NOT;
    }
}

static const struct ptog_item *first_of(const struct ptog_part *part, const struct ptog_type_use **use)
{
    if (!part || part->count == 0 || part->items[0].kind != PTOG_ITEM_VALUE)
        return NULL;
    *use = ptog_part_type(part, 0);
    return &part->items[0];
}

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
        ptog_say(e->finds, "text-location", item->span, "%%%.80s is in a memory that '%s' cannot access on %s",
                 ptog_tree_text(e->tree, item->name), ptog_op_info(op->name)->name, e->target->name);
}

/* A load moves elements of one size, whatever their types; a store from acc converts. */
static void check_sizes(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_value *tile,
                        const struct ptog_value *view)
{
    if (op->name != PTOG_OP_NAME_TLOAD || !tile || !view || tile->kind != PTOG_VALUE_TILE ||
        view->kind != PTOG_VALUE_VIEW)
        return;
    enum ptog_dtype a = tile->tile.tile.dtype, b = view->view.tensor.dtype;
    if (a != PTOG_DTYPE_NONE && b != PTOG_DTYPE_NONE && ptog_dtype_size(a) != ptog_dtype_size(b))
        ptog_say(e->finds, "text-element", op->name_span,
                 "'pto.tload' needs elements of the same size, but %s and %s differ", ptog_dtype_name(b),
                 ptog_dtype_name(a));
}

/* The indices of a gather into L1 lie in global memory, and exactly elem has a scratch there. */
static void check_gather(struct ptog_eval *e, const struct ptog_op *op, struct ptog_value *const *values)
{
    const struct ptog_item *mode = ptog_op_attr(op, PTOG_WORD_coalesce);
    bool elem = mode && strcmp(ptog_item_word(e->tree, mode), "elem") == 0;
    uint32_t count = op->ins->count;
    if (count < 2 || count > 3) {
        ptog_say(e->finds, "text-operands", op->name_span, "'pto.mgather' needs 2 or 3 operands here, not %u",
                 (unsigned)count);
        return;
    }
    if (values[1] && values[1]->kind == PTOG_VALUE_TILE)
        ptog_say(e->finds, "text-operand", op->ins->items[1].span,
                 "a gather into L1 needs its indices in global memory, but %%%.80s is a tile",
                 ptog_tree_text(e->tree, op->ins->items[1].name));
    if (elem != (count == 3))
        ptog_say(
            e->finds, "text-operands", op->name_span,
            "a gather into L1 needs scratch memory in global memory with coalesce elem, and no scratch memory otherwise");
}

/* ---- all of it */

#define MOST_USED 4u /* operands whose values are looked at */

void ptog_eval_cube(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_value *ins[MOST_USED] = {0}, *outs[MOST_USED] = {0};
    int loc;
    const struct ptog_item *item = cube_item(e, op, &loc);
    size_t errors = e->finds->errors;
    ptog_use_all(e, op->ins, ins, MOST_USED);
    if (!op->defines)
        ptog_use_all(e, op->outs, outs, MOST_USED);
    if (e->target->ub_bytes > 0 && deciding_end(op) != DECIDES_EITHER)
        check_location(e, op, item, loc);
    check_sizes(e, op, outs[0], ins[0]);
    if (op->name == PTOG_OP_NAME_MGATHER)
        check_gather(e, op, ins);
    if (ptog_eval_lint(e, op) && e->finds->errors == errors)
        ptog_say_not_modelled(e, op->name_span, "'%s' of the cube core is not simulated", ptog_op_info(op->name)->name);
    ptog_define_any(e, op);
    e->stopped = e->running;
}

/* ---- sections */

/* Whether the function has something for the vector core, too. */
static bool has_vector_section(const struct ptog_op *function)
{
    const struct ptog_part *body = function ? ptog_op_part(function, PTOG_PART_REGION, 0) : NULL;
    for (const struct ptog_op *op = body ? body->region->first : NULL; op; op = op->next)
        if (op->name == PTOG_OP_NAME_SECTION_VECTOR)
            return true;
    return false;
}

/* The cube core's half of a kernel is checked, and a run leaves it out: the vector core's half runs alone, and where
 * that waits for the cube core it comes to an operation that is not modelled. */
void ptog_eval_cube_section(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_part *body = ptog_op_part(op, PTOG_PART_REGION, 0);
    bool half = has_vector_section(e->function);
    if (!e->running && (half || !e->bound))
        ptog_say(e->finds, "text-not-modelled", op->name_span, "'pto.section.cube' is not simulated; the run skips it");
    else if (!half)
        ptog_say_not_modelled(e, op->name_span,
                              "the program has nothing outside '%s', and the cube core is not simulated",
                              ptog_op_info(op->name)->name);
    e->stopped = e->stopped || (e->running && !half);
    if (body && !e->bound && !e->running)
        ptog_check_body(e, body->region);
}
