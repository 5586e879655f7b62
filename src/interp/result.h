/* interp: what a run left behind. */
#ifndef PTOG_INTERP_RESULT_H
#define PTOG_INTERP_RESULT_H

#include "interp/added.h"
#include "lower/place.h"

struct ptog_result {
    const struct ptog_program *program;
    char **names;
    struct ptog_tile *tiles;
    size_t count;
    unsigned char *ub; /* what the last block left in UB */
    uint64_t ub_bytes;
    ptog_device *device; /* NULL on a target without pipes */
    struct ptog_added added;
    bool shared; /* places that are never alive together have the same bytes */
    struct ptog_tile_place *places;
    uint32_t place_count;
    uint8_t *modes; /* by operation: enum ptog_coalesce, from 1, where the text names none; NULL: nowhere */
};

/* Takes what a run left, its device and the lines that were added; NULL when out of memory. */
ptog_result *ptog_result_new(struct ptog_eval *e, struct ptog_added *added);

/* A tile by its name; NULL when there is none. */
const struct ptog_tile *ptog_result_find(const ptog_result *result, const char *name);

#endif
