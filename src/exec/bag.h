/* exec: an embedding bag that was planned, and one run of it. */
#ifndef PTOG_EXEC_BAG_H
#define PTOG_EXEC_BAG_H

#include "kernel/bag/bag.h"
#include "kernel/tune.h"
#include "model/bag.h"

struct ptog_bag_plan {
    struct ptog_bag bag; /* dst and pitch are set */
    const struct ptog_bag_set *set;
    const struct ptog_bag_kernel *kernel;
    struct ptog_tune tune;
};

#define PTOG_BAG_AHEAD 64

struct ptog_bag_job {
    struct ptog_bag_work work;
    const ptog_bag_plan *plan;
    int64_t ahead; /* at most PTOG_BAG_AHEAD: so many rows are fetched before they are needed; 0: they are in a cache */
    int hint;      /* enum ptog_hint */
    bool is_single; /* sums are in f32: ptog_bag_is_single */
};

/* Bags first to last - 1, by the kernels: a ptog_part_fn whose work is a struct ptog_bag_job. Returns true. */
bool ptog_bag_part(const void *job, int64_t first, int64_t last);

#endif
