/* exec: which kernel fits the operands. */
#include "exec/plan.h"
#include "model/tgather.h"

/* Bytes of the pieces in which a row moves: 0, all at once; -1, no kernel walks this pair of layouts. */
static int row_part(const struct ptog_mgather *op)
{
    enum ptog_tile_order order = ptog_tile_order(&op->dst);
    int size = (int)ptog_dtype_size(op->dst.dtype);
    switch (op->table.layout) {
    case PTOG_ND: return order == PTOG_ORDER_ROW ? 0 : order == PTOG_ORDER_NZ ? 32 : size;
    case PTOG_DN: return order == PTOG_ORDER_NZ ? -1 : size;
    case PTOG_NZ: return order == PTOG_ORDER_COL || op->table.stride[4] != 1 ? -1 : 32;
    }
    return -1;
}

const struct ptog_kernel *ptog_choose_mgather(const struct ptog_target *target, const struct ptog_mgather *op)
{
    int size = (int)ptog_dtype_size(op->dst.dtype), index_size = (int)ptog_dtype_size(op->idx.dtype);
    int oob = target->policies ? (int)op->oob : PTOG_OOB_UNDEFINED;
    if (ptog_mgather_mode(target, op) == PTOG_ROW)
        return ptog_kernel_find(PTOG_KERNEL_ROW, row_part(op), index_size, oob);
    if (op->table.layout == PTOG_NZ && op->table.stride[4] != 1)
        return NULL;
    return ptog_kernel_find(op->table.layout == PTOG_NZ ? PTOG_KERNEL_ELEM_NZ : PTOG_KERNEL_ELEM, size, index_size,
                            oob);
}

const struct ptog_kernel *ptog_choose_tgather(const struct ptog_target *target, const struct ptog_tgather *op)
{
    struct ptog_kept kept = {0, 1};
    int size = (int)ptog_dtype_size(op->src.dtype);
    switch (op->form) {
    case PTOG_BY_INDEX: {
        int oob = target->tile_oob == PTOG_TILE_OOB_ZERO ? PTOG_OOB_ZERO : PTOG_OOB_UNDEFINED;
        return ptog_kernel_find(PTOG_KERNEL_ELEM, size, (int)ptog_dtype_size(op->idx.dtype), oob);
    }
    case PTOG_BY_MASK:
        ptog_pattern_kept(op->pattern, &kept);
        return ptog_kernel_find(PTOG_KERNEL_COMPACT, size, op->axis == PTOG_AXIS_COL ? 1 : (int)kept.step, 0);
    case PTOG_BY_COMPARE: {
        bool a5 = target->compare_a5 && op->src.dtype == PTOG_F32;
        return ptog_kernel_find(PTOG_KERNEL_COMPARE, a5 ? PTOG_COMPARE_A5_F32 : (int)op->src.dtype, 0, (int)op->cmp);
    }
    }
    return NULL;
}
