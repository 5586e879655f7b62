/* model: MGATHER: whether it gathers rows or elements on a target, how large a region it writes, how many rows or
 * elements its table has (the capacity, against which an index is checked), and where in the table each of them lies.
 */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <string.h>

#include "model/mgather.h"

#include "base/arith.h"
#include "base/pick.h"
#include "model/dtype.h"
#include "model/index_map.h"
#include "model/target.h"
#include "model/tensor.h"
#include "model/tile.h"

bool ptog_mgather_is_l1(const struct ptog_insn *insn)
{
    return insn->opcode == PTOG_MGATHER && ptog_mgather_dst(insn)->loc == PTOG_MAT;
}

enum ptog_dtype ptog_mgather_index_dtype(const struct ptog_insn *insn)
{
    if (ptog_mgather_is_l1(insn))
        return insn->of[PTOG_MGATHER_INDICES].view.dtype;
    return ptog_mgather_idx(insn)->dtype;
}

enum ptog_oob ptog_mgather_oob(const struct ptog_insn *insn)
{
    static const enum ptog_oob of_scatter[] = {PTOG_OOB_UNDEFINED, PTOG_OOB_ZERO, PTOG_OOB_CLAMP, PTOG_OOB_WRAP};
    if (insn->opcode == PTOG_MSCATTER && (unsigned)insn->attr[PTOG_MSCATTER_OOB] < 4)
        return of_scatter[insn->attr[PTOG_MSCATTER_OOB]];
    return (enum ptog_oob)insn->attr[PTOG_MGATHER_OOB];
}

void ptog_insn_mgather(struct ptog_insn *insn, const struct ptog_mgather *op)
{
    if (!insn)
        return;
    ptog_insn_start(insn, op ? PTOG_MGATHER : PTOG_NO_INSN);
    if (!op)
        return;
    memcpy(insn->reserved, op->reserved, sizeof insn->reserved); /* looked at where the instruction is */
    ptog_insn_set_tile(insn, PTOG_MGATHER_DST, &op->dst);
    ptog_insn_set_view(insn, PTOG_MGATHER_TABLE, &op->table);
    ptog_insn_set_tile(insn, PTOG_MGATHER_IDX, &op->idx);
    insn->attr[PTOG_MGATHER_COALESCE] = (int32_t)op->coalesce;
    insn->attr[PTOG_MGATHER_OOB] = (int32_t)op->oob;
}

struct ptog_mgather ptog_mgather_of(const struct ptog_insn *insn)
{
    return (struct ptog_mgather){.dst = *ptog_mgather_dst(insn),
                                 .table = *ptog_mgather_table(insn),
                                 .idx = *ptog_mgather_idx(insn),
                                 .coalesce = ptog_mgather_coalesce(insn),
                                 .oob = ptog_mgather_oob(insn)};
}

const struct ptog_target *ptog_mgather_as(const struct ptog_target *target, const struct ptog_insn *insn)
{
    if (insn->opcode == PTOG_MSCATTER && target->mode_from == PTOG_MODE_ALWAYS_ELEM)
        return ptog_target_at(PTOG_TARGET_CPUSIM);
    if (insn->opcode == PTOG_MSCATTER && target->mode_from == PTOG_MODE_FROM_INDEX_SHAPE)
        return ptog_target_at(PTOG_TARGET_A5);
    return target;
}

enum ptog_form ptog_mgather_form(const struct ptog_target *target, const struct ptog_insn *op)
{
    if (ptog_mgather_is_l1(op))
        return PTOG_FORM_GATHER_L1;
    return ptog_mgather_is_row(target, op) ? PTOG_FORM_ROW : PTOG_FORM_ELEM;
}

enum ptog_coalesce ptog_mgather_mode(const struct ptog_target *target, const struct ptog_mgather *op)
{
    struct ptog_insn insn;
    if (!target || !op)
        return op ? op->coalesce : PTOG_ROW;
    ptog_insn_mgather(&insn, op);
    if (target->mode_from == PTOG_MODE_EXPLICIT)
        return op->coalesce;
    return ptog_mgather_is_row(target, &insn) ? PTOG_ROW : PTOG_ELEM;
}

bool ptog_mgather_is_row(const struct ptog_target *target, const struct ptog_insn *op)
{
    target = ptog_mgather_as(target, op);
    if (ptog_mgather_is_l1(op)) /* every target has both modes there, as written */
        return ptog_mgather_coalesce(op) != PTOG_ELEM;
    if (target->mode_from == PTOG_MODE_ALWAYS_ELEM)
        return false;
    if (target->mode_from == PTOG_MODE_FROM_INDEX_SHAPE)
        return ptog_mgather_idx(op)->cols == 1;
    return ptog_mgather_coalesce(op) != PTOG_ELEM;
}

int64_t ptog_mgather_rows(const struct ptog_target *target, const struct ptog_insn *op)
{
    const struct ptog_tile *dst = ptog_mgather_dst(op);
    if (ptog_mgather_as(target, op)->writes_padded && !ptog_mgather_is_l1(op))
        return dst->rows;
    return dst->valid_row;
}

int64_t ptog_mgather_cols(const struct ptog_target *target, const struct ptog_insn *op)
{
    const struct ptog_tile *dst = ptog_mgather_dst(op);
    if (ptog_mgather_as(target, op)->writes_padded && !ptog_mgather_is_l1(op))
        return dst->cols;
    return dst->valid_col;
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

uint64_t ptog_mgather_capacity(const struct ptog_target *target, const struct ptog_insn *op)
{
    const struct ptog_tensor *table = ptog_mgather_table(op);
    bool row = ptog_mgather_is_row(target, op);
    if (ptog_mgather_is_l1(op)) /* the same on all devices */
        return product(table->shape, row && (target->as & PTOG_ON_CPU) ? 3 : 0, row ? 3 : 4);
    target = ptog_mgather_as(target, op);
    return row ? row_capacity(target, table) : elem_capacity(target, table);
}

int64_t ptog_mgather_pitch(const struct ptog_target *target, const struct ptog_insn *op)
{
    if (ptog_mgather_is_l1(op))
        return ptog_mgather_table(op)->stride[3];
    switch (ptog_mgather_as(target, op)->row_pitch) {
    case PTOG_PITCH_VALID_COL: return ptog_mgather_dst(op)->valid_col;
    case PTOG_PITCH_SHAPE_4: return ptog_mgather_table(op)->shape[4];
    default: return ptog_mgather_table(op)->stride[3];
    }
}

bool ptog_mgather_pitch_fits(const struct ptog_target *target, const struct ptog_insn *op)
{
    const struct ptog_tensor *table = ptog_mgather_table(op);
    if (table->layout == PTOG_NZ)
        return true;
    if (!ptog_mgather_is_row(target, op))
        return ptog_tensor_is_packed(table);
    if (!ptog_mgather_is_l1(op) && ptog_mgather_as(target, op)->row_count == PTOG_ROWS_SHAPE_3)
        return table->shape[3] == 1 || table->stride[3] == ptog_mgather_pitch(target, op);
    return ptog_tensor_rows_collapse(table);
}

int64_t ptog_mgather_row_width(const struct ptog_target *target, const struct ptog_insn *op)
{
    int64_t cols = ptog_mgather_cols(target, op);
    if (ptog_mgather_is_l1(op) && ptog_mgather_is_row(target, op))
        return ptog_min(cols, ptog_mgather_table(op)->shape[4]);
    if (ptog_mgather_as(target, op)->row_pitch == PTOG_PITCH_SHAPE_4 && ptog_mgather_is_row(target, op))
        return ptog_min(cols, ptog_mgather_table(op)->shape[4]);
    return cols;
}

uint64_t ptog_mgather_map(const struct ptog_target *target, const struct ptog_insn *op, uint64_t index,
                          uint64_t capacity, bool *zero)
{
    const struct ptog_target *as = ptog_mgather_as(target, op);
    enum ptog_oob oob = as->policies ? ptog_mgather_oob(op) : PTOG_OOB_UNDEFINED;
    if (oob == PTOG_OOB_CLAMP && as->clamps_signed && !ptog_mgather_is_l1(op)) {
        enum ptog_dtype dtype = ptog_mgather_index_dtype(op);
        if (ptog_dtype_is_signed(dtype) && (index & ptog_dtype_sign_bit(dtype)) != 0) {
            *zero = false;
            return 0;
        }
    }
    return ptog_index_map(oob, index, capacity, zero);
}

bool ptog_mgather_product_wraps(const struct ptog_target *target, const struct ptog_insn *op, uint64_t index)
{
    uint64_t product;
    if (!target->product_32 || ptog_mgather_is_l1(op) || !ptog_mgather_is_row(target, op))
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

bool ptog_mgather_row_place(const struct ptog_target *target, const struct ptog_insn *op, uint64_t i, int64_t j,
                            uint64_t *place)
{
    const struct ptog_tensor *table = ptog_mgather_table(op);
    uint64_t pitch = (uint64_t)ptog_mgather_pitch(target, op);
    if (table->layout == PTOG_NZ)
        return nz_place(table, i, (uint64_t)j, place);
    if (!ptog_mul_u64(i, pitch, place))
        return false;
    uint64_t step = table->layout == PTOG_DN ? (uint64_t)table->stride[4] : 1;
    return ptog_mul_add_u64((uint64_t)j, step, place);
}

bool ptog_mgather_elem_place(const struct ptog_insn *op, uint64_t i, uint64_t *place)
{
    const struct ptog_tensor *table = ptog_mgather_table(op);
    if (table->layout == PTOG_NZ) {
        uint64_t cols = (uint64_t)ptog_tensor_nz_cols(table);
        return nz_place(table, i / cols, i % cols, place);
    }
    *place = i;
    return true;
}

uint64_t ptog_mgather_l1_index_place(const struct ptog_insn *op, int64_t r, int64_t c)
{
    const struct ptog_tensor *indices = &op->of[PTOG_MGATHER_INDICES].view;
    bool row = ptog_mgather_coalesce(op) != PTOG_ELEM;
    return row ? (uint64_t)r : (uint64_t)r * (uint64_t)indices->stride[3] + (uint64_t)c;
}

int64_t ptog_mgather_index_offset(const struct ptog_target *target, const struct ptog_insn *op, int64_t r, int64_t c)
{
    const struct ptog_tile *idx = ptog_mgather_idx(op);
    target = ptog_mgather_as(target, op);
    if (!target->policies) /* the CPU simulator walks the index storage by dst's coordinates, whatever its shape */
        return r * idx->cols + c;
    if (!ptog_mgather_is_row(target, op))
        return ptog_tile_offset(idx, r, c);
    if (target->writes_padded)
        return r * idx->cols;
    return ptog_tile_list_offset(idx, r);
}
