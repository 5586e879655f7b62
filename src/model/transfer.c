/* model: TLOAD and TSTORE: how the five dimensions of a view become the rows and columns of a tile, which region is
 * moved, which part of the tile a load pads, and with which bits. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <string.h>

#include "model/transfer.h"

#include "base/pick.h"
#include "model/dtype.h"
#include "model/lane.h"
#include "model/target.h"
#include "model/tensor.h"
#include "model/tile.h"

bool ptog_transfer_adds(const struct ptog_insn *insn)
{
    return insn->opcode == PTOG_TSTORE && insn->attr[PTOG_TSTORE_ATOMIC] == PTOG_ATOMIC_ADD;
}

static enum ptog_opcode op_code(const struct ptog_transfer *op)
{
    return op->store ? PTOG_TSTORE : PTOG_TLOAD;
}

void ptog_insn_transfer(struct ptog_insn *insn, const struct ptog_transfer *op)
{
    if (!insn)
        return;
    ptog_insn_start(insn, op ? op_code(op) : PTOG_NO_INSN);
    if (!op)
        return;
    memcpy(insn->reserved, op->reserved, sizeof insn->reserved); /* looked at where the instruction is */
    ptog_insn_set_tile(insn, PTOG_TRANSFER_TILE, &op->tile);
    ptog_insn_set_view(insn, PTOG_TRANSFER_VIEW, &op->view);
    if (op->store)
        insn->attr[PTOG_TSTORE_ATOMIC] = (int32_t)op->atomic;
}

uint64_t ptog_transfer_stored(const struct ptog_known_insn *known, uint64_t memory, uint64_t element)
{
    if (!ptog_transfer_adds(&known->insn))
        return element;
    return ptog_lane_compute(known->target, PTOG_LANE_add, ptog_transfer_tile(&known->insn)->dtype, memory, element, 0);
}

/* The form of a load, store or prefetch, by the memory of its tile. */
enum ptog_form ptog_transfer_form(const struct ptog_target *target, const struct ptog_insn *op)
{
    enum ptog_loc loc = ptog_transfer_tile(op)->loc;
    bool on_cpu = target && (target->as & PTOG_ON_CPU) != 0; /* it loads tiles of every memory */
    switch (op->opcode) {
    case PTOG_TSTORE: return loc == PTOG_ACC ? PTOG_FORM_STORE_ACC : PTOG_FORM_STORE;
    case PTOG_TPREFETCH: return PTOG_FORM_PREFETCH;
    default: return loc == PTOG_MAT || (loc != PTOG_VEC && on_cpu) ? PTOG_FORM_LOAD_L1 : PTOG_FORM_LOAD;
    }
}

/* ---- views: their outer dimensions are stacked, rows of ND below each other, columns of DN and NZ side by side */

/* The product of two extents; open where one of them is. */
static int64_t product_of(int64_t a, int64_t b)
{
    if (a == PTOG_DYN || b == PTOG_DYN)
        return PTOG_DYN;
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

void ptog_view_extents(const struct ptog_tensor *view, int64_t *rows, int64_t *cols)
{
    const int64_t *shape = view->shape;
    int64_t outer = product_of(shape[0], shape[1]);
    switch (view->layout) {
    case PTOG_NZ:
        *rows = product_of(shape[2], shape[3]);
        *cols = product_of(outer, shape[4]);
        return;
    case PTOG_DN:
        *rows = shape[3];
        *cols = product_of(product_of(outer, shape[2]), shape[4]);
        return;
    default:
        *rows = product_of(product_of(outer, shape[2]), shape[3]);
        *cols = shape[4];
        return;
    }
}

/* An extent to divide by. A view without elements has none of those that are asked for: each lies behind its end. */
static int64_t divisor_of(const struct ptog_tensor *view, int d)
{
    return ptog_max(view->shape[d], (int64_t)1);
}

/* Where block n of the three outer dimensions starts: n = (i0*S1 + i1)*S2 + i2. */
static int64_t outer_place(const struct ptog_tensor *view, int64_t n)
{
    const int64_t *stride = view->stride, middle = divisor_of(view, 1), inner = divisor_of(view, 2);
    if (n == 0)
        return 0;
    return n / inner / middle * stride[0] + n / inner % middle * stride[1] + n % inner * stride[2];
}

/* Dimension d, of which the blocks are stacked: the block of element i, and where i lies in it. */
static int64_t stacked_place(const struct ptog_tensor *view, int d, int64_t i)
{
    int64_t extent = divisor_of(view, d);
    if (i < extent)
        return i * view->stride[d];
    return outer_place(view, i / extent) + i % extent * view->stride[d];
}

static int64_t nz_place(const struct ptog_tensor *view, int64_t r, int64_t c)
{
    const int64_t *stride = view->stride;
    int64_t c0 = divisor_of(view, 4), block = c / c0, blocks = divisor_of(view, 1);
    return block / blocks * stride[0] + block % blocks * stride[1] + r / PTOG_NZ_ROWS * stride[2] +
           r % PTOG_NZ_ROWS * stride[3] + c % c0 * stride[4];
}

uint64_t ptog_view_place(const struct ptog_tensor *view, int64_t r, int64_t c)
{
    switch (view->layout) {
    case PTOG_NZ: return (uint64_t)nz_place(view, r, c);
    case PTOG_DN: return (uint64_t)(r * view->stride[3] + stacked_place(view, 4, c));
    default: return (uint64_t)(stacked_place(view, 3, r) + c * view->stride[4]);
    }
}

/* ---- what moves, and what is padded */

static bool is_known_as(int64_t extent, int64_t value)
{
    return extent == PTOG_DYN || extent == value;
}

bool ptog_transfer_turns_row(const struct ptog_insn *insn)
{
    const struct ptog_tile *tile = ptog_transfer_tile(insn);
    const struct ptog_tensor *view = ptog_transfer_view(insn);
    enum ptog_tile_order order = ptog_tile_order(tile);
    int64_t rows, cols;
    if (insn->opcode != PTOG_TLOAD || view->layout != PTOG_ND || !is_known_as(view->stride[4], 1) ||
        (order == PTOG_ORDER_ROW ? tile->cols != 1 : order != PTOG_ORDER_COL))
        return false;
    ptog_view_extents(view, &rows, &cols);
    return rows == 1 && cols != 1 && tile->valid_col == 1 && tile->valid_row != 1 &&
           (tile->valid_row == PTOG_DYN || is_known_as(cols, tile->valid_row));
}

/* The library gives a transfer the gap between two rows of the view (columns, of DN) and moves as many elements as the
 * tile has: the next row is read where that gap ends. */
static void skew_view(struct ptog_tensor *view, const struct ptog_tile *tile)
{
    int along = view->layout == PTOG_DN ? 3 : 4, across = 7 - along;
    int64_t moved = view->layout == PTOG_DN ? tile->valid_row : tile->valid_col;
    int64_t step = view->stride[across] - view->shape[along] + moved;
    if (view->layout == PTOG_NZ || moved <= 0 || moved == view->shape[along] || step < 0)
        return;
    view->stride[across] = step;
    view->shape[along] = moved;
}

void ptog_transfer_settle(const struct ptog_target *target, struct ptog_insn *insn)
{
    struct ptog_tensor *view = &insn->of[PTOG_TRANSFER_VIEW].view;
    int64_t valid = insn->of[PTOG_TRANSFER_TILE].tile.valid_row;
    if (insn->of[PTOG_TRANSFER_TILE].tile.loc != PTOG_VEC)
        return;
    if (ptog_transfer_turns_row(insn)) {
        view->shape[3] = view->shape[4];
        view->shape[4] = view->stride[3] = 1;
    }
    if (target->dn_contiguous && view->layout == PTOG_DN)
        view->stride[3] = 1;
    if (target->skews_views && insn->opcode != PTOG_TPREFETCH)
        skew_view(view, &insn->of[PTOG_TRANSFER_TILE].tile);
    bool plain = view->shape[0] == 1 && view->shape[1] == 1 && view->shape[2] == 1 && view->layout == PTOG_ND;
    if (target->stores_region && insn->opcode == PTOG_TSTORE && plain && valid > 0 && view->shape[3] > valid)
        view->shape[3] = valid; /* the rows of a larger view that are stored to */
}

struct ptog_transfer_region ptog_transfer_moves(const struct ptog_insn *insn)
{
    const struct ptog_tile *tile = ptog_transfer_tile(insn);
    const struct ptog_tensor *view = ptog_transfer_view(insn);
    struct ptog_transfer_region moved = {tile->valid_row, tile->valid_col};
    int64_t rows, cols;
    ptog_view_extents(view, &rows, &cols);
    if (view->layout == PTOG_ND && moved.rows > 0 && moved.cols > 0)
        moved.rows = rows;
    if (view->layout == PTOG_DN && moved.rows > 0 && moved.cols > 0)
        moved.cols = cols;
    return moved;
}

bool ptog_transfer_pads(const struct ptog_target *target, const struct ptog_tile *tile, uint64_t *bits)
{
    if (tile->pad == PTOG_PAD_NULL && !target->pads_null)
        return false;
    *bits = tile->pad == PTOG_PAD_NULL ? 0 : ptog_pad_bits(tile);
    return !target->pads_blocks || ptog_tile_order(tile) != PTOG_ORDER_NZ;
}

struct ptog_transfer_region ptog_transfer_padded(const struct ptog_target *target, const struct ptog_insn *insn)
{
    const struct ptog_tile *tile = ptog_transfer_tile(insn);
    struct ptog_transfer_region moved = ptog_transfer_moves(insn);
    int64_t block = ptog_c0(tile->dtype);
    if (!target->pads_blocks)
        return (struct ptog_transfer_region){tile->rows, tile->cols};
    int64_t *along = ptog_tile_order(tile) == PTOG_ORDER_COL ? &moved.rows : &moved.cols;
    int64_t most = ptog_tile_order(tile) == PTOG_ORDER_COL ? tile->rows : tile->cols;
    *along = (*along + block - 1) / block * block;
    *along = ptog_min(*along, most);
    return moved;
}

/* The lowest integers have a sign and no other bit, the lowest floats all bits. */
static uint64_t lowest_of_pair(enum ptog_dtype dtype)
{
    if (dtype >= PTOG_I4X2)
        return 0x88;
    return 0xff;
}

/* The bits of a tile's pad value: one's own as it is; of integers the largest and smallest, of floats the infinities, or
 * the largest finite number where there are none. */
uint64_t ptog_pad_bits(const struct ptog_tile *tile)
{
    static const uint64_t float_max[PTOG_DTYPE_COUNT] = {
        [PTOG_F16] = 0x7c00,  [PTOG_BF16] = 0x7f80, [PTOG_F32] = 0x7f800000,
        [PTOG_F8E4M3] = 0x7e, [PTOG_F8E5M2] = 0x7c, [PTOG_HIF8] = 0x6f,
    };
    enum ptog_dtype dtype = tile->dtype;
    enum ptog_pad pad = tile->pad;
    if (pad == PTOG_PAD_CUSTOM)
        return tile->pad_bits & UINT64_MAX >> (64 - 8 * ptog_dtype_size(dtype));
    if (pad == PTOG_PAD_ZERO || dtype == PTOG_F8E8M0) /* libraries have no limits of exponents */
        return 0;
    uint64_t sign = ptog_dtype_sign_bit(dtype), all = sign | (sign - 1);
    if (float_max[dtype])
        return pad == PTOG_PAD_MAX ? float_max[dtype] : float_max[dtype] | sign;
    if (ptog_dtype_is_signed(dtype))
        return pad == PTOG_PAD_MAX ? sign - 1 : sign;
    if (dtype > PTOG_F8E8M0 && pad != PTOG_PAD_MAX) /* both numbers of a pair */
        return lowest_of_pair(dtype);
    if (dtype > PTOG_F8E8M0)
        return 0x77;
    if (pad == PTOG_PAD_MAX)
        return all;
    return 0;
}
