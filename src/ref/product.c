/* ref: matrix products.   dst[i,j] = start + a[i,0]*b[0,j] + a[i,1]*b[1,j] + ..., where start is 0, what dst holds, or
 * bias[0,j] */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/cube/product.h"

#include <stdlib.h>

#include "model/buffers.h"
#include "model/fault.h"
#include "model/tile.h"
#include "ref/lane.h"
#include "ref/ref.h"

/* The bits of element (r, c) of operand `i`; 0, with a fault noted, when its buffer is too small. */
static uint64_t ref_matrix_element(const struct ptog_known_insn *known, const struct ptog_run *run, int i, int64_t r,
                                   int64_t c, struct ptog_fault *fault)
{
    const struct ptog_tile *tile = &known->insn.of[i].tile;
    struct ptog_buf buffer = ptog_run_buffer(run, &ptog_insn_row(known->insn.opcode)->of[i]);
    uint64_t bits = 0;
    if (!ptog_lane_read((struct ptog_cbuf){buffer.data, buffer.bytes}, (uint64_t)ptog_tile_offset(tile, r, c),
                        ptog_dtype_size(tile->dtype), &bits))
        ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
    return bits;
}

/* The meaning of a matrix product: the three loops, into dst. */
enum ptog_status ptog_ref_product(const struct ptog_known_insn *known, const struct ptog_run *run,
                                  struct ptog_fault *fault)
{
    struct ptog_product p = ptog_product_of(known->target, &known->insn);
    const struct ptog_tile *dst = &known->insn.of[0].tile;
    double *a = malloc(2 * (size_t)(p.k + 1) * sizeof *a), *b = a ? a + p.k : NULL;
    if (!a)
        return PTOG_NO_MEMORY;
    for (int64_t j = 0; j < p.n; j++) {
        for (int64_t k = 0; k < p.k; k++)
            b[k] = ptog_product_number(p.in, ref_matrix_element(known, run, p.right, k, j, fault));
        for (int64_t i = 0; i < p.m; i++) {
            uint64_t start = 0;
            for (int64_t k = 0; k < p.k; k++)
                a[k] = ptog_product_number(p.in, ref_matrix_element(known, run, p.left, i, k, fault));
            if (p.start >= 0)
                start = ref_matrix_element(known, run, p.start, p.has_bias ? 0 : i, j, fault);
            uint64_t bits = ptog_product_lane(&p, a, b, start);
            if (!ptog_lane_write(run->dst, (uint64_t)ptog_tile_offset(dst, i, j), ptog_dtype_size(dst->dtype), &bits))
                ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, i, j, 0);
        }
    }
    free(a);
    return ptog_fault_sum(fault);
}
