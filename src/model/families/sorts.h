/* model: sorts, which make lists of pairs: a number and the index that came with it, 8 bytes together.
 *
 *   tsort32   dst[r, pairs 32b..32b+31] = the pairs (src[r,c], idx[r,c]), c = 32b..32b+31, in descending order
 *
 *   f32   | number      | index       |          f16   | number | 0     | index       |
 *
 * -0 equals 0. A positive NaN comes before every number and a negative one after them, as the pad of the libraries has
 * to. Equal numbers keep the order in which they stand; the CPU simulator puts the smaller index first. */
#ifndef PTOG_MODEL_SORTS_H
#define PTOG_MODEL_SORTS_H

#include "model/insn.h"

enum { PTOG_SORT_DST = 0, PTOG_SORT_SRC = 1, PTOG_SORT_IDX = 2, PTOG_SORT_TMP = 3 };

#define PTOG_SORT_GROUP 32
#define PTOG_PAIR_BYTES 8

struct ptog_pair {
    uint64_t bits; /* of the number */
    int64_t rank;  /* the number as an integer in the same order; NaN is beyond the infinities */
    uint32_t index;
    int64_t column; /* of src; from the valid ones on: padding, which no element of src stands for */
};

/* tsort32, ready to be walked. */
struct ptog_sort32 {
    enum ptog_dtype dtype;
    int64_t rows, cols, groups; /* groups of up to 32 columns per row */
    int64_t pair;               /* elements of dst that a pair has */
    int64_t step;               /* elements of dst from group to group */
    bool pads;                  /* the last group is filled up with pairs of -NaN and what follows the indices */
    bool by_index;              /* of equal numbers, the smaller index comes first */
};

void ptog_sort32_start(struct ptog_sort32 *s, const struct ptog_known_insn *known);

/* Where the pairs come from: false when an element cannot be read, which then counts as `bits`. */
struct ptog_pair_source {
    bool (*number)(const void *where, int64_t r, int64_t c, uint64_t *bits);
    bool (*index)(const void *where, int64_t r, int64_t c, uint64_t *bits);
    const void *where;
};

/* Reads and sorts group `g` of row `r`. Returns how many pairs it has. `*readable` becomes false when an element of it
 * cannot be read. */
int ptog_sort32_group(const struct ptog_sort32 *s, const struct ptog_pair_source *from, int64_t r, int64_t g,
                      struct ptog_pair pairs[PTOG_SORT_GROUP], bool *readable);

/* The element of dst, from the first of its row on, at which pair `k` of group `g` starts. */
static inline int64_t ptog_sort32_place(const struct ptog_sort32 *s, int64_t g, int64_t k)
{
    return g * s->step + k * s->pair;
}

/* Element number `e` of a pair as bits: the number, the 0 of f16, then the index, as elements of the type. */
uint64_t ptog_pair_element(enum ptog_dtype dtype, const struct ptog_pair *pair, int64_t e);

/* The row of idx that serves row `r`: one valid row serves all. */
int64_t ptog_sort32_index_row(const struct ptog_insn *insn, int64_t r);

/* A number as an integer in the same order, all NaN of a sign being equal; the NaN that sorts fill up with. */
int64_t ptog_pair_rank(enum ptog_dtype dtype, uint64_t bits);
uint64_t ptog_pair_pad(enum ptog_dtype dtype);

bool ptog_pair_is_nan(enum ptog_dtype dtype, const struct ptog_pair *pair);

/* Elements of tmp that the library of a machine uses for rows of so many columns; 0: none. */
int64_t ptog_sort32_tmp(const struct ptog_target *target, enum ptog_dtype dtype, int64_t cols);

/* The library of a machine loses the last groups of such rows: its count of them, modulo 255, is 0. */
bool ptog_sort32_loses_groups(const struct ptog_target *target, enum ptog_dtype dtype, int64_t cols);

/* TMRGSORT reads its lists before it writes dst, so that dst may lie over operand `in`. `target` may be NULL: on all of
 * them. */
bool ptog_merge_goes_through_tmp(const struct ptog_target *target, const struct ptog_insn *insn, int in);

enum ptog_form ptog_sorts_form(const struct ptog_target *target, const struct ptog_insn *insn);

#endif
