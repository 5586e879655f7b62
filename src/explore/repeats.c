/* explore: whether inputs decide nothing but how many turns one loop has, and after how many turns its body does the
 * same again: read from the text. Every value has a nature; where one is used for more than its nature allows, nothing
 * is claimed. */
#include <stdlib.h>
#include <string.h>

#include "asm/insn_words.h"
#include "explore/natures.h"
#include "lower/program.h"
#include "model/dtype.h"

static void read_region(struct ptog_repeat_reader *reader, const struct ptog_region *region);

/* ---- instructions ---- */

/* What is noted of a buffer, which is added if it is new; NULL: there are too many. */
static struct ptog_memory_use *find_memory(struct ptog_repeat_reader *reader, ptog_symbol memory)
{
    for (size_t i = 0; i < reader->memory_count; i++)
        if (reader->memories[i].memory == memory)
            return &reader->memories[i];
    if (reader->memory_count == MAX_MEMORIES)
        return NULL;
    reader->memories[reader->memory_count] = (struct ptog_memory_use){.memory = memory, .is_simple = true};
    return &reader->memories[reader->memory_count++];
}

/* Notes that an instruction accesses a buffer, at a place that moves or does not. */
static void note_memory(struct ptog_repeat_reader *reader, const struct ptog_op *op,
                        const struct ptog_value_facts *facts)
{
    struct ptog_memory_use *use = find_memory(reader, facts->memory);
    bool moves = facts->nature == PTOG_COUNTER || facts->nature == PTOG_MOVING;
    bool stores = op->name == PTOG_OP_NAME_TSTORE;
    if (!use) {
        reader->failed = true;
        return;
    }
    use->accesses++;
    use->is_written = use->is_written || stores;
    use->is_moving = use->is_moving || moves;
    use->is_simple = use->is_simple && stores && reader->in_loop && reader->loops == 1 && facts->one_place_each;
}

/* Memory may move in loads, stores and gathers; every other operand is the same in each turn, or comes again. */
static void read_instruction(struct ptog_repeat_reader *reader, const struct ptog_op *op)
{
    bool moves = op->name == PTOG_OP_NAME_TLOAD || op->name == PTOG_OP_NAME_TSTORE || op->name == PTOG_OP_NAME_MGATHER;
    enum ptog_nature nature = PTOG_FIXED;
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        for (uint32_t k = 0; ptog_has_part_items(part) && k < part->count; k++) {
            const struct ptog_item *item = &part->items[k];
            bool is_value = item->kind == PTOG_ITEM_VALUE && !(op->defines && part == op->outs);
            const struct ptog_value_facts *facts = is_value ? ptog_facts_of(reader, item->name) : NULL;
            bool may_move = facts && facts->memory && moves && facts->nature != PTOG_ON_INPUT;
            enum ptog_nature one = PTOG_FIXED;
            if (is_value && !may_move)
                one = ptog_nature_of_items(reader, item, 1);
            nature = one > nature ? one : nature;
            if (facts && facts->memory)
                note_memory(reader, op, facts);
        }
    }
    reader->failed = reader->failed || nature > PTOG_PERIODIC || op->name == PTOG_OP_NAME_MSCATTER;
    if (op->name == PTOG_OP_NAME_TGETVAL)
        nature = PTOG_ON_INPUT;
    ptog_define_facts(reader, op, (struct ptog_value_facts){.nature = (uint8_t)nature});
}

/* ---- flags ---- */

/* Notes a flag of the loop, and the set or wait that is its counterpart. */
static void read_flag(struct ptog_repeat_reader *reader, const struct ptog_op *op)
{
    struct ptog_repeats *repeats = reader->repeats;
    const struct ptog_part *part = ptog_op_part(op, PTOG_PART_LIST, 0);
    if (!part || part->count != 3 || repeats->flag_count == MAX_REPEATED_FLAGS) {
        reader->failed = true;
        return;
    }
    struct ptog_repeated_flag flag = {.op = op->number, .is_wait = op->name == PTOG_OP_NAME_WAIT_FLAG};
    for (int i = 0; i < 3; i++) {
        const struct ptog_item *item = &part->items[i];
        flag.words[i] = item->value ? item->value : item->name;
        reader->failed = reader->failed || flag.words[i] == 0 || item->kind == PTOG_ITEM_VALUE;
    }
    flag.pair = (unsigned)repeats->flag_count;
    for (size_t i = repeats->flag_count; i-- > 0;)
        if (memcmp(repeats->flags[i].words, flag.words, sizeof flag.words) == 0)
            flag.pair = repeats->flags[i].pair;
    repeats->flags[repeats->flag_count++] = flag;
}

/* ---- loops and branches ---- */

static const struct ptog_region *region_of(const struct ptog_op *op)
{
    const struct ptog_part *part = ptog_op_part(op, PTOG_PART_REGION, 0);
    return part ? part->region : NULL;
}

/* Takes an operation as the loop whose turns inputs decide. False: there is one already, or something else is around
 * it. */
static bool take_loop(struct ptog_repeat_reader *reader, const struct ptog_op *op, const struct ptog_region *region,
                      const struct ptog_value_facts *bounds)
{
    struct ptog_repeats *repeats = reader->repeats;
    if (repeats->loop != UINT32_MAX || reader->loops > 0 || reader->branches > 0 || !region->first ||
        !bounds[0].is_constant || bounds[0].number < 0 || !bounds[2].is_constant)
        return false;
    repeats->loop = op->number;
    repeats->first = region->first->number;
    return true;
}

/* Reads a loop: its counter and period, and what its body does with it. */
static void read_loop(struct ptog_repeat_reader *reader, const struct ptog_op *op)
{
    const struct ptog_part *part = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    const struct ptog_region *region = region_of(op);
    struct ptog_value_facts bounds[3] = {{.nature = PTOG_FIXED}, {.nature = PTOG_FIXED}, {.nature = PTOG_FIXED}};
    for (uint32_t i = 0; part && part->count == 3 && i < 3; i++)
        if (part->items[i].kind == PTOG_ITEM_VALUE)
            bounds[i] = *ptog_facts_of(reader, part->items[i].name);
    if (!part || part->count != 3 || !region || region->arg_count != 1 || op->result_count > 0) {
        reader->failed = true;
        return;
    }
    enum ptog_nature nature = ptog_nature_of_items(reader, part->items, 3);
    bool taken = nature == PTOG_ON_INPUT && take_loop(reader, op, region, bounds);
    if (nature > PTOG_PERIODIC && !taken) {
        reader->failed = true;
        return;
    }
    *ptog_facts_of(reader, region->args[0].name) =
        (struct ptog_value_facts){.nature = taken ? PTOG_COUNTER : (uint8_t)nature};
    reader->loops++;
    reader->in_loop = reader->in_loop || taken;
    read_region(reader, region);
    reader->in_loop = reader->in_loop && !taken;
    reader->loops--;
}

/* Reads the regions of an operation. */
static void read_regions(struct ptog_repeat_reader *reader, const struct ptog_op *op)
{
    for (uint32_t i = 0; i < op->part_count; i++)
        if (op->parts[i].kind == PTOG_PART_REGION)
            read_region(reader, op->parts[i].region);
}

/* Reads a branch, whose condition must come again as the loop's values do. */
static void read_branch(struct ptog_repeat_reader *reader, const struct ptog_op *op)
{
    reader->failed = reader->failed || op->result_count > 0 || ptog_nature_of_operands(reader, op, 0) > PTOG_PERIODIC;
    reader->branches++;
    read_regions(reader, op);
    reader->branches--;
}

/* ---- operations ---- */

/* Notes what an operation means for the question whether turns of a loop repeat. */
static void read_op(struct ptog_repeat_reader *reader, const struct ptog_op *op)
{
    switch (op->name) {
    case PTOG_OP_NAME_CONSTANT: ptog_read_constant(reader, op); return;
    case PTOG_OP_NAME_FOR: read_loop(reader, op); return;
    case PTOG_OP_NAME_IF: read_branch(reader, op); return;
    case PTOG_OP_NAME_SECTION_VECTOR: read_regions(reader, op); return;
    case PTOG_OP_NAME_MAKE_TENSOR_VIEW:
    case PTOG_OP_NAME_PARTITION_VIEW: ptog_read_view(reader, op); return;
    case PTOG_OP_NAME_SET_FLAG:
    case PTOG_OP_NAME_WAIT_FLAG: read_flag(reader, op); return;
    case PTOG_OP_NAME_BARRIER:
    case PTOG_OP_NAME_YIELD:
    case PTOG_OP_NAME_RETURN: return;
    default: break;
    }
    const struct ptog_op_info *info = ptog_op_info(op->name);
    if (ptog_tree_matches(reader->tree, op->name, "arith.*"))
        ptog_read_arithmetic(reader, op);
    else if (info && info->modelled &&
             (op->name == PTOG_OP_NAME_ALLOC_TILE || op->name == PTOG_OP_NAME_SUBVIEW || info->kind == PTOG_KIND_TILE ||
              info->kind == PTOG_KIND_STORE))
        read_instruction(reader, op);
    else
        reader->failed = true;
}

/* Reads the operations of a region until something is not understood. */
static void read_region(struct ptog_repeat_reader *reader, const struct ptog_region *region)
{
    for (const struct ptog_op *op = region->first; op && !reader->failed; op = op->next)
        read_op(reader, op);
}

/* Notes what is known of the arguments of a function. */
static void read_arguments(struct ptog_repeat_reader *reader, const struct ptog_region *region)
{
    for (uint32_t i = 0; i < region->arg_count; i++) {
        const struct ptog_type *type = region->args[i].type.type;
        bool is_number = !type || type->kind == PTOG_TYPE_SCALAR || type->kind == PTOG_TYPE_RAW;
        bool is_real = type && type->kind == PTOG_TYPE_SCALAR && ptog_dtype_is_float(type->element.dtype);
        *ptog_facts_of(reader, region->args[i].name) =
            (struct ptog_value_facts){.nature = is_number && !is_real ? PTOG_ON_INPUT : PTOG_FIXED,
                                      .memory = is_number ? 0 : region->args[i].name};
    }
}

/* Where memory that is stored to moves with the turns, turns that are further apart overlap only if neighbours do:
 * there is one store, and nothing else accesses that memory. */
static bool is_memory_apart(const struct ptog_repeat_reader *reader)
{
    for (size_t i = 0; i < reader->memory_count; i++) {
        const struct ptog_memory_use *use = &reader->memories[i];
        if (use->is_written && use->is_moving && (use->accesses > 1 || !use->is_simple))
            return false;
    }
    return true;
}

bool ptog_repeats_find(struct ptog_repeats *repeats, const ptog_program *program, const char *function)
{
    const struct ptog_function *found = ptog_function_find(program, function);
    struct ptog_repeat_reader reader = {.tree = &program->tree, .repeats = repeats};
    *repeats = (struct ptog_repeats){.loop = UINT32_MAX, .period = 1};
    if (!found || !found->op || !found->region || program->tree.has_calls || program->tree.has_fifo)
        return true;
    reader.values = calloc((size_t)program->tree.symbols.count + 2, sizeof *reader.values);
    if (!reader.values)
        return false;
    repeats->start = found->region->first ? found->region->first->number : UINT32_MAX;
    read_arguments(&reader, found->region);
    read_region(&reader, found->region);
    repeats->possible = !reader.failed && repeats->loop != UINT32_MAX && is_memory_apart(&reader);
    free(reader.values);
    return true;
}
