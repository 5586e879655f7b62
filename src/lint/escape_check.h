/* lint: what strays from where it belongs. */
#ifndef PTOG_LINT_ESCAPE_CHECK_H
#define PTOG_LINT_ESCAPE_CHECK_H

#include "program/found.h"
#include "program/program.h"

/* One walk of the whole text: structs that leave their function, pointers made of numbers in other hands than those of
 * load_scalar and store_scalar, SIMT sections inside others, and yields of fused regions outside of them. */
void ptog_strays_check(const struct ptog_program *program, struct ptog_finds *finds);

#endif
