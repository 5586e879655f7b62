/* ref: what the instructions mean, as obvious loops. Operands are legal, filled, and every extent is known; buffers may
 * be of any size. Nothing here is fast, and nothing here is clever: this is the page to read next to the formula. */
#ifndef PTOG_REF_REF_H
#define PTOG_REF_REF_H

#include <ptog/plan.h>

enum ptog_status ptog_ref_mgather(const struct ptog_target *target, const struct ptog_mgather *op,
                                  const struct ptog_run *run, struct ptog_fault *fault);
enum ptog_status ptog_ref_tgather(const struct ptog_target *target, const struct ptog_tgather *op,
                                  const struct ptog_run *run, struct ptog_fault *fault);

/* `tile` is the tile's storage, `view` begins at the view's first element. */
enum ptog_status ptog_ref_load(const struct ptog_transfer *op, struct ptog_buf tile, struct ptog_cbuf view,
                               struct ptog_fault *fault);
enum ptog_status ptog_ref_store(const struct ptog_transfer *op, struct ptog_cbuf tile, struct ptog_buf view,
                                struct ptog_fault *fault);

/* The forms of TGATHER. */
void ptog_ref_by_index(const struct ptog_target *target, const struct ptog_tgather *op, const struct ptog_run *run,
                       struct ptog_fault *fault);
void ptog_ref_by_mask(const struct ptog_target *target, const struct ptog_tgather *op, const struct ptog_run *run,
                      struct ptog_fault *fault);
enum ptog_status ptog_ref_by_compare(const struct ptog_target *target, const struct ptog_tgather *op,
                                     const struct ptog_run *run, struct ptog_fault *fault);

#endif
