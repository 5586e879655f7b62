/* kernel: maps, one element from one or two at the same place, from one list: maps.def. A map trusts its job, and
 * touches no byte outside of `count` elements. */
#ifndef PTOG_KERNEL_MAPS_H
#define PTOG_KERNEL_MAPS_H

#include "kernel/kernel.h"

/* What one call works on. An input that is one number for all has PTOG_MAP_STEP bytes of it. `to` may be `a` or `b`. */
#define PTOG_MAP_STEP 32
struct ptog_map_job {
    const unsigned char *a, *b;
    bool a_is_one, b_is_one;
    unsigned char *to;
    size_t count;
};

typedef void ptog_map_fn(const struct ptog_map_job *job);

struct ptog_map {
    const char *name; /* "add" */
    enum ptog_dtype dtype;
    ptog_map_fn *run;
};

/* The map of that name and type in the instruction set, or in the next smaller one that has it; NULL when there is
 * none. */
const struct ptog_map *ptog_map_find(enum ptog_isa isa, const char *name, enum ptog_dtype dtype);

/* Tables, each ended by a row without a name: what every CPU has, and what AVX2 and AVX-512 add, which are empty where
 * the compiler has none. */
extern const struct ptog_map ptog_maps_plain[], ptog_maps_avx2[], ptog_maps_avx512[];

#endif
