/* lint: reports operations whose names are in no table. */
#include "asm/op_names.h"
#include "lint/lint.h"

#define MAX_COMPARED 100u /* findings, after which unknown names are no longer compared with the known ones */

void ptog_lint_unknown_op(const struct ptog_tree *tree, const struct ptog_op *op, struct ptog_diag_list *diags)
{
    const char *name = ptog_tree_text(tree, op->name);
    struct ptog_name_guess guess = {.nearest = NULL};
    if (ptog_op_name_has_suffix(tree, op)) {
        ptog_diag_emit(diags, "text-unknown-op", op->name_span,
                       "unknown operation '%.80s': suffixes belong to PTO-AS, where names have no 'pto.'", name);
        return;
    }
    if (diags->count < MAX_COMPARED)
        guess = ptog_guess_op_name(tree, op);
    if (guess.nearest)
        ptog_diag_emit(diags, "text-unknown-op", op->name_span, "unknown operation '%.80s', did you mean '%s%s%.80s'?",
                       name, guess.dialect, guess.nearest, guess.rest);
    else
        ptog_diag_emit(diags, "text-unknown-op", op->name_span, "unknown operation '%.80s'", name);
}
