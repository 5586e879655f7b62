/* sim: what the two files of elementwise instructions share: an element of a source, and the way by rows. */
#ifndef PTOG_SIM_FAMILIES_ELEMENTWISE_H
#define PTOG_SIM_FAMILIES_ELEMENTWISE_H

#include "model/dtype.h"
#include "model/elementwise.h"
#include "sim/insn.h"

/* Where in UB an element of a tile's storage is. */
static inline uint64_t ptog_sim_place(const struct ptog_tile *tile, int64_t offset)
{
    return tile->addr + (uint64_t)offset * ptog_dtype_size(tile->dtype);
}

/* The element of source `i` (0: of dst) that goes into (r, c) of dst, as one of dst's type. */
uint64_t ptog_sim_input(const struct ptog_sim *sim, const struct ptog_elementwise *e, int i, int64_t r, int64_t c);

/* Computes dst row by row; elementwise_rows.c says when that is right. False: nothing was done, each element is to be
 * computed on its own. */
bool ptog_sim_by_rows(const struct ptog_sim *sim, const struct ptog_elementwise *e);

#endif
