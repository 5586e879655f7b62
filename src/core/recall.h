/* core: instructions that a core has issued before, by the place that they came from: resolved, with their effects and
 * the numbers of their tiles. A loop issues the same ones again and again, and finds them here as they were. */
#ifndef PTOG_CORE_RECALL_H
#define PTOG_CORE_RECALL_H

#include "model/insn.h"

struct ptog_recalled {
    struct ptog_known_insn *known; /* shared with the queues that it stands in */
    struct ptog_insn written;
};

#define PTOG_MOST_RECALLED 64
struct ptog_recall {
    struct ptog_recalled *of[PTOG_MOST_RECALLED]; /* by place: the last one that was kept */
};

/* The instruction that was kept for a place, when it is the very same; else NULL. */
struct ptog_known_insn *ptog_recall_find(const struct ptog_recall *recall, uint32_t place,
                                         const struct ptog_insn *written);

/* Keeps one for a place. Returns it as it is shared; NULL when out of memory. */
struct ptog_known_insn *ptog_recall_keep(struct ptog_recall *recall, uint32_t place, const struct ptog_insn *written,
                                         const struct ptog_known_insn *known);

void ptog_recall_close(struct ptog_recall *recall);

#endif
