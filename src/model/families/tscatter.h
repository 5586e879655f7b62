/* model: TSCATTER, the inverse of TGATHER inside UB.
 *
 *   by index   dst = 0, then flat(dst)[idx[i,j]] = src[i,j] over the valid region of idx, flat counting what is stored
 *   by mask    dst = 0, then the elements (axis row) or rows (axis col) of dst that the pattern keeps = those of src
 *
 * The pattern P1111 is a copy. The CPU simulator writes no zeros by index, and by mask only to the valid region; there it
 * reads a source with padding as one stream of elements. */
#ifndef PTOG_MODEL_TSCATTER_H
#define PTOG_MODEL_TSCATTER_H

#include "model/families/tile_bytes.h"
#include "model/tgather.h"

enum { PTOG_TSCATTER_DST = 0, PTOG_TSCATTER_SRC = 1, PTOG_TSCATTER_IDX = 2 };

enum ptog_form ptog_tscatter_form(const struct ptog_target *target, const struct ptog_insn *insn);

static inline enum ptog_pattern ptog_tscatter_pattern(const struct ptog_insn *insn)
{
    return (enum ptog_pattern)insn->attr[PTOG_TSCATTER_PATTERN];
}

static inline enum ptog_axis ptog_tscatter_axis(const struct ptog_insn *insn)
{
    return (enum ptog_axis)insn->attr[PTOG_TSCATTER_AXIS];
}

/* An index as the target reads it: A5 as an unsigned number, the others by its type. */
int64_t ptog_tscatter_index(const struct ptog_known_insn *known, uint64_t bits);

/* Lanes of one row that A5 writes at once, in no order; 0: lanes go one after the other. */
int64_t ptog_tscatter_step(const struct ptog_known_insn *known);

/* Whether zeros are written first: to all of dst, or to its valid region. */
enum ptog_zeroed { PTOG_ZEROED_NOTHING, PTOG_ZEROED_VALID, PTOG_ZEROED_ALL };
enum ptog_zeroed ptog_tscatter_zeroed(const struct ptog_known_insn *known);

/* By mask: where in the storage of dst and src, in elements, src[i,j] goes and is; *wraps: the row of dst is not where
 * the pattern says, because A2/A3 computes its first element in 16 bits. */
void ptog_tscatter_places(const struct ptog_known_insn *known, int64_t i, int64_t j, int64_t *to, int64_t *from,
                          bool *wraps);

/* Writes the zeros, or the elements. PTOG_OK or PTOG_NO_MEMORY. */
void ptog_tscatter_zero(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes);
enum ptog_status ptog_tscatter_walk(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes);

#endif
