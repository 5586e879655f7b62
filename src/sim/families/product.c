/* sim: matrix products.   The unit reads and writes packed matrices, whatever pitch the tiles have: left as m by k,
 * right as k by n, and the accumulator as m by n, each up to whole boxes. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/cube/product.h"

#include <stdlib.h>
#include <string.h>

#include "model/dtype.h"
#include "model/tile.h"
#include "sim/cost.h"
#include "sim/families/cube.h"

/* The address of an element in the core's memory. */
static uint64_t packed_element(const struct ptog_tile *tile, int64_t r, int64_t c)
{
    return tile->addr + (uint64_t)ptog_tile_offset(tile, r, c) * ptog_dtype_size(tile->dtype);
}

/* Reads the elements of a matrix from the memory as numbers into `to`: row after row, or column after column. */
static void unpack(const struct ptog_sim *sim, const struct ptog_tile *tile, bool by_column, double *to)
{
    int64_t rows = tile->valid_row, cols = tile->valid_col;
    size_t size = ptog_dtype_size(tile->dtype);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++) {
            uint64_t bits;
            ptog_ub_get(sim->memory, packed_element(tile, r, c), size, &bits);
            to[by_column ? c * rows + r : r * cols + c] = ptog_product_number(tile->dtype, bits);
        }
}

/* What the element of the accumulator is added to. */
static uint64_t start_of(const struct ptog_sim *sim, const struct ptog_product *p, const struct ptog_tile *sum,
                         int64_t r, int64_t c)
{
    uint64_t bits = 0;
    if (p->start < 0)
        return 0;
    if (p->has_bias)
        ptog_ub_get(sim->memory, packed_element(&sim->known->insn.of[p->start].tile, 0, c), 4, &bits);
    else
        ptog_ub_get(sim->memory, packed_element(sum, r, c), ptog_dtype_size(sum->dtype), &bits);
    return bits;
}

/* Rows and columns up to whole boxes are undefined where nothing is computed. */
static void log_product(const struct ptog_sim *sim, const struct ptog_product *p, const struct ptog_tile tiles[3])
{
    const struct ptog_insn *insn = &sim->known->insn;
    const struct ptog_tile *sum = &tiles[0];
    int64_t rows = (p->m + 15) / 16 * 16, cols = (p->n + 15) / 16 * 16;
    ptog_log_boxes(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_SRC0), &tiles[1], p->m, p->k);
    ptog_log_boxes(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_SRC1), &tiles[2], p->k, p->n);
    if (p->has_bias)
        ptog_log_boxes(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_BIAS), &insn->of[p->start].tile, 1, p->n);
    struct ptog_access added = ptog_sim_access(sim, PTOG_READS, PTOG_AT_SUM);
    added.hasty = ptog_product_is_hasty(sim->known->target, p);
    if (p->adds_to_sum)
        ptog_log_boxes(sim->log, added, sum, p->m, p->n);
    if (rows != p->m || cols != p->n)
        ptog_log_boxes(sim->log, ptog_sim_access(sim, PTOG_WRITES_PADDING, PTOG_AT_DST), sum, rows, cols);
    ptog_log_boxes(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST), sum, p->m, p->n);
}

/* ---- whole rows at once */

/* A matrix as numbers, row after row, and how large they are. */
struct matrix {
    union {
        float *real;
        int32_t *whole;
    };
    float least, most; /* magnitudes; `least` of those that are not 0 */
};

/* Widens the range of magnitudes of a matrix by one value; zeros do not count below, and a NaN makes the upper end
 * NaN. */
static void note_magnitude(struct matrix *matrix, float value)
{
    float size = value < 0 ? -value : value;
    if (!(size <= matrix->most))
        matrix->most = size; /* a NaN, too: it fails every comparison */
    if (size > 0 && size < matrix->least)
        matrix->least = size;
}

/* Reads the valid elements of one box of a tile, from its bytes, into the rows of `to`; floats also widen its
 * magnitudes. */
static void unpack_box(const struct ptog_boxes *boxes, const struct ptog_tile *tile, const unsigned char *from,
                       int64_t row, int64_t col, struct matrix *to)
{
    size_t size = ptog_dtype_size(tile->dtype);
    for (int64_t a = 0; a < boxes->rows && row + a < tile->valid_row; a++)
        for (int64_t b = 0; b < boxes->cols && col + b < tile->valid_col; b++) {
            int64_t place = boxes->turned ? b * boxes->rows + a : a * boxes->cols + b;
            int64_t at = (row + a) * tile->valid_col + col + b;
            uint64_t bits = ptog_bits_at(from + (size_t)place * size, size);
            if (tile->dtype == PTOG_I8) {
                to->whole[at] = (int8_t)bits;
                continue;
            }
            to->real[at] = ptog_dtype_to_float(tile->dtype, bits);
            note_magnitude(to, to->real[at]);
        }
}

/* Reads a matrix from the memory into *to, box by box. False, and nothing is read: it has no boxes, is traced, or not
 * all of it lies in the memory. */
static bool unpack_matrix(const struct ptog_sim *sim, const struct ptog_tile *tile, struct matrix *to)
{
    struct ptog_boxes boxes;
    size_t size = ptog_dtype_size(tile->dtype);
    ptog_tile_boxes(tile, &boxes);
    uint64_t end = packed_element(tile, tile->valid_row - 1, tile->valid_col - 1) + 512;
    if (sim->memory->tracer || tile->slayout == PTOG_NONE_BOX || end > sim->memory->ub_bytes)
        return false;
    ptog_ub_touch(sim->memory, tile->addr, end - tile->addr);
    for (int64_t r = 0; r < tile->valid_row; r += boxes.rows)
        for (int64_t c = 0; c < tile->valid_col; c += boxes.cols)
            unpack_box(&boxes, tile, sim->memory->ub + tile->addr + (size_t)ptog_boxes_offset(&boxes, r, c) * size, r,
                       c, to);
    return true;
}

/* Every product of two elements is exact in f32, and in its range. */
static bool are_products_exact(const struct ptog_product *p, const struct matrix *left, const struct matrix *right)
{
    bool narrow = p->in == PTOG_F16 || p->in == PTOG_BF16;
    return narrow && left->most < 0x1p60f && right->most < 0x1p60f && left->least > 0x1p-60f && right->least > 0x1p-60f;
}

/* Computes the product row by row and writes it to the memory; `room` is for both matrices and the sums. False, and
 * nothing is written: this has to be done element by element. */
static bool multiply_rows(const struct ptog_sim *sim, const struct ptog_product *p, const struct ptog_tile tiles[3],
                          float *room)
{
    struct matrix left = {.real = room, .least = 1}, right = {.real = room + p->m * p->k, .least = 1};
    float *sums = room + p->m * p->k + p->k * p->n;
    bool whole = p->out == PTOG_I32;
    if ((!whole && p->out != PTOG_F32) || !unpack_matrix(sim, &tiles[1], &left) ||
        !unpack_matrix(sim, &tiles[2], &right) || (!whole && !are_products_exact(p, &left, &right)))
        return false;
    for (int64_t r = 0; r < p->m; r++) {
        for (int64_t c = 0; c < p->n; c++) {
            uint32_t bits = (uint32_t)start_of(sim, p, &tiles[0], r, c);
            memcpy(&sums[c], &bits, sizeof bits);
        }
        if (whole)
            ptog_product_int_row(p->k, p->n, left.whole + r * p->k, right.whole, (int32_t *)(void *)sums);
        else
            ptog_product_row(p->k, p->n, left.real + r * p->k, right.real, sums);
        for (int64_t c = 0; c < p->n; c++) {
            uint32_t bits;
            memcpy(&bits, &sums[c], sizeof bits);
            ptog_ub_put(sim->memory, packed_element(&tiles[0], r, c), sizeof bits, bits);
        }
    }
    return true;
}

/* The product, element by element, for types or extents that the fast loop does not take. `left` has room for both
 * unpacked matrices. Writes dst. */
static void multiply_elements(const struct ptog_sim *sim, const struct ptog_product *p, const struct ptog_tile tiles[3],
                              double *left)
{
    double *right = left + p->m * p->k;
    unpack(sim, &tiles[1], false, left);
    unpack(sim, &tiles[2], true, right);
    for (int64_t c = 0; c < p->n; c++)
        for (int64_t r = 0; r < p->m; r++) {
            uint64_t bits = ptog_product_lane(p, left + r * p->k, right + c * p->k, start_of(sim, p, &tiles[0], r, c));
            ptog_ub_put(sim->memory, packed_element(&tiles[0], r, c), ptog_dtype_size(p->out), bits);
        }
}

/* Multiplies left and right into dst, with bias or sum where there are any: in rows if the tiles allow it, else element
 * by element. Needs scratch memory, and gives PTOG_NO_MEMORY without it. */
static enum ptog_status product_phase(const struct ptog_sim *sim, int number)
{
    const struct ptog_insn *insn = &sim->known->insn;
    struct ptog_product p = ptog_product_of(sim->known->target, insn);
    const struct ptog_tile tiles[3] = {ptog_product_packed(&insn->of[0].tile, p.m, p.n),
                                       ptog_product_packed(&insn->of[p.left].tile, p.m, p.k),
                                       ptog_product_packed(&insn->of[p.right].tile, p.k, p.n)};
    double *room = malloc(((size_t)(p.m * p.k) + (size_t)(p.k * p.n) + (size_t)p.n + 1) * sizeof *room);
    (void)number;
    if (!room)
        return PTOG_NO_MEMORY;
    if (!multiply_rows(sim, &p, tiles, (float *)(void *)room))
        multiply_elements(sim, &p, tiles, room);
    free(room);
    if (sim->log)
        log_product(sim, &p, tiles);
    return PTOG_OK;
}

/* A box of 16 by 16 results, from 32 bytes of k, takes a cycle. */
static double product_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                           const struct ptog_log *log)
{
    struct ptog_product p = ptog_product_of(known->target, &known->insn);
    int64_t c0 = ptog_c0(p.in);
    (void)number, (void)log;
    return costs->cube_start + costs->cube_step * (double)((p.m + 15) / 16 * ((p.n + 15) / 16) * ((p.k + c0 - 1) / c0));
}

const struct ptog_sim_family ptog_sim_product = {product_phase, product_cost, NULL, NULL};
