/* core: instructions that were found legal, without a word, and what was planned for them. Most instructions of a
 * program are a few, written often or run often: each is verified once. Where tiles lie matters only when they overlap,
 * so instructions that differ in addresses alone share an entry. */
#ifndef PTOG_CORE_LEGALITY_CACHE_H
#define PTOG_CORE_LEGALITY_CACHE_H

#include "model/insn.h"

struct ptog_legality {
    ptog_plan *plan;        /* where there is no machine; NULL: none was made */
    uint64_t generation;    /* how often the entry was given to an instruction */
    struct ptog_insn last;  /* as it was asked for last, to be found again without a search */
    struct ptog_insn plain; /* without addresses */
};

#define PTOG_LEGALITY_ENTRIES 64
#define PTOG_LEGALITY_BLOCK 8 /* entries that are allocated at once: a short kernel has no more */
struct ptog_legality_cache {
    struct ptog_legality *of[PTOG_LEGALITY_ENTRIES];     /* by hash */
    struct ptog_legality *recent[PTOG_LEGALITY_ENTRIES]; /* by place: what was asked for there last */
    struct ptog_legality *blocks[PTOG_LEGALITY_ENTRIES / PTOG_LEGALITY_BLOCK];
    uint32_t count; /* of those in the blocks */
};

/* The entry of an instruction; NULL: there is none. `place` is a number that the caller chooses: the same place usually
 * asks for the same instruction again. */
struct ptog_legality *ptog_legality_find(struct ptog_legality_cache *cache, uint32_t place,
                                         const struct ptog_insn *insn);

/* The instruction is legal, and there is nothing to say about it: *kept is its entry, or NULL where addresses matter
 * or an extent is open. False when out of memory. */
bool ptog_legality_keep(struct ptog_legality_cache *cache, uint32_t place, const struct ptog_insn *insn,
                        struct ptog_legality **kept);

void ptog_legality_close(struct ptog_legality_cache *cache);

#endif
