/* core: one vector core as a program sees it: on-chip memory (UB), views of global memory (GM), and the instructions.
 * The plain core of host and cpu, which have no machine: an instruction does what it means, at once. */
#ifndef PTOG_CORE_PLAIN_H
#define PTOG_CORE_PLAIN_H

#include <ptog/insn.h>
#include <ptog/plan.h>
#include <ptog/target.h>

struct ptog_plain {
    const struct ptog_target *target;
    unsigned char *ub; /* 0xAA until written */
    uint64_t ub_bytes;
    /* Told of a gather before it runs: one of the two, and its bytes. NULL: nobody. */
    void (*watch)(void *user, const struct ptog_mgather *m, const struct ptog_tgather *t, const struct ptog_run *run);
    void *user;
};

/* UB of `ub_bytes`, at most PTOG_MOST_UB. PTOG_OK, PTOG_NO_MEMORY, PTOG_BAD_ARGUMENT (too large). Close it in any case.
 */
#define PTOG_MOST_UB ((uint64_t)1 << 30) /* host and cpu have no limit of their own */
enum ptog_status ptog_plain_open(struct ptog_plain *core, const struct ptog_target *target, uint64_t ub_bytes);
void ptog_plain_close(struct ptog_plain *core);

/* Makes UB reach to the end of a tile; what is new is 0xAA. */
enum ptog_status ptog_plain_reach(struct ptog_plain *core, const struct ptog_tile *tile);

/* GM: a buffer, and where in it a view starts, in bytes. A read-only buffer is never stored to. */
struct ptog_gm {
    unsigned char *data;
    uint64_t bytes;
    uint64_t start;
    bool read_only;
};

/* Each verifies its operands (diags may be NULL) and then runs. Tiles are placed. PTOG_OK; PTOG_FAULT, see *fault;
 * PTOG_ILLEGAL: refused, nothing written; PTOG_NO_ROOM as in ptog_plan_run. */
enum ptog_status ptog_plain_load(struct ptog_plain *core, const struct ptog_transfer *op, struct ptog_gm gm,
                                 ptog_diags *diags, struct ptog_fault *fault);
enum ptog_status ptog_plain_store(struct ptog_plain *core, const struct ptog_transfer *op, struct ptog_gm gm,
                                  ptog_diags *diags, struct ptog_fault *fault);
enum ptog_status ptog_plain_mgather(struct ptog_plain *core, const struct ptog_mgather *op, struct ptog_gm gm,
                                    ptog_diags *diags, struct ptog_fault *fault);
enum ptog_status ptog_plain_tgather(struct ptog_plain *core, const struct ptog_tgather *op, ptog_diags *diags,
                                    struct ptog_fault *fault);

/* TGATHER by comparison with one scalar k for all rows: `k` holds its bits; op->k is ignored. */
enum ptog_status ptog_plain_tgather_scalar(struct ptog_plain *core, const struct ptog_tgather *op, const void *k,
                                           ptog_diags *diags, struct ptog_fault *fault);

/* An instruction that is verified, with every extent known. *fault is cleared by the caller. */
struct ptog_insn;
enum ptog_status ptog_plain_issue(struct ptog_plain *core, const struct ptog_insn *insn, struct ptog_gm gm,
                                  struct ptog_fault *fault);

/* MGATHER by its plan; *fault is filled as by ptog_plan_run. */
enum ptog_status ptog_plain_mgather_plan(struct ptog_plain *core, const ptog_plan *plan, const struct ptog_mgather *op,
                                         struct ptog_gm gm, struct ptog_fault *fault);

/* The valid region of a placed tile, in logical row-major order, from or to packed bytes. */
void ptog_plain_peek(const struct ptog_plain *core, const struct ptog_tile *tile, void *data);
void ptog_plain_poke(struct ptog_plain *core, const struct ptog_tile *tile, const void *data);

#endif
