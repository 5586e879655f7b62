/* verify: is this instruction legal? The same rules judge a plan and, with run-time extents, a run. */
#ifndef PTOG_VERIFY_VERIFY_H
#define PTOG_VERIFY_VERIFY_H

#include <ptog/plan.h>
#include <ptog/verify.h>

#include "verify/check.h"

/* `insn` as the caller wrote it; `run` gives its run-time extents, or is NULL while planning. PTOG_BAD_ARGUMENT when it
 * is no instruction. */
enum ptog_status ptog_verify_run(const struct ptog_target *target, const struct ptog_insn *insn,
                                 const struct ptog_run *run, ptog_diags *diags);

#endif
