/* sanitize: the judge of a run. It sees accesses in issue order (definedness, tiles) and events in an order in which a
 * set comes before its wait (races, flags), and notes findings. It never changes what runs. */
#ifndef PTOG_SANITIZE_SANITIZE_H
#define PTOG_SANITIZE_SANITIZE_H

#include "diag/note.h"
#include "model/effects.h"
#include "model/tracer.h"
#include "sanitize/hold.h"
#include "sanitize/links.h"
#include "sanitize/names.h"
#include "sanitize/order_log.h"
#include "sanitize/origins.h"
#include "sanitize/scalar_cache.h"
#include "sanitize/shadow.h"

/* Which block a core is of. */
struct ptog_core_number {
    uint32_t block, subblock;
    bool cube; /* a cube core; else a vector core */
};

/* What the cores of a device share. */
struct ptog_sanitizer_shared {
    const struct ptog_target *target;
    struct ptog_names names;
    struct ptog_diag_list diags;
    struct ptog_shadow *gm; /* one per buffer */
    int gm_count;
    size_t gm_room;
    const char *(*buffer_name)(void *user, int buffer);
    void *user;
    uint8_t used_ids[PTOG_PIPES][PTOG_PIPES]; /* by the caller, to propose a free one */
    struct ptog_order_logs order_logs;
    struct ptog_line_pages lines;
    uint64_t possible_blocks; /* looked at so far: possible_accesses.c */
    enum ptog_spelling spelling;
    struct ptog_core_number *cores; /* by serial number, less 1 */
    size_t core_count, core_room;
    bool subblocks;                 /* a block has two cores */
    bool linked;                    /* cores wait for each other: sanitize/links.h */
    bool has_peers;                 /* one of them has written memory of another one */
    struct ptog_sanitizer **judges; /* of a launch that is linked, by serial number, less 1: those of open cores */
    size_t judge_room;
    bool refused; /* an instruction was, and is missing in the order that flags make */
    bool stopped; /* the run was, before the program's end: what is left over might have been needed */
};

/* A table that could have been read with other data. */
struct ptog_table_read {
    struct ptog_access access;
    struct ptog_clock entry; /* the last read of each pipe */
    struct ptog_clock need;  /* the last writes of its bytes */
    bool stale;              /* there may be later ones */
};

/* What the instructions of one core might touch with other data: possible_accesses.c. */
#define PTOG_MAX_TABLES 64
struct ptog_possible_accesses {
    struct ptog_shadow ub; /* made when it is first needed */
    struct ptog_table_read tables[PTOG_MAX_TABLES];
    int table_count;
    bool stores; /* the run has written to global memory */
};

/* Where undefined results come from: the first instruction that read undefined bytes, and which. */
struct ptog_trail {
    uint32_t site;
    uint8_t operand, definition; /* the bytes were never written, or are padding */
    uint64_t at;                 /* the first of them */
};

/* Definedness that travels: undef_propagation.c. */
struct ptog_undef_propagation {
    bool on; /* the instruction at hand computes from undefined bytes, and is followed */
    struct ptog_tracer tracer;
    const struct ptog_insn *insn;
    const struct ptog_effects *effects;
    uint32_t site;
    struct ptog_carried lane; /* what the result at hand will be */
    struct ptog_trail *trails;
    size_t count, room;
};

/* Scratch memory of the target's library: scratch.c. */
struct ptog_scratch {
    unsigned char *lost; /* 1 for each byte of it that was a tile's; NULL: nothing was ever lost */
    uint32_t site;       /* the last instruction that used it */
};

struct ptog_sanitizer {
    struct ptog_sanitizer_shared *shared;
    const struct ptog_target *target;
    uint32_t core; /* serial number, from 1 */
    uint32_t block;
    bool cube; /* a cube core: local addresses are those of model/cube/memories.h */

    /* happens-before */
    struct ptog_order order;
    struct ptog_shadow ub;
    struct ptog_links links;
    struct ptog_possible_accesses possible;
    struct ptog_hold hold;
    struct ptog_order_log order_log;
    bool raced; /* two accesses of this core are not ordered */

    /* definedness, in issue order */
    uint64_t ub_bytes; /* of a cube core: of all its memories */
    struct ptog_origins origins;
    struct ptog_undef_propagation undef;
    struct ptog_scratch scratch;

    struct ptog_scalar_cache cache; /* in issue order, too */

    /* budget */
    uint64_t top, top_insn, top_tile_end;
    uint32_t top_site, simt_site;
    uint64_t simt_insn;
};

/* Starts the judge of a core, with nothing accessed and no flag set, and enters its number into what the cores
 * share. False when out of memory: nothing is left to close. */
bool ptog_sanitizer_open(struct ptog_sanitizer *s, struct ptog_sanitizer_shared *shared, uint32_t core,
                         struct ptog_core_number number);
void ptog_sanitizer_close(struct ptog_sanitizer *s);

/* "the cube core", "vector core 1", and of which block if there are several. Writes into `text`, and returns it. */
#define PTOG_CORE_NAME 48
const char *ptog_core_words(struct ptog_core_number number, bool has_blocks, char text[PTOG_CORE_NAME]);

/* The name of the memory that holds a byte of a core, and its address there. */
const char *ptog_sanitizer_memory(const struct ptog_sanitizer_shared *shared, uint64_t at, uint64_t *address);

/* The shadow of a buffer of global memory that the accesses of a core enter. */
static inline struct ptog_shadow *ptog_sanitizer_gm(const struct ptog_sanitizer *s, int buffer)
{
    if (buffer < s->links.gm_count)
        return &s->links.gm[buffer];
    return &s->shared->gm[buffer];
}

/* The shadow that an access of a core enters; NULL: it has not been made yet. */
static inline const struct ptog_shadow *ptog_sanitizer_shadow(const struct ptog_sanitizer *s,
                                                              const struct ptog_access *access)
{
    if (access->space == PTOG_IN_GM)
        return ptog_sanitizer_gm(s, access->buffer);
    if (access->space == PTOG_IN_UB)
        return &s->ub;
    return s->links.peers[access->buffer].pages ? &s->links.peers[access->buffer] : NULL;
}

/* The pipe that adds to global memory. */
static inline enum ptog_pipe ptog_adding_pipe(const struct ptog_sanitizer *s)
{
    return s->cube ? PTOG_FIX : PTOG_MTE3;
}

/* The observer's four. */
struct ptog_stamp ptog_sanitizer_stamp(void *user);
void ptog_sanitizer_event(void *user, const struct ptog_event *event);
void ptog_sanitizer_held(void *user, const struct ptog_event *event);
void ptog_sanitizer_deadlock(void *user, const struct ptog_blocked *heads, size_t count, const struct ptog_event *stop);
void ptog_sanitizer_full(void *user, const struct ptog_event *event);

/* Definedness, in issue order. Before an instruction runs: who is to be told of each element, because it computes from
 * undefined bytes; NULL: it does not, as far as can be seen. Then for each phase its reads: true where undefined bytes
 * were read that decide nothing. If so, who is to be told of each element while the instruction runs again; NULL:
 * nobody, it was followed the first time. Then the writes of the phase. */
struct ptog_tracer *ptog_sanitizer_trace(struct ptog_sanitizer *s, const struct ptog_known_insn *known, uint32_t site);
bool ptog_sanitizer_reads(struct ptog_sanitizer *s, const struct ptog_access *access, bool decides, uint32_t site,
                          uint64_t insn);
struct ptog_tracer *ptog_sanitizer_retrace(struct ptog_sanitizer *s, const struct ptog_known_insn *known,
                                           uint32_t site);
void ptog_sanitizer_writes(struct ptog_sanitizer *s, const struct ptog_access *access, uint32_t site);

/* Scratch memory of the target's library: an instruction uses it, bytes that lie there are written, or read. */
void ptog_scratch_used(struct ptog_sanitizer *s, const struct ptog_access *access, uint32_t site);
void ptog_scratch_written(struct ptog_sanitizer *s, uint64_t at, uint64_t bytes);
void ptog_scratch_read(struct ptog_sanitizer *s, const struct ptog_access *access, uint32_t site, uint64_t insn);

/* A write of another core into memory of this one. */
void ptog_sanitizer_arrives(struct ptog_sanitizer *s, const struct ptog_access *access, uint32_t site);

/* A range becomes defined, without an access: preset. */
void ptog_sanitizer_preset(struct ptog_sanitizer *s, const struct ptog_access *access);

/* A range is as if nothing had ever written it. */
void ptog_sanitizer_forget(struct ptog_sanitizer *s, uint64_t at, uint64_t bytes);

/* Are these bytes of UB defined, after all that was issued? */
bool ptog_sanitizer_is_defined(const struct ptog_sanitizer *s, uint64_t at, uint64_t bytes);

/* Work of an event: its accesses against the shadow. Notes races; *need: the entries it must come after. */
void ptog_sanitizer_races(struct ptog_sanitizer *s, const struct ptog_event *event, struct ptog_clock *need);

/* After that, where a wait holds entries: the races of this one with them, if it was held, and what it is to others. */
void ptog_sanitizer_release(struct ptog_sanitizer *s, const struct ptog_event *event);

/* Two accesses of the same bytes that are not ordered, in the order of issue. */
struct ptog_racer {
    enum ptog_pipe pipe;
    bool writes;
    uint32_t site, step;
};
struct ptog_race {
    struct ptog_racer first, second;
    bool held;     /* a wait holds the first: it is executed after the second */
    uint64_t insn; /* of the second, and its operand */
    uint8_t operand;
    int32_t memory; /* a buffer; -1: UB */
    uint64_t from, to;
    bool harmless; /* both write the same bytes */
    bool doubtful; /* documents disagree whether the pipe orders them: a warning */
};
enum ptog_machine_fault_kind ptog_race_kind(const struct ptog_racer *first, const struct ptog_racer *second);
/* Notes it; returns the finding, or NULL when out of memory. */
struct ptog_diag_entry *ptog_sanitizer_note_race(struct ptog_sanitizer *s, enum ptog_machine_fault_kind kind,
                                                 const struct ptog_race *race);

/* The held entry at hand starts only after one that was issued later and passed it, although they conflict. */
void ptog_sanitizer_note_reversed(struct ptog_sanitizer *s, const struct ptog_event *held,
                                  const struct ptog_passed *passed, struct ptog_race race);

/* What an access on a pipe must come after, joined to `clock`: of each pipe the last entry that it conflicts with. */
void ptog_sanitizer_needs(const struct ptog_sanitizer *s, enum ptog_pipe pipe, const struct ptog_access *access,
                          struct ptog_clock *clock);

/* Adds to *clock what an access has to wait for, in one shadow, for an access of an event that is executed: its own
 * earlier phase does not count. */
void ptog_sanitizer_needs_in(const struct ptog_sanitizer *s, const struct ptog_shadow *shadow,
                             const struct ptog_event *event, const struct ptog_access *access,
                             struct ptog_clock *clock);

/* Work of an event as it could be with other data: before its races are judged, what it would have to come after,
 * joined to `need`; and afterwards, noted for those that follow. */
void ptog_sanitizer_possible_need(struct ptog_sanitizer *s, const struct ptog_event *event, struct ptog_clock *need);
void ptog_sanitizer_possible_note(struct ptog_sanitizer *s, const struct ptog_event *event, struct ptog_clock *need);
void ptog_possible_accesses_close(struct ptog_possible_accesses *possible);

/* races.c: enters an access into a shadow, without judging it; what it meets there is joined to `need`. */
void ptog_sanitizer_probe(struct ptog_sanitizer *s, const struct ptog_event *event, const struct ptog_access *access,
                          struct ptog_shadow *shadow, struct ptog_clock *need);

/* How many findings say that flags or barriers are missing or wrong; what no flag can order is not counted. */
size_t ptog_sanitizer_unordered(const struct ptog_sanitizer_shared *shared);

/* Flags: sets, waits, what is left at the end. */
void ptog_sanitizer_set(struct ptog_sanitizer *s, const struct ptog_event *event);
void ptog_sanitizer_wait(struct ptog_sanitizer *s, const struct ptog_event *event);
void ptog_sanitizer_left(struct ptog_sanitizer *s);
void ptog_sanitizer_bad_flag(struct ptog_sanitizer *s, const struct ptog_event *event, bool *usable);
void ptog_sanitizer_bad_barrier(struct ptog_sanitizer *s, enum ptog_pipe pipe, uint32_t site, uint64_t insn);

/* A tile of an instruction: its address, and at the end the budget of the launch. `blocks`: it is moved in blocks of 32
 * bytes, and has to start at one. */
void ptog_sanitizer_tile(struct ptog_sanitizer *s, const struct ptog_tile *tile, enum ptog_operand_name operand,
                         bool blocks, uint32_t site, uint64_t insn);
void ptog_sanitizer_simt(struct ptog_sanitizer *s, uint32_t site, uint64_t insn);
void ptog_sanitizer_budget(struct ptog_sanitizer *s, uint64_t dyn_ub, uint64_t static_bytes);

/* The flags that the fixes of a report name. Whoever follows all of them needs an id for each pair of places: with one
 * id, a flag would be set again before its wait. */
#define PTOG_ADVISED_IDS 5 /* of one pair of pipes: 1 to 5; 0 belongs to instructions, 6 and 7 are reserved */
#define PTOG_MAX_FLAGS_ADVISED (PTOG_PIPES * PTOG_PIPES * PTOG_ADVISED_IDS)
struct ptog_flags_advised {
    struct ptog_flag_advised {
        uint32_t site, other;
        uint8_t src, dst, id;
    } of[PTOG_MAX_FLAGS_ADVISED];
    int count;
};

/* The steps of a finding's fix; returns how many. `advised` has those of the findings before it. */
#define PTOG_MAX_STEPS 2
size_t ptog_sanitizer_fix(const struct ptog_sanitizer_shared *shared, const struct ptog_diag_entry *entry,
                          struct ptog_flags_advised *advised, struct ptog_fix steps[PTOG_MAX_STEPS]);

/* The findings as diagnostics. */
enum ptog_status ptog_sanitizer_report(const struct ptog_sanitizer_shared *shared, ptog_diags *diags);
void ptog_sanitizer_shared_close(struct ptog_sanitizer_shared *shared);

/* Two phases of one instruction: S begins, and another pipe goes on. */
static inline bool ptog_is_self(enum ptog_pipe first, uint32_t first_step, enum ptog_pipe second, uint32_t second_step)
{
    return first == PTOG_S && second != PTOG_S && first_step == second_step;
}

static inline struct ptog_diag_key ptog_key(uint32_t site, enum ptog_operand_name operand)
{
    return (struct ptog_diag_key){.site = site, .pipe = PTOG_ALL, .other_pipe = PTOG_ALL, .operand = (uint8_t)operand};
}

#endif
