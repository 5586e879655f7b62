/* model: matrix products, and what moves matrices between the memories of a cube core. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/cube/product.h"

#include <math.h>
#include <string.h>

#include <ptog/target.h>

#include "base/pick.h"
#include "model/dtype.h"
#include "model/moves.h"
#include "model/target.h"
#include "model/tile.h"
#include "model/transfer.h"

enum ptog_form ptog_product_form(const struct ptog_target *target, const struct ptog_insn *insn)
{
    (void)target, (void)insn;
    return PTOG_FORM_PRODUCT;
}

struct ptog_product ptog_product_of(const struct ptog_target *target, const struct ptog_insn *insn)
{
    int left = ptog_insn_find(insn, PTOG_AT_SRC0), right = ptog_insn_find(insn, PTOG_AT_SRC1);
    struct ptog_product p = {.left = left, .right = right, .start = ptog_insn_find(insn, PTOG_AT_SUM)};
    bool one_row = insn->opcode == PTOG_TGEMV || insn->opcode == PTOG_TGEMV_ACC || insn->opcode == PTOG_TGEMV_BIAS;
    p.adds_to_sum = p.start >= 0;
    p.has_bias = ptog_insn_find(insn, PTOG_AT_BIAS) >= 0;
    if (p.has_bias)
        p.start = ptog_insn_find(insn, PTOG_AT_BIAS);
    else if (p.start >= 0 && target->machine != PTOG_NO_MACHINE)
        p.start = 0; /* the unit adds to its destination, whatever the other operand says */
    p.m = one_row ? 1 : insn->of[left].tile.valid_row;
    p.k = one_row ? insn->of[right].tile.valid_row : insn->of[left].tile.valid_col;
    p.n = insn->of[right].tile.valid_col;
    p.in = insn->of[left].tile.dtype;
    p.out = insn->of[0].tile.dtype;
    p.rounds_once = (target->as & PTOG_ON_HOST) != 0;
    p.adds_last = (target->as & PTOG_ON_CPU) != 0;
    return p;
}

double ptog_product_number(enum ptog_dtype dtype, uint64_t bits)
{
    if (dtype == PTOG_I8)
        return (int8_t)bits;
    if (dtype == PTOG_I32)
        return (int32_t)bits;
    return (double)ptog_dtype_to_float(dtype, bits);
}

static uint64_t f32_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A sum of products of integers, which wraps around. */
static uint64_t add_integers(const struct ptog_product *p, const double *a, const double *b, uint64_t start)
{
    uint32_t sum = (uint32_t)start;
    for (int64_t i = 0; i < p->k; i++)
        sum += (uint32_t)(int32_t)a[i] * (uint32_t)(int32_t)b[i]; /* wraps */
    return sum;
}

/* A sum of products, rounded in the end alone. */
static uint64_t add_rounding_once(const struct ptog_product *p, const double *a, const double *b, uint64_t start)
{
    double sum = p->start < 0 ? 0 : ptog_product_number(p->out, start);
    for (int64_t i = 0; i < p->k; i++)
        sum += a[i] * b[i]; /* the product is exact */
    return ptog_dtype_from_real(p->out, sum);
}

/* A sum of products in f32, each step a fused multiply-add. */
static uint64_t add_fused(const struct ptog_product *p, const double *a, const double *b, uint64_t start)
{
    float before = p->start < 0 ? 0 : ptog_dtype_to_float(p->out, start), sum = p->adds_last ? 0 : before;
    for (int64_t i = 0; i < p->k; i++)
        sum = fmaf((float)a[i], (float)b[i], sum);
    if (p->adds_last && p->start >= 0)
        sum = before + sum;
    return p->out == PTOG_F32 ? f32_bits(sum) : ptog_dtype_from_real(p->out, sum);
}

uint64_t ptog_product_lane(const struct ptog_product *p, const double *a, const double *b, uint64_t start)
{
    if (p->out == PTOG_I32)
        return add_integers(p, a, b, p->start < 0 ? 0 : start);
    if (p->rounds_once)
        return add_rounding_once(p, a, b, start);
    return add_fused(p, a, b, start);
}

typedef float lanes_f32 __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint32_t lanes_u32 __attribute__((vector_size(16), aligned(4), may_alias));
#define LANES 4

void ptog_product_row(int64_t k, int64_t n, const float *a, const float *b, float *sums)
{
    for (int64_t i = 0; i < k; i++, b += n) {
        int64_t j = 0;
        for (; j + LANES <= n; j += LANES)
            *(lanes_f32 *)(sums + j) += a[i] * *(const lanes_f32 *)(b + j);
        for (; j < n; j++)
            sums[j] += a[i] * b[j];
    }
}

void ptog_product_int_row(int64_t k, int64_t n, const int32_t *a, const int32_t *b, int32_t *sums)
{
    for (int64_t i = 0; i < k; i++, b += n) {
        int64_t j = 0;
        for (; j + LANES <= n; j += LANES)
            *(lanes_u32 *)(sums + j) += (uint32_t)a[i] * *(const lanes_u32 *)(b + j);
        for (; j < n; j++)
            sums[j] = (int32_t)((uint32_t)sums[j] + (uint32_t)a[i] * (uint32_t)b[j]);
    }
}

bool ptog_product_is_hasty(const struct ptog_target *target, const struct ptog_product *p)
{
    return target->machine == PTOG_MACHINE_DMA && p->adds_to_sum && (p->m / 16) * (p->n / 16) < 10;
}

struct ptog_tile ptog_product_packed(const struct ptog_tile *tile, int64_t rows, int64_t cols)
{
    struct ptog_tile packed = *tile;
    packed.valid_row = rows;
    packed.valid_col = cols;
    packed.compact = true;
    return packed;
}

/* ---- transfers and copies of the cube core */

/* The rows and columns that a load into L1 or a store of an accumulator moves. */
struct ptog_cube_region ptog_loaded_region(const struct ptog_insn *insn)
{
    const struct ptog_tile *tile = ptog_transfer_tile(insn);
    struct ptog_cube_region region;
    ptog_view_extents(ptog_transfer_view(insn), &region.rows, &region.cols);
    region.rows = ptog_min(region.rows, tile->rows);
    region.cols = ptog_min(region.cols, tile->cols);
    return region;
}

static int64_t whole_boxes(int64_t extent, int64_t box)
{
    return (extent + box - 1) / box * box;
}

/* Which rows and columns of L1 a copy to L0 reads: all of dst, of a compact tile only whole boxes around what is
 * valid. */
struct ptog_l0_copy ptog_l0_copy_of(const struct ptog_known_insn *known)
{
    const struct ptog_tile *dst = &known->insn.of[PTOG_MOVE_DST].tile, *src = &known->insn.of[PTOG_MOVE_SRC].tile;
    struct ptog_l0_copy copy = {.rows = dst->rows, .cols = dst->cols};
    if (known->insn.opcode == PTOG_TEXTRACT) {
        copy.row = ptog_move_number(&known->insn, PTOG_MOVE_ROW);
        copy.col = ptog_move_number(&known->insn, PTOG_MOVE_COL);
    }
    if (dst->compact) {
        int64_t rows, cols;
        ptog_tile_box(dst, &rows, &cols);
        copy.rows = ptog_min(whole_boxes(dst->valid_row, rows), copy.rows);
        copy.cols = ptog_min(whole_boxes(dst->valid_col, cols), copy.cols);
    }
    copy.rows = ptog_min(copy.rows, src->rows - copy.row);
    copy.cols = ptog_min(copy.cols, src->cols - copy.col);
    copy.widens = dst->dtype != src->dtype;
    return copy;
}

uint64_t ptog_l0_element(const struct ptog_known_insn *known, uint64_t bits)
{
    const struct ptog_tile *dst = &known->insn.of[PTOG_MOVE_DST].tile, *src = &known->insn.of[PTOG_MOVE_SRC].tile;
    if (dst->dtype == src->dtype || !ptog_dtype_is_float(dst->dtype) || !ptog_dtype_is_float(src->dtype))
        return bits;
    return ptog_dtype_from_real(dst->dtype, (double)ptog_dtype_to_float(src->dtype, bits));
}
