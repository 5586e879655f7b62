/* Verify: is this instruction legal on that target? Every rule of the table (ptog/rule.h) that the operands break is
 * reported, in the table's order, each with the actual values, a fix where there is one, and the targets that would
 * accept the same operands. Plans and cores verify by themselves; these calls are for those who only want to know.
 *
 *     struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, 64, 128), ...};
 *     ptog_diags *diags = ptog_diags_new();
 *     if (ptog_verify_mgather(ptog_target_find("a2a3"), &op, diags) == PTOG_ILLEGAL)
 *         ptog_report_text(diags, &sink);
 */
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

/* The same for the descriptions of single instructions, which ptog_insn_mgather, ... turn into the one above. `op` is
 * looked at during the call alone. */
PTOG_API enum ptog_status ptog_verify_mgather(const struct ptog_target *target, const struct ptog_mgather *op,
                                              ptog_diags *diags);
PTOG_API enum ptog_status ptog_verify_tgather(const struct ptog_target *target, const struct ptog_tgather *op,
                                              ptog_diags *diags);
PTOG_API enum ptog_status ptog_verify_transfer(const struct ptog_target *target, const struct ptog_transfer *op,
                                               ptog_diags *diags);

#endif
