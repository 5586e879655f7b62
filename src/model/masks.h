/* model: instructions on masks.
 *
 *   tcmp, tcmps   mask[r] bit c = a[r,c] cmp b      over the valid region of the first source
 *   tsel, tsels   dst[r,c] = mask[r] bit c ? a : b  over the valid region of dst
 *
 * A mask is a tile of integers: row r starts at byte r * columns * size, and column c is bit c % 8 of byte c / 8 there.
 * spec/masks.def says what targets do differently. */
#ifndef PTOG_MODEL_MASKS_H
#define PTOG_MODEL_MASKS_H

#include "model/insn.h"

/* A comparison, ready to be walked: for each row, so many bytes of the mask. */
struct ptog_compare {
    enum ptog_cmp cmp;
    enum ptog_dtype dtype; /* of the sources, as they are compared */
    int64_t rows, cols;    /* of the valid region */
    int64_t bytes;         /* of the mask that are written per row */
    int64_t bits;          /* columns that are compared; the bits behind them are 0 */
    int64_t pitch;         /* bytes from row to row of the mask */
    int64_t inverted;      /* so many bytes of the mask, from its first, are inverted in the end */
    bool tolerant, clears;
    int64_t spread; /* not 0: byte n of the mask is element (n / spread, n % spread) of dst, `element` bytes wide */
    int64_t spread_rows, element;
};

void ptog_compare_start(struct ptog_compare *c, const struct ptog_known_insn *known);

/* The result of comparing two elements, given as bits. NaN is unequal to everything; where the target is tolerant, floats
 * that differ by less than 1e-9 are equal. */
bool ptog_compare_bit(const struct ptog_compare *c, uint64_t a, uint64_t b);

/* Where byte k of row r goes, in bytes of dst's storage; -1: nowhere. */
int64_t ptog_compare_place(const struct ptog_compare *c, const struct ptog_tile *dst, int64_t r, int64_t k);

/* Where the bit for element (r, c) is: the byte in the mask's storage, and its bit there. */
struct ptog_mask_bit {
    int64_t byte;
    unsigned bit;
};
struct ptog_mask_bit ptog_select_bit(const struct ptog_known_insn *known, int64_t r, int64_t c);

/* Where the operands of tsel and tsels stand. */
enum { PTOG_SELECT_DST = 0, PTOG_SELECT_MASK = 1, PTOG_SELECT_A = 2 };

/* Operand `b` of tsel, or the scalar of tsels. */
int ptog_select_other(const struct ptog_insn *insn);

enum ptog_form ptog_masks_form(const struct ptog_target *target, const struct ptog_insn *insn);

/* The target's library takes every order of these elements for equality. */
bool ptog_compare_is_eq_only(const struct ptog_target *target, const struct ptog_insn *insn);

#endif
