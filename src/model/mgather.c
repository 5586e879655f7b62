/* model: MGATHER, its extents, capacity and addresses. */
#include "model/mgather.h"

#include "base/arith.h"
#include "model/tensor.h"
#include "model/tile.h"

struct ptog_mgather ptog_mgather_filled(const struct ptog_mgather *op)
{
    struct ptog_mgather filled = *op;
    ptog_tile_fill_defaults(&filled.dst);
    ptog_tile_fill_defaults(&filled.idx);
    ptog_tensor_fill_defaults(&filled.table);
    return filled;
}

int64_t ptog_mgather_rows(const struct ptog_target *target, const struct ptog_mgather *op)
{
    return target->writes_padded ? op->dst.rows : op->dst.valid_row;
}

int64_t ptog_mgather_cols(const struct ptog_target *target, const struct ptog_mgather *op)
{
    return target->writes_padded ? op->dst.cols : op->dst.valid_col;
}

/* Unsigned: a description that a rule refuses may still pass through here, and must not overflow. */
static uint64_t product(const int64_t shape[5], int from, int to)
{
    uint64_t n = 1;
    for (int d = from; d <= to; d++)
        n *= (uint64_t)shape[d];
    return n;
}

static uint64_t row_capacity(const struct ptog_target *target, const struct ptog_tensor *table)
{
    if (table->layout == PTOG_NZ)
        return (uint64_t)table->shape[2] * PTOG_NZ_ROWS;
    return product(table->shape, target->row_count == PTOG_ROWS_SHAPE_3 ? 3 : 0, 3);
}

static uint64_t elem_capacity(const struct ptog_target *target, const struct ptog_tensor *table)
{
    return product(table->shape, target->elem_count == PTOG_ELEMS_SHAPE_3_4 ? 3 : 0, 4);
}

uint64_t ptog_mgather_capacity(const struct ptog_target *target, const struct ptog_mgather *op)
{
    bool row = ptog_mgather_mode(target, op) == PTOG_ROW;
    uint64_t capacity = row ? row_capacity(target, &op->table) : elem_capacity(target, &op->table);
    return target->product_32 ? (uint32_t)capacity : capacity;
}

int64_t ptog_mgather_pitch(const struct ptog_target *target, const struct ptog_mgather *op)
{
    switch (target->row_pitch) {
    case PTOG_PITCH_VALID_COL: return op->dst.valid_col;
    case PTOG_PITCH_DST_COLS: return op->dst.cols;
    default: return op->table.stride[3];
    }
}

bool ptog_mgather_pitch_fits(const struct ptog_target *target, const struct ptog_mgather *op)
{
    if (op->table.layout == PTOG_NZ)
        return true;
    if (ptog_mgather_mode(target, op) == PTOG_ELEM)
        return ptog_tensor_is_packed(&op->table);
    if (target->row_count == PTOG_ROWS_SHAPE_3)
        return op->table.shape[3] == 1 || op->table.stride[3] == ptog_mgather_pitch(target, op);
    return ptog_tensor_rows_collapse(&op->table);
}

bool ptog_mgather_product_wraps(const struct ptog_target *target, const struct ptog_mgather *op, uint64_t index)
{
    uint64_t product;
    if (!target->product_32 || ptog_mgather_mode(target, op) != PTOG_ROW)
        return false;
    return !ptog_mul_u64(index, (uint64_t)ptog_mgather_pitch(target, op), &product) || product > UINT32_MAX;
}

/* (b / shape1)*stride0 + (b % shape1)*stride1 + (row/16)*stride2 + (row%16)*stride3 + (col%C0)*stride4, b = col/C0 */
static bool nz_place(const struct ptog_tensor *table, uint64_t row, uint64_t col, uint64_t *place)
{
    uint64_t c0 = (uint64_t)table->shape[4], block = col / c0, blocks = (uint64_t)table->shape[1];
    *place = 0;
    return ptog_mul_add_u64(block / blocks, (uint64_t)table->stride[0], place) &&
           ptog_mul_add_u64(block % blocks, (uint64_t)table->stride[1], place) &&
           ptog_mul_add_u64(row / PTOG_NZ_ROWS, (uint64_t)table->stride[2], place) &&
           ptog_mul_add_u64(row % PTOG_NZ_ROWS, (uint64_t)table->stride[3], place) &&
           ptog_mul_add_u64(col % c0, (uint64_t)table->stride[4], place);
}

bool ptog_mgather_row_place(const struct ptog_target *target, const struct ptog_mgather *op, uint64_t i, int64_t j,
                            uint64_t *place)
{
    uint64_t pitch = (uint64_t)ptog_mgather_pitch(target, op);
    if (op->table.layout == PTOG_NZ)
        return nz_place(&op->table, i, (uint64_t)j, place);
    if (target->product_32)
        *place = (uint32_t)i * (uint32_t)pitch;
    else if (!ptog_mul_u64(i, pitch, place))
        return false;
    uint64_t step = op->table.layout == PTOG_DN ? (uint64_t)op->table.stride[4] : 1;
    return ptog_mul_add_u64((uint64_t)j, step, place);
}

bool ptog_mgather_elem_place(const struct ptog_mgather *op, uint64_t i, uint64_t *place)
{
    if (op->table.layout == PTOG_NZ) {
        uint64_t cols = (uint64_t)ptog_tensor_nz_cols(&op->table);
        return nz_place(&op->table, i / cols, i % cols, place);
    }
    *place = i;
    return true;
}

int64_t ptog_mgather_index_offset(const struct ptog_target *target, const struct ptog_mgather *op, int64_t r, int64_t c)
{
    if (!target->policies) /* the CPU simulator walks the index storage by dst's coordinates, whatever its shape */
        return r * op->idx.cols + c;
    if (ptog_mgather_mode(target, op) == PTOG_ELEM)
        return ptog_tile_offset(&op->idx, r, c);
    if (target->writes_padded)
        return r * op->idx.cols;
    return ptog_tile_list_offset(&op->idx, r);
}
