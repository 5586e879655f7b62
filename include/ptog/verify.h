/* Verify: is this instruction legal on that target? Every violated rule is reported, in the table's order. */
#ifndef PTOG_VERIFY_H
#define PTOG_VERIFY_H

#include <ptog/diag.h>
#include <ptog/status.h>
#include <ptog/target.h>

/* PTOG_OK: legal (diags may still hold warnings, notes and errors that do not refuse). PTOG_ILLEGAL: refused.
 * PTOG_BAD_ARGUMENT: target or op is NULL, or an operand is of another kind than its row in ptog/spec/insns.def has.
 * PTOG_NO_MEMORY: diags are incomplete. `diags` may be NULL; otherwise entries are added to it. Extents that are
 * PTOG_DYN are checked when the plan runs. */
PTOG_API enum ptog_status ptog_verify(const struct ptog_target *target, const struct ptog_insn *insn,
                                      ptog_diags *diags);

/* The same for the older descriptions. */
PTOG_API enum ptog_status ptog_verify_mgather(const struct ptog_target *target, const struct ptog_mgather *op,
                                              ptog_diags *diags);
PTOG_API enum ptog_status ptog_verify_tgather(const struct ptog_target *target, const struct ptog_tgather *op,
                                              ptog_diags *diags);
PTOG_API enum ptog_status ptog_verify_transfer(const struct ptog_target *target, const struct ptog_transfer *op,
                                               ptog_diags *diags);

#endif
