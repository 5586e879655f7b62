/* model: instructions whose elements follow from their places.
 *
 *   tci    dst[0,k] = start + k, or start - k        ttri   dst[r,c] = 1 on one side of the diagonal c = r + d, else 0
 */
#ifndef PTOG_MODEL_GENERATE_H
#define PTOG_MODEL_GENERATE_H

#include "model/insn.h"

/* The bits of element (r, c), with the bits of the scalar. */
uint64_t ptog_generate(const struct ptog_target *target, const struct ptog_insn *insn, uint64_t scalar, int64_t r,
                       int64_t c);

/* How many columns of row `r` are written, of `cols` valid ones. */
int64_t ptog_generate_cols(const struct ptog_target *target, const struct ptog_insn *insn, int64_t r, int64_t cols);

#endif
