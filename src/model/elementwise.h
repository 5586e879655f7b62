/* model: instructions that compute each element of dst from the elements of its sources at the same place.
 *
 *   dst[r,c] = lane(a, b)      over the valid region of dst
 *
 * a and b are src0[r,c] and src1[r,c], a tile's element and a scalar, one tile's element alone, or a scalar alone.
 * Where a target's library computes another region or with another lane, spec/habits.def has a row. */
#ifndef PTOG_MODEL_ELEMENTWISE_H
#define PTOG_MODEL_ELEMENTWISE_H

#include "model/insn.h"
#include "model/lane.h"

#define PTOG_ELEMENTWISE_INPUTS 2

static inline const struct ptog_tile *ptog_elementwise_dst(const struct ptog_insn *insn)
{
    return &insn->of[0].tile;
}

/* One instruction, ready to be walked. */
struct ptog_elementwise {
    const struct ptog_target *target;
    enum ptog_lane_id lane;
    const struct ptog_tile *dst;
    int64_t rows, cols; /* that are computed */
    bool packed;        /* dst's elements lie one after the other, whatever its columns are */
    int inputs;         /* the sources, operands 1 to `inputs`; tmp, if there is one, stands after them */
};

/* `in_place`: the first source lies where dst does. */
void ptog_elementwise_start(struct ptog_elementwise *e, const struct ptog_known_insn *known, bool in_place);

/* Where in its storage element (r, c) of dst is, in elements. */
int64_t ptog_elementwise_place(const struct ptog_elementwise *e, int64_t r, int64_t c);

/* The bits of a scalar as an element of dst's type. A count of a shift that this type does not hold becomes one that is
 * outside of it, too. */
uint64_t ptog_elementwise_scalar(enum ptog_dtype to, enum ptog_dtype from, uint64_t bits);

/* The target's library never lets a source of the instruction be its destination. `target` may be NULL: any of them. */
bool ptog_elementwise_is_apart(const struct ptog_target *target, const struct ptog_insn *insn);

/* ... does nothing when a source has another valid region than dst. */
bool ptog_elementwise_is_idle(const struct ptog_target *target, const struct ptog_insn *insn);

/* Where the library keeps something of its own in tmp: how many bytes of it, from the first; else 0. */
int64_t ptog_elementwise_clobbers(const struct ptog_target *target, const struct ptog_insn *insn);

/* The instruction goes past column 64 with 64-bit elements on A5. */
bool ptog_elementwise_repeats_64(const struct ptog_insn *insn);

enum ptog_form ptog_elementwise_form(const struct ptog_target *target, const struct ptog_insn *op);

#endif
