/* lint: tileop helpers, functions of which compilers make one section for the vector or cube core. */
#ifndef PTOG_LINT_HELPERS_H
#define PTOG_LINT_HELPERS_H

#include "diag/list.h"
#include "lower/program.h"

/* Says what a function with pto.tileop.helper takes, returns or has in it that compilers refuse there. */
void ptog_helper_check(const struct ptog_tree *tree, const struct ptog_op *function, struct ptog_diag_list *diags);

#endif
