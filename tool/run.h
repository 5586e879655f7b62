/* tool: what the files of ptog run share: the data that the command line gives a program, and takes from it. */
#ifndef TOOL_RUN_H
#define TOOL_RUN_H

#include "io/file.h"
#include "io/grow.h"
#include "judge.h"
#include "progress.h"
#include "tool.h"

enum run_kind { RUN_IN, RUN_OUT, RUN_INOUT, RUN_SET, RUN_DUMP, RUN_SHOW };

/* One --in, --out, --inout, --set, --dump or --show. */
struct run_item {
    enum run_kind kind;
    const char *command;   /* the subcommand, for messages */
    char *copy;            /* of the argument, cut into name and paths */
    const char *name;      /* without '%' */
    const char *from, *to; /* paths; NULL: none */
    const char *recipe;    /* --in: see struct ptog_recipe; NULL: data from a file */
    int64_t number;        /* --set */
    double real;           /* --set, when it is no whole number; else 0 */
    struct ptog_slot slot; /* what the name stands for; all zero: nothing */
    enum ptog_dtype dtype; /* of the elements below */
    bool generated;        /* its data is in the inputs of the items */
    bool for_show;         /* its shape is, and nothing else says it */
    uint64_t copies;       /* that the command makes of its data, besides what it allocates for it */
    int rank;              /* --out: 0 when no shape was given */
    int64_t shape[5];
    void *file; /* what is to be freed */
    void *data;
    size_t bytes;
};

struct run_items {
    const char *command; /* whose data it is, for messages: "run", "compare", "draw" */
    struct run_item *list;
    size_t count, room;
    ptog_inputs *inputs;                      /* what was generated: items point into it */
    bool made_up;                             /* what is not bound is generated */
    bool silent;                              /* without a note about it */
    const struct ptog_target *const *targets; /* that generated data has to suit; NULL: the target of the run */
    size_t target_count;
};

/* What the command line asks of the machine. */
struct run_machine {
    const char *schedule_text, *launch_text, *dyn_ub_text; /* as given; NULL: not */
    enum ptog_schedule schedule;
    enum ptog_launch launch;
    uint64_t seed, dyn_ub;
    uint32_t cpu_threads; /* PTO_CPU_MAX_THREADS */
    bool no_sanitize, stats, map;
    const char *witness;       /* --witness: the file to write; NULL: none */
    struct ptog_latency *late; /* of a witness; free it */
    size_t late_count, late_room;
};

/* --trace. */
struct run_trace {
    const char *path; /* NULL: not given */
    struct ptog_sink sink;
    struct tool_file file;
    struct tool_why why;
    bool failed;
    size_t used;
    char buffer[1 << 16];
};

/* --report. */
struct run_report {
    const char *path;         /* NULL: not given */
    struct ptog_output trace; /* the timeline, which arrives through run_report_sink */
};

/* A sink that keeps the timeline of the run in `trace`, or as much of its beginning as a page shows; sets that limit.
 */
struct ptog_sink run_report_sink(struct run_report *report);

/* Writes the page, filled with what `result` has (NULL: it did not run); false after a message. */
bool run_report_write(struct run_report *report, struct ptog_page *page, const ptog_result *result);

/* Whether the path suits the other options; false after a message. */
bool run_trace_agrees(const struct run_trace *trace, const struct run_items *items, enum tool_format format);

/* Begins the file; false after a message. Then the sink takes the trace. */
bool run_trace_start(struct run_trace *trace, const struct ptog_target *target);

/* Gives the file its name, or drops it; false after a message. */
bool run_trace_end(struct run_trace *trace, bool keep);

/* Reads the texts; false after a message. */
bool run_machine_take(struct run_machine *machine);

/* How the launch shared UB, in one line on stderr; nothing without a machine. */
void run_machine_print_layout(const ptog_result *result, const struct ptog_target *target);

/* --stats and --ub-map, on stderr. */
void run_machine_print(const struct run_machine *machine, const ptog_result *result, const struct ptog_target *target);

/* Adds an --out without a file: of the shape the program gives it, or "NAME=16x32". False after a message. */
bool run_add_out(struct run_items *items, const char *name);
bool run_take_shape(void *user, const char *text, int kind);

/* --schedule witness:FILE#N reads one witness, --witness FILE writes all of a report; false after a message. */
bool run_witness_read(const char *name, struct run_machine *machine);
bool run_witness_write(const char *path, const ptog_diags *diags);

/* TOOL_OK when it is clear which function runs: `function`, or the program's own choice when that is NULL. Else
 * TOOL_USAGE, after a message. */
int run_choose_function(const char *command, const ptog_program *program, const char *function);

/* For struct tool_option: adds "NAME=..." of a kind; false after a message. */
bool run_take(void *user, const char *text, int kind);
void run_items_free(struct run_items *items);

/* What is wrong with all of them together; false after a message. `path` is the program's. */
bool run_items_agree(const struct run_items *items, const char *path, enum tool_format format);

/* A new item, not counted yet; NULL when out of memory. */
struct run_item *run_new_item(struct run_items *items);

/* Whether a text says how data is made, and is not the name of a file: "arange", "1,2,3", but not "7". */
bool run_is_recipe(const char *text);

/* Generates the data of recipes, and, where that is wanted, of what is not bound. TOOL_OK; TOOL_USAGE after a message;
 * TOOL_WRONG: that takes too much memory, so that nothing can be judged, which `diags` say, or, when it is NULL, a
 * message. */
int run_make_up(struct run_items *items, const ptog_program *program, const struct ptog_execution *execution,
                ptog_diags *diags);

/* Reads what is to be read and makes room for what is to be written; false after a message. */
bool run_load(struct run_items *items, const ptog_program *program, const char *function);

/* Whether the array of an item has the shape of its slot; a flat one of as many elements gets it, which is said. False
 * after a message. */
bool run_shape_fits(struct run_item *item);

/* The bindings of a run, one per item that binds something; free them. NULL when out of memory. */
struct ptog_binding *run_bindings(const struct run_items *items, size_t *count);

/* Whether an item is looked up after the run, and binds nothing: --dump, --show. */
bool run_is_taken(const struct run_item *item);

/* The item that binds an argument, or got its generated data; NULL: none does. */
const struct run_item *run_bound_item(const struct run_items *items, const char *name);

/* Copies the tile of an item's name into it, for --dump or --show (`verb`); false after a message. */
bool run_copy_tile(struct run_item *item, const ptog_result *result, const char *verb);

/* Prints what --show names on standard output; false after a message. */
bool run_show(struct run_items *items, const ptog_result *result);

/* Writes the outputs and dumps, all or none, and prints what --show names; false after a message. */
bool run_save(struct run_items *items, const ptog_result *result);

/* ---- one command */

/* What the command line of ptog run says. */
struct run_request {
    const char *target_text, *blocks_text, *subblocks_text, *steps_text, *work_text,
        *memory_text;      /* as given; NULL: not */
    const char *data_text; /* "none": nothing is generated */
    const char *jobs_text;
    size_t jobs; /* programs at once; 0: one per processor */
    const struct ptog_target *target;
    const char *function;
    struct tool_telling telling;
    int64_t blocks, subblocks, max_steps, max_work, max_memory;
    struct run_machine machine;
    struct run_items items;
    struct run_trace trace;
    struct run_report report;
    bool strict, aicore;  /* --strict, --aicore */
    bool prints, repairs; /* --print-placement, --apply-fix */
    const char *to;       /* -o: where that goes */
    struct tool_paths paths;
    char **argv; /* the command line itself, to be shown */
};

/* What an option is about: one program, one target, or pipes; the first one that was given and is; NULL: none. */
enum { RUN_ONE_PROGRAM = 1, RUN_ONE_TARGET = 2, RUN_PIPES = 4 };
const char *run_option_for(const struct run_request *request, unsigned scope);

/* Whether the options suit each other, after all were read: TOOL_OK, or TOOL_USAGE after a message. */
int run_options_agree(const struct run_request *request);

/* One program: judged, run for its bytes, and what that leaves. */
struct run_job {
    struct run_request *request; /* its trace and its report take the timeline */
    struct run_items *items;
    const char *path;
    ptog_program *program;
    struct tool_text text; /* of the program that runs */
    struct judgement judgement;
    ptog_diags *parsed; /* what there is to say about the text alone */
    struct judged
        host; /* of a program without a target: where its bytes come from; its target is NULL: it did not run */
    ptog_result *result; /* NULL: it did not run */
    struct ptog_sink timeline;
    bool beside_others; /* other programs run at the same time */
    bool repairable;    /* --apply-fix was tried, and would work; with --target, where there is one in the next line */
    const struct ptog_target *repairable_for;
    bool unjudged; /* generated data would take too much memory: it did not run */
    bool has_stats;
    struct ptog_stats figures; /* to go into the JSON object */
    int status;                /* an enum tool_exit */
    struct tool_why why;       /* of a program that could not be read; empty: it was */
    struct tool_progress progress;
    struct ptog_progress shown; /* on a terminal, what a long loop says */
};

/* Runs it, without a word about what was found. `job` has its request, items and path. */
void run_job(struct run_job *job);

/* Its findings as reports take them; returns how many entries there are. */
#define RUN_MAX_CHECKED (JUDGE_MOST + 2)
size_t run_job_checked(const struct run_job *job, struct ptog_checked checked[RUN_MAX_CHECKED]);
void run_job_close(struct run_job *job);

/* The execution that the command line describes. */
struct ptog_execution run_execution(struct run_job *job, const struct ptog_binding *bindings, size_t count);

/* run_repair.c: --apply-fix writes the repaired text and makes it the program to be run. Returns an enum tool_exit. */
int run_repair(struct run_job *job);
/* Whether it would succeed: for every target that accepts the program, where *only is NULL, or else for that alone. */
bool run_has_repair(struct run_job *job, const struct ptog_execution *execution, const struct ptog_target **only);

/* run_text.c: --print-placement writes the program as it ran. Returns an enum tool_exit. */
int run_print_placement(struct run_job *job, struct judged *judged);

/* run_suggest.c: the line that says how to write the repaired program, where that repairs all. run_find_repair tries
 * the command that the line will name, after the program was judged. */
void run_find_repair(struct run_job *job, const struct ptog_execution *execution);
void run_suggest_repair(const struct run_job *job, const struct ptog_checked *checked, size_t count);

/* run_many.c: the programs of several files and directories. Returns an enum tool_exit. */
int run_many(struct run_request *request);

/* A decimal or 0x number; false when it is none, or does not fit. */
bool run_number(const char *text, int64_t *number);

#endif
