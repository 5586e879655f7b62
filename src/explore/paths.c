/* explore: follows one way through a function (paths.h). */
#include "explore/paths.h"

#include <string.h>

#include "asm/insn_words.h"
#include "explore/natures.h"
#include "lower/compute.h"

#define MAX_PATH_STEPS 20000
#define FOLLOWED_TURNS 3 /* of a loop whose turns arguments decide */
#define MAX_TURNS 64     /* of another one */

static void follow_region(struct ptog_path_walk *walk, const struct ptog_region *region);

/* ---- values ---- */

static void set_value(struct ptog_path_walk *walk, ptog_symbol name, struct ptog_script_value value)
{
    walk->values[name] = value;
}

static struct ptog_script_value item_value(const struct ptog_path_walk *walk, const struct ptog_item *item)
{
    static const struct ptog_script_value unknown;
    return item->kind == PTOG_ITEM_VALUE ? walk->values[item->name] : unknown;
}

/* The first operands of an operation; those that it does not have are unknown. */
static void read_operands(const struct ptog_path_walk *walk, const struct ptog_op *op,
                          struct ptog_script_value operands[3])
{
    size_t count = 0;
    memset(operands, 0, 3 * sizeof operands[0]);
    for (uint32_t i = 0; i < op->part_count; i++)
        for (uint32_t k = 0; ptog_has_part_items(&op->parts[i]) && k < op->parts[i].count && count < 3; k++)
            if (op->parts[i].items[k].kind == PTOG_ITEM_VALUE)
                operands[count++] = item_value(walk, &op->parts[i].items[k]);
}

static void set_results(struct ptog_path_walk *walk, const struct ptog_op *op, const struct ptog_script_value *values,
                        uint32_t count)
{
    static const struct ptog_script_value unknown;
    for (uint32_t i = 0; i < op->result_count; i++)
        set_value(walk, op->results[i].name, i < count ? values[i] : unknown);
}

/* ---- scalar operations ---- */

/* Makes the result of a scalar operation a term of the solver's script, or a number where all operands are known. */
static void follow_scalar(struct ptog_path_walk *walk, const struct ptog_op *op, const struct ptog_code *code)
{
    const struct ptog_scalar_code *scalar = &code->scalar;
    struct ptog_script_value operands[3], result = {.is_number = false};
    bool is_unsigned = op->name == PTOG_OP_NAME_EXTUI || op->name == PTOG_OP_NAME_INDEX_CASTUI;
    read_operands(walk, op, operands);
    if (code->kind == PTOG_CODE_CONSTANT && !scalar->is_real)
        result = ptog_script_number(ptog_sign_extend(scalar->bits, scalar->width));
    else if (code->kind == PTOG_CODE_INTEGERS)
        result = ptog_script_apply(&walk->script, op->name, operands[0], operands[1], scalar->width);
    else if (code->kind == PTOG_CODE_COMPARE)
        result = ptog_script_compare(&walk->script, scalar->predicate, operands[0], operands[1], scalar->from_width);
    else if (code->kind == PTOG_CODE_SELECT)
        result = ptog_script_select(&walk->script, operands[0], operands[1], operands[2]);
    else if (code->kind == PTOG_CODE_RESIZE)
        result = ptog_script_resize(&walk->script, operands[0], scalar->from_width, scalar->width, is_unsigned);
    set_results(walk, op, &result, 1);
}

/* ---- loops and branches ---- */

static const struct ptog_region *region_of(const struct ptog_op *op, ptog_symbol word)
{
    const struct ptog_part *part = ptog_op_part(op, PTOG_PART_REGION, word);
    return part ? part->region : NULL;
}

/* Follows the branch that is chosen on this path, and notes that it can be taken. */
static void follow_if(struct ptog_path_walk *walk, const struct ptog_op *op)
{
    struct ptog_script_value condition[3];
    read_operands(walk, op, condition);
    bool taken = ptog_path_decide(walk, condition[0]);
    const struct ptog_region *region = region_of(op, taken ? 0 : PTOG_WORD_else);
    if (walk->gave_up)
        return;
    walk->proof->covers[op->number].possible |= taken ? PTOG_MAY_BE_TRUE : PTOG_MAY_BE_FALSE;
    walk->yield_count = 0;
    if (region)
        follow_region(walk, region);
    set_results(walk, op, walk->yields, walk->yield_count);
}

/* The arguments of a loop's body: its counter, and what the last turn has handed out. */
static void begin_turn(struct ptog_path_walk *walk, const struct ptog_region *body, struct ptog_script_value counter,
                       const struct ptog_script_value *carried)
{
    static const struct ptog_script_value unknown;
    set_value(walk, body->args[0].name, counter);
    for (uint32_t i = 1; i < body->arg_count; i++)
        set_value(walk, body->args[i].name, carried && i <= MAX_PATH_YIELDS ? carried[i - 1] : unknown);
    walk->yield_count = 0;
}

/* Any further turn: its counter is between what was followed and the end, what it is handed may be anything. */
static void follow_any_turn(struct ptog_path_walk *walk, const struct ptog_region *body, struct ptog_script_value from,
                            struct ptog_script_value to)
{
    struct ptog_script *script = &walk->script;
    struct ptog_script_value counter = ptog_script_any(script, 64);
    script->guesses = true;
    ptog_script_require(script, ptog_script_compare(script, 5, counter, from, 64), false);
    ptog_script_require(script, ptog_script_compare(script, 2, counter, to, 64), false);
    begin_turn(walk, body, counter, NULL);
    follow_region(walk, body);
    walk->yield_count = 0;
}

/* Follows the body of a loop turn by turn; after the turns that are followed it goes on with any one turn. */
static void follow_turns(struct ptog_path_walk *walk, const struct ptog_region *body,
                         const struct ptog_script_value bounds[3])
{
    struct ptog_script_value at = bounds[0], carried[MAX_PATH_YIELDS];
    bool is_fixed = bounds[0].is_number && bounds[1].is_number && bounds[2].is_number;
    int followed = is_fixed ? MAX_TURNS : FOLLOWED_TURNS;
    for (int turn = 0;; turn++) {
        struct ptog_script_value more = ptog_script_compare(&walk->script, 2, at, bounds[1], 64);
        if (!ptog_path_decide(walk, more) || walk->gave_up)
            return;
        if (turn == followed) {
            follow_any_turn(walk, body, at, bounds[1]);
            return;
        }
        memcpy(carried, walk->yields, sizeof carried);
        begin_turn(walk, body, at, carried);
        follow_region(walk, body);
        at = ptog_script_apply(&walk->script, PTOG_OP_NAME_ADDI, at, bounds[2], 64);
        if (walk->gave_up)
            return;
    }
}

/* Follows an scf.for with its bounds and carried values; gives up where they are not as usual. */
static void follow_for(struct ptog_path_walk *walk, const struct ptog_op *op)
{
    const struct ptog_part *part = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    const struct ptog_part *initial = ptog_op_part(op, PTOG_PART_CLAUSE, PTOG_WORD_iter_args);
    const struct ptog_region *body = region_of(op, 0);
    struct ptog_script_value bounds[3];
    if (!part || part->count != 3 || !body || body->arg_count < 1 || body->arg_count > MAX_PATH_YIELDS) {
        walk->gave_up = true;
        return;
    }
    for (int i = 0; i < 3; i++)
        bounds[i] = item_value(walk, &part->items[i]);
    walk->yield_count = 0;
    for (uint32_t i = 0; initial && i < initial->count && i < MAX_PATH_YIELDS; i++)
        walk->yields[walk->yield_count++] = item_value(walk, &initial->items[i]);
    follow_turns(walk, body, bounds);
    set_results(walk, op, walk->yields, walk->yield_count);
}

/* Hands out what a region yields on this path. */
static void follow_yield(struct ptog_path_walk *walk, const struct ptog_op *op)
{
    const struct ptog_part *part = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    walk->yield_count = 0;
    for (uint32_t i = 0; part && i < part->count && i < MAX_PATH_YIELDS; i++)
        walk->yields[walk->yield_count++] = item_value(walk, &part->items[i]);
}

/* ---- operations ---- */

/* Follows one operation on the path, by its name or its record. */
static void follow_op(struct ptog_path_walk *walk, const struct ptog_op *op)
{
    const struct ptog_code *code = walk->code[op->number];
    switch (op->name) {
    case PTOG_OP_NAME_FOR: follow_for(walk, op); return;
    case PTOG_OP_NAME_IF: follow_if(walk, op); return;
    case PTOG_OP_NAME_YIELD: follow_yield(walk, op); return;
    case PTOG_OP_NAME_SECTION_VECTOR:
        if (region_of(op, 0))
            follow_region(walk, region_of(op, 0));
        return;
    default: break;
    }
    if (ptog_op_part(op, PTOG_PART_REGION, 0))
        walk->gave_up = true;
    else if (code)
        follow_scalar(walk, op, code);
    else
        set_results(walk, op, NULL, 0);
}

/* Follows the operations of a region, and notes that each can be reached. Gives up after too many. */
static void follow_region(struct ptog_path_walk *walk, const struct ptog_region *region)
{
    for (const struct ptog_op *op = region->first; op && !walk->gave_up; op = op->next) {
        follow_op(walk, op);
        walk->proof->covers[op->number].possible |= PTOG_MAY_BE_REACHED;
        walk->gave_up = walk->gave_up || ++walk->steps > MAX_PATH_STEPS || walk->script.no_memory;
    }
}

/* ---- arguments ---- */

/* What the caller binds to a name; NULL: nothing. */
static const struct ptog_binding *find_binding(const struct ptog_proof *proof, const char *name)
{
    for (size_t i = 0; i < proof->execution.binding_count; i++)
        if (proof->execution.bindings[i].name && strcmp(proof->execution.bindings[i].name, name) == 0)
            return &proof->execution.bindings[i];
    return NULL;
}

/* What an argument is on the path: its number where it is bound, a variable of the script where it may be chosen, else
 * nothing. */
static struct ptog_script_value value_of_argument(struct ptog_path_walk *walk, const char *name)
{
    const struct ptog_proof *proof = walk->proof;
    const struct ptog_binding *bound = find_binding(proof, name);
    struct ptog_script_value value = {.is_number = false};
    struct ptog_slot slot;
    if (bound && bound->is_number)
        return ptog_script_number(bound->number);
    for (size_t i = 0; i < proof->variable_count; i++) {
        const struct ptog_variable *variable = &proof->variables[i];
        if (variable->kind != PTOG_VARIABLE_NUMBER || variable->launch != PTOG_NOT_OF_LAUNCH ||
            strcmp(variable->name, name) != 0 ||
            !ptog_program_slot_find(proof->program, proof->execution.function, name, &slot) || slot.width == 0)
            continue;
        value = ptog_script_any(&walk->script, slot.width > 64 ? 64 : (unsigned)slot.width);
        walk->argument_names[i] = value.name;
    }
    return value;
}

void ptog_path_follow(struct ptog_path_walk *walk)
{
    const struct ptog_region *region = walk->function->region;
    memset(walk->values, 0, ((size_t)walk->tree->symbols.count + 2) * sizeof *walk->values);
    walk->script.length = walk->script.names = walk->steps = walk->yield_count = 0;
    walk->decided = 0;
    walk->gave_up = false;
    ptog_script_add(&walk->script, "(set-logic QF_BV)\n");
    for (uint32_t i = 0; i < region->arg_count; i++)
        if (region->args[i].name)
            set_value(walk, region->args[i].name,
                      value_of_argument(walk, ptog_tree_text(walk->tree, region->args[i].name)));
    follow_region(walk, region);
}
