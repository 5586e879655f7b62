/* lint: what modules and functions say of themselves, and what compilers refuse of it. */
#ifndef PTOG_LINT_MODULE_CHECK_H
#define PTOG_LINT_MODULE_CHECK_H

#include "program/program.h"

/* An attribute of a module or function, by key; NULL when it has none of that name. */
const struct ptog_item *ptog_frame_attribute(const struct ptog_tree *tree, const struct ptog_op *op, const char *key);

void ptog_frame_check(const struct ptog_program *program, struct ptog_finds *finds);

#endif
