/* core: the flags of the matrix unit. A product with a phase leaves its accumulator to the unit that empties it, fractal
 * by fractal, and a store with a phase takes it from there and gives it back: no flag of the program orders the two. A
 * chain of products ends with the phase final, and so does the store of it; where one of the two is missing, the other
 * one waits for ever. */
#ifndef PTOG_CORE_UNIT_FLAGS_H
#define PTOG_CORE_UNIT_FLAGS_H

#include "model/insn.h"

struct ptog_core;

/* An accumulator that products or stores with a phase have used. */
struct ptog_unit_flag {
    uint64_t addr;
    bool full;     /* the chain of products has ended, and no store with a phase has followed */
    bool emptied;  /* such a store was the last */
    uint32_t site; /* of the last product */
    uint64_t insn;
};

struct ptog_unit_flags {
    struct ptog_unit_flag *of;
    size_t count, room;
};

/* Before an instruction is issued: enters what orders it, and reports a phase without its counterpart. */
void ptog_core_unit_flag(struct ptog_core *core, const struct ptog_known_insn *known);

/* The core ends: products whose accumulator no store has taken. */
void ptog_core_unit_flags_left(struct ptog_core *core);

#endif
