/* model: MGATHER, its extents, capacity and addresses. "Filled" operands have no default left in them. MSCATTER has its
 * operands at the same places, the source where MGATHER has dst, and shares all of this. */
#ifndef PTOG_MODEL_MGATHER_H
#define PTOG_MODEL_MGATHER_H

#include <stdbool.h>
#include <stdint.h>

#include <ptog/target.h>

#include "model/insn.h"

/* Its operands, by their place in the row of spec/insns.def. */
/* A gather into L1 has views for its indices and its scratch memory, and no index tile. */
enum {
    PTOG_MGATHER_DST = 0,
    PTOG_MGATHER_TABLE = 1,
    PTOG_MGATHER_IDX = 2,
    PTOG_MGATHER_INDICES = 3,
    PTOG_MGATHER_SCRATCH = 4,
};

static inline const struct ptog_tile *ptog_mgather_dst(const struct ptog_insn *insn)
{
    return &insn->of[PTOG_MGATHER_DST].tile;
}

static inline const struct ptog_tensor *ptog_mgather_table(const struct ptog_insn *insn)
{
    return &insn->of[PTOG_MGATHER_TABLE].view;
}

static inline const struct ptog_tile *ptog_mgather_idx(const struct ptog_insn *insn)
{
    return &insn->of[PTOG_MGATHER_IDX].tile;
}

static inline enum ptog_coalesce ptog_mgather_coalesce(const struct ptog_insn *insn)
{
    return (enum ptog_coalesce)insn->attr[PTOG_MGATHER_COALESCE];
}

/* MGATHER into a tile of L1. */
bool ptog_mgather_is_l1(const struct ptog_insn *insn);

/* The element type of the indices, of a tile or of a view. */
enum ptog_dtype ptog_mgather_index_dtype(const struct ptog_insn *insn);

/* As written. The policies of MSCATTER have other numbers; Skip, like Zero, accesses nothing. */
enum ptog_oob ptog_mgather_oob(const struct ptog_insn *insn);

/* The target whose way of addressing tables an instruction has: its own, except for MSCATTER on targets that describe
 * an earlier MGATHER: cpu scatters as cpusim does, a5-custom as a5. */
const struct ptog_target *ptog_mgather_as(const struct ptog_target *target, const struct ptog_insn *insn);

/* The policy of a gather on a target: without policies of its own, none is asked for. */
static inline enum ptog_oob ptog_mgather_policy(const struct ptog_target *target, const struct ptog_insn *insn)
{
    if (ptog_mgather_as(target, insn)->policies)
        return ptog_mgather_oob(insn);
    return PTOG_OOB_UNDEFINED;
}

/* The older description of the same. */
struct ptog_mgather ptog_mgather_of(const struct ptog_insn *insn);

/* Into L1, or Row or Elem: as written, always Elem, or from the index tile, as the target does it. */
enum ptog_form ptog_mgather_form(const struct ptog_target *target, const struct ptog_insn *op);
bool ptog_mgather_is_row(const struct ptog_target *target, const struct ptog_insn *op);

/* The rest wants every extent known and the operands legal. */

/* The region of dst that is written: the valid one, or all of it. */
int64_t ptog_mgather_rows(const struct ptog_target *target, const struct ptog_insn *op);
int64_t ptog_mgather_cols(const struct ptog_target *target, const struct ptog_insn *op);

/* How many different indices there are, as the target computes it. */
uint64_t ptog_mgather_capacity(const struct ptog_target *target, const struct ptog_insn *op);

/* Elements from one row of an ND table to the next, as the target computes it. */
int64_t ptog_mgather_pitch(const struct ptog_target *target, const struct ptog_insn *op);

/* The elements are where the table's strides put them. */
bool ptog_mgather_pitch_fits(const struct ptog_target *target, const struct ptog_insn *op);

/* index * pitch does not fit the target's arithmetic. */
/* How many columns of dst the rows of the table have elements for; the others, if any, are read past the row. */
int64_t ptog_mgather_row_width(const struct ptog_target *target, const struct ptog_insn *op);

/* The index that an access uses under the instruction's policy. *zero: there is no access, the lane is zero. */
uint64_t ptog_mgather_map(const struct ptog_target *target, const struct ptog_insn *op, uint64_t index,
                          uint64_t capacity, bool *zero);

bool ptog_mgather_product_wraps(const struct ptog_target *target, const struct ptog_insn *op, uint64_t index);

/* Where the target reads, in elements from the table's base: Row, column j of row i; Elem, element i. False when the
 * place is beyond 64 bits, that is, outside every buffer. */
bool ptog_mgather_row_place(const struct ptog_target *target, const struct ptog_insn *op, uint64_t i, int64_t j,
                            uint64_t *place);
bool ptog_mgather_elem_place(const struct ptog_insn *op, uint64_t i, uint64_t *place);

/* Into L1: where in the view of the indices that of lane (r, c) lies, in elements. Row reads them one after another. */
uint64_t ptog_mgather_l1_index_place(const struct ptog_insn *op, int64_t r, int64_t c);

/* Storage position, in elements, of the index of lane (r, c). */
int64_t ptog_mgather_index_offset(const struct ptog_target *target, const struct ptog_insn *op, int64_t r, int64_t c);

#endif
