/* model: one element of a tile, by its place in storage.   tgetval: value = src[element];   tsetval: dst[element] =
 * value
 */
#ifndef PTOG_MODEL_SINGLES_H
#define PTOG_MODEL_SINGLES_H

#include "model/insn.h"

/* The operands of both: the tile, the number of the element as it is stored, and the value. Of the value of tgetval the
 * type alone counts. */
enum { PTOG_SINGLE_TILE = 0, PTOG_SINGLE_WHERE = 1, PTOG_SINGLE_VALUE = 2 };

enum ptog_form ptog_singles_form(const struct ptog_target *target, const struct ptog_insn *insn);

/* Which element it is; the verifier has seen that the tile has it. */
int64_t ptog_single_element(const struct ptog_insn *insn);

#endif
