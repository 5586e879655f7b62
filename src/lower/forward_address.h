/* lower: addresses for tiles that are yet to come. In manual mode the documents bind the result of an instruction
 * before they issue it:
 *
 *     pto.tassign %dst, @tile(0x2000)
 *     %dst = pto.mgather %mem, %idx : ...
 *
 * The address stands under the name, as a value of its own kind, until the instruction defines the tile. */
#ifndef PTOG_LOWER_FORWARD_ADDRESS_H
#define PTOG_LOWER_FORWARD_ADDRESS_H

#include "lower/eval.h"

/* The name is defined by nobody yet, and an instruction or alloc_tile further down, in the same region, defines it. */
bool ptog_is_yet_to_come(const struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item);

/* From now on the name has an address. */
void ptog_set_forward_address(struct ptog_eval *e, ptog_symbol name, struct ptog_number addr, struct ptog_span span);

/* The address that the name has; NULL: none. */
const struct ptog_value *ptog_forward_address_of(const struct ptog_eval *e, ptog_symbol name);

#endif
