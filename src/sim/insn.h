/* sim: an instruction that is verified, with every extent known, and how it runs: phase by phase, on either memory. */
#ifndef PTOG_SIM_INSN_H
#define PTOG_SIM_INSN_H

#include "model/effects.h"
#include "sim/dma.h"
#include "sim/log.h"
#include "sim/memory.h"

struct ptog_insn {
    const struct ptog_target *target;
    const struct ptog_effects *effects;
    enum ptog_form form;
    union {
        struct ptog_mgather m;
        struct ptog_tgather t;
        struct ptog_transfer x;
    };
    int gm; /* the buffer, and where in it the table or view starts */
    uint64_t offset;
    bool scalar_k; /* `k` is one value for all rows, and no tile */
    uint64_t k;
    uint32_t tiles[PTOG_AT_COUNT]; /* their numbers, for the log */
};

/* Where a phase runs. `log` is NULL in simulated time. `dmas` connects the phases of a Row gather on A2/A3: the first
 * fills it, the second moves what is in it. */
struct ptog_sim {
    const struct ptog_insn *insn;
    struct ptog_memory *memory;
    struct ptog_log *log;
    struct ptog_dma_list *dmas;
};

/* Runs phase `phase`. PTOG_OK or PTOG_NO_MEMORY. */
enum ptog_status ptog_sim_phase(const struct ptog_sim *sim, int phase);

/* TGATHER by comparison: every row's matches fit in dst. */
bool ptog_sim_has_room(const struct ptog_insn *insn, const struct ptog_memory *memory);

/* One per instruction form, in sim/insns. */
enum ptog_status ptog_sim_load(const struct ptog_sim *sim);
enum ptog_status ptog_sim_store(const struct ptog_sim *sim);
enum ptog_status ptog_sim_row_scalar(const struct ptog_sim *sim); /* A2/A3: indices, DMAs, zero rows */
enum ptog_status ptog_sim_row_moves(const struct ptog_sim *sim);  /* A2/A3: the DMAs */
enum ptog_status ptog_sim_row_simt(const struct ptog_sim *sim);
enum ptog_status ptog_sim_elem(const struct ptog_sim *sim);
enum ptog_status ptog_sim_by_index(const struct ptog_sim *sim);
enum ptog_status ptog_sim_by_mask(const struct ptog_sim *sim);
enum ptog_status ptog_sim_by_compare(const struct ptog_sim *sim, bool dst, bool cdst);

/* An access of an operand of the instruction, to be given its bytes. */
static inline struct ptog_access ptog_sim_access(const struct ptog_sim *sim, enum ptog_access_kind kind,
                                                 enum ptog_access_operand operand)
{
    bool gm = operand == PTOG_AT_TABLE || operand == PTOG_AT_VIEW;
    return (struct ptog_access){.kind = (uint8_t)kind,
                                .space = gm ? PTOG_IN_GM : PTOG_IN_UB,
                                .operand = (uint8_t)operand,
                                .buffer = gm ? sim->insn->gm : -1,
                                .tile = sim->insn->tiles[operand],
                                .element = 1,
                                .count = 1};
}

#endif
