/* model: TGATHER, its forms. "Filled" operands have no default left in them. */
#ifndef PTOG_MODEL_TGATHER_H
#define PTOG_MODEL_TGATHER_H

#include <stdbool.h>
#include <stdint.h>

#include <ptog/target.h>

#include "model/insn.h"

/* Its operands, by their place in the row of spec/insns.def. */
enum {
    PTOG_TGATHER_DST = 0,
    PTOG_TGATHER_SRC = 1,
    PTOG_TGATHER_IDX = 2,
    PTOG_TGATHER_K = 3,
    PTOG_TGATHER_TMP = 4,
    PTOG_TGATHER_CDST = 5,
};

static inline const struct ptog_tile *ptog_tgather_dst(const struct ptog_insn *insn)
{
    return &insn->of[PTOG_TGATHER_DST].tile;
}

static inline const struct ptog_tile *ptog_tgather_src(const struct ptog_insn *insn)
{
    return &insn->of[PTOG_TGATHER_SRC].tile;
}

static inline const struct ptog_tile *ptog_tgather_idx(const struct ptog_insn *insn)
{
    return &insn->of[PTOG_TGATHER_IDX].tile;
}

static inline const struct ptog_tile *ptog_tgather_k(const struct ptog_insn *insn)
{
    return &insn->of[PTOG_TGATHER_K].tile;
}

static inline const struct ptog_tile *ptog_tgather_tmp(const struct ptog_insn *insn)
{
    return &insn->of[PTOG_TGATHER_TMP].tile;
}

static inline const struct ptog_tile *ptog_tgather_cdst(const struct ptog_insn *insn)
{
    return &insn->of[PTOG_TGATHER_CDST].tile;
}

static inline enum ptog_tgather_form ptog_tgather_by(const struct ptog_insn *insn)
{
    return (enum ptog_tgather_form)insn->attr[PTOG_TGATHER_BY];
}

static inline enum ptog_pattern ptog_tgather_pattern(const struct ptog_insn *insn)
{
    return (enum ptog_pattern)insn->attr[PTOG_TGATHER_PATTERN];
}

static inline enum ptog_axis ptog_tgather_axis(const struct ptog_insn *insn)
{
    return (enum ptog_axis)insn->attr[PTOG_TGATHER_AXIS];
}

static inline enum ptog_cmp ptog_tgather_cmp(const struct ptog_insn *insn)
{
    return (enum ptog_cmp)insn->attr[PTOG_TGATHER_CMP];
}

static inline int32_t ptog_tgather_offset(const struct ptog_insn *insn)
{
    return insn->attr[PTOG_TGATHER_OFFSET];
}

/* k is one value for all rows, and no tile. */
static inline bool ptog_tgather_k_is_scalar(const struct ptog_insn *insn)
{
    return insn->of[PTOG_TGATHER_K].kind == PTOG_IS_SCALAR;
}

/* The older description of the same. */
struct ptog_tgather ptog_tgather_of(const struct ptog_insn *insn);

enum ptog_form ptog_tgather_form(const struct ptog_target *target, const struct ptog_insn *op);

/* A mask pattern keeps positions first, first+step, first+2*step, ... */
struct ptog_kept {
    int64_t first, step;
};
bool ptog_pattern_kept(enum ptog_pattern pattern, struct ptog_kept *kept);

/* How many of n positions a pattern keeps. */
int64_t ptog_kept_count(struct ptog_kept kept, int64_t n);

/* The rest wants every extent known and the operands legal. */

/* By mask along axis row: every source row has a place of its own in dst, dst.cols/factor elements after the last. Else
 * what is kept is one stream. */
bool ptog_mask_rows_are_apart(const struct ptog_target *target, const struct ptog_insn *op);

/* Mask, axis row: where in dst's storage the first kept element of source row r goes. */
int64_t ptog_mask_row_start(const struct ptog_target *target, const struct ptog_insn *op, int64_t r);

/* The same of all rows: from where one goes to where the next one does, elements that are kept of each, elements of dst. */
struct ptog_mask_rows {
    int64_t step, kept, room;
};
struct ptog_mask_rows ptog_mask_rows_of(const struct ptog_target *target, const struct ptog_insn *op);

/* How many of the elements kept of row `r` fit into dst; the others would lie past its end. */
int64_t ptog_mask_row_fits(const struct ptog_mask_rows *rows, int64_t r);

/* Mask: the number of elements of dst's storage that the instruction needs. False when it does not fit in 63 bits. */
bool ptog_mask_need(const struct ptog_target *target, const struct ptog_insn *op, int64_t *need);

/* By comparison: equal, or else greater. The library of A5 compares u16 for equality, whatever is asked. */
bool ptog_compares_equal(const struct ptog_target *target, const struct ptog_insn *op);

/* Compare: the value stored for a match at (r, c). */
uint32_t ptog_compare_position(const struct ptog_target *target, const struct ptog_insn *op, int64_t r, int64_t c);

/* Compare: an element of k as one of src's type. An integer k of another type is a number, which is converted; it is
 * read as a signed one, and cut to the width of an integer src. */
uint64_t ptog_compare_k(const struct ptog_insn *op, uint64_t bits);

/* a2a3 with 2-byte data: elements of tmp the hardware walks. */
bool ptog_tmp_need(const struct ptog_insn *op, int64_t *need);

#endif
