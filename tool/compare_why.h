/* tool: what the search for the reason of a difference shares: a gather on one target, one lane of it, and the case. */
#ifndef TOOL_COMPARE_WHY_H
#define TOOL_COMPARE_WHY_H

#include "compare.h"

/* What a gather gives on one target. */
struct compare_lanes {
    unsigned char *dst, *cdst;
    enum ptog_status status;
    struct ptog_fault fault;
};

/* False when out of memory. The destinations are copies; the obvious loop runs. */
bool compare_run_on(const struct ptog_target *target, const struct ptog_gather_seen *seen, struct compare_lanes *lanes);
void compare_free_lanes(struct compare_lanes *lanes);
bool compare_ran(const struct compare_lanes *lanes);
bool compare_is_same(const struct compare_lanes *a, const struct compare_lanes *b, const struct ptog_run *run);

/* One element of a destination. */
struct compare_lane {
    bool cdst, padding;
    int64_t row, col;
    size_t at, size; /* in the tile's storage */
    enum ptog_dtype dtype;
};

bool compare_differs(const struct compare_lanes *a, const struct compare_lanes *b, const struct compare_lane *lane);

/* A gather with a lane that differs between two targets. */
struct compare_case {
    const struct ptog_target *const *of;
    const struct ptog_gather_seen *seen;
    const struct compare_lanes *lanes; /* on both */
    const struct compare_lane *lane;
    bool negative, no_index; /* the index of the lane, on one of them */
    struct compare_why *why;
};

/* Finds the property of the targets that makes the difference, and its errata. False when out of memory. */
bool compare_find_cause(const struct compare_case *c);

#endif
