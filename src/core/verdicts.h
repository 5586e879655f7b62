/* core: instructions that were found legal, without a word, and what was planned for them. Most instructions of a
 * program are a few, written often or run often: each is verified once. Where tiles lie matters only when they overlap,
 * so instructions that differ in addresses alone share a verdict. */
#ifndef PTOG_CORE_VERDICTS_H
#define PTOG_CORE_VERDICTS_H

#include "model/insn.h"

struct ptog_verdict {
    ptog_plan *plan;        /* where there is no machine; NULL: none was made */
    struct ptog_insn last;  /* as it was asked for last, to be found again without a search */
    struct ptog_insn plain; /* without addresses */
};

#define PTOG_VERDICTS 64
#define PTOG_VERDICT_BLOCK 8 /* verdicts that are allocated at once: a short kernel has no more */
struct ptog_verdicts {
    struct ptog_verdict *of[PTOG_VERDICTS];     /* by hash */
    struct ptog_verdict *recent[PTOG_VERDICTS]; /* by place: what was asked for there last */
    struct ptog_verdict *blocks[PTOG_VERDICTS / PTOG_VERDICT_BLOCK];
    uint32_t count; /* of those in the blocks */
};

/* The verdict on an instruction; NULL: none is known. `place` is a number of whoever asks: the same place asks for the
 * same instruction again. */
struct ptog_verdict *ptog_verdicts_find(struct ptog_verdicts *verdicts, uint32_t place, const struct ptog_insn *insn);

/* The instruction is legal, and there is nothing to say about it: *kept is its verdict, or NULL where addresses matter
 * or an extent is open. False when out of memory. */
bool ptog_verdicts_keep(struct ptog_verdicts *verdicts, uint32_t place, const struct ptog_insn *insn,
                        struct ptog_verdict **kept);

void ptog_verdicts_close(struct ptog_verdicts *verdicts);

#endif
