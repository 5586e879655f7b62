/* A simulated device: global memory, vector cores, pipes and flags, as the documents of a2a3, a5 and a5-custom describe
 * them. A kernel is written as for the device, one call per instruction:
 *
 *     ptog_device_open(&dev, ptog_target_find("a2a3"), NULL);
 *     int table = ptog_device_input(dev, "table", data, data_bytes), ids = ptog_device_input(dev, "ids", i, i_bytes);
 *     int out = ptog_device_buffer(dev, "out", result, result_bytes);
 *     ptog_core_open(&core, dev, 0);
 *     ptog_core_at(core, "embed.c", __LINE__);
 *     ptog_core_load(core, &load_idx, ids, 0);
 *     ptog_core_set_flag(core, PTOG_MTE2, PTOG_V, 0);
 *     ptog_core_wait_flag(core, PTOG_MTE2, PTOG_V, 0);
 *     ptog_core_mgather(core, &op, table, 0, NULL);
 *     ptog_core_store(core, &store_dst, out, 0);
 *     ptog_core_close(core);
 *     ptog_device_report(dev, diags);
 *
 * Every run is judged twice. In issue order, as if each access completed at once: values, addresses, definedness, and
 * by happens-before, races and flags. That pass alone makes the report, so the report is the same for all timings. In
 * simulated time, where a transfer moves its bytes when it completes: that pass alone makes the bytes that the caller
 * sees, the cycles and the statistics, so a missing flag shows the stale bytes that a device would show.
 *
 * host and cpu have no machine: there an instruction does what it means, at once; flags and barriers do nothing, the
 * on-chip buffer is as large as the tiles need, and the report has refused operands and faults of lanes.
 *
 * A device and its cores belong to one thread at a time. Nothing here is measured on hardware. */
#ifndef PTOG_CORE_H
#define PTOG_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ptog/diag.h>
#include <ptog/pipe.h>
#include <ptog/plan.h>
#include <ptog/report.h>
#include <ptog/status.h>
#include <ptog/target.h>

/* Global memory and everything that was found out; and one block of a kernel on it. */
typedef struct ptog_device ptog_device;
typedef struct ptog_core ptog_core;

/* How long transfers take in simulated time. The report does not depend on it. */
enum ptog_schedule {
    PTOG_SCHEDULE_COST = 0,   /* the cost table; the default */
    PTOG_SCHEDULE_FAST = 1,   /* loads complete at once, stores late: a write overtakes a read that should be first */
    PTOG_SCHEDULE_SLOW = 2,   /* loads complete late, stores at once: a read overtakes a write that should be first */
    PTOG_SCHEDULE_RANDOM = 3, /* random factors from `seed`; transfers of one pipe may overtake each other */
    /* Everything ends before the next instruction is issued, but for the instructions of `late`. With none, accesses
     * happen in the order of issue; with one of a race's two instructions late, the other comes first. */
    PTOG_SCHEDULE_WITNESS = 4,
};

/* How long the transfers of one instruction take, under PTOG_SCHEDULE_WITNESS. The witness of a race (struct ptog_diag)
 * is such a latency: give it back here, and the run shows the wrong bytes. */
struct ptog_latency {
    uint32_t block;
    uint32_t instruction; /* of the block, from 1, as they are issued: flags and barriers count too */
    double cycles;        /* at most PTOG_LATE, which ends after everything that does not wait for it */
    uint64_t reserved;
};
#define PTOG_LATE 1e12

/* How the kernel was started. Only a5 minds: a SIMT launch needs the context that the standard launch sets up. */
enum ptog_launch {
    PTOG_LAUNCH_STANDARD = 0,
    PTOG_LAUNCH_DIRECT = 1, /* through a function pointer: no SIMT context */
};

/* A row of the cost table with another number, from 0 to PTOG_LATE: `name` as ptog_cost_at gives it. A row of other
 * targets changes nothing. A clock is above 0. */
struct ptog_cost_override {
    const char *name;
    double cycles;
    uint64_t reserved;
};

/* How a device behaves. Zero is the default of every field; the pointers are looked at during ptog_device_open, all but
 * the sink of the trace, which is used until the device is closed. */
struct ptog_device_options {
    enum ptog_schedule schedule;
    uint64_t seed;
    uint64_t dyn_ub; /* dynUBufSize of the launch, a5; 0: not given */
    enum ptog_launch launch;
    bool no_sanitize;           /* no races, no definedness, no flag protocol: bytes, faults of lanes, cycles only */
    uint64_t most_instructions; /* a core that issues more is ended; 0: 2^28, beyond that the report is not complete */
    const struct ptog_cost_override *costs;
    size_t cost_count;
    const struct ptog_sink *trace;   /* where the timeline goes, see ptog_device_end_trace; NULL: none */
    const struct ptog_latency *late; /* of PTOG_SCHEDULE_WITNESS */
    size_t late_count;
    bool automatic; /* flags and barriers that are missing are inserted, see ptog_core_place; always with the checks */
    bool cube;      /* its cores are cube cores, with their memories and pipes; else vector cores. host and cpu: both */
    bool linked;    /* its cores wait for each other: all cores of a launch are open at once */
    bool trace_drawings; /* the trace has pictures of instructions, for ptog_report_page: see ptog_device_end_trace */
    bool trace_short;    /* events beyond PTOG_PAGE_TRACE bytes are left out: enough for ptog_report_page */
    enum ptog_spelling spelling; /* how the report writes flags and barriers */
    uint32_t threads;            /* of a large gather on host and cpu, at most; 0: 1. The result does not change */
    uint64_t reserved[3];
};

/* PTOG_OK: *device is the caller's, to be closed after its cores. PTOG_BAD_ARGUMENT: NULL, an unknown
 * cost, or a number that is none. PTOG_NO_MEMORY. `options` may be NULL. Strings are copied. */
PTOG_API enum ptog_status ptog_device_open(ptog_device **device, const struct ptog_target *target,
                                           const struct ptog_device_options *options);

/* Closes a device whose cores are closed, and ends its trace. The caller's buffers hold what was stored. NULL is fine.
 */
PTOG_API void ptog_device_close(ptog_device *device);

/* Global memory. The bytes stay the caller's and must outlive the device; stores arrive in them when the simulated
 * transfer completes, at the latest in ptog_core_close. An input is never stored to: a store to it is refused with
 * PTOG_BAD_ARGUMENT, and reading it costs less. Returns a handle, or -1 when out of memory or `data` is NULL. */
PTOG_API int ptog_device_buffer(ptog_device *device, const char *name, void *data, size_t bytes);
PTOG_API int ptog_device_input(ptog_device *device, const char *name, const void *data, size_t bytes);

/* A boundary between two launches: everything before it is complete, in GM and for everyone. Cores are closed. */
PTOG_API void ptog_device_sync(ptog_device *device);

/* One block. Blocks run in any order and are not ordered with each other; several may be open at once. The statuses are
 * those of ptog_device_open. */
PTOG_API enum ptog_status ptog_core_open(ptog_core **core, ptog_device *device, uint32_t block);

/* One of the vector cores of a block, which share its number and GM, but not UB: `subblock` is 0 or 1. A block with one
 * core has sub-block 0 alone. */
PTOG_API enum ptog_status ptog_core_open_subblock(ptog_core **core, ptog_device *device, uint32_t block,
                                                  uint32_t subblock);

/* The cube core of a block whose vector cores are its sub-blocks. All cores of such a block are open at once. */
PTOG_API enum ptog_status ptog_core_open_cube(ptog_core **core, ptog_device *device, uint32_t block);

/* Waits for everything, judges what is left over, and frees the core. */
PTOG_API void ptog_core_close(ptog_core *core);

/* The place of the calls that follow, until the next one. The strings are copied; an origin is, too, but only when a
 * call is made, and has to live until then. */
PTOG_API void ptog_core_at(ptog_core *core, const char *file, uint32_t line);
PTOG_API void ptog_core_where(ptog_core *core, const struct ptog_where *where);

/* The valid region of a tile from packed row-major bytes, before the first instruction: defined, and ordered before
 * everything. PTOG_OK; PTOG_BAD_ARGUMENT: the tile has no address, its extents are not known, or it does not fit. */
PTOG_API enum ptog_status ptog_core_preset(ptog_core *core, const struct ptog_tile *tile, const void *data);

/* The valid region as it is once everything issued so far has completed, in packed row-major order. Looking is not an
 * access: it races with nothing. The statuses are those of ptog_core_preset. */
PTOG_API enum ptog_status ptog_core_peek(ptog_core *core, const struct ptog_tile *tile, void *data);

/* Where a target has no machine (host, cpu, cpusim), instructions are complete when they are issued, and this is the
 * on-chip buffer itself, from `addr` on, with at least `bytes` bytes; NULL on targets with a machine, and when out of
 * memory. It stays where it is until the core is closed, unless a tile ends past 2 MiB. */
PTOG_API void *ptog_core_ub(ptog_core *core, uint64_t addr, uint64_t bytes);

/* Automatic mode (struct ptog_device_options). Before each instruction the core puts the pairs of flags and the
 * barriers without which it would race with earlier ones, and none that can be left out. Flags of the kernel's own
 * still count. ptog_core_place gives a tile that has no address the next free one, on a 32-byte block. PTOG_OK;
 * PTOG_NO_ROOM: UB is full; PTOG_BAD_ARGUMENT: not in automatic mode, or the tile has an address, or extents that are
 * not known. */
PTOG_API enum ptog_status ptog_core_place(ptog_core *core, struct ptog_tile *tile);

/* Any instruction. Tiles are placed; `buffer` and `offset` of a view say where it starts. `extents`, which may be NULL,
 * gives the PTOG_DYN extents of the operands as in ptog_plan_run; buffers in it are not looked at.
 *   PTOG_OK            issued; faults are in the report
 *   PTOG_ILLEGAL       the verifier refuses the operands: reported, and skipped
 *   PTOG_NO_ROOM       TGATHER by comparison: a row has more matches than dst has columns; skipped
 *   PTOG_FAULT         the core has ended: deadlock, hang, or too many instructions; skipped
 *   PTOG_BAD_ARGUMENT  NULL, a tile without an address, a view of no buffer, a store to an input, a reserved word:
 *                      reported as `bad-argument`, with the name of the argument, and skipped
 *   PTOG_NO_MEMORY     the report will not be complete, and says so
 * What is skipped has no effect on memory, and counts as an instruction only from PTOG_ILLEGAL on. The calls below,
 * down to the barrier, have the same statuses. */
PTOG_API enum ptog_status ptog_core_insn(ptog_core *core, const struct ptog_insn *insn, const struct ptog_run *extents);

/* The same for the descriptions with names. `gm` is the handle of a buffer, `offset` the byte where the view starts. */
PTOG_API enum ptog_status ptog_core_load(ptog_core *core, const struct ptog_transfer *op, int gm, uint64_t offset);
PTOG_API enum ptog_status ptog_core_store(ptog_core *core, const struct ptog_transfer *op, int gm, uint64_t offset);
PTOG_API enum ptog_status ptog_core_mgather(ptog_core *core, const struct ptog_mgather *op, int gm, uint64_t offset,
                                            const struct ptog_run *extents);
PTOG_API enum ptog_status ptog_core_tgather(ptog_core *core, const struct ptog_tgather *op,
                                            const struct ptog_run *extents);
/* TGATHER by comparison with one scalar for all rows: `k` points to its bits, of the type of the source; op->k is not
 * looked at. */
PTOG_API enum ptog_status ptog_core_tgather_scalar(ptog_core *core, const struct ptog_tgather *op, const void *k,
                                                   const struct ptog_run *extents);

/* One element of a tile, by its number as it is stored, padding included: TGETVAL and TSETVAL. S loads it at once (its
 * value is that of simulated time), or stores it; neither has flags of its own, so a kernel owes those from and to S.
 * `value` is an element of the tile's type; what is skipped gives 0xAA in every byte. */
PTOG_API enum ptog_status ptog_core_get_value(ptog_core *core, const struct ptog_tile *tile, uint64_t element,
                                              void *value);
PTOG_API enum ptog_status ptog_core_set_value(ptog_core *core, const struct ptog_tile *tile, uint64_t element,
                                              const void *value);

/* The pairs that the last TMRGSORT of lists took of each, if it was to end when a list is used up; on cpu of any. Zeros
 * where there was none. */
PTOG_API enum ptog_status ptog_core_merged(const ptog_core *core, uint16_t counts[4]);

/* Scalar accesses of GM, 1 to 8 bytes. A load completes at issue (its value is that of simulated time); a store
 * is complete for whoever waits for a later set_flag from S, and for everyone at a barrier(ALL). Outside the buffer:
 * 0xAA, or nothing is stored; reported. */
PTOG_API enum ptog_status ptog_core_load_scalar(ptog_core *core, int gm, uint64_t offset, size_t bytes, void *value);
PTOG_API enum ptog_status ptog_core_store_scalar(ptog_core *core, int gm, uint64_t offset, size_t bytes,
                                                 const void *value);

/* The data cache of S: 64-byte lines that S and the instructions which run on it (MGATHER and MSCATTER of elements on
 * a2a3) go through, and DMA does not see. ptog_core_dcci writes back and forgets the line at `offset` of a buffer, or
 * with `gm` below 0 all lines; what it writes back is in GM after ptog_core_dsb. Bytes are the same with and without
 * them: where they are missing, the run reports scalar-stale and scalar-unflushed. */
PTOG_API enum ptog_status ptog_core_dcci(ptog_core *core, int gm, uint64_t offset);
PTOG_API enum ptog_status ptog_core_dsb(ptog_core *core);

/* Synchronisation. Wrong pipes and ids are reported and have no effect; a barrier on a number that is no pipe is
 * PTOG_BAD_ARGUMENT. */
PTOG_API enum ptog_status ptog_core_set_flag(ptog_core *core, enum ptog_pipe src, enum ptog_pipe dst, int id);
PTOG_API enum ptog_status ptog_core_wait_flag(ptog_core *core, enum ptog_pipe src, enum ptog_pipe dst, int id);
PTOG_API enum ptog_status ptog_core_barrier(ptog_core *core, enum ptog_pipe pipe);

/* Counters between the cores of a device that is `linked`: each core has 16, which start at 0. A set is an entry of a
 * pipe; when everything before it on that pipe is complete, it adds 1:
 *   mode 2   of the cube core: on the vector cores of its block; of a vector core: on the cube core of its block, when
 *            all vector cores of the block have set it
 *   mode 1   on the vector cores of the block, when all of them have set it
 *   mode 0   on all cube cores, or all vector cores, of the device, when all of them have set it
 * A wait takes 1. At 0 the core stands still: PTOG_BLOCKED, and the same call is made again after other cores have gone
 * on. What came before the set on its pipe is complete for everything that the core issues after the wait. */
PTOG_API enum ptog_status ptog_core_cross_set(ptog_core *core, enum ptog_pipe pipe, int id, int mode);
PTOG_API enum ptog_status ptog_core_cross_wait(ptog_core *core, int id);

/* Flags between the cube core of a block and one of its vector cores, as A5 has them. The cube core has 32: 0 to 15 are
 * for vector core 0, 16 to 31 for vector core 1; a vector core has 16. A set adds 1 to the flag of that number on the
 * other side. Of the core that waits, `pipe` alone is held back and ordered; the core itself stands still, too, while
 * nothing was set: PTOG_BLOCKED as above. */
PTOG_API enum ptog_status ptog_core_intra_set(ptog_core *core, enum ptog_pipe pipe, int id);
PTOG_API enum ptog_status ptog_core_intra_wait(ptog_core *core, enum ptog_pipe pipe, int id);

/* A barrier on all pipes, then the core waits until all cores of these have come here: PTOG_BLOCKED as above. */
enum ptog_all { PTOG_ALL_VECTOR = 0, PTOG_ALL_CUBE = 1, PTOG_ALL_CORES = 2 };
PTOG_API enum ptog_status ptog_core_sync_all(ptog_core *core, enum ptog_all cores);

/* No core of the device can go on: what each of them waits for is reported as `deadlock`, and those that wait have
 * ended. */
PTOG_API void ptog_device_deadlock(ptog_device *device);

/* What the closed cores did wrong, added to `diags`: one entry per fault, place and other place, with a count; in the
 * order of first occurrence. PTOG_OK, PTOG_NO_MEMORY (here, or earlier while collecting: the list is not complete). */
PTOG_API enum ptog_status ptog_device_report(const ptog_device *device, ptog_diags *diags);

/* How many errors there are so far, also of open cores: different ones, as the report counts them. Cheap enough to be
 * called after each instruction. */
PTOG_API size_t ptog_device_errors(const ptog_device *device);

/* Sums over the closed cores; `cycles` is that of the slowest. Every figure is an estimate: counts are those of the
 * model, cycles come from the cost table below. Without a device, NULL, all of them are left as they are. */
struct ptog_stats {
    double cycles, mhz;
    uint64_t instructions, sets, waits, barriers;
    double wait_cycles;             /* S and the queues, held by flags */
    double busy_cycles[PTOG_PIPES]; /* by enum ptog_pipe; of core_cycles, so that a share is at most 1 */
    uint64_t dmas, bursts, dropped_bursts;
    uint64_t gm_read_bytes, gm_write_bytes; /* useful ones */
    uint64_t scalar_loads, scalar_stores;   /* loads of S from GM; its stores to GM, and to UB by instructions */
    uint64_t launches, warps, idle_lanes;   /* SIMT; a lane is idle in a step that gives it no element */
    uint64_t transactions;                  /* of 128 bytes; efficiency is transaction_bytes / (128 * transactions) */
    uint64_t transaction_bytes;
    uint64_t ub_top;           /* the highest byte of UB that a tile reached, plus one */
    uint64_t inserted;         /* pairs of flags, and barriers, that automatic mode put in */
    uint64_t ub_static;        /* bytes of UB under tiles that the compiler placed */
    uint64_t line_hits;        /* transactions with a line that was read a short while ago */
    uint64_t policy_steps;     /* indices that a policy was applied to */
    uint64_t most_outstanding; /* copies of a Row gather that were under way at once */
    double core_cycles;        /* cycles of all cores together */
    uint64_t reserved[7];
};
PTOG_API void ptog_device_stats(const ptog_device *device, struct ptog_stats *stats);

/* The timeline: Chrome trace event JSON, which Perfetto (https://ui.perfetto.dev) and speedscope open. A process per
 * core, a lane per pipe; boxes for work, waits and barriers, arrows from each set of a flag to its wait, instants for
 * what is reported, and a counter of the bytes of UB that somebody will still read. It is written as it happens; memory
 * does not grow with it. It is complete after this call, which ptog_device_close makes, too; cores are closed.
 * With `trace_drawings` it also has each tile instruction as ptog/drawing.h draws it, the first time that it runs; up to
 * 1 MiB of pictures. */
PTOG_API void ptog_device_end_trace(ptog_device *device);

/* Who sits where in UB: one entry per tile of the closed cores, by address. False past the end. The strings live as
 * long as the device. */
struct ptog_ub_entry {
    uint64_t addr, bytes;
    enum ptog_dtype dtype;
    int64_t rows, cols;
    const char *operand;           /* of the first instruction that used it; "preset": none has */
    struct ptog_where first, last; /* the first and the last use */
    uint64_t uses;
    bool is_static;   /* placed by the compiler; else dynamic: its address was given */
    const char *name; /* what the program calls it, as "%idx"; NULL: not known */
    uint64_t reserved[3];
};
PTOG_API bool ptog_device_ub_at(ptog_device *device, size_t i, struct ptog_ub_entry *entry);

/* How the launch of the closed cores shared UB: static memory, dynamic memory (dynUBufSize, or what the other tiles
 * reach when none was given), and on machines with SIMT launches, up to the end of UB, the reserved region and the data
 * cache, at the size that the launch left it; without a launch there is no cache. */
struct ptog_ub_layout {
    uint64_t static_bytes, dynamic_bytes;
    uint64_t reserved_at, reserved_bytes;
    uint64_t cache_at, cache_bytes;
    uint64_t reserved[4];
};
PTOG_API void ptog_device_ub_layout(const ptog_device *device, struct ptog_ub_layout *layout);

/* The fault table of the machine; the faults of single lanes are ptog_fault_info_at. NULL past the end / unknown. */
struct ptog_machine_fault {
    const char *id; /* "race-raw" */
    enum ptog_severity severity;
    const char *what;       /* what happened */
    const char *why;        /* what it would do on a device */
    const char *documented; /* where */
    bool simt;              /* only on machines where gathers are SIMT launches: a5, a5-custom */
    bool launch;            /* of kernels in C++, on every target */
    bool unjudged;          /* as in struct ptog_diag: a limit ended the core */
};
PTOG_API const struct ptog_machine_fault *ptog_machine_fault_at(size_t i);
PTOG_API const struct ptog_machine_fault *ptog_machine_fault_find(const char *id);

/* The cost table: each figure with its source; "assumed" where nothing is published. NULL past the end. A table row
 * gives cycles at a number of bytes; an override replaces single figures (points == 0). */
struct ptog_cost {
    const char *name;
    uint32_t targets; /* ptog_target.bit bits */
    double cycles;    /* a single figure */
    const double (*points)[2];
    size_t point_count; /* {bytes, cycles}, increasing; between them a straight line */
    const char *source;
};
PTOG_API const struct ptog_cost *ptog_cost_at(size_t i);

#endif
