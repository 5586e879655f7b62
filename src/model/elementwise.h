/* model: instructions that compute each element of dst from the elements of its sources at the same place.
 *
 *   dst[r,c] = lane(a, b)      over the valid region of dst
 *
 * a and b are src0[r,c] and src1[r,c], a tile's element and a scalar, one tile's element alone, or a scalar alone; some
 * also take what dst holds. Where a source may be a column or row alone, model/broadcast.h says which of its elements
 * it is. Where one of two sources may be smaller, the other one's element stands alone beyond it.
 * Where a target's library computes another region or with another lane, spec/target_quirks.def has a row. */
#ifndef PTOG_MODEL_ELEMENTWISE_H
#define PTOG_MODEL_ELEMENTWISE_H

#include "model/broadcast.h"
#include "model/convert.h"
#include "model/generate.h"
#include "model/insn.h"
#include "model/lane.h"

static inline const struct ptog_tile *ptog_elementwise_dst(const struct ptog_insn *insn)
{
    return &insn->of[0].tile;
}

/* One instruction, ready to be walked. */
struct ptog_elementwise {
    const struct ptog_target *target;
    const struct ptog_insn *insn;
    enum ptog_lane_id lane;
    const struct ptog_tile *dst;
    int64_t rows, cols; /* that are computed */
    bool packed;        /* dst's elements lie one after the other, whatever its columns are */
    int inputs;         /* the sources, operands 1 to `inputs`; tmp, if there is one, stands after them */
    bool reads_dst;     /* as a third input */
    bool generates;     /* the element follows from its place and the scalar */
    bool converts;      /* the element is the source's, in another type */
    struct ptog_conversion conversion;
    bool packs, unpacks; /* an element of dst or of the source is a pair, and those of the other tile are not */
    struct ptog_broadcast broadcast;
    bool partial; /* a source has another region than dst */
    int whole;    /* then: the source whose elements are copied up to `copied_cols`, from row `copied_from` on */
    int64_t copied_from, copied_cols;
};

/* `in_place`: the first source lies where dst does. */
void ptog_elementwise_start(struct ptog_elementwise *e, const struct ptog_known_insn *known, bool in_place);

/* The row and column of source `i` whose element goes into (r, c) of dst; of a pair, the first of two. */
static inline struct ptog_spot ptog_elementwise_spot(const struct ptog_elementwise *e, int i, int64_t r, int64_t c)
{
    if (e->packs)
        return (struct ptog_spot){r, 2 * c};
    if (e->unpacks)
        return (struct ptog_spot){r, c / 2};
    return ptog_broadcast_spot(&e->broadcast, i, r, c);
}

/* How many bytes are read of source `i` for an element of dst. */
static inline size_t ptog_elementwise_size(const struct ptog_elementwise *e, int i)
{
    return ptog_dtype_size(e->insn->of[i].tile.dtype) << e->packs;
}

/* Where in its storage element (r, c) of dst is, in elements. */
int64_t ptog_elementwise_place(const struct ptog_elementwise *e, int64_t r, int64_t c);

/* How many columns of row `r` are computed or copied. */
static inline int64_t ptog_elementwise_cols(const struct ptog_elementwise *e, int64_t r)
{
    if (e->generates)
        return ptog_generate_cols(e->target, e->insn, r, e->cols);
    if (r < e->copied_from)
        return e->cols;
    return e->copied_cols;
}

/* Source `i` has an element for (r, c). */
bool ptog_elementwise_has(const struct ptog_elementwise *e, int i, int64_t r, int64_t c);

/* The bits of element (r, c) of dst, from those of the sources that have one, and of dst, in dst's type. */
uint64_t ptog_elementwise_compute(const struct ptog_elementwise *e, const uint64_t in[PTOG_LANE_INPUTS], int64_t r,
                                  int64_t c);

/* The type of the sources that are tiles, and so of a scalar; dst's where there are none. */
enum ptog_dtype ptog_elementwise_data(const struct ptog_insn *insn);

/* The bits of an element of operand `i` as one of dst's type; a scalar has the type of the sources first. A count of a
 * shift that this type does not hold becomes one that is outside of it, too. */
uint64_t ptog_elementwise_input(const struct ptog_insn *insn, int i, uint64_t bits);

enum ptog_form ptog_elementwise_form(const struct ptog_target *target, const struct ptog_insn *op);

#endif
