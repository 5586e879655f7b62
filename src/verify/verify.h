/* verify: is this instruction legal? The same rules judge a plan and, with run-time extents, a run. */
#ifndef PTOG_VERIFY_VERIFY_H
#define PTOG_VERIFY_VERIFY_H

#include <ptog/plan.h>
#include <ptog/verify.h>

#include "verify/check.h"

enum ptog_form ptog_mgather_form(const struct ptog_target *target, const struct ptog_mgather *op);
enum ptog_form ptog_tgather_form(const struct ptog_tgather *op);

/* `op` as the caller wrote it; `run` gives its run-time extents, or is NULL while planning. */
enum ptog_status ptog_verify_mgather_run(const struct ptog_target *target, const struct ptog_mgather *op,
                                         const struct ptog_run *run, ptog_diags *diags);
enum ptog_status ptog_verify_tgather_run(const struct ptog_target *target, const struct ptog_tgather *op,
                                         const struct ptog_run *run, ptog_diags *diags);

#endif
