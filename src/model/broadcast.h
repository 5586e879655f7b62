/* model: broadcasts, elementwise instructions one of whose sources is small: a column or a row that stands for all of
 * dst's. Element (r, c) of dst takes
 *
 *   of the whole source   of a column     of a column of C0      of a row
 *   a[r,c]                s[r,0]          s[r, c mod C0]         s[0,c]
 *
 * A column of C0 is 32 bytes wide; libraries make it of a plain column, to have a block for each row. Which source is
 * the whole one, the valid regions say. */
#ifndef PTOG_MODEL_BROADCAST_H
#define PTOG_MODEL_BROADCAST_H

#include "model/insn.h"

struct ptog_broadcast {
    enum ptog_spread spread; /* what the small source is; PTOG_SPREAD_NONE: this is no broadcast */
    int small, whole; /* operands; `whole` is 0 where there is one source, or where none has dst's valid region */
    int64_t period;   /* the columns of a column: 1, or C0 */
};

/* `insn` is resolved. `target` may be NULL: on a target without quirks. */
struct ptog_broadcast ptog_broadcast_of(const struct ptog_target *target, const struct ptog_insn *insn);

/* The row and column of source `i` whose element goes into (r, c) of dst. */
struct ptog_spot {
    int64_t r, c;
};

static inline struct ptog_spot ptog_broadcast_spot(const struct ptog_broadcast *b, int i, int64_t r, int64_t c)
{
    if (b->spread == PTOG_SPREAD_NONE || i != b->small)
        return (struct ptog_spot){r, c};
    if (b->spread == PTOG_SPREAD_ROW)
        return (struct ptog_spot){0, c};
    return (struct ptog_spot){r, c % b->period};
}

/* How many elements of a row of the small source go into dst: more than 1 only of a column of C0. */
int64_t ptog_broadcast_block(const struct ptog_broadcast *b, const struct ptog_tile *dst);

/* A column that a target's library makes into blocks of its own before it computes: it is column-major. */
bool ptog_broadcast_is_upright(const struct ptog_target *target, const struct ptog_insn *insn);

/* All of a column-major column goes into a tile of exactly one block per row, and the text knows both shapes. */
bool ptog_broadcast_fills_blocks(const struct ptog_insn *written);

#endif
