/* exec: matrix products. Both matrices become rows of numbers once, and rows of the result are summed side by side: the
 * same additions in the same order as in the reference loop, many at a time. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <stdlib.h>
#include <string.h>

#include "exec/plan.h"
#include "model/buffers.h"
#include "model/cube/product.h"
#include "model/tile.h"
#include "ref/ref.h"

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

static double number_at(const struct ptog_tile *tile, const unsigned char *data, int64_t r, int64_t c)
{
    size_t size = ptog_dtype_size(tile->dtype);
    uint64_t bits = 0;
    memcpy(&bits, data + (size_t)ptog_tile_offset(tile, r, c) * size, size);
    return ptog_product_number(tile->dtype, bits);
}

static void unpack_matrix(const struct ptog_tile *tile, const unsigned char *data, int64_t rows, int64_t cols,
                          double *to)
{
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++)
            *to++ = number_at(tile, data, r, c);
}

#define ROWS 4 /* of the result at once: each row of the right matrix is read once for so many */

/* sums[i][j] += a[i][k] * b[k][j], k ascending. */
static void add_products(double *restrict sums, const double *restrict a, const double *restrict b, int64_t rows,
                         int64_t depth, int64_t n)
{
    for (int64_t k = 0; k < depth; k++, b += n)
        for (int64_t i = 0; i < rows; i++) {
            double factor = a[i * depth + k];
            double *restrict sum = sums + i * n;
            for (int64_t j = 0; j < n; j++)
                sum[j] += factor * b[j];
        }
}

/* What an element of the result is added to, as bits. */
static uint64_t start_at(const struct ptog_insn *insn, const struct ptog_product *p, const unsigned char *start, int64_t r,
                         int64_t c)
{
    const struct ptog_tile *tile = start ? &insn->of[p->start].tile : NULL;
    size_t size = tile ? ptog_dtype_size(tile->dtype) : 0;
    uint64_t bits = 0;
    if (tile)
        memcpy(&bits, start + (size_t)ptog_tile_offset(tile, p->has_bias ? 0 : r, c) * size, size);
    return bits;
}

static void put_result(const struct ptog_insn *insn, struct ptog_buf to, int64_t r, int64_t c, uint64_t bits)
{
    const struct ptog_tile *dst = &insn->of[0].tile;
    memcpy((char *)to.data + (size_t)ptog_tile_offset(dst, r, c) * ptog_dtype_size(dst->dtype), &bits,
           ptog_dtype_size(dst->dtype));
}

/* Sums that are rounded once: f64 holds them. */
static void multiply_rounding_once(const struct ptog_insn *insn, const struct ptog_product *p, const double *a,
                                   const double *b, double *sums, const unsigned char *start, struct ptog_buf to)
{
    for (int64_t i = 0; i < p->m; i += ROWS) {
        int64_t rows = p->m - i < ROWS ? p->m - i : ROWS;
        for (int64_t e = 0; e < rows * p->n; e++)
            sums[e] = start ? ptog_product_number(p->out, start_at(insn, p, start, i + e / p->n, e % p->n)) : 0;
        add_products(sums, a + i * p->k, b, rows, p->k, p->n);
        for (int64_t e = 0; e < rows * p->n; e++)
            put_result(insn, to, i + e / p->n, e % p->n, ptog_dtype_from_real(p->out, sums[e]));
    }
}

/* Others one by one: columns of the right matrix become rows first. */
static void multiply_lanes(const struct ptog_insn *insn, const struct ptog_product *p, const double *a, const double *b,
                           double *column, const unsigned char *start, struct ptog_buf to)
{
    for (int64_t c = 0; c < p->n; c++) {
        for (int64_t k = 0; k < p->k; k++)
            column[k] = b[k * p->n + c];
        for (int64_t r = 0; r < p->m; r++)
            put_result(insn, to, r, c, ptog_product_lane(p, a + r * p->k, column, start_at(insn, p, start, r, c)));
    }
}

static bool product_fast(const struct ptog_exec *x, const struct ptog_run *run)
{
    const struct ptog_insn *insn = &x->known->insn;
    struct ptog_product p = ptog_product_of(x->known->target, insn);
    if (!has_matrix(x, run, 0) || !has_matrix(x, run, p.left) || !has_matrix(x, run, p.right) ||
        (p.start >= 0 && !has_matrix(x, run, p.start)))
        return false;
    double *a = malloc((size_t)(p.m * p.k + p.k * p.n + ROWS * p.n + p.k + 1) * sizeof *a);
    if (!a)
        return false;
    double *b = a + p.m * p.k, *sums = b + p.k * p.n;
    const unsigned char *start = p.start >= 0 ? matrix_buffer(x, run, p.start).data : NULL;
    unpack_matrix(&insn->of[p.left].tile, matrix_buffer(x, run, p.left).data, p.m, p.k, a);
    unpack_matrix(&insn->of[p.right].tile, matrix_buffer(x, run, p.right).data, p.k, p.n, b);
    if (p.rounds_once && p.out != PTOG_I32)
        multiply_rounding_once(insn, &p, a, b, sums, start, run->dst);
    else
        multiply_lanes(insn, &p, a, b, sums, start, run->dst);
    free(a);
    return true;
}

static enum ptog_status product_checked(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault)
{
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_product = {ptog_exec_no_kernel, ptog_exec_nothing_ready, product_fast,
                                                   product_checked};
