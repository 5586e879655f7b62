/* explore: what the files of this module share: variables, points (a value for each of them), runs with a point, and
 * what the runs covered and found.
 *
 *     prove.c: variables -> search.c: points worth trying -> trial.c: a run -> cover.c: what it covered
 *                                                                           -> findings.c: what it found
 *                                                                           -> turns.c: whether its loop repeats */
#ifndef PTOG_EXPLORE_EXPLORE_H
#define PTOG_EXPLORE_EXPLORE_H

#include <ptog/prove.h>

#include "explore/repeats.h"

#define MAX_VARIABLES 32
#define MAX_VALUES 96
#define MAX_FINDINGS 32
#define MAX_ASSUMPTIONS 8
#define MAX_CORPUS 128
#define LIST_ELEMENTS 4        /* of memory that is read element by element: these are chosen, and repeated */
#define AS_GENERATED INT64_MIN /* the value of a variable that is left to ptog/inputs.h */
#define MAX_TRIED_STEPS 200000 /* operations of one run */
#define RECIPE_BYTES 128

/* What a variable stands for. */
enum ptog_variable_kind {
    PTOG_VARIABLE_NUMBER,  /* a scalar argument */
    PTOG_VARIABLE_ELEMENT, /* one element of memory that is read element by element */
    PTOG_VARIABLE_FILL,    /* every element of integer memory */
    PTOG_VARIABLE_BLOCKS,
};

/* Scalar arguments that the launch of a kernel gives each block: they are known by their names. */
enum ptog_launch_kind { PTOG_NOT_OF_LAUNCH, PTOG_BLOCK_NUMBER, PTOG_BLOCK_COUNT };

struct ptog_variable {
    enum ptog_variable_kind kind;
    const char *name;           /* of the argument */
    unsigned element;           /* of PTOG_VARIABLE_ELEMENT */
    int64_t values[MAX_VALUES]; /* worth trying; the first is the one to begin with */
    size_t count;
    bool is_bit; /* an i1: 0 is as good as 1 */
    enum ptog_launch_kind launch;
};

/* A value for each variable. */
struct ptog_point {
    int64_t of[MAX_VARIABLES];
};

/* What a solver has not ruled out: bits. */
enum { PTOG_MAY_BE_REACHED = 1, PTOG_MAY_BE_TRUE = 2, PTOG_MAY_BE_FALSE = 4 };

/* What the runs have shown of one operation. */
struct ptog_op_cover {
    struct ptog_covered covered;
    uint8_t signs;      /* of the differences of its operands, an arith.cmpi: 1 negative, 2 zero, 4 positive */
    bool is_own;        /* a run of the function can come to it */
    uint8_t possible;   /* PTOG_MAY_BE_...; all of it counts where proof->is_followed */
    bool trusts_inputs; /* trust.c: arguments that the program never compares */
};

/* What the last run has shown. */
struct ptog_last_run {
    int64_t *outcome;    /* by operation, the first time: the difference of an arith.cmpi's operands, turns of a loop */
    bool *has_outcome;   /* by operation */
    uint64_t hash;       /* of the way it took */
    bool news;           /* it covered something new */
    bool started, ended; /* the target took the program; and it ran to its end */
};

/* A finding, or an assumption, and the first inputs that showed it. */
struct ptog_case {
    ptog_diags *diags; /* of a finding: itself, with the fix if it was looked for */
    unsigned kind;     /* of its diagnostic */
    char message[200]; /* as it was said first */
    uint32_t line, column, other_line;
    struct ptog_point point;
};

/* Bindings and recipes of a point, as they are handed out. */
struct ptog_point_inputs {
    struct ptog_binding numbers[MAX_VARIABLES];
    struct ptog_recipe recipes[MAX_VARIABLES];
    char texts[MAX_VARIABLES][RECIPE_BYTES];
    size_t number_count, recipe_count;
    int64_t blocks;
};

struct ptog_proof {
    const ptog_program *program;
    struct ptog_execution execution; /* the caller's */
    struct ptog_prove_options options;
    struct ptog_variable variables[MAX_VARIABLES];
    size_t variable_count;
    int64_t capacities[8]; /* of what gathers index */
    size_t capacity_count;

    struct ptog_op_cover *covers; /* by operation */
    size_t op_count;
    uint32_t *own_ops; /* operations that a run of the function can come to, in the order of the text */
    size_t own_count;
    struct ptog_last_run last;
    uint64_t *tried, *paths; /* sets of hashes; 0: none */
    size_t set_room;
    uint64_t runs, path_count;
    struct ptog_point corpus[MAX_CORPUS]; /* points that covered something new */
    size_t corpus_count;

    struct ptog_case findings[MAX_FINDINGS], assumptions[MAX_ASSUMPTIONS];
    size_t finding_count, assumption_count;
    struct ptog_point_inputs *cases; /* of the findings */
    size_t first_diag;               /* of them in the caller's list */
    struct ptog_repeats repeats;
    bool is_followed; /* every way through the function was followed */
    uint64_t ways;    /* these; 0: there may be fewer */
    bool all_inputs, all_candidates, no_memory;
    bool is_stopped;      /* the caller has ended the search, maybe in the middle of a run */
    bool uses_inputs;   /* for more than conditions and the ends of loops */
    bool was_cut_short; /* some run came to a limit */
    bool executed;      /* some run executed an instruction */
    bool completes;     /* the program has no flags of its own: every run looks for those it needs */
};

/* ---- cover.c ---- */

/* Operations of structure, such as func.func and scf.yield, are neither executed nor missed. */
bool ptog_is_structure_name(const char *name);

/* Lists the operations; false when out of memory. */
bool ptog_cover_open(struct ptog_proof *proof);

/* The observer of a run: ptog_progress.flow with a proof as its user. */
void ptog_cover_flow(void *user, const struct ptog_flow_seen *seen);
void ptog_cover_begin(struct ptog_proof *proof);

/* After a run: counts its way. */
void ptog_cover_end(struct ptog_proof *proof);

/* Adds a hash to a set; false when it was there. */
bool ptog_hash_add(struct ptog_proof *proof, uint64_t *set, uint64_t hash);

/* ---- scope.c ---- */

/* Finds the operations that a run of the function can come to; false when out of memory. */
bool ptog_scope_find(struct ptog_proof *proof);

/* ---- trial.c ---- */

/* Bindings and recipes of a point. */
void ptog_point_inputs(const struct ptog_proof *proof, const struct ptog_point *point,
                       struct ptog_point_inputs *inputs);

/* Runs the program with a point, unless that was done or the search is over, and notes what it covered and found.
 * False: nothing was run. */
bool ptog_try_point(struct ptog_proof *proof, const struct ptog_point *point);
bool ptog_search_is_over(struct ptog_proof *proof);

/* ptog_progress.at with a proof as its user: a run ends when the caller ends the search. */
uint64_t ptog_search_at(void *user, uint64_t done, uint64_t most, uint32_t line);

/* Runs a point again, for the outcomes of its operations. False: it did not start. */
bool ptog_run_point_again(struct ptog_proof *proof, const struct ptog_point *point);

/* Runs it as ptog_program_run does, with fixes; diags receive what it says. */
enum ptog_status ptog_run_point(struct ptog_proof *proof, const struct ptog_point *point, ptog_diags *diags);

/* ---- findings.c ---- */

/* Notes the findings of a run, each once, and the assumptions. */
void ptog_note_findings(struct ptog_proof *proof, const struct ptog_point *point, const ptog_diags *diags);

/* Runs the inputs of the findings from number `first` on once more, as ptog_program_run does: its report has fixes. */
void ptog_find_fixes(struct ptog_proof *proof, size_t first);

/* ---- variables.c ---- */

/* Flags, barriers and events: a program without them is completed by each run. */
bool ptog_is_sync_name(const char *name);

/* Finds out what can be chosen, and the values worth trying. PTOG_OK, or why there are no inputs, see diags. */
enum ptog_status ptog_variables_find(struct ptog_proof *proof, ptog_diags *diags);

/* ---- search.c ---- */

void ptog_search_points(struct ptog_proof *proof);

/* turns.c: tries values that give the loop the numbers of turns that decide. */
void ptog_search_turns(struct ptog_proof *proof);

/* solve.c: with a solver, tries arguments for each way through the function. */
void ptog_search_ways(struct ptog_proof *proof);

/* ---- depends.c ---- */

/* Whether branches, loops, flags or addresses depend on inputs, by the names of the values: true when in doubt. */
bool ptog_depends_on_inputs(struct ptog_proof *proof);

/* ---- trust.c ---- */

/* Finds the operations that trust scalar arguments; false when out of memory. */
bool ptog_trust_find(struct ptog_proof *proof);

#endif
