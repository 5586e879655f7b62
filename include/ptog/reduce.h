/* Reduction: the smallest program that still has a finding, to be read, mailed and kept as a test.
 *
 *     struct ptog_execution how = {.target = ptog_target_find("a5")};
 *     struct ptog_reduce_options options = {.id = "race-raw"};
 *     ptog_reduced *reduced = NULL;
 *     if (ptog_program_reduce(&reduced, program, &how, &options, diags) == PTOG_OK)
 *         fputs(ptog_reduced_text(reduced), stdout);
 *     ptog_reduced_free(reduced);
 *
 * Comments, statements, loops, branches, clauses and arguments are left out, one value takes the place of another, and
 * numbers become smaller, as long as a run has the finding: the same id, at an instruction of the same name, and where
 * it is about two instructions the other one, too. No run may have an error with an id that the program did not have.
 * Names stay as they are. */
#ifndef PTOG_REDUCE_H
#define PTOG_REDUCE_H

#include <ptog/prove.h>

/* A smaller program, and the inputs with which it has the finding. */
typedef struct ptog_reduced ptog_reduced;

/* How many runs a reduction makes when max_runs is 0. */
#define PTOG_DEFAULT_MAX_REDUCE_RUNS UINT64_C(5000)

/* Which finding, and how long is searched. Zero is the default of every field. */
struct ptog_reduce_options {
    const char *id;                           /* of the finding: "race-raw"; NULL: the first one */
    uint32_t line;                            /* that it is reported at; 0: any */
    uint64_t max_runs;                        /* 0: PTOG_DEFAULT_MAX_REDUCE_RUNS */
    bool (*go_on)(void *user, uint64_t runs); /* called before each run, and during long ones; false ends the search,
                                                 and the run. NULL: no such limit */
    void *user;
    uint64_t reserved[4];
};

/* Reduces the program. The finding is looked for as ptog_program_prove does, with what `execution` binds left as it
 * is. PTOG_OK: *reduced is there, and belongs to the caller; PTOG_ILLEGAL: there is no such finding, and
 * diags has those that there are; PTOG_NO_MEMORY, PTOG_BAD_ARGUMENT. */
PTOG_API enum ptog_status ptog_program_reduce(ptog_reduced **reduced, const ptog_program *program,
                                              const struct ptog_execution *execution,
                                              const struct ptog_reduce_options *options, ptog_diags *diags);
PTOG_API void ptog_reduced_free(ptog_reduced *reduced);

/* The text of the smaller program. It lives as long as `reduced`; NULL for NULL. */
PTOG_API const char *ptog_reduced_text(const ptog_reduced *reduced);

/* What became of the program. Everything lives as long as `reduced`. */
struct ptog_reduced_summary {
    const char *id;                     /* of the finding */
    const char *message;                /* of the finding in the smaller program */
    uint32_t line;                      /* where the smaller program has it */
    size_t statements_before;           /* without modules, functions, returns and yields */
    size_t statements;                  /* the same of the smaller program */
    const struct ptog_binding *numbers; /* inputs that show it, as in struct ptog_proof_case */
    size_t number_count;
    const struct ptog_recipe *recipes;
    size_t recipe_count;
    int64_t blocks;
    uint64_t runs;
    bool is_smallest; /* nothing more can be left out; false: the search was ended before that was known */
    uint64_t reserved[4];
};
/* Fills in the summary. False, and nothing is changed, when one of the two is NULL. */
PTOG_API bool ptog_reduced_summary(const ptog_reduced *reduced, struct ptog_reduced_summary *summary);

#endif
