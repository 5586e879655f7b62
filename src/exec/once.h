/* exec: one run of an instruction that is legal and whose extents are all known, without making a plan. */
#ifndef PTOG_EXEC_ONCE_H
#define PTOG_EXEC_ONCE_H

#include <ptog/plan.h>

enum ptog_status ptog_exec_mgather(const struct ptog_target *target, const struct ptog_mgather *op,
                                   const struct ptog_run *run, struct ptog_fault *fault);
enum ptog_status ptog_exec_tgather(const struct ptog_target *target, const struct ptog_tgather *op,
                                   const struct ptog_run *run, struct ptog_fault *fault);

/* TLOAD and TSTORE: rows at a time where both sides are contiguous. `tile` is the tile's storage, `view` begins at the
 * view's first element. */
enum ptog_status ptog_exec_load(const struct ptog_transfer *op, struct ptog_buf tile, struct ptog_cbuf view,
                                struct ptog_fault *fault);
enum ptog_status ptog_exec_store(const struct ptog_transfer *op, struct ptog_cbuf tile, struct ptog_buf view,
                                 struct ptog_fault *fault);

#endif
