/* reduce: what the files of this module share: the program as it is so far, edits of its text, and the question whether
 * a text still has the finding.
 *
 *     reduce.c: passes over the program, again and again -> statements.c, values.c, shrink.c: edits worth trying
 *                                                        -> edits.c: the text with them -> goal.c: a run */
#ifndef PTOG_REDUCE_REDUCE_H
#define PTOG_REDUCE_REDUCE_H

#include <ptog/reduce.h>

#include "base/arena.h"
#include "lower/program.h"

#define MAX_KINDS 32
#define MAX_NAME 64
#define MAX_MESSAGE 512
#define MAX_REDUCED_STEPS 20000 /* operations of one run, where the finding shows in so many */

/* The finding, as it is recognised in other texts. */
struct ptog_goal {
    unsigned kind; /* of its diagnostic */
    const char *id;
    char name[MAX_NAME], other[MAX_NAME]; /* of the instruction; of the one that it is related to, or "" */
    bool started;                         /* a run shows it; false: the target refuses the program */
    unsigned kinds[MAX_KINDS];            /* of all errors that the program had */
    size_t kind_count;
};

/* What is bound besides the caller's bindings. */
struct ptog_reduce_inputs {
    struct ptog_binding *numbers;
    size_t number_count;
    struct ptog_recipe *recipes;
    size_t recipe_count;
    int64_t blocks;
};

struct ptog_reduced {
    struct ptog_arena arena; /* names and recipes */
    struct ptog_execution execution;
    struct ptog_reduce_options options;
    struct ptog_goal goal;
    ptog_program *program; /* the smallest so far, with the finding */
    struct ptog_reduce_inputs inputs;
    char *text;
    char message[MAX_MESSAGE];
    uint32_t line;
    size_t statements_before, statements;
    uint64_t runs;
    bool no_memory, is_smallest;
    bool is_stopped; /* the caller has ended the search, maybe in the middle of a run */
};

/* ---- edits.c ---- */

/* Pieces of the text of the smallest program, and what stands there instead. */
struct ptog_text_edits {
    struct ptog_text_edit {
        struct ptog_span span;
        char with[MAX_NAME];
    } * of;
    size_t count, room;
    bool no_memory, too_long; /* too_long: a replacement does not fit, so the edits cannot be made */
};

void ptog_edits_replace(struct ptog_text_edits *edits, struct ptog_span span, const char *with);

/* Removes a statement with the comments before it, and its line if it is alone there. */
void ptog_edits_remove_op(struct ptog_text_edits *edits, const struct ptog_program *program, const struct ptog_op *op);

/* Replaces every use of a value, and its definition, inside `where`. */
void ptog_edits_rename(struct ptog_text_edits *edits, const struct ptog_program *program, struct ptog_span where,
                       const char *name, const char *with);

/* Makes the edits, and forgets them. True: the new text has the finding, and r->program is the new one. */
bool ptog_try_edits(struct ptog_reduced *r, struct ptog_text_edits *edits);

/* Tries a whole text in the place of the program: keeps it, and is true, when the finding is still there. */
bool ptog_try_text(struct ptog_reduced *r, const char *bytes, size_t size);

/* ---- goal.c ---- */

/* Notes what is to be kept of a finding of a program. */
void ptog_goal_set(struct ptog_goal *goal, const ptog_program *program, const struct ptog_diag *diag);

/* Runs a program with inputs, as ptog run does but without fixes. *started: the target took it. */
enum ptog_status ptog_reduce_run(struct ptog_reduced *r, const ptog_program *program,
                                 const struct ptog_reduce_inputs *inputs, ptog_diags *diags, bool *started);

/* Whether a run of a program has the finding, and nothing new. */
bool ptog_has_goal(struct ptog_reduced *r, const ptog_program *program, const struct ptog_reduce_inputs *inputs);
bool ptog_reduction_is_over(struct ptog_reduced *r);

/* ---- statements.c ---- */

/* The operations of the program in the order of the text, to be freed; none and r->no_memory when out of memory. */
const struct ptog_op **ptog_ops_list(struct ptog_reduced *r, size_t *count);

/* Operations that are neither modules, functions, returns nor yields. */
bool ptog_is_statement(const struct ptog_program *program, const struct ptog_op *op);
size_t ptog_statement_count(struct ptog_reduced *r);

/* The passes. True: the program became smaller. */
bool ptog_remove_statements(struct ptog_reduced *r);
bool ptog_remove_pairs(struct ptog_reduced *r);
bool ptog_unwrap_regions(struct ptog_reduced *r);

/* ---- values.c ---- */

bool ptog_merge_values(struct ptog_reduced *r);
bool ptog_use_whole_views(struct ptog_reduced *r);
bool ptog_remove_parts(struct ptog_reduced *r);
bool ptog_remove_arguments(struct ptog_reduced *r);

/* ---- shrink.c ---- */

/* Leaves out comments and empty lines, where that changes nothing. */
bool ptog_remove_comments(struct ptog_reduced *r);

bool ptog_shrink_numbers(struct ptog_reduced *r);
bool ptog_shrink_inputs(struct ptog_reduced *r);

#endif
