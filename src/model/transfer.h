/* model: TLOAD and TSTORE. */
#ifndef PTOG_MODEL_TRANSFER_H
#define PTOG_MODEL_TRANSFER_H

#include <stdbool.h>

#include "model/insn.h"

/* The operands of both, by their place in the rows of spec/insns.def. */
enum { PTOG_TRANSFER_TILE = 0, PTOG_TRANSFER_VIEW = 1 };

static inline const struct ptog_tile *ptog_transfer_tile(const struct ptog_insn *insn)
{
    return &insn->of[PTOG_TRANSFER_TILE].tile;
}

static inline const struct ptog_tensor *ptog_transfer_view(const struct ptog_insn *insn)
{
    return &insn->of[PTOG_TRANSFER_VIEW].view;
}

enum ptog_form ptog_transfer_form(const struct ptog_target *target, const struct ptog_insn *op);

/* The two extents that a view has once leading 1s are dropped; of an NZ view the logical ones. PTOG_DYN when not known.
 * False when it has more than two. */
bool ptog_view_extents(const struct ptog_tensor *view, int64_t *rows, int64_t *cols);

/* Where element (r, c) of a view lies, in elements from its base. Every extent is known and the view legal. */
uint64_t ptog_view_place(const struct ptog_tensor *view, int64_t r, int64_t c);

/* The bits of an element that TLOAD fills padding with; pad is not PTOG_PAD_NULL. */
uint64_t ptog_pad_bits(enum ptog_dtype dtype, enum ptog_pad pad);

#endif
