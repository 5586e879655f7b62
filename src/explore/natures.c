/* explore: what the values of a program depend on: inputs, or the turn of the loop whose turns they decide. */
#include "explore/natures.h"

/* ---- operands ---- */

struct ptog_value_facts *ptog_facts_of(struct ptog_repeat_reader *reader, ptog_symbol name)
{
    return &reader->values[name];
}

/* What these items depend on most: nothing, the counter of a loop, inputs. */
enum ptog_nature ptog_nature_of_items(struct ptog_repeat_reader *reader, const struct ptog_item *items, uint32_t count)
{
    enum ptog_nature most = PTOG_FIXED;
    for (uint32_t i = 0; i < count; i++) {
        const struct ptog_item *item = &items[i];
        enum ptog_nature nature =
            item->kind == PTOG_ITEM_VALUE ? ptog_facts_of(reader, item->name)->nature : PTOG_FIXED;
        if (item->kind == PTOG_ITEM_ARRAY || (item->kind == PTOG_ITEM_VALUE && item->called)) {
            enum ptog_nature inner = ptog_nature_of_items(reader, item->items, item->count);
            nature = inner > nature ? inner : nature;
        }
        most = nature > most ? nature : most;
    }
    return most;
}

bool ptog_has_part_items(const struct ptog_part *part)
{
    return part->kind == PTOG_PART_ITEMS || part->kind == PTOG_PART_LIST || part->kind == PTOG_PART_PARENS ||
           part->kind == PTOG_PART_CLAUSE || part->kind == PTOG_PART_KEY || part->kind == PTOG_PART_WORD;
}

/* What the operands of an operation depend on most, but for those of the clause `except` (0: none). */
enum ptog_nature ptog_nature_of_operands(struct ptog_repeat_reader *reader, const struct ptog_op *op,
                                         ptog_symbol except)
{
    enum ptog_nature most = PTOG_FIXED;
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        if (!ptog_has_part_items(part) || (op->defines && part == op->outs) || (except && part->word == except))
            continue;
        enum ptog_nature nature = ptog_nature_of_items(reader, part->items, part->count);
        most = nature > most ? nature : most;
    }
    return most;
}

void ptog_define_facts(struct ptog_repeat_reader *reader, const struct ptog_op *op, struct ptog_value_facts facts)
{
    for (uint32_t i = 0; i < op->result_count; i++)
        *ptog_facts_of(reader, op->results[i].name) = facts;
    for (uint32_t i = 0; op->defines && op->outs && i < op->outs->count; i++)
        if (op->outs->items[i].kind == PTOG_ITEM_VALUE)
            *ptog_facts_of(reader, op->outs->items[i].name) = facts;
}

/* Fills `values` with what is known of the first values of an operation, in the order of the text; returns how many. */
static size_t first_values(struct ptog_repeat_reader *reader, const struct ptog_op *op, struct ptog_value_facts *values,
                           size_t most)
{
    size_t count = 0;
    for (uint32_t i = 0; i < op->part_count; i++)
        for (uint32_t k = 0; ptog_has_part_items(&op->parts[i]) && k < op->parts[i].count && count < most; k++)
            if (op->parts[i].items[k].kind == PTOG_ITEM_VALUE)
                values[count++] = *ptog_facts_of(reader, op->parts[i].items[k].name);
    return count;
}

/* ---- arithmetic ---- */

/* The values of the loop come again after that many turns, too: its period becomes their least common multiple, unless
 * that is too large. */
static void add_period(struct ptog_repeat_reader *reader, int64_t period)
{
    int64_t a = reader->repeats->period, b = period;
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    if (period / a > MAX_PERIOD / reader->repeats->period)
        reader->failed = true;
    else
        reader->repeats->period *= (unsigned)(period / a);
}

/* What a remainder of the counter, or its last bits, depends on: a period, which is added to those of the loop. */
static enum ptog_nature nature_of_remainder(struct ptog_repeat_reader *reader, ptog_symbol name,
                                            const struct ptog_value_facts *of)
{
    bool rest = name == PTOG_OP_NAME_REMSI || name == PTOG_OP_NAME_REMUI;
    bool bits = name == PTOG_OP_NAME_ANDI && of[1].is_constant && (of[1].number & (of[1].number + 1)) == 0;
    if ((!rest && !bits) || of[0].nature != PTOG_COUNTER || !of[1].is_constant || of[1].number < 1 ||
        of[1].number > MAX_PERIOD)
        return PTOG_ON_INPUT;
    add_period(reader, rest ? of[1].number : of[1].number + 1);
    return PTOG_PERIODIC;
}

/* Sums and products with what does not depend on the turn move evenly. */
static enum ptog_nature nature_of_sum(ptog_symbol name, const struct ptog_value_facts *of, size_t count)
{
    bool one = count < 2 || of[0].nature == PTOG_FIXED || of[1].nature == PTOG_FIXED;
    if (name == PTOG_OP_NAME_INDEX_CAST)
        return of[0].nature;
    if (name == PTOG_OP_NAME_ADDI && one && count == 2) {
        const struct ptog_value_facts *other = of[0].nature == PTOG_FIXED ? &of[0] : &of[1];
        bool counts =
            (of[0].nature == PTOG_COUNTER || of[1].nature == PTOG_COUNTER) && other->is_constant && other->number >= 0;
        return counts ? PTOG_COUNTER : PTOG_MOVING;
    }
    if (name == PTOG_OP_NAME_SUBI || name == PTOG_OP_NAME_MULI)
        return one ? PTOG_MOVING : PTOG_ON_INPUT;
    return PTOG_ON_INPUT;
}

/* Of floating-point numbers, which otherwise decide nothing. */
static bool makes_integer(ptog_symbol name)
{
    return name == PTOG_OP_NAME_FPTOSI || name == PTOG_OP_NAME_FPTOUI || name == PTOG_OP_NAME_CMPF ||
           name == PTOG_OP_NAME_ARITH_BITCAST;
}

/* Notes what is known of the result of an arithmetic operation: fixed, moving with the loop, or made of inputs. */
void ptog_read_arithmetic(struct ptog_repeat_reader *reader, const struct ptog_op *op)
{
    struct ptog_value_facts of[2] = {{.nature = PTOG_FIXED}, {.nature = PTOG_FIXED}};
    size_t count = first_values(reader, op, of, 2);
    enum ptog_nature nature = ptog_nature_of_operands(reader, op, 0);
    if (nature == PTOG_COUNTER || nature == PTOG_MOVING) {
        nature = nature_of_sum(op->name, of, count);
        if (nature == PTOG_ON_INPUT)
            nature = nature_of_remainder(reader, op->name, of);
    }
    if (makes_integer(op->name))
        nature = PTOG_ON_INPUT;
    ptog_define_facts(reader, op, (struct ptog_value_facts){.nature = (uint8_t)nature});
}

/* Notes the number of a constant. */
void ptog_read_constant(struct ptog_repeat_reader *reader, const struct ptog_op *op)
{
    const struct ptog_part *part = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    struct ptog_value_facts facts = {.nature = PTOG_FIXED};
    if (part && part->count > 0 && part->items[0].kind == PTOG_ITEM_INT && part->items[0].number <= INT64_MAX) {
        facts.is_constant = true;
        facts.number = (int64_t)part->items[0].number;
        if (part->items[0].negative)
            facts.number = -facts.number;
    }
    ptog_define_facts(reader, op, facts);
}

/* ---- views ---- */

/* The items of a list such as sizes = [...]; NULL: it has none. */
static const struct ptog_item *listed_items(const struct ptog_op *op, ptog_symbol word, uint32_t *count)
{
    const struct ptog_part *part = ptog_op_part(op, PTOG_PART_KEY, word);
    *count = 0;
    if (!part || part->count == 0 || part->items[0].kind != PTOG_ITEM_ARRAY)
        return NULL;
    *count = part->items[0].count;
    return part->items[0].items;
}

/* The number of an item; false when it is not known before a run. */
static bool constant_of(struct ptog_repeat_reader *reader, const struct ptog_item *item, int64_t *number)
{
    const struct ptog_value_facts *facts = item->kind == PTOG_ITEM_VALUE ? ptog_facts_of(reader, item->name) : NULL;
    *number = facts ? facts->number : 0;
    return facts && facts->is_constant && *number > 0;
}

/* Whether each stride is at least as long as what the next dimension has. */
static bool has_one_place_each(struct ptog_repeat_reader *reader, const struct ptog_op *op)
{
    uint32_t rank, strides, d;
    const struct ptog_item *shape = listed_items(op, PTOG_WORD_shape, &rank);
    const struct ptog_item *stride = listed_items(op, PTOG_WORD_strides, &strides);
    int64_t step, next_step, next_extent;
    if (!shape || !stride || rank != strides || rank == 0)
        return false;
    for (d = 0; d + 1 < rank; d++)
        if (!constant_of(reader, &stride[d], &step) || !constant_of(reader, &stride[d + 1], &next_step) ||
            !constant_of(reader, &shape[d + 1], &next_extent) || next_extent > step / next_step)
            return false;
    return constant_of(reader, &stride[d], &step);
}

/* Defines the view that pto.make_tensor_view or pto.partition_view makes; the reading fails where inputs decide its
 * extents. */
void ptog_read_view(struct ptog_repeat_reader *reader, const struct ptog_op *op)
{
    struct ptog_value_facts of = {.nature = PTOG_ON_INPUT};
    bool makes = op->name == PTOG_OP_NAME_MAKE_TENSOR_VIEW;
    first_values(reader, op, &of, 1);
    enum ptog_nature nature = ptog_nature_of_operands(reader, op, makes ? PTOG_WORD_shape : 0);
    reader->failed = reader->failed || nature == PTOG_ON_INPUT || of.memory == 0;
    ptog_define_facts(
        reader, op,
        (struct ptog_value_facts){.nature = (uint8_t)nature,
                                  .memory = of.memory,
                                  .one_place_each = makes ? has_one_place_each(reader, op) : of.one_place_each});
}
