/* model: instructions that compute each element of dst from the elements of its sources at the same place.
 *
 *   dst[r,c] = lane(src0[r,c], src1[r,c])      over the valid region of dst */
#ifndef PTOG_MODEL_ELEMENTWISE_H
#define PTOG_MODEL_ELEMENTWISE_H

#include "model/insn.h"

/* Their operands, by their place in the rows of spec/insns.def. */
enum { PTOG_ELEMENTWISE_DST = 0, PTOG_ELEMENTWISE_SRC0 = 1, PTOG_ELEMENTWISE_SRC1 = 2 };

static inline const struct ptog_tile *ptog_elementwise_dst(const struct ptog_insn *insn)
{
    return &insn->of[PTOG_ELEMENTWISE_DST].tile;
}

static inline const struct ptog_tile *ptog_elementwise_src(const struct ptog_insn *insn, int i)
{
    return &insn->of[PTOG_ELEMENTWISE_SRC0 + i].tile;
}

enum ptog_form ptog_elementwise_form(const struct ptog_target *target, const struct ptog_insn *op);

#endif
