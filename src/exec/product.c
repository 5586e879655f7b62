/* exec: matrix products. Both matrices become numbers once, and elements of the result are summed side by side: the
 * same additions in the same order as in the reference loop, many at a time. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <stdlib.h>
#include <string.h>

#include "base/small_float.h"
#include "exec/plan.h"
#include "exec/tune.h"
#include "kernel/product/product.h"
#include "model/buffers.h"
#include "model/cube/product.h"
#include "model/tile.h"
#include "ref/ref.h"

/* The buffer of an operand. */
static struct ptog_buf matrix_buffer(const struct ptog_exec *x, const struct ptog_run *run, int i)
{
    return ptog_run_buffer(run, &ptog_insn_row(x->known->insn.opcode)->of[i]);
}

/* All of the tile is there. */
static bool has_matrix(const struct ptog_exec *x, const struct ptog_run *run, int i)
{
    int64_t bytes = ptog_tile_bytes(&x->known->insn.of[i].tile);
    struct ptog_buf buffer = matrix_buffer(x, run, i);
    return buffer.data && bytes > 0 && buffer.bytes >= (uint64_t)bytes;
}

/* ---- matrices as numbers */

#define PANEL PTOG_PRODUCT_PANEL

/* Where the elements of a tile lie. In every layout the distance from one column to another is the same in all rows:
 * the element offset of (r, c) is row[r] + col[c]. */
struct places {
    enum ptog_dtype dtype;
    size_t size; /* bytes of an element */
    int64_t *row, *col;
};

/* Where the rows and columns of a tile lie, computed once into `room`, which has a number for each of them. */
static struct places places_of(const struct ptog_tile *tile, int64_t rows, int64_t cols, int64_t *room)
{
    struct places places = {tile->dtype, ptog_dtype_size(tile->dtype), room, room + rows};
    for (int64_t r = 0; r < rows; r++)
        places.row[r] = ptog_tile_offset(tile, r, 0);
    for (int64_t c = 0; c < cols; c++)
        places.col[c] = ptog_tile_offset(tile, 0, c) - ptog_tile_offset(tile, 0, 0);
    return places;
}

/* The number at an address. */
static double f32_at(const unsigned char *at)
{
    float value;
    memcpy(&value, at, sizeof value);
    return (double)value;
}

/* The bits in the place that they have in an f32; a product sets the bias of the exponent. */
static double f16_at(const unsigned char *at)
{
    uint16_t half;
    memcpy(&half, at, sizeof half);
    if ((half & 0x7c00) == 0x7c00) /* infinite, or NaN */
        return ptog_product_number(PTOG_F16, half);
    uint32_t bits = (uint32_t)(half & 0x8000) << 16 | (uint32_t)(half & 0x7fff) << 13;
    return (double)(ptog_f32_from_bits(bits) * 0x1p112f);
}

/* Columns c to c + count of a row as numbers. */
static void unpack_columns(const struct places *of, const unsigned char *data, int64_t r, int64_t c, int64_t count,
                           double *to)
{
    const unsigned char *row = data + (size_t)of->row[r] * of->size;
    const int64_t *col = of->col + c;
    for (int64_t i = 0; i < count && of->dtype == PTOG_F32; i++)
        to[i] = f32_at(row + (size_t)col[i] * sizeof(float));
    for (int64_t i = 0; i < count && of->dtype == PTOG_F16; i++)
        to[i] = f16_at(row + (size_t)col[i] * sizeof(uint16_t));
    for (int64_t i = 0; i < count && of->dtype != PTOG_F32 && of->dtype != PTOG_F16; i++) {
        uint64_t bits = 0;
        memcpy(&bits, row + (size_t)col[i] * of->size, of->size);
        to[i] = ptog_product_number(of->dtype, bits);
    }
}

/* How many columns the panel at column c has. */
static int64_t columns_left(int64_t c, int64_t cols)
{
    return cols - c < PANEL ? cols - c : PANEL;
}

/* Reads the right matrix in panels (kernel/product/product.h) into `to`; columns that the last one lacks are 0. */
static void unpack_right(const struct places *of, const unsigned char *data, int64_t rows, int64_t cols, double *to)
{
    for (int64_t c = 0; c < cols; c += PANEL)
        for (int64_t r = 0; r < rows; r++, to += PANEL) {
            int64_t count = columns_left(c, cols);
            unpack_columns(of, data, r, c, count, to);
            for (int64_t i = count; i < PANEL; i++)
                to[i] = 0;
        }
}

/* ---- products */

/* The operands of a product while it runs. */
struct product_run {
    struct ptog_product p;
    struct places left, right, dst, start;
    const unsigned char *start_data; /* what is added to; NULL: nothing */
    struct ptog_buf to;
    double *a, *b; /* the left matrix by rows, the right one in panels */
    double *sums;  /* a panel of every row; or a column of the right matrix */
};

/* What an element of the result is added to, as bits. */
static uint64_t start_at(const struct product_run *x, int64_t r, int64_t c)
{
    uint64_t bits = 0;
    if (x->start_data) {
        int64_t at = x->start.row[x->p.has_bias ? 0 : r] + x->start.col[c];
        memcpy(&bits, x->start_data + (size_t)at * x->start.size, x->start.size);
    }
    return bits;
}

/* Writes element (r, c) of dst. */
static void put_result(const struct product_run *x, int64_t r, int64_t c, uint64_t bits)
{
    memcpy((char *)x->to.data + (size_t)(x->dst.row[r] + x->dst.col[c]) * x->dst.size, &bits, x->dst.size);
}

/* Sums that are rounded once: f64 holds them. */
static void multiply_rounding_once(const struct product_run *x)
{
    const struct ptog_product *p = &x->p;
    ptog_product_fn *add_products = ptog_product_find(ptog_exec_isa());
    const double *panel = x->b;
    for (int64_t c = 0; c < p->n; c += PANEL, panel += p->k * PANEL) {
        int64_t count = columns_left(c, p->n);
        memset(x->sums, 0, (size_t)(p->m * PANEL) * sizeof *x->sums);
        for (int64_t r = 0; r < p->m && x->start_data; r++)
            unpack_columns(&x->start, x->start_data, p->has_bias ? 0 : r, c, count, x->sums + r * PANEL);
        add_products(x->sums, PANEL, x->a, p->m, p->k, panel);
        for (int64_t r = 0; r < p->m; r++)
            for (int64_t i = 0; i < count; i++)
                put_result(x, r, c + i, ptog_dtype_from_real(p->out, x->sums[r * PANEL + i]));
    }
}

/* Others one by one: columns of the right matrix become rows first. */
static void multiply_lanes(const struct product_run *x)
{
    const struct ptog_product *p = &x->p;
    for (int64_t c = 0; c < p->n; c++) {
        for (int64_t k = 0; k < p->k; k++)
            x->sums[k] = x->b[(c / PANEL * p->k + k) * PANEL + c % PANEL];
        for (int64_t r = 0; r < p->m; r++)
            put_result(x, r, c, ptog_product_lane(p, x->a + r * p->k, x->sums, start_at(x, r, c)));
    }
}

/* Multiplies by panels in f64; false, and nothing is done, where types or buffers do not fit. */
static bool product_fast(const struct ptog_exec *exec, const struct ptog_run *run)
{
    const struct ptog_insn *insn = &exec->known->insn;
    struct product_run x = {.p = ptog_product_of(exec->known->target, insn), .to = run->dst};
    const struct ptog_product *p = &x.p;
    if (!has_matrix(exec, run, 0) || !has_matrix(exec, run, p->left) || !has_matrix(exec, run, p->right) ||
        (p->start >= 0 && !has_matrix(exec, run, p->start)))
        return false;
    int64_t right = p->k * ((p->n + PANEL - 1) / PANEL * PANEL), places = 3 * p->m + 2 * p->k + 3 * p->n;
    x.a = malloc((size_t)(p->m * p->k + right + p->m * PANEL + p->k + 1) * sizeof *x.a);
    int64_t *room = malloc((size_t)(places + 1) * sizeof *room), *next = room;
    bool has_room = x.a && room;
    if (has_room) {
        x.b = x.a + p->m * p->k;
        x.sums = x.b + right;
        x.left = places_of(&insn->of[p->left].tile, p->m, p->k, next);
        x.right = places_of(&insn->of[p->right].tile, p->k, p->n, next += p->m + p->k);
        x.dst = places_of(&insn->of[0].tile, p->m, p->n, next += p->k + p->n);
        if (p->start >= 0) {
            x.start = places_of(&insn->of[p->start].tile, p->has_bias ? 1 : p->m, p->n, next + p->m + p->n);
            x.start.dtype = p->out;
            x.start_data = matrix_buffer(exec, run, p->start).data;
        }
        for (int64_t r = 0; r < p->m; r++)
            unpack_columns(&x.left, matrix_buffer(exec, run, p->left).data, r, 0, p->k, x.a + r * p->k);
        unpack_right(&x.right, matrix_buffer(exec, run, p->right).data, p->k, p->n, x.b);
        if (p->rounds_once && p->out != PTOG_I32)
            multiply_rounding_once(&x);
        else
            multiply_lanes(&x);
    }
    free(room);
    free(x.a);
    return has_room;
}

/* Runs the reference loop. */
static enum ptog_status product_checked(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault)
{
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_product = {ptog_exec_no_kernel, ptog_exec_nothing_ready, product_fast,
                                                   product_checked};
