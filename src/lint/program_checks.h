/* lint: the checks of the whole text, which ptog_lint_program calls. */
#ifndef PTOG_LINT_PROGRAM_CHECKS_H
#define PTOG_LINT_PROGRAM_CHECKS_H

#include "diag/list.h"
#include "lower/program.h"

/* Functions that call themselves. */
void ptog_recursion_check(const struct ptog_program *program, struct ptog_diag_list *diags);

/* What modules and functions say of themselves: backends, helpers, which core they are for. */
void ptog_module_check(const struct ptog_program *program, struct ptog_diag_list *diags);

/* One walk of the whole text: structs that leave their function, pointers made of numbers in other hands than those of
 * load_scalar and store_scalar, SIMT sections inside others, and yields of fused regions outside of them. */
void ptog_escape_check(const struct ptog_program *program, struct ptog_diag_list *diags);

/* A text without operations, and functions and blocks without an operation that ends them. */
void ptog_terminator_check(const struct ptog_program *program, struct ptog_diag_list *diags);

#endif
