/* base: the list of diagnostics behind ptog/diag.h. */
#ifndef PTOG_BASE_DIAG_H
#define PTOG_BASE_DIAG_H

#include <stdbool.h>

#include <ptog/diag.h>

/* Adds a copy of `diag`: message, fix, witness, places and related entries are copied, id, operand and seed must be
 * constants. False when out of memory. */
bool ptog_diags_add(ptog_diags *diags, const struct ptog_diag *diag);

#endif
