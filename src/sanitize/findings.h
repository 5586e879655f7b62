/* sanitize: findings, what will be reported: one per fault, place and other place, with a count. */
#ifndef PTOG_SANITIZE_FINDINGS_H
#define PTOG_SANITIZE_FINDINGS_H

#include "base/diag.h"
#include "base/index.h"
#include "diag/kind.h"
#include "sanitize/names.h"

/* What makes two occurrences one finding. */
struct ptog_finding_key {
    uint16_t kind; /* enum ptog_diag_kind */
    uint32_t site, other;
    uint8_t pipe, other_pipe; /* PTOG_ALL: none */
    uint8_t operand;          /* PTOG_AT_COUNT: none */
};

/* How the fix of a finding is made when it is reported: from what the table says of its id, a flag between the two
 * accesses, a flag back, a barrier, or the one step that the finding carries. */
enum ptog_advice {
    PTOG_ADVICE_OF_ID,
    PTOG_ADVICE_FLAG,
    PTOG_ADVICE_FLAG_BACK,
    PTOG_ADVICE_BARRIER,
    PTOG_ADVICE_STEP,
};

struct ptog_finding {
    struct ptog_finding_key key;
    const char *id; /* of its kind */
    enum ptog_severity severity;
    uint64_t insn; /* the first instruction it happened at: gives the order of the report */
    uint64_t last; /* the last one, so that an instruction counts once */
    uint64_t count;
    const char *message;       /* NULL: made from what follows, when reported */
    const char *other_message; /* "written here" */
    enum ptog_advice advice;
    struct ptog_fix step; /* of PTOG_ADVICE_STEP */
    bool refuses;
    const char *operand, *documented; /* constants */
    uint32_t accepted_by;
    /* of races */
    uint8_t space;
    bool writes, other_writes;
    bool other_block; /* the other access is of another block: no flag can order them */
    int32_t buffer;
    bool held;                 /* a wait holds the other access until this one has started, at least */
    uint32_t block, late_step; /* of the first occurrence: the instruction to end late, in its block; 0: none */
    uint64_t from, to;         /* bytes of the first occurrence, the last one included */
    /* of an order that a flag reverses: its statements; 0: none */
    uint32_t set_site, wait_site;
    uint8_t flag_src, flag_dst, flag_id;
};

struct ptog_findings {
    struct ptog_arena arena;
    struct ptog_finding *of;
    size_t count, room;
    struct ptog_index index; /* by key */
    /* Told of each finding, once for an instruction; NULL: nobody. */
    void (*noted)(void *user, const struct ptog_finding *finding, enum ptog_severity severity);
    void *user;
    bool failed; /* out of memory: the list is not complete */
};

void ptog_findings_free(struct ptog_findings *findings);

/* Adds to a count; 0 counts an instruction once, however often it is noted. NULL when out of memory. *fresh: the caller
 * fills in the rest. The pointer holds until the next call. */
struct ptog_finding *ptog_findings_note(struct ptog_findings *findings, const struct ptog_finding_key *key,
                                        const char *id, enum ptog_severity severity, uint64_t insn, uint64_t count,
                                        bool *fresh);

/* The same for a row of the machine's table. */
struct ptog_finding *ptog_findings_machine(struct ptog_findings *findings, enum ptog_machine_fault_kind kind,
                                           struct ptog_finding_key key, uint64_t insn, uint64_t count, bool *fresh);

/* Text that lives as long as the findings; "" when out of memory. */
__attribute__((format(printf, 2, 3))) const char *ptog_findings_text(struct ptog_findings *findings, const char *format,
                                                                     ...);

/* The finding's fix is this step. */
static inline void ptog_finding_advise(struct ptog_finding *finding, struct ptog_fix step)
{
    finding->advice = PTOG_ADVICE_STEP;
    finding->step = step;
}

#endif
