/* lower: entries of FIFOs in global memory, which a program fills and reads itself. */
#ifndef PTOG_LOWER_OPS_FIFO_H
#define PTOG_LOWER_OPS_FIFO_H

#include "lower/eval.h"

/* The rings of a function, by number of the FIFO: as the setup has them. */
struct ptog_fifo_views {
    struct ptog_view_value of[PTOG_FIFOS];
};

/* Keeps the view of a ring, whose strides are those of its entries. False when out of memory. */
bool ptog_fifo_keep_view(struct ptog_eval *e, uint32_t number, const struct ptog_value *memory);

/* Completes the view of an entry: `value` is what its type says, and gets the strides of the ring that was kept and the
 * address, `offset` being where the slot starts. Of a split entry, the second vector core gets the second half. Nothing
 * happens where no ring was kept. */
void ptog_fifo_place_view(struct ptog_eval *e, const struct ptog_fifo_code *code, struct ptog_number offset,
                          struct ptog_value *value);

/* Sets the valid extents of a popped tile; where the text gives none it is whole. False after an error. */
bool ptog_fifo_set_valid(struct ptog_eval *e, const struct ptog_fifo_code *code, const struct ptog_number *n,
                         uint32_t count, struct ptog_value *value);

#endif
