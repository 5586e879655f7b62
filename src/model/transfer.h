/* model: TLOAD and TSTORE. "Filled" operands have no default left in them. */
#ifndef PTOG_MODEL_TRANSFER_H
#define PTOG_MODEL_TRANSFER_H

#include <stdbool.h>

#include <ptog/insn.h>

struct ptog_transfer ptog_transfer_filled(const struct ptog_transfer *op);

/* The two extents that a view has once leading 1s are dropped; of an NZ view the logical ones. PTOG_DYN when not known.
 * False when it has more than two. */
bool ptog_view_extents(const struct ptog_tensor *view, int64_t *rows, int64_t *cols);

/* Where element (r, c) of a view lies, in elements from its base. Every extent is known and the view legal. */
uint64_t ptog_view_place(const struct ptog_tensor *view, int64_t r, int64_t c);

/* The bits of an element that TLOAD fills padding with; pad is not PTOG_PAD_NULL. */
uint64_t ptog_pad_bits(enum ptog_dtype dtype, enum ptog_pad pad);

#endif
