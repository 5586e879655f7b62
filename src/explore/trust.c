/* explore: which operations trust scalar arguments: these are an address, extent or place, and the program never
 * compares them. If such an operation is refused, that shows what the arguments cannot be. */
#include <stdlib.h>

#include "asm/insn_words.h"
#include "explore/explore.h"
#include "explore/natures.h"
#include "lower/program.h"

#define ALL_INPUTS UINT64_MAX
#define MEMORY_INPUT (UINT64_C(1) << 63) /* numbers that are read, and those of blocks */
#define MAX_ARGUMENTS 63                 /* all further ones count as the last one */

struct trusted_value {
    uint64_t inputs;  /* that it depends on: a bit for each argument */
    bool is_computed; /* from inputs, in a way that may be wrong: a rest, a counter */
    bool is_varied;   /* neither a constant nor a pointer nor a view of constant extents */
};

struct trust_reader {
    const struct ptog_tree *tree;
    const struct ptog_function *function;
    struct trusted_value *values; /* by symbol */
    uint64_t *trusted;            /* by operation: the inputs */
    uint64_t compared;            /* inputs */
};

/* ---- values ---- */

static void join_value(struct trusted_value *all, struct trusted_value value)
{
    all->inputs |= value.inputs;
    all->is_computed = all->is_computed || value.is_computed;
    all->is_varied = all->is_varied || value.is_varied;
}

/* Joins what is known of all values among the items, those in arrays and indices included. */
static struct trusted_value value_of_items(const struct trust_reader *reader, const struct ptog_item *items,
                                           uint32_t count)
{
    struct trusted_value all = {.inputs = 0};
    for (uint32_t i = 0; i < count; i++) {
        const struct ptog_item *item = &items[i];
        if (item->kind == PTOG_ITEM_VALUE)
            join_value(&all, reader->values[item->name]);
        if (item->kind == PTOG_ITEM_ARRAY || (item->kind == PTOG_ITEM_VALUE && item->called))
            join_value(&all, value_of_items(reader, item->items, item->count));
    }
    return all;
}

/* Joins what is known of all operands of an operation. */
static struct trusted_value value_of_operands(const struct trust_reader *reader, const struct ptog_op *op)
{
    struct trusted_value all = {.inputs = 0};
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        if (ptog_has_part_items(part) && !(op->defines && part == op->outs))
            join_value(&all, value_of_items(reader, part->items, part->count));
    }
    return all;
}

static void define_values(const struct trust_reader *reader, const struct ptog_op *op, struct trusted_value value)
{
    for (uint32_t i = 0; i < op->result_count; i++)
        reader->values[op->results[i].name] = value;
    for (uint32_t i = 0; op->defines && op->outs && i < op->outs->count; i++)
        if (op->outs->items[i].kind == PTOG_ITEM_VALUE)
            reader->values[op->outs->items[i].name] = value;
}

/* ---- operations ---- */

/* Whether what is wrong with an argument is wrong with what this operation makes of it. */
static bool keeps_trust(ptog_symbol name)
{
    switch (name) {
    case PTOG_OP_NAME_INDEX_CAST:
    case PTOG_OP_NAME_INDEX_CASTUI:
    case PTOG_OP_NAME_EXTSI:
    case PTOG_OP_NAME_EXTUI:
    case PTOG_OP_NAME_TRUNCI:
    case PTOG_OP_NAME_ADDI:
    case PTOG_OP_NAME_MULI:
    case PTOG_OP_NAME_MAXSI:
    case PTOG_OP_NAME_MAXUI: return true;
    default: return false;
    }
}

/* A lower bound, as of max(%n, 0), says nothing of the upper one. */
static bool is_comparison(ptog_symbol name)
{
    return name == PTOG_OP_NAME_CMPI || name == PTOG_OP_NAME_MINSI || name == PTOG_OP_NAME_MINUI;
}

static bool reads_number(ptog_symbol name)
{
    return name == PTOG_OP_NAME_LOAD_SCALAR || name == PTOG_OP_NAME_TGETVAL || name == PTOG_OP_NAME_GET_BLOCK_IDX ||
           name == PTOG_OP_NAME_GET_BLOCK_NUM;
}

static void read_arithmetic(struct trust_reader *reader, const struct ptog_op *op)
{
    struct trusted_value value = value_of_operands(reader, op);
    if (is_comparison(op->name))
        reader->compared |= value.inputs;
    value.is_computed = value.is_computed || (value.inputs != 0 && !keeps_trust(op->name));
    define_values(reader, op, value);
}

/* A part of a view of constant extents has to fit, whatever it is computed from. */
static bool is_part_of_fixed(const struct trust_reader *reader, const struct ptog_op *op)
{
    const struct ptog_part *part = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    return op->name == PTOG_OP_NAME_PARTITION_VIEW && part && part->count > 0 &&
           part->items[0].kind == PTOG_ITEM_VALUE && !reader->values[part->items[0].name].is_varied;
}

/* Notes which arguments an instruction trusts, and defines its results as what its operands are made of. */
static void read_instruction(struct trust_reader *reader, const struct ptog_op *op)
{
    struct trusted_value value = value_of_operands(reader, op);
    if (!value.is_computed || is_part_of_fixed(reader, op))
        reader->trusted[op->number] = value.inputs;
    value.is_varied = value.is_varied || op->name != PTOG_OP_NAME_MAKE_TENSOR_VIEW;
    if (reads_number(op->name))
        value = (struct trusted_value){.inputs = MEMORY_INPUT, .is_computed = true, .is_varied = true};
    define_values(reader, op, value);
}

/* ---- regions ---- */

/* What a region is given: the counter of a loop depends on the bounds, everything else may on all. */
static struct trusted_value value_of_arguments(const struct trust_reader *reader, const struct ptog_op *op)
{
    struct trusted_value value = {.inputs = ALL_INPUTS};
    const struct ptog_part *bounds = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    if (op->name == PTOG_OP_NAME_FOR && op->result_count == 0 && bounds)
        value = value_of_items(reader, bounds->items, bounds->count);
    value.is_computed = value.is_varied = true;
    return value;
}

/* Defines the arguments of a function: each number is an input of its own. */
static void read_function(struct trust_reader *reader, const struct ptog_region *region)
{
    unsigned number = 0;
    for (uint32_t i = 0; i < region->arg_count; i++) {
        const struct ptog_type *type = region->args[i].type.type;
        struct trusted_value value = {.is_varied = type && type->kind != PTOG_TYPE_PTR};
        if (!type || type->kind == PTOG_TYPE_SCALAR || type->kind == PTOG_TYPE_RAW) {
            value.inputs = UINT64_C(1) << (number < MAX_ARGUMENTS ? number : MAX_ARGUMENTS - 1);
            value.is_varied = true;
            number++;
        }
        reader->values[region->args[i].name] = value;
    }
}

static void read_region(struct trust_reader *reader, const struct ptog_op *around, const struct ptog_region *region);

/* Follows values through an operation and the regions in it, and defines its results. */
static void read_op(struct trust_reader *reader, const struct ptog_op *op)
{
    bool has_region = false;
    for (uint32_t i = 0; i < op->part_count; i++)
        if (op->parts[i].kind == PTOG_PART_REGION) {
            has_region = true;
            read_region(reader, op, op->parts[i].region);
        }
    if (has_region)
        define_values(reader, op, value_of_arguments(reader, op));
    else if (ptog_tree_matches(reader->tree, op->name, "arith.*"))
        read_arithmetic(reader, op);
    else
        read_instruction(reader, op);
}

/* Defines the arguments of a region, and follows values through its operations. */
static void read_region(struct trust_reader *reader, const struct ptog_op *around, const struct ptog_region *region)
{
    if (reader->function && region == reader->function->region) {
        read_function(reader, region);
    } else if (around) {
        struct trusted_value value = value_of_arguments(reader, around);
        for (uint32_t i = 0; i < region->arg_count; i++)
            reader->values[region->args[i].name] = value;
    }
    for (const struct ptog_op *op = region->first; op; op = op->next)
        read_op(reader, op);
}

bool ptog_trust_find(struct ptog_proof *proof)
{
    const ptog_program *program = proof->program;
    struct trust_reader reader = {.tree = &program->tree,
                                  .function = ptog_function_find(program, proof->execution.function),
                                  .values = calloc((size_t)program->tree.symbols.count + 2, sizeof *reader.values),
                                  .trusted = calloc(proof->op_count + 1, sizeof *reader.trusted)};
    bool has_room = reader.values && reader.trusted;
    if (has_room)
        read_region(&reader, NULL, &program->tree.root);
    for (size_t op = 0; has_room && op < proof->op_count; op++)
        proof->covers[op].trusts_inputs = reader.trusted[op] != 0 && !(reader.trusted[op] & reader.compared);
    free(reader.values);
    free(reader.trusted);
    return has_room;
}
