/* model: effects, what an instruction does to the machine: its phases in order, each on a pipe with its accesses, and
 * the flags of its own before and after. A row of spec/effects.def per form and machine. Read by sim; auto mode places
 * flags from the same rows. Accesses whose bytes depend on data are marked so, their bytes are found by the run. */
#ifndef PTOG_MODEL_EFFECTS_H
#define PTOG_MODEL_EFFECTS_H

#include "model/events.h"
#include "model/insn.h"

enum ptog_extent_of {
    PTOG_BYTES_VALID,  /* the valid region */
    PTOG_BYTES_PADDED, /* the whole tile */
    PTOG_BYTES_BURSTS, /* the valid region, each burst up to its last 32-byte block */
    PTOG_BYTES_DATA,   /* depends on index values */
};

struct ptog_effect {
    uint8_t operand; /* enum ptog_operand_name */
    bool writes;
    uint8_t extent; /* enum ptog_extent_of */
    bool decides;   /* a read whose bytes decide what is done, or leave UB: an index, a count, a store */
};

struct ptog_phase {
    enum ptog_pipe pipe;
    struct ptog_effect effects[6];
    int count;
};

struct ptog_flag_pair {
    enum ptog_pipe src, dst;
};

struct ptog_effects {
    struct ptog_phase phases[2];
    int phase_count;
    struct ptog_flag_pair before[3], between[2], after[5]; /* of its own: before, after its first phase, at the end */
    int before_count, between_count, after_count;
    bool simt; /* a SIMT launch */
    bool dmas; /* the second phase moves the transfers that the first has prepared */
    bool flushes; /* S writes its scratch memory back from its data cache before the second phase */
};

/* The row of an instruction with its form on its target; `written` is the instruction before a run resolved it. NULL
 * where there is no machine. */
const struct ptog_effects *ptog_effects_of(const struct ptog_known_insn *known, const struct ptog_insn *written);

/* Does an access of a phase decide? Undefined bytes are reported where they do; elsewhere they make undefined results.
 */
bool ptog_effects_decide(const struct ptog_effects *effects, int phase, enum ptog_operand_name operand);

/* Whether a cube core (else a vector core) of the target has the pipe. */
bool ptog_core_has_pipe(const struct ptog_target *target, bool cube, enum ptog_pipe pipe);

/* A RAW or WAW on this pipe needs a barrier between the two instructions. */
bool ptog_pipe_needs_barrier(const struct ptog_target *target, enum ptog_pipe pipe);

#endif
