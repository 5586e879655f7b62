/* exec: what a plan holds, and the job that is made from it for the kernel. */
#ifndef PTOG_EXEC_PLAN_H
#define PTOG_EXEC_PLAN_H

#include <ptog/plan.h>

#include "kernel/kernel.h"

#define PTOG_NEAR_CACHE ((uint64_t)1 << 20) /* bytes of a table: what is smaller stays near the core */

/* An instruction made ready for its kernel, but for the buffers. */
struct ptog_ready {
    bool fast; /* the kernel may run, given buffers of at least these sizes */
    uint64_t dst_bytes, src_bytes, idx_bytes;
    uint64_t src_span; /* bytes of the source that dst must not overlap */
    uint64_t capacity;

    /* MGATHER, TGATHER by index: rows is 0: one call for `lanes`; otherwise one for `piece` lanes at a time. */
    struct ptog_job job;
    int64_t lanes, rows, cols, piece;

    /* TGATHER by mask: `kept` elements from each of mask_rows rows. */
    int64_t mask_rows, kept, first, src_row, dst_row;
};

struct ptog_plan {
    const struct ptog_target *target;
    bool is_mgather;
    bool dynamic;          /* some extent is known only to the run */
    struct ptog_mgather m; /* as written */
    struct ptog_tgather t;
    struct ptog_mgather known_m; /* filled; complete unless `dynamic` */
    struct ptog_tgather known_t;
    const struct ptog_kernel *kernel; /* NULL: only the reference loop can do it */
    struct ptog_ready ready;          /* unless `dynamic` */
};

/* Which kernel fits the operands, whatever their extents. */
const struct ptog_kernel *ptog_choose_mgather(const struct ptog_target *target, const struct ptog_mgather *op);
const struct ptog_kernel *ptog_choose_tgather(const struct ptog_target *target, const struct ptog_tgather *op);

/* Every extent is known. */
struct ptog_ready ptog_ready_mgather(const struct ptog_target *target, const struct ptog_mgather *op);
struct ptog_ready ptog_ready_tgather(const struct ptog_target *target, const struct ptog_tgather *op);

/* Run TGATHER by comparison on its kernel; the buffers hold their tiles. */
enum ptog_status ptog_exec_by_compare(const struct ptog_plan *plan, const struct ptog_tgather *op,
                                      const struct ptog_run *run, struct ptog_fault *fault);

#endif
