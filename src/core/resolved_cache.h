/* core: instructions that a core has issued before, by the place that they came from: resolved, with their effects and
 * the numbers of their tiles. A loop issues the same ones again and again, and finds them here as they were. */
#ifndef PTOG_CORE_RESOLVED_CACHE_H
#define PTOG_CORE_RESOLVED_CACHE_H

#include "model/insn.h"

struct ptog_resolved_entry {
    struct ptog_known_insn *known; /* shared with the queues that it stands in */
    struct ptog_insn written;
};

#define PTOG_MAX_RESOLVED 64
struct ptog_resolved_cache {
    struct ptog_resolved_entry *of[PTOG_MAX_RESOLVED]; /* by place: the last one that was kept */
};

/* The instruction that was kept for a place, when it is the very same; else NULL. */
struct ptog_known_insn *ptog_resolved_cache_find(const struct ptog_resolved_cache *resolved, uint32_t place,
                                                 const struct ptog_insn *written);

/* Keeps one for a place. Returns it as it is shared; NULL when out of memory. */
struct ptog_known_insn *ptog_resolved_cache_keep(struct ptog_resolved_cache *resolved, uint32_t place,
                                                 const struct ptog_insn *written, const struct ptog_known_insn *known);

void ptog_resolved_cache_close(struct ptog_resolved_cache *resolved);

#endif
