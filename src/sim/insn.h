/* sim: how an instruction runs on the machine: phase by phase, on either memory. */
#ifndef PTOG_SIM_INSN_H
#define PTOG_SIM_INSN_H

#include "model/effects.h"
#include "sim/dma.h"
#include "sim/log.h"
#include "sim/memory.h"

/* Where a phase runs. `log` is NULL in simulated time. `dmas` connects the phases of a Row gather on A2/A3: the first
 * fills it, the second moves what is in it. */
struct ptog_sim {
    const struct ptog_known_insn *known;
    struct ptog_memory *memory;
    struct ptog_log *log;
    struct ptog_dma_list *dmas;
    uint64_t *value; /* where the number goes that S loads from a tile; NULL: nowhere */
    struct ptog_memory *const *peers; /* memories of other cores, by enum ptog_peer; NULL, or one of them NULL: none */
};

struct ptog_costs;

/* How a family runs; one or more files of sim/families each. */
struct ptog_sim_family {
    /* Runs a phase: PTOG_OK or PTOG_NO_MEMORY. */
    enum ptog_status (*phase)(const struct ptog_sim *sim, int phase);
    /* The cycles of a phase that ran with this log. */
    double (*cost)(const struct ptog_costs *costs, const struct ptog_known_insn *known, int phase,
                   const struct ptog_log *log);
    /* PTOG_OK, or why it can not run on what is in memory; NULL: it always can. */
    enum ptog_status (*may_run)(const struct ptog_known_insn *known, const struct ptog_memory *memory);
    /* Adds to the log, phase by phase, what it could touch with other data in its indices, sources and tables, as wide
     * as that may be; NULL: what it touches does not depend on data. */
    void (*possible)(const struct ptog_sim *sim);
};
#define FAMILY(NAME, name) extern const struct ptog_sim_family ptog_sim_##name;
#include <ptog/spec/forms.def>

const struct ptog_sim_family *ptog_sim_family_of(const struct ptog_known_insn *known);

/* Runs phase `phase`. PTOG_OK or PTOG_NO_MEMORY. */
enum ptog_status ptog_sim_phase(const struct ptog_sim *sim, int phase);

/* Makes a log of what the instruction could touch with other data, phase by phase, and has not touched: `done` is the
 * log of its run. The memory is looked at for the sizes of its buffers only. */
void ptog_sim_possible(const struct ptog_sim *sim, const struct ptog_log *done);

/* The buffer of global memory that the instruction names, and where in it the table or view starts. */
static inline int ptog_sim_buffer(const struct ptog_sim *sim)
{
    return sim->known->insn.of[sim->known->view].buffer;
}

static inline uint64_t ptog_sim_offset(const struct ptog_sim *sim)
{
    return sim->known->insn.of[sim->known->view].offset;
}

/* The position of an operand in global memory; -1: it lies in a tile. */
static inline int ptog_sim_view_of(const struct ptog_sim *sim, enum ptog_operand_name operand)
{
    if (operand == PTOG_AT_TABLE || operand == PTOG_AT_VIEW)
        return sim->known->view;
    if (operand == PTOG_AT_INDICES || operand == PTOG_AT_SCRATCH)
        return ptog_insn_find(&sim->known->insn, operand);
    return -1;
}

/* An access of an operand of the instruction, to be given its bytes. */
static inline struct ptog_access ptog_sim_access(const struct ptog_sim *sim, enum ptog_access_kind kind,
                                                 enum ptog_operand_name operand)
{
    int view = ptog_sim_view_of(sim, operand);
    return (struct ptog_access){.kind = (uint8_t)kind,
                                .space = view >= 0 ? PTOG_IN_GM : PTOG_IN_UB,
                                .operand = (uint8_t)operand,
                                .buffer = view >= 0 ? sim->known->insn.of[view].buffer : -1,
                                .tile = sim->known->tiles[operand],
                                .element = 1,
                                .count = 1};
}

#endif
