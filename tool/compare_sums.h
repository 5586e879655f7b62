/* tool: when two results of a fold, each in its target's order, count as equal. */
#ifndef TOOL_COMPARE_SUMS_H
#define TOOL_COMPARE_SUMS_H

#include <ptog/ptog.h>

/* How far element (row, col) of a fold's result may be from one target to the other, if it is `value` on one of them. 0
 * for instructions that fold nothing, and for integers. */
double compare_sums_bound(const struct ptog_target *const of[2], const struct ptog_insn *insn,
                          const struct ptog_run *run, int64_t row, int64_t col, double value);

#endif
