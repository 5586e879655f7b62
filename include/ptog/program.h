/* Programs: PTO text in any of its forms, parsed from memory, checked, printed, run with the caller's buffers. Nothing
 * here needs a file system, prints, or keeps state outside its handles.
 *
 *     ptog_program *program = NULL;
 *     if (ptog_program_parse(&program, "embed.pto", text, size, diags) == PTOG_OK) {
 *         struct ptog_binding given[] = {{.name = "table", .data = {table, bytes}, .dtype = PTOG_F32}, ...};
 *         struct ptog_execution how = {.target = ptog_target_find("a2a3"), .bindings = given, .binding_count = 3};
 *         status = ptog_program_run(program, &how, diags, NULL);
 *     }
 *     ptog_report_text(diags, &sink);            // whatever happened is in there, at its line and column
 *     ptog_program_free(program);
 *
 * A program that was parsed is read-only: several threads may check, print and run it at once, each with a list of
 * diagnostics, an execution and buffers of its own. */
#ifndef PTOG_PROGRAM_H
#define PTOG_PROGRAM_H

#include <ptog/core.h>
#include <ptog/diag.h>
#include <ptog/plan.h>
#include <ptog/report.h>
#include <ptog/status.h>
#include <ptog/target.h>

/* A text that was read: its statements, functions and modules. */
typedef struct ptog_program ptog_program;

/* Reads a program: PTO-AS, level 1, levels 2 and 3, generic MLIR form, one or several functions or bare statements.
 * `name` stands in diagnostics; bytes are copied. PTOG_OK (diags may hold warnings); PTOG_ILLEGAL: there are errors,
 * and *program is NULL; PTOG_NO_MEMORY; PTOG_BAD_ARGUMENT: 4 GiB of text or more. */
PTOG_API enum ptog_status ptog_program_parse(ptog_program **program, const char *name, const void *bytes, size_t size,
                                             ptog_diags *diags);

/* NULL is fine. Results of its runs may outlive it, but for ptog_result_program. */
PTOG_API void ptog_program_free(ptog_program *program);

/* The target that the attributes pto.target_arch or pto.device-spec of the first module that has one name; NULL when
 * none does. Each function is checked, and run, for the target of its own module. */
PTOG_API const struct ptog_target *ptog_program_target(const ptog_program *program);

/* ---- walking ----
 *
 * For tools that want to know what is in a program without reading PTO themselves: editors, counters, graders. */

/* One operation as a visitor sees it. Strings live as long as the program. */
struct ptog_op_seen {
    const char *name; /* "pto.mgather" */
    bool modelled;    /* the library can run it */
    int depth;        /* regions around it */
    uint32_t line, column;
    size_t result_count, operand_count;
    const char *const *results;  /* names without '%' */
    const char *const *operands; /* values only, in the order of the text */
};

/* Calls `visit` for every operation in the order of the text, until it returns false. */
PTOG_API enum ptog_status ptog_program_walk(const ptog_program *program,
                                            bool (*visit)(void *user, const struct ptog_op_seen *op), void *user);

/* ---- printing ----
 *
 * Comments and single empty lines are kept. What was read and is printed in the form it was written in says the same,
 * and printing it again gives the same bytes. */

/* The forms in which programs are written. */
enum ptog_form_text {
    PTOG_AS_WRITTEN = 0, /* every operation in the form it was written in */
    PTOG_AS_DPS = 1,     /* levels 2 and 3, canonical: short types, defaults omitted */
    PTOG_AS_SSA = 2,     /* level 1 */
    PTOG_AS_ASM = 3,     /* PTO-AS */
};

/* PTOG_ILLEGAL: the form cannot say all of it; diags name the statements and nothing was written. */
PTOG_API enum ptog_status ptog_program_print(const ptog_program *program, enum ptog_form_text form,
                                             const struct ptog_sink *sink, ptog_diags *diags);

/* ---- checking ----
 *
 * Checking walks every function once, without data: types, operands, places, names. What depends on data, races and
 * indices out of range, is found by running. */

/* Where compilers, libraries and documents differ, a program runs as the documents say, with a note or a warning
 * (ptog_rule.strict). A strict program keeps to what all of them accept: then these are errors, and it does not run. To
 * be called before the program is checked or run. */
PTOG_API void ptog_program_be_strict(ptog_program *program, bool strict);

/* Everything that is wrong with the program on `target` (NULL: its own, or host). PTOG_OK or PTOG_ILLEGAL. */
PTOG_API enum ptog_status ptog_program_check(const ptog_program *program, const struct ptog_target *target,
                                             ptog_diags *diags);

/* ---- running ----
 *
 * On host and cpu a program does what it means. On a2a3, a5 and a5-custom it runs on the machine of ptog/core.h: its
 * report is about all timings, its bytes are those of the schedule. */

/* A name of the program and what it stands for: a function's argument, or a free operand of a snippet, without '%'.
 * A pointer, view or memref takes `data`; a tile takes `data` too, in logical row-major order of its valid region, and
 * is defined before the first instruction; a number takes `number`, or `real` when that is not 0 and the operand is a
 * floating-point number. Elided parts of its type come from dtype and shape. */
struct ptog_binding {
    const char *name;
    struct ptog_buf data;
    enum ptog_dtype dtype; /* PTOG_DTYPE_NONE: not known, raw bytes */
    int rank;              /* 0: not known */
    int64_t shape[5];
    bool is_number; /* `number` or `real` is meant; else `data` */
    int64_t number; /* of an index or an integer */
    double real;    /* of a floating-point argument */
    bool read_only; /* a program that stores to `data` is refused */
    /* bytes that the caller allocated for the run because of it, such as generated data: max_memory counts them */
    uint64_t allocated;
    uint64_t reserved[1];
};

/* An MGATHER or TGATHER that is about to run, with all extents known, and its bytes as ptog_plan_run takes them: a
 * TGATHER's source up to the end of the on-chip buffer. Valid during the call, and only to be read. */
struct ptog_gather_seen {
    const char *name; /* "pto.mgather" */
    uint32_t line, column;
    const struct ptog_mgather *mgather; /* NULL: the other one */
    const struct ptog_tgather *tgather;
    const struct ptog_run *run;
    const struct ptog_where *origin; /* the author's own line: see struct ptog_where */
};
/* A tile instruction that is about to run, with its bytes, as above; or the access of a scalar in global memory, of
 * which `insn` is NULL and `data` points into the buffer that is bound. */
struct ptog_access_seen {
    const struct ptog_insn *insn;
    const struct ptog_run *run;
    const void *data;
    size_t bytes;
    bool stores;
    const char *name; /* of an instruction: "pto.tload", where it stands, and what it runs on */
    uint32_t line, column;
    const struct ptog_target *target;
    const struct ptog_where *origin;
    const int64_t *waits_for; /* of a wait for a signal: a value with which it goes on; NULL: it is none */
};

/* Whom a run tells of its gathers and accesses before they happen: for tools that want to know where bytes come from.
 */
struct ptog_gather_watch {
    void (*gathers)(void *user, const struct ptog_gather_seen *seen); /* NULL: nobody looks at gathers */
    void *user;
    void (*accesses)(void *user, const struct ptog_access_seen *seen); /* every instruction; NULL likewise */
    uint64_t reserved[2];
};

/* What struct ptog_flow_seen is about. */
enum ptog_flow_kind {
    PTOG_FLOW_OP = 0,      /* an operation is about to be executed */
    PTOG_FLOW_BRANCH = 1,  /* an scf.if: `value` is its condition, 0 or 1 */
    PTOG_FLOW_LOOP = 2,    /* a loop came to its end: `value` is the number of its turns */
    PTOG_FLOW_COMPARE = 3, /* an arith.cmpi of the numbers `value` and `other` */
};

/* A step on the way that a run takes through the program. */
struct ptog_flow_seen {
    enum ptog_flow_kind kind;
    uint32_t op; /* the operation's number, from 0, in the order of ptog_program_walk */
    int64_t value, other;
    int64_t block; /* that executes it */
    uint64_t reserved[2];
};

/* Whom a run tells how far it is. `at` is called at the beginning of a turn of a loop, after `done` operations of
 * `most`. `line` is the loop's. Returns after how many more operations it is called again; 0 ends the run, with
 * the id limit-steps. `flow` is called for every step, also of the runs that look for flags and fixes. Either may be
 * NULL. */
struct ptog_progress {
    uint64_t (*at)(void *user, uint64_t done, uint64_t most, uint32_t line);
    void *user;
    void (*flow)(void *user, const struct ptog_flow_seen *seen);
    uint64_t reserved[1];
};

/* What max_steps, max_work and max_memory of a run are when they are 0. */
#define PTOG_DEFAULT_MAX_STEPS UINT64_C(10000000)
#define PTOG_DEFAULT_MAX_WORK (UINT64_C(1) << 32)
#define PTOG_DEFAULT_MAX_MEMORY (UINT64_C(1) << 31)

/* A run. Zero is the default of every field: NULL for the whole struct is a run without bindings on the program's own
 * target. */
struct ptog_execution {
    const struct ptog_target *target; /* NULL: the program's own, or host */
    const char *function;             /* NULL: the only one */
    const struct ptog_binding *bindings;
    size_t binding_count;
    int64_t blocks;     /* 0: one */
    uint64_t max_steps; /* 0: 10,000,000 operations; see max_work */
    /* the machine of a2a3, a5 and a5-custom, as in struct ptog_device_options */
    enum ptog_schedule schedule;
    enum ptog_launch launch;
    uint64_t seed;
    uint64_t dyn_ub;
    bool no_sanitize;
    bool trace_drawings, trace_short;
    const struct ptog_sink *trace;         /* complete when ptog_program_run returns; empty on a target without pipes */
    const struct ptog_gather_watch *watch; /* called for every gather; then nothing is simulated, on any target */
    const struct ptog_latency *late;
    size_t late_count;
    const struct ptog_progress *progress; /* NULL: nobody wants to know */
    uint32_t threads;                     /* of a large gather on host and cpu, at most; 0: 1 */
    uint32_t subblocks;                   /* vector cores of each block, 1 or 2: see ptog_core_open_subblock; 0: 1 */
    /* A run that exceeds max_steps, max_work or max_memory is ended where it is: PTOG_ILLEGAL, with an entry
     * limit-steps, limit-work or limit-memory that is `unjudged`. What was found until then is reported, too. */
    uint64_t max_work;   /* bytes that instructions touch, of all blocks; starting a block counts. 0: 2^32 */
    uint64_t max_memory; /* bytes allocated to simulate it, with `allocated` of its bindings; 0: 2^31 */
    bool *started;       /* set to true when the target takes the program, and it begins to run; NULL: not wanted */
    uint64_t reserved[1];
};

/* What a run left behind: the tiles, for dumping; of the machine, its figures and its map of UB. It belongs to the
 * caller, and is freed with ptog_result_free, which takes NULL. */
typedef struct ptog_result ptog_result;

/* Checks, then runs: on a target with pipes on the machine of ptog/core.h, on the others for its meaning. A program
 * without flags, barriers and events is completed first: it is run, with the buffers restored afterwards, to find the
 * pairs of flags and the barriers it needs, and each that can be left out is (run-auto, ptog_result_program). These
 * come from the checks, so such a program is checked even with no_sanitize. PTOG_ILLEGAL: refused, nothing ran (or it
 * stopped at a step that cannot be run). PTOG_FAULT: it ran to the end, or into a deadlock, with errors. *result is
 * available in both cases that ran; NULL is fine for `result`. For each race the program is run again, on copies, with
 * one of the two instructions late: see ptog_diag.witness. */
PTOG_API enum ptog_status ptog_program_run(const ptog_program *program, const struct ptog_execution *execution,
                                           ptog_diags *diags, ptog_result **result);
PTOG_API void ptog_result_free(ptog_result *result);

/* The program as it ran, in levels 2 and 3: every alloc_tile with its address, and in a program that was completed
 * every flag and barrier. It is complete for what was bound: a branch that was never entered has none. The program must
 * still be there. PTOG_OK; PTOG_ILLEGAL: that form cannot say all of it, see diags; PTOG_NO_MEMORY. */
PTOG_API enum ptog_status ptog_result_program(const ptog_result *result, const struct ptog_sink *sink,
                                              ptog_diags *diags);

/* The text of a program with its flags and barriers repaired for this execution: those it lacks are added, on lines of
 * their own, and those that are wrong replaced, moved or removed; everything else is as it was written. These are the
 * fixes of a run's report, as far as that has the steps to find them. The program is run to find them, and the buffers
 * are restored. Then the program has no fault of order, and stores what it stores when it is executed in the order of
 * its text with its flags left out: on this data, and on three random inputs. PTOG_OK: written, also when there was
 * nothing to repair; run the new text to see what no flag repairs, such as two blocks that
 * store to the same bytes. PTOG_ILLEGAL: refused, or not repaired (run-repair), see diags; nothing is written.
 * PTOG_NO_MEMORY, PTOG_BAD_ARGUMENT. */
PTOG_API enum ptog_status ptog_program_repair(const ptog_program *program, const struct ptog_execution *execution,
                                              const struct ptog_sink *sink, ptog_diags *diags);

/* A tile by its name, as it was at the end (of the last block, where the name was last defined). */
struct ptog_result_tile {
    enum ptog_dtype dtype;
    int64_t rows, cols; /* the valid region */
    uint64_t reserved[2];
};
/* Fills in `tile`. PTOG_OK; PTOG_BAD_ARGUMENT: the result has no tile of that name. */
PTOG_API enum ptog_status ptog_result_tile(const ptog_result *result, const char *name, struct ptog_result_tile *tile);

/* The tiles by number, in no particular order: the name, which lives as long as the result, and the whole descriptor
 * with the padded extents. False past the end. */
PTOG_API bool ptog_result_tile_at(const ptog_result *result, size_t i, const char **name, struct ptog_tile *tile);

/* A tile that got its place from the run, in the order of the text. */
struct ptog_placed {
    const char *name;     /* without %; lives as long as the program */
    uint64_t addr, bytes; /* in its memory */
    enum ptog_loc loc;    /* which memory that is: UB, or one of a cube core */
    uint64_t reserved[1]; /* 0 */
};
/* False past the end. Two in one memory of which bytes are the same are never alive together. */
PTOG_API bool ptog_result_placed_at(const ptog_result *result, size_t i, struct ptog_placed *placed);

/* Copies its valid region in logical row-major order: rows*cols elements. PTOG_BAD_ARGUMENT when `bytes` is another
 * size. */
PTOG_API enum ptog_status ptog_result_copy(const ptog_result *result, const char *name, void *data, size_t bytes);

/* Of a run on the machine: what ptog_device_stats and ptog_device_ub_at say. PTOG_BAD_ARGUMENT, or false: there was no
 * machine, or no such entry. */
PTOG_API enum ptog_status ptog_result_stats(const ptog_result *result, struct ptog_stats *stats);
PTOG_API bool ptog_result_ub_at(const ptog_result *result, size_t i, struct ptog_ub_entry *entry);
PTOG_API bool ptog_result_ub_layout(const ptog_result *result, struct ptog_ub_layout *layout);

/* What has to be bound before a function (NULL: the only one) can run: its arguments, or the free operands of a
 * snippet. */
enum ptog_slot_kind { PTOG_SLOT_MEMORY = 0, PTOG_SLOT_TILE = 1, PTOG_SLOT_NUMBER = 2 };
struct ptog_slot {
    const char *name;
    enum ptog_slot_kind kind;
    enum ptog_dtype dtype; /* PTOG_DTYPE_NONE: elided */
    int rank;              /* 0: not known, as for a pointer */
    int64_t shape[5];      /* PTOG_DYN where not known */
    bool written;          /* the program stores to it */
    bool packed;           /* its elements lie as those of an array of that shape, row after row without gaps */
    uint32_t line, column;
    uint32_t width; /* of an integer, in bits: 1 for i1; 0: it is none */
    uint32_t unused;
    uint64_t reserved[3];
};
/* Finds the slots of a function and keeps them for the two calls below, which do the same when it was not called: but
 * only this one tells PTOG_NO_MEMORY from a function without slots. PTOG_BAD_ARGUMENT: there is no such function. */
PTOG_API enum ptog_status ptog_program_slots(const ptog_program *program, const char *function);

/* The same, when it is known which target the function will be checked or run on: that is then done without another
 * walk over the program. NULL: the function's own target. */
PTOG_API enum ptog_status ptog_program_slots_on(const ptog_program *program, const char *function,
                                                const struct ptog_target *target);

/* Slot i. False past the end, when there is no such function, and when memory runs out. */
PTOG_API bool ptog_program_slot_at(const ptog_program *program, const char *function, size_t i, struct ptog_slot *slot);

/* The slot of a name, without '%'. False when there is none, and as above. */
PTOG_API bool ptog_program_slot_find(const ptog_program *program, const char *function, const char *name,
                                     struct ptog_slot *slot);

/* The function that a run takes when none is named: the only one; the only kernel (pto.entry, pto.kernel, pto.aicore or
 * hacc.entry); or the only one that is neither private nor for the cube core. NULL when that leaves several, or none.
 */
PTOG_API const char *ptog_program_entry(const ptog_program *program);

/* The names of the functions, in the order of the text; NULL past the end. Bare statements are a function called "".
 * The names live as long as the program. */
PTOG_API const char *ptog_program_function_at(const ptog_program *program, size_t i);

#endif
