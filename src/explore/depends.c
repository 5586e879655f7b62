/* explore: whether the way through the program, its flags or its addresses depend on inputs, by following names: a
 * value depends on inputs when one of its operands does. It says yes when in doubt. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "explore/explore.h"

struct name_set {
    const char **of;
    size_t count, room;
};

struct dependence {
    struct ptog_op_cover *next; /* of the operation that comes next */
    struct name_set inputs;     /* values that depend on inputs */
    struct name_set stored;     /* pointers and views of memory that the program stores to */
    bool depends;               /* a branch, a loop, a flag or an address */
    bool uses;                  /* one of them, but for conditions and ends of loops */
    bool no_memory;
};

static bool is_in_set(const struct name_set *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->of[i], name) == 0)
            return true;
    return false;
}

/* Adds a name to a set. Sets `no_memory` when it cannot. */
static void add_to_names(struct dependence *found, struct name_set *set, const char *name)
{
    if (is_in_set(set, name))
        return;
    if (ptog_array_reserve(&set->of, set->count + 1, &set->room))
        set->of[set->count++] = name;
    else
        found->no_memory = true;
}

/* Whether one of the operands is in a set. */
static bool uses_set(const struct name_set *set, const struct ptog_op_seen *op)
{
    for (size_t i = 0; i < op->operand_count; i++)
        if (is_in_set(set, op->operands[i]))
            return true;
    return false;
}

static bool is_of_dialect(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Its result is a number that comes from memory. */
static bool reads_memory(const char *name)
{
    static const char *const names[] = {"pto.load_scalar", "pto.tgetval", "memref.load", "pto.load"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Data decides which addresses it reads or writes: that matters where they are stored to. */
static bool is_indexed(const struct dependence *found, const struct ptog_op_seen *op)
{
    if (strcmp(op->name, "pto.mscatter") == 0 || strcmp(op->name, "pto.tscatter") == 0)
        return true;
    return strcmp(op->name, "pto.mgather") == 0 && uses_set(&found->stored, op);
}

/* Whether inputs decide only the way through an operation: the condition of a branch, or where a loop ends. */
static bool decides_way(const struct dependence *found, const struct ptog_op_seen *op)
{
    if (strcmp(op->name, "scf.if") == 0)
        return true;
    bool is_loop = strcmp(op->name, "scf.for") == 0;
    for (size_t i = 0; is_loop && i < op->operand_count; i++)
        is_loop = i == 1 || !is_in_set(&found->inputs, op->operands[i]);
    return is_loop;
}

/* Visitor: follows what depends on inputs through an operation. arith.* makes values of values; whatever else has a
 * number that depends on inputs uses it for more, which is noted. */
static bool follow_op(void *user, const struct ptog_op_seen *op)
{
    struct dependence *found = user;
    struct ptog_op_cover *cover = found->next++;
    if (!cover->is_own)
        return true;
    bool depends = uses_set(&found->inputs, op), stored = uses_set(&found->stored, op);
    bool makes_value = is_of_dialect(op->name, "arith.") || is_of_dialect(op->name, "index.");
    if (is_indexed(found, op) || (depends && !makes_value))
        found->depends = true;
    if (is_indexed(found, op) || (depends && !makes_value && !decides_way(found, op)))
        found->uses = true;
    for (size_t i = 0; i < op->result_count; i++) {
        if (depends || reads_memory(op->name))
            add_to_names(found, &found->inputs, op->results[i]);
        if (stored)
            add_to_names(found, &found->stored, op->results[i]);
    }
    return true;
}

bool ptog_depends_on_inputs(struct ptog_proof *proof)
{
    const ptog_program *program = proof->program;
    const char *function = proof->execution.function;
    struct dependence found = {.next = proof->covers};
    struct ptog_slot slot;
    for (size_t i = 0; ptog_program_slot_at(program, function, i, &slot); i++) {
        if (slot.kind == PTOG_SLOT_NUMBER)
            add_to_names(&found, &found.inputs, slot.name);
        else if (slot.written)
            add_to_names(&found, &found.stored, slot.name);
    }
    if (ptog_program_walk(program, follow_op, &found) != PTOG_OK || found.no_memory)
        proof->no_memory = true;
    free(found.inputs.of);
    free(found.stored.of);
    proof->uses_inputs = found.uses;
    return found.depends;
}
