/* explore: the ways through a function that some scalar arguments take, by following its numbers without running it.
 *
 * Every operation on integers becomes a line of a script for a solver (script.h), and every condition that arguments
 * decide is a decision. What is not followed (memory, floating-point numbers, blocks) may be any number, and turns of a
 * loop beyond the first few are one turn with any counter: so there may be more ways here than in the program, but
 * never fewer. */
#ifndef PTOG_EXPLORE_PATHS_H
#define PTOG_EXPLORE_PATHS_H

#include "explore/explore.h"
#include "explore/script.h"
#include "lower/lowered.h"
#include "lower/program.h"

#define MAX_DECISIONS 64
#define MAX_PATH_YIELDS 16

/* A condition that has come out one way, and may come out otherwise. */
struct ptog_decision {
    bool taken, is_open;
};

struct ptog_path_walk {
    struct ptog_proof *proof;
    const struct ptog_tree *tree;
    const struct ptog_function *function;
    const struct ptog_code **code;    /* of scalar operations, by operation */
    struct ptog_script_value *values; /* by symbol */
    struct ptog_script script;
    uint32_t argument_names[MAX_VARIABLES]; /* of the variables' values in the script; 0: it is followed nowhere */
    struct ptog_decision decisions[MAX_DECISIONS];
    size_t decision_count, decided;
    struct ptog_script_value yields[MAX_PATH_YIELDS];
    uint32_t yield_count, steps;
    bool gave_up;   /* on this way: what follows is not known */
    bool is_silent; /* the solver gives no answers */
};

/* Follows one way, along the decisions that are there; new ones are added. */
void ptog_path_follow(struct ptog_path_walk *walk);

/* solve.c: how a condition comes out; the script then requires it. */
bool ptog_path_decide(struct ptog_path_walk *walk, struct ptog_script_value condition);

#endif
