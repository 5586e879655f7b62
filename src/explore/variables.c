/* explore: what can be chosen of the inputs, and which values are worth trying: those that the program compares with,
 * its constants and their neighbours, the ends of what its indices index. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"
#include "inputs/inputs.h"
#include "inputs/observe.h"
#include "model/mgather.h"

#define MAX_CONSTANTS 24

/* ---- what the program does ---- */

struct op_facts {
    const struct ptog_op_cover *next; /* of the operation that comes next */
    bool reads_elements, uses_blocks, has_sync;
};

/* Whether an operation is a flag, a barrier or an event: a program without them is completed by each run. */
bool ptog_is_sync_name(const char *name)
{
    static const char *const names[] = {"pto.set_flag", "pto.wait_flag",    "pto.set_flag_dyn", "pto.wait_flag_dyn",
                                        "pto.barrier",  "pto.record_event", "pto.wait_event"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Notes what an operation needs of the inputs: elements that are read, flags, the number of the block. */
static bool note_op(void *user, const struct ptog_op_seen *op)
{
    static const char *const reads[] = {"pto.load_scalar", "pto.tgetval", "memref.load", "pto.load"};
    struct op_facts *facts = user;
    if (!facts->next++->is_own)
        return true;
    for (size_t i = 0; i < sizeof reads / sizeof reads[0]; i++)
        facts->reads_elements = facts->reads_elements || strcmp(op->name, reads[i]) == 0;
    facts->has_sync = facts->has_sync || ptog_is_sync_name(op->name);
    facts->uses_blocks =
        facts->uses_blocks || strcmp(op->name, "pto.get_block_idx") == 0 || strcmp(op->name, "pto.get_block_num") == 0;
    return true;
}

/* ---- values ---- */

/* Adds a value to try, each once and while there is room. */
static void add_value(struct ptog_variable *variable, int64_t value)
{
    for (size_t i = 0; i < variable->count; i++)
        if (variable->values[i] == value)
            return;
    if (variable->count < MAX_VALUES)
        variable->values[variable->count++] = value;
}

static void add_values(struct ptog_variable *variable, const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_value(variable, values[i]);
}

/* Small numbers, then each constant with its neighbours, then multiples of it: a loop in steps of 16 has two turns with
 * 17 to 32. */
static void add_numbers(struct ptog_variable *variable, const int64_t *constants, size_t count)
{
    static const int64_t small[] = {0, 1, 2, 3, -1};
    add_values(variable, small, sizeof small / sizeof small[0]);
    for (int64_t near = 0; near < 3; near++)
        for (size_t i = 0; i < count; i++)
            add_value(variable, near < 2 ? constants[i] + near : constants[i] - 1);
    for (int64_t factor = 2; factor < 4; factor++)
        for (size_t i = 0; i < count && constants[i] < 4096; i++) {
            add_value(variable, factor * constants[i]);
            add_value(variable, factor * constants[i] + 1);
        }
    for (size_t i = 0; i < count && constants[i] < 1024; i++)
        add_value(variable, 7 * constants[i]);
    add_value(variable, 7);
    add_value(variable, 8);
}

/* NULL when there are too many: what is generated stays. */
static struct ptog_variable *add_variable(struct ptog_proof *proof, enum ptog_variable_kind kind, const char *name)
{
    if (proof->variable_count == MAX_VARIABLES)
        return NULL;
    struct ptog_variable *variable = &proof->variables[proof->variable_count++];
    *variable = (struct ptog_variable){.kind = kind, .name = name};
    return variable;
}

/* ---- variables ---- */

/* "block_idx" and "block_num", as compilers call them. True: it was one of these. */
static bool add_launched(struct ptog_proof *proof, const struct ptog_slot *slot)
{
    static const int64_t numbers[] = {0, 1, 2, 3, 7}, counts[] = {1, 2, 3, 4, 8};
    bool is_number = ptog_slot_is_block_number(slot);
    if (!is_number && !ptog_slot_is_block_count(slot))
        return false;
    struct ptog_variable *variable = add_variable(proof, PTOG_VARIABLE_NUMBER, slot->name);
    if (!variable)
        return true;
    variable->launch = is_number ? PTOG_BLOCK_NUMBER : PTOG_BLOCK_COUNT;
    add_values(variable, is_number ? numbers : counts, sizeof numbers / sizeof numbers[0]);
    return true;
}

/* Adds a number as a variable: what was generated, its neighbours, small numbers and the program's constants. */
static void add_number(struct ptog_proof *proof, const struct ptog_slot *slot, int64_t chosen, const int64_t *constants,
                       size_t count)
{
    struct ptog_variable *variable =
        add_launched(proof, slot) ? NULL : add_variable(proof, PTOG_VARIABLE_NUMBER, slot->name);
    if (!variable)
        return;
    variable->is_bit = slot->width == 1;
    add_value(variable, variable->is_bit ? chosen & 1 : chosen);
    if (variable->is_bit) {
        add_value(variable, 0);
        add_value(variable, 1);
        return;
    }
    add_value(variable, chosen + 1);
    add_value(variable, chosen - 1);
    add_numbers(variable, constants, count);
}

/* Adds, as values of an index, the first and the last one, and those before and behind. */
static void add_ends(const struct ptog_proof *proof, struct ptog_variable *variable)
{
    for (size_t i = 0; i < proof->capacity_count; i++)
        add_value(variable, proof->capacities[i] - 1);
    add_value(variable, 0);
    add_value(variable, -1);
    for (size_t i = 0; i < proof->capacity_count; i++)
        add_value(variable, proof->capacities[i]);
}

/* Adds the elements of an integer argument, or what fills it, as variables. */
static void add_memory(struct ptog_proof *proof, const struct ptog_slot *slot, bool elements, const int64_t *constants,
                       size_t count)
{
    for (unsigned i = 0; i < (elements ? LIST_ELEMENTS : 1); i++) {
        enum ptog_variable_kind kind = elements ? PTOG_VARIABLE_ELEMENT : PTOG_VARIABLE_FILL;
        struct ptog_variable *variable = add_variable(proof, kind, slot->name);
        if (!variable)
            return;
        variable->element = i;
        add_value(variable, AS_GENERATED);
        if (elements)
            add_numbers(variable, constants, count);
        if (proof->capacity_count > 0)
            add_ends(proof, variable);
    }
}

/* Adds the number of blocks as a variable. */
static void add_blocks(struct ptog_proof *proof)
{
    static const int64_t counts[] = {1, 2, 3, 4, 8};
    struct ptog_variable *variable = add_variable(proof, PTOG_VARIABLE_BLOCKS, "");
    if (variable)
        add_values(variable, counts, sizeof counts / sizeof counts[0]);
}

/* ---- what gathers index ---- */

/* Notes the capacity of a gather's table, around which indices are worth trying. */
static void see_gather(void *user, const struct ptog_gather_seen *seen)
{
    struct ptog_proof *proof = user;
    if (!seen->mgather && seen->tgather->form != PTOG_BY_INDEX)
        return;
    int64_t capacity = (int64_t)ptog_gather_capacity(seen);
    for (size_t i = 0; i < proof->capacity_count; i++)
        if (proof->capacities[i] == capacity)
            return;
    if (proof->capacity_count < sizeof proof->capacities / sizeof proof->capacities[0] && capacity > 0)
        proof->capacities[proof->capacity_count++] = capacity;
}

/* Scatters index a table, too. */
static void see_scatter(void *user, const struct ptog_access_seen *seen)
{
    if (!seen->insn || seen->insn->opcode != PTOG_MSCATTER)
        return;
    struct ptog_mgather scatter = ptog_mgather_of(seen->insn);
    see_gather(user, &(struct ptog_gather_seen){.mgather = &scatter, .run = seen->run});
}

/* Executes the program once for the capacities of its tables. */
static void find_capacities(struct ptog_proof *proof, const ptog_inputs *inputs)
{
    struct ptog_gather_watch watch = {.gathers = see_gather, .user = proof, .accesses = see_scatter};
    struct ptog_progress progress = {.at = ptog_search_at, .user = proof};
    struct ptog_execution how = proof->execution;
    how.bindings = ptog_inputs_bindings(inputs, &how.binding_count);
    how.watch = &watch;
    how.progress = &progress;
    proof->no_memory = proof->no_memory || ptog_program_run(proof->program, &how, NULL, NULL) == PTOG_NO_MEMORY;
}

/* ---- all of it ---- */

/* Adds all inputs that may be chosen, and what the launch says. */
static void add_all(struct ptog_proof *proof, const ptog_inputs *inputs, const struct op_facts *facts)
{
    int64_t constants[MAX_CONSTANTS];
    size_t count = ptog_function_constants(proof->program, &proof->execution, constants, MAX_CONSTANTS);
    struct ptog_input input;
    struct ptog_slot slot;
    if (facts->uses_blocks && proof->execution.blocks == 0)
        add_blocks(proof);
    for (size_t i = 0; ptog_inputs_at(inputs, i, &input); i++) {
        if (!ptog_program_slot_find(proof->program, proof->execution.function, input.binding.name, &slot))
            continue;
        if (input.kind == PTOG_INPUT_NUMBER && slot.width > 0)
            add_number(proof, &slot, input.binding.number, constants, count);
        else if (input.kind != PTOG_INPUT_NUMBER && input.read && !slot.written &&
                 ptog_is_integer(input.binding.dtype) && (facts->reads_elements || proof->capacity_count > 0))
            add_memory(proof, &slot, facts->reads_elements, constants, count);
    }
}

enum ptog_status ptog_variables_find(struct ptog_proof *proof, ptog_diags *diags)
{
    struct op_facts facts = {.next = proof->covers};
    ptog_inputs *inputs = NULL;
    struct ptog_progress progress = {.at = ptog_search_at, .user = proof};
    struct ptog_execution how = proof->execution;
    how.progress = &progress;
    enum ptog_status status = ptog_program_walk(proof->program, note_op, &facts);
    if (status == PTOG_OK)
        status = ptog_inputs_generate(&inputs, proof->program, &how, NULL, diags);
    if (status == PTOG_OK) {
        find_capacities(proof, inputs);
        add_all(proof, inputs, &facts);
        proof->completes = !facts.has_sync;
    }
    ptog_inputs_free(inputs);
    return status;
}
