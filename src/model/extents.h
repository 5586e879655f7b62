/* model: the extents that may be left open until an instruction runs. */
#ifndef PTOG_MODEL_EXTENTS_H
#define PTOG_MODEL_EXTENTS_H

#include <ptog/plan.h>

struct ptog_open_extent {
    const char *name;
    int64_t *planned; /* in the instruction */
    int64_t given;    /* by the run; 0: as planned */
};
#define PTOG_MOST_EXTENTS 16

struct ptog_extents {
    struct ptog_open_extent of[PTOG_MOST_EXTENTS];
    int count;
};

/* Lists the extents of `op`, which they point into. */
struct ptog_extents ptog_mgather_extents(struct ptog_mgather *op, const struct ptog_run *run);
struct ptog_extents ptog_tgather_extents(struct ptog_tgather *op, const struct ptog_run *run);

/* Puts the given values in place of PTOG_DYN. */
void ptog_extents_apply(const struct ptog_extents *extents);

#endif
