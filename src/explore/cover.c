/* explore: which operations, branches and numbers of turns the runs have covered. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "explore/explore.h"

/* ---- sets of hashes ---- */

bool ptog_hash_add(struct ptog_proof *proof, uint64_t *set, uint64_t hash)
{
    size_t at = (size_t)(hash | 1) % proof->set_room;
    while (set[at] != 0 && set[at] != (hash | 1))
        at = (at + 1) % proof->set_room;
    bool is_new = set[at] == 0;
    set[at] = hash | 1;
    return is_new;
}

/* ---- the operations ---- */

/* Whether an operation is one of structure, such as func.func and scf.yield, which is neither executed nor missed. */
bool ptog_is_structure_name(const char *name)
{
    static const char *const names[] = {"module", "builtin.module", "func.func", "func",
                                        "return", "func.return",    "scf.yield", "yield"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

struct op_list {
    struct ptog_proof *proof;
    size_t room;
};

/* Lists an operation of the text, with what is to be covered of it: reached, both ways of a branch, turns of a loop. */
static bool add_op(void *user, const struct ptog_op_seen *op)
{
    struct op_list *list = user;
    struct ptog_proof *proof = list->proof;
    if (!ptog_array_reserve(&proof->covers, proof->op_count + 1, &list->room)) {
        proof->no_memory = true;
        return false;
    }
    struct ptog_covered covered = {.line = op->line};
    if (strcmp(op->name, "scf.if") == 0)
        covered.kind = PTOG_COVERED_BRANCH;
    else if (strcmp(op->name, "scf.for") == 0 || strcmp(op->name, "scf.while") == 0)
        covered.kind = PTOG_COVERED_LOOP;
    covered.reached = ptog_is_structure_name(op->name);
    proof->covers[proof->op_count++] = (struct ptog_op_cover){.covered = covered};
    return true;
}

bool ptog_cover_open(struct ptog_proof *proof)
{
    struct op_list list = {.proof = proof};
    if (ptog_program_walk(proof->program, add_op, &list) != PTOG_OK || proof->no_memory)
        return false;
    if (!ptog_scope_find(proof))
        return false;
    proof->last.outcome = calloc(proof->op_count + 1, sizeof *proof->last.outcome);
    proof->last.has_outcome = calloc(proof->op_count + 1, sizeof *proof->last.has_outcome);
    proof->set_room = (size_t)proof->options.max_runs * 4 + 16;
    proof->tried = calloc(proof->set_room, sizeof *proof->tried);
    proof->paths = calloc(proof->set_room, sizeof *proof->paths);
    return proof->last.outcome && proof->last.has_outcome && proof->tried && proof->paths;
}

/* ---- steps of a run ---- */

/* Adds a number to the hash of the way that the run takes. */
static void add_to_way(struct ptog_last_run *last, uint64_t number)
{
    last->hash = (last->hash ^ number) * UINT64_C(0x100000001b3);
    last->hash ^= last->hash >> 29;
}

/* Notes that a loop had so many turns, in ascending order; of more numbers than fit, the smallest ones and the largest
 * stay. False: that was known. */
static bool add_turns(struct ptog_covered *covered, uint64_t turns)
{
    uint32_t at = 0;
    while (at < covered->turn_count && covered->turns[at] < turns)
        at++;
    if (at < covered->turn_count && covered->turns[at] == turns)
        return false;
    if (covered->turn_count == PTOG_COVERED_TURNS) {
        if (at == PTOG_COVERED_TURNS)
            covered->turns[at - 1] = turns;
        if (at >= PTOG_COVERED_TURNS - 1)
            return false;
        memmove(&covered->turns[at + 1], &covered->turns[at], (PTOG_COVERED_TURNS - 2 - at) * sizeof covered->turns[0]);
        covered->turns[at] = turns;
        return false;
    }
    memmove(&covered->turns[at + 1], &covered->turns[at], (covered->turn_count - at) * sizeof covered->turns[0]);
    covered->turns[at] = turns;
    covered->turn_count++;
    return true;
}

/* How two numbers compare: less, equal or greater, as one bit. */
static uint8_t sign_of(int64_t a, int64_t b)
{
    if (a < b)
        return 1;
    return a == b ? 2 : 4;
}

/* The first one of an operation counts. */
static void note_outcome(struct ptog_last_run *last, uint32_t op, int64_t outcome)
{
    if (!last->has_outcome[op])
        last->outcome[op] = outcome;
    last->has_outcome[op] = true;
}

/* Notes how the two sides of a comparison compared; that may be news. */
static void see_compare(struct ptog_proof *proof, const struct ptog_flow_seen *seen)
{
    struct ptog_op_cover *cover = &proof->covers[seen->op];
    uint8_t sign = sign_of(seen->value, seen->other);
    proof->last.news = proof->last.news || !(cover->signs & sign);
    cover->signs |= sign;
    note_outcome(&proof->last, seen->op, (int64_t)((uint64_t)seen->value - (uint64_t)seen->other));
}

/* Notes that a branch went this way; that may be news. */
static void see_branch(struct ptog_proof *proof, const struct ptog_flow_seen *seen)
{
    struct ptog_covered *covered = &proof->covers[seen->op].covered;
    bool *which = seen->value != 0 ? &covered->was_true : &covered->was_false;
    proof->last.news = proof->last.news || !*which;
    *which = true;
    add_to_way(&proof->last, seen->op * UINT64_C(4) + (seen->value != 0));
}

void ptog_cover_flow(void *user, const struct ptog_flow_seen *seen)
{
    struct ptog_proof *proof = user;
    if (seen->op >= proof->op_count)
        return;
    switch (seen->kind) {
    case PTOG_FLOW_OP:
        proof->covers[seen->op].covered.reached = true;
        ptog_repeats_see(&proof->repeats, seen->op);
        break;
    case PTOG_FLOW_COMPARE: see_compare(proof, seen); break;
    case PTOG_FLOW_BRANCH: see_branch(proof, seen); break;
    case PTOG_FLOW_LOOP:
        note_outcome(&proof->last, seen->op, seen->value);
        proof->last.news |= add_turns(&proof->covers[seen->op].covered, (uint64_t)seen->value);
        add_to_way(&proof->last, seen->op * UINT64_C(4) + 2);
        add_to_way(&proof->last, (uint64_t)seen->value);
        break;
    }
}

void ptog_cover_begin(struct ptog_proof *proof)
{
    proof->last.hash = UINT64_C(0xcbf29ce484222325);
    proof->last.news = proof->last.started = proof->last.ended = false;
    memset(proof->last.has_outcome, 0, proof->op_count * sizeof *proof->last.has_outcome);
    ptog_repeats_begin(&proof->repeats);
}

void ptog_cover_end(struct ptog_proof *proof)
{
    if (ptog_hash_add(proof, proof->paths, proof->last.hash)) {
        proof->path_count++;
        proof->last.news = true;
    }
}
