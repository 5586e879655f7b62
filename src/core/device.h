/* core: a device and its cores, behind ptog/core.h. */
#ifndef PTOG_CORE_DEVICE_H
#define PTOG_CORE_DEVICE_H

#include <ptog/core.h>

#include "base/reserved.h"
#include "core/automatic.h"
#include "core/cross.h"
#include "core/direct.h"
#include "core/fifo.h"
#include "core/inside.h"
#include "core/legality_cache.h"
#include "core/peers.h"
#include "core/resolved_cache.h"
#include "core/signal.h"
#include "core/static_ub.h"
#include "core/unit_flags.h"
#include "report/trace.h"
#include "sanitize/sanitize.h"
#include "sim/pipes.h"

struct ptog_device {
    const struct ptog_target *target;
    struct ptog_device_options options;
    struct ptog_latency *late; /* those of the options, copied */
    struct ptog_costs costs;
    struct ptog_global gm;
    struct ptog_sanitizer_shared shared;
    struct ptog_stats stats;    /* of closed cores */
    uint32_t cores;             /* opened so far */
    uint64_t insns;             /* issued so far, by all cores: the order of the report */
    struct ptog_tile_seen *map; /* the tiles by address, made when it is asked for */
    uint32_t map_count, mapped;  /* how many; of so many tiles of both cores */
    struct ptog_trace trace;                            /* json.sink is NULL: none is wanted */
    double launched;                                    /* the cycle at which cores begin: launches follow each other */
    bool is_direct;                                      /* no machine: instructions do what they mean, at once */
    const struct ptog_watch *watch;                     /* told of them; NULL: nobody is */
    bool has_cube;                                      /* one of its cores was a cube core */
    struct ptog_core **open;                            /* of a linked device: the open cores */
    size_t open_count, open_room;
    struct ptog_signals signals;                        /* that cores of a linked device have given */
    uint32_t cross_ids, sync_all_ids;                   /* counters that the kernel uses; that ptog_core_sync_all uses */
    bool failed;                                        /* out of memory somewhere: the report is not complete */
    struct ptog_legality_cache own_legality, *legality; /* the latter may be somebody else's */
};

/* What the trace will show of UB: writes that are under way, and the bytes that it has shown. */
struct ptog_arrival {
    double time;
    struct ptog_access access;
};
struct ptog_arrivals {
    struct ptog_arrival *list;
    size_t count, room;
    unsigned char *shown; /* all of UB; NULL: nothing is shown */
};

struct ptog_core {
    struct ptog_device *device;
    uint32_t block, subblock;
    bool cube; /* a cube core; else a vector core */
    struct ptog_where where;      /* strings are the names' */
    struct ptog_kept_where *kept; /* the same, of a caller that keeps it; NULL: it does not */
    char *file, *text;
    struct ptog_direct direct;        /* host and cpu, which have no machine: nothing below is used but GM */
    struct ptog_memory issued, timed; /* the two memories: in issue order, in simulated time */
    struct ptog_memory *peers[PTOG_PEERS];    /* `issued` of other cores of the block, once it sends them something */
    struct ptog_timeline timeline;
    double shown_at; /* where the trace shows findings: when S came to the instruction, or entry, at hand */
    struct ptog_pipes pipes;
    struct ptog_observer observer;
    struct ptog_sanitizer *sanitizer; /* NULL: nothing is checked */
    struct ptog_recent recent;        /* lines of GM */
    struct ptog_log log, possible;    /* what the current instruction touches; and could, with other data */
    struct ptog_dma_list dmas, timed_dmas;
    uint64_t value; /* the number that the last tgetval gave, in simulated time */
    struct ptog_stats stats;
    struct ptog_automatic automatic;
    struct ptog_static_ub static_ub;
    struct ptog_track *track; /* of the trace; NULL: none */
    struct ptog_watcher watcher;
    struct ptog_arrivals arrivals; /* of the trace, too */
    struct ptog_resolved_cache resolved;
    ptog_diags *diags; /* of the verifier, for one instruction */
    uint64_t insn;     /* the number of the current instruction */
    uint64_t instructions;
    uint32_t site;
    const char *named; /* the instruction that `site` is for, at `where`; NULL: another place */
    bool hangs;
    struct ptog_unit_flags unit_flags;
    struct ptog_cross *cross; /* of a linked device */
    struct ptog_core_fifos *fifos; /* NULL: it has opened none */
};

/* Begins an instruction: its number and its site. PTOG_OK, or why it can not be issued. */
enum ptog_status ptog_core_begin(struct ptog_core *core, const char *name);

/* Issues a verified instruction whose extents are known. */
enum ptog_status ptog_core_issue(struct ptog_core *core, const struct ptog_known_insn *known);

/* Performs an instruction where there is no machine: at once, by its plan or, without one, as `known` says. */
enum ptog_status ptog_core_perform(struct ptog_core *core, const struct ptog_insn *insn, const ptog_plan *plan,
                                   const struct ptog_known_insn *known);

/* The bytes of an instruction where there is no machine, and the instruction done on them by its plan. */
struct ptog_run ptog_core_buffers(struct ptog_core *core, const struct ptog_insn *insn);
enum ptog_status ptog_core_perform_plan(struct ptog_core *core, const struct ptog_insn *insn, const ptog_plan *plan,
                                        const struct ptog_run *run);

/* S spends so many cycles on the instruction at hand. */
void ptog_core_spend(struct ptog_core *core, enum ptog_period_kind kind, double cycles);

/* Puts an entry into its queue, as part of the current instruction. `work` may be NULL: see ptog_pipes_issue. */
void ptog_core_enter(struct ptog_core *core, struct ptog_event *event, struct ptog_work *work);

/* Reports what is wrong with an argument of a call; `core` may be NULL. Returns PTOG_BAD_ARGUMENT. */
enum ptog_status ptog_core_bad_argument(struct ptog_core *core, const char *call, const char *argument,
                                        const char *problem);

/* The faults of lanes and transfers in the core's log, as findings. What the verifier said of the
 * same instruction is not said again; `known` is NULL where there is no machine. */
void ptog_core_judge_log(struct ptog_core *core, const struct ptog_insn *insn, const struct ptog_known_insn *known);

/* Says that a scalar of so many bytes at `offset` lies outside its buffer, as an element when it is one. */
void ptog_core_judge_scalar(struct ptog_core *core, int gm, uint64_t offset, size_t bytes);

/* What the verifier said in core->diags, as findings. */
void ptog_core_judge_operands(struct ptog_core *core);

void ptog_core_add_stats(struct ptog_core *core, const struct ptog_stats *stats);

/* The timeline of a core, when its device is traced: from its beginning to its end. False when out of memory. */
bool ptog_core_trace(struct ptog_core *core);
void ptog_core_trace_end(struct ptog_core *core);

/* A tile that has its bytes before the first instruction; and, at the end, what all tiles are. */
void ptog_core_trace_preset(struct ptog_core *core, uint64_t at, uint64_t bytes);
void ptog_device_trace_tiles(struct ptog_device *device);

/* The instruction that begins: spans and findings that follow are its. */
void ptog_core_trace_begin(struct ptog_core *core);

/* A core without a machine, as those of host and cpu are. */
static inline bool ptog_core_is_direct(const struct ptog_core *core)
{
    return core->device->is_direct;
}

static inline bool ptog_core_ended(const struct ptog_core *core);

/* What a call returns that came to its end. */
static inline enum ptog_status ptog_core_status(const struct ptog_core *core)
{
    if (ptog_core_ended(core))
        return PTOG_FAULT;
    return PTOG_OK;
}

/* A core that has ended takes no more instructions. */
static inline bool ptog_core_ended(const struct ptog_core *core)
{
    return core->pipes.dead || core->hangs;
}

#endif
