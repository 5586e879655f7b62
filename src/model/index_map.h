/* model: the four out-of-bounds policies. Indices are unsigned: a negative int32 is a large number. */
#ifndef PTOG_MODEL_INDEX_MAP_H
#define PTOG_MODEL_INDEX_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include <ptog/insn.h>

/* The index an access uses. *zero: there is no access, the lane is zero. `capacity` is at least 1. */
static inline uint64_t ptog_index_map(enum ptog_oob oob, uint64_t i, uint64_t capacity, bool *zero)
{
    *zero = oob == PTOG_OOB_ZERO && i >= capacity;
    switch (oob) {
    case PTOG_OOB_CLAMP: return i < capacity ? i : capacity - 1;
    case PTOG_OOB_WRAP: return i % capacity;
    default: return i;
    }
}

#endif
