/* lint: what a text has to have at all: an operation, and in every function something that ends it. */
#ifndef PTOG_LINT_TERMINATORS_H
#define PTOG_LINT_TERMINATORS_H

#include "program/program.h"

void ptog_terminators_check(const struct ptog_program *program, struct ptog_finds *finds);

#endif
