/* exec: TGATHER by comparison, row by row on its kernel. */
#include <string.h>

#include "exec/plan.h"
#include "model/tgather.h"
#include "model/tile.h"

/* Matches of row r; stored in dst row r when `store`. */
static int64_t compare_row(const struct ptog_plan *plan, const struct ptog_tgather *op, const struct ptog_run *run,
                           int64_t r, bool store)
{
    int64_t size = (int64_t)ptog_dtype_size(op->src.dtype), i = ptog_tile_is_list(&op->k, 1) ? 0 : r;
    const unsigned char *src = (const unsigned char *)run->src.data + r * op->src.cols * size;
    const unsigned char *k = (const unsigned char *)run->k.data + ptog_tile_list_offset(&op->k, i) * size;
    unsigned char *dst = store ? (unsigned char *)run->dst.data + r * op->dst.cols * 4 : NULL;
    return plan->kernel->compare(src, op->src.valid_col, k, ptog_compare_position(plan->target, op, r, 0), dst);
}

enum ptog_status ptog_exec_by_compare(const struct ptog_plan *plan, const struct ptog_tgather *op,
                                      const struct ptog_run *run, struct ptog_fault *fault)
{
    for (int64_t r = 0; r < op->src.valid_row; r++)
        if (compare_row(plan, op, run, r, false) > op->dst.cols) {
            fault->row = r;
            return PTOG_NO_ROOM;
        }
    for (int64_t r = 0; r < op->src.valid_row; r++) {
        uint32_t count = (uint32_t)compare_row(plan, op, run, r, true);
        memcpy((unsigned char *)run->cdst.data + ptog_tile_list_offset(&op->cdst, r) * 4, &count, 4);
    }
    return PTOG_OK;
}
