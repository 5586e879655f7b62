/* Proof without data: a program is run with many inputs, chosen so that its branches go both ways, its loops have no,
 * one, two and many turns, its comparisons come out less, equal and greater, and its indices reach the ends of what
 * they index. Every run is judged for all timings.
 *
 *     struct ptog_execution how = {.target = ptog_target_find("a5")};
 *     ptog_proof *proof = NULL;
 *     status = ptog_program_prove(&proof, program, &how, NULL, diags);   // PTOG_FAULT: diags has what was found
 *     struct ptog_proof_case one;
 *     for (size_t i = 0; ptog_proof_case_at(proof, i, &one); i++)
 *         ...                                                            // the inputs that show it
 *     ptog_proof_free(proof);
 *
 * What is promised: every finding was seen in a run with the inputs of its case, and ptog_program_run shows it again.
 * What is not: that there is no other one. ptog_proof_summary says how much was covered. Only where neither branches
 * nor flags nor addresses depend on what is bound, or nothing but the number of turns of a loop that repeats, it says
 * that races and flags are judged for all inputs. */
#ifndef PTOG_PROVE_H
#define PTOG_PROVE_H

#include <ptog/inputs.h>
#include <ptog/program.h>

/* What the inputs were, what was covered, and what was found. It refers to its program. */
typedef struct ptog_proof ptog_proof;

/* How many runs a proof makes when max_runs is 0. */
#define PTOG_DEFAULT_MAX_RUNS UINT64_C(2000)

/* How long is searched. Zero is the default of every field. The library looks at no clock: a caller who has a limit of
 * time looks at it in go_on. A run that go_on ends is not judged, but what it has shown until then is found. */
struct ptog_prove_options {
    uint64_t max_runs;                        /* of the program; 0: PTOG_DEFAULT_MAX_RUNS */
    bool (*go_on)(void *user, uint64_t runs); /* called before each run, and during long ones; false ends the search,
                                                 and the run. NULL: no such limit */
    void *user;
    /* A solver for SMT-LIB 2 (logic QF_BV): gets a script that is to be read from the beginning, and returns what it
     * prints, "unsat", or "sat" and values, as text that lives until the next call. NULL: no answer. It is called when
     * the search has left branches or lines open, or in any case. Without a solver these stay undecided. */
    const char *(*solve)(void *user, const char *script);
    void *solve_user;
    bool solve_always;
    uint64_t reserved[1];
};

/* Searches for inputs with which the program fails. What `execution` binds stays as it is; a number of blocks other
 * than 0, too. `progress`, `watch`, `trace` and `late` of it are not used. Each finding is added to diags once, with
 * the fix that a run with its inputs has. PTOG_OK: none was found; PTOG_FAULT: diags has them; PTOG_ILLEGAL: the
 * program is refused, or stops in every run: see diags; PTOG_NO_MEMORY, PTOG_BAD_ARGUMENT. *proof is available with the
 * first three, and freed with ptog_proof_free, which takes NULL. */
PTOG_API enum ptog_status ptog_program_prove(ptog_proof **proof, const ptog_program *program,
                                             const struct ptog_execution *execution,
                                             const struct ptog_prove_options *options, ptog_diags *diags);
PTOG_API void ptog_proof_free(ptog_proof *proof);

/* Inputs that show a finding: bind the numbers, generate the rest with the recipes (ptog/inputs.h), and run with so
 * many blocks. Everything lives as long as the proof. */
struct ptog_proof_case {
    size_t diag; /* which entry of the list that was given to ptog_program_prove it is */
    const struct ptog_binding *numbers;
    size_t number_count;
    const struct ptog_recipe *recipes;
    size_t recipe_count;
    int64_t blocks;
    uint64_t reserved[2];
};

/* The inputs of finding i. False past the end. */
PTOG_API bool ptog_proof_case_at(const ptog_proof *proof, size_t i, struct ptog_proof_case *found);

/* What a proof says of one operation. */
enum ptog_covered_kind {
    PTOG_COVERED_OP = 0,     /* it was executed, or not */
    PTOG_COVERED_BRANCH = 1, /* an scf.if: its condition was true, was false */
    PTOG_COVERED_LOOP = 2,   /* a loop: the numbers of turns that it had */
};
#define PTOG_COVERED_TURNS 8

struct ptog_covered {
    enum ptog_covered_kind kind;
    uint32_t line;
    bool reached, was_true, was_false;
    bool never;                         /* no inputs do what is missing: reach it, or make the condition come out so */
    uint32_t turn_count;                /* of `turns`; there may have been more */
    uint64_t turns[PTOG_COVERED_TURNS]; /* ascending */
    uint64_t
        period; /* after so many turns a loop does the same again, and order is judged for any number; 0: it is not */
    uint64_t reserved[1];
};

/* Operation i of the function that was run and of those it calls, in the order of the text. False past the end. */
PTOG_API bool ptog_proof_covered_at(const ptog_proof *proof, size_t i, struct ptog_covered *covered);

/* How much was looked at. Nothing here says that the program is correct: that no finding was reported, together with
 * what was covered, is all that is known. */
struct ptog_proof_summary {
    uint64_t runs, paths; /* of the program; different ways through it */
    bool all_inputs;      /* order is judged for all: they decide neither branches nor flags nor addresses, or nothing
                             but how many turns a loop has that repeats (struct ptog_covered.period) */
    bool all_candidates;  /* every combination of the values worth trying was tried */
    bool all_branches;    /* every branch that was reached went both ways */
    bool all_paths;       /* a solver has shown that there are no other paths, and inputs decide nothing else */
    size_t not_reached;   /* operations */
    size_t assumptions;   /* inputs that the program refuses: see ptog_proof_words */
    uint64_t reserved[4];
};
/* Fills in the summary. False, and nothing is changed, when one of the two is NULL. */
PTOG_API bool ptog_proof_summary(const ptog_proof *proof, struct ptog_proof_summary *summary);

/* The summary, the coverage and the assumptions in words, a line each: "loop at line 20: 0, 1, 2, 7 turns". Behaves
 * like snprintf: returns the length without the terminator, and truncates to `size`. */
PTOG_API size_t ptog_proof_words(const ptog_proof *proof, char *text, size_t size);

#endif
