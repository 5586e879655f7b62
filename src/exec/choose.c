/* exec: which kernel fits the operands. The environment's PTOG_ISA forces an instruction set. */
#include <stdlib.h>

#include "exec/plan.h"
#include "model/mgather.h"
#include "model/tgather.h"

#define WIDEST 4096 /* columns; no kernel is made for wider rows than this */

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

/* One for rows of just this width, or the one for any width. */
static const struct ptog_kernel *whole_row(enum ptog_isa isa, int64_t cols, int size, int index_size, int oob)
{
    const struct ptog_kernel *found = NULL;
    if (cols > 0 && cols <= WIDEST)
        found = ptog_kernel_find(isa, PTOG_KERNEL_WHOLE_ROW, (int)cols * size, index_size, oob);
    return found ? found : ptog_kernel_find(isa, PTOG_KERNEL_WHOLE_ROW, 0, index_size, oob);
}

/* Lanes lie one after another, row by row or block by block. */
static bool without_gaps(const struct ptog_tile *dst, const struct ptog_tile *idx)
{
    return ptog_tile_order(dst) != PTOG_ORDER_COL && ptog_tile_order(idx) != PTOG_ORDER_COL;
}

const struct ptog_kernel *ptog_choose_mgather(const struct ptog_target *target, const struct ptog_mgather *op)
{
    enum ptog_isa isa = ptog_isa_find(getenv("PTOG_ISA"));
    int size = (int)ptog_dtype_size(op->dst.dtype), index_size = (int)ptog_dtype_size(op->idx.dtype);
    int oob = target->policies ? (int)op->oob : PTOG_OOB_UNDEFINED, part;
    if (ptog_mgather_mode(target, op) == PTOG_ROW) {
        part = row_part(op);
        return part == 0 ? whole_row(isa, ptog_mgather_cols(target, op), size, index_size, oob)
                         : ptog_kernel_find(isa, PTOG_KERNEL_ROW, part, index_size, oob);
    }
    if (op->table.layout == PTOG_NZ)
        return op->table.stride[4] == 1 ? ptog_kernel_find(isa, PTOG_KERNEL_ELEM_NZ, size, index_size, oob) : NULL;
    return ptog_kernel_find(isa, without_gaps(&op->dst, &op->idx) ? PTOG_KERNEL_ELEM : PTOG_KERNEL_ELEM_STEP, size,
                            index_size, oob);
}

const struct ptog_kernel *ptog_choose_tgather(const struct ptog_target *target, const struct ptog_tgather *op)
{
    enum ptog_isa isa = ptog_isa_find(getenv("PTOG_ISA"));
    struct ptog_kept kept = {0, 1};
    int size = (int)ptog_dtype_size(op->src.dtype);
    switch (op->form) {
    case PTOG_BY_INDEX: {
        int oob = target->tile_oob == PTOG_TILE_OOB_ZERO ? PTOG_OOB_ZERO : PTOG_OOB_UNDEFINED;
        return ptog_kernel_find(isa, without_gaps(&op->dst, &op->idx) ? PTOG_KERNEL_ELEM : PTOG_KERNEL_ELEM_STEP, size,
                                (int)ptog_dtype_size(op->idx.dtype), oob);
    }
    case PTOG_BY_MASK:
        ptog_pattern_kept(op->pattern, &kept);
        return ptog_kernel_find(isa, PTOG_KERNEL_COMPACT, size, op->axis == PTOG_AXIS_COL ? 1 : (int)kept.step, 0);
    case PTOG_BY_COMPARE: {
        bool a5 = target->compare_a5 && op->src.dtype == PTOG_F32;
        return ptog_kernel_find(isa, PTOG_KERNEL_COMPARE, a5 ? PTOG_COMPARE_A5_F32 : (int)op->src.dtype, 0,
                                (int)op->cmp);
    }
    }
    return NULL;
}
