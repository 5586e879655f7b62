/* program: what completes a program that lacks flags: the pairs and barriers that go before its operations. They are
 * found by running it, and left out again where the run stays clean without. */
#ifndef PTOG_PROGRAM_COMPLETE_H
#define PTOG_PROGRAM_COMPLETE_H

#include "auto/sync.h"
#include "program/program.h"

struct ptog_eval;

struct ptog_lines {
    struct ptog_sync *of;
    uint32_t count, room;
};

/* Puts `count` more at `at`. False when out of memory: then nothing was added. */
bool ptog_lines_add(struct ptog_lines *lines, uint32_t at, const struct ptog_sync *syncs, uint32_t count);

struct ptog_completion {
    struct ptog_lines *before; /* by operation */
    struct ptog_lines *after;  /* the same, of programs with flags of their own: mend.c */
    uint32_t op_count;
    uint32_t pairs, barriers;
    uint32_t untried; /* lines that nobody tried to leave out: that would have taken too long */
    bool cut;         /* only the beginning was looked at, for the same reason */
};

enum ptog_status ptog_completion_open(struct ptog_completion *completion, const struct ptog_program *program);
void ptog_completion_close(struct ptog_completion *completion);

/* Finds the lines. `e` has been prepared for the same function and execution: its memory is as before afterwards. The
 * status is that of a run; PTOG_OK also when faults are left, those that no flag orders among them. Unless the `whole`
 * run is asked for, a long one is cut: then the run that follows still has to look for lines. */
enum ptog_status ptog_complete(struct ptog_completion *completion, struct ptog_eval *e,
                               const struct ptog_execution *execution, const struct ptog_function *function,
                               bool whole);

/* The lines as they are now. */
void ptog_completion_count(struct ptog_completion *completion);

/* ---- while an operation is run: machine.c */

/* How a run takes part: it carries out the lines, and looks for more, or tries to do without one of them. */
struct ptog_trial {
    struct ptog_completion *completion; /* NULL: there is none */
    bool discovers;                     /* lines that are missing are added */
    bool stops;                         /* at the first fault of order above `tolerated` */
    size_t tolerated;
    uint32_t without_op, without_line; /* this line is left out; line from 1, 0: none */
    /* what came of it */
    bool grew, found;
    uint32_t at_op, at_line; /* where a line that is missing goes */
};

/* ---- runs to try something: complete.c */

struct ptog_search {
    struct ptog_completion *completion;
    struct ptog_eval *e; /* prepared; its memory is what every run starts from and what is left */
    const struct ptog_function *function;
    struct ptog_execution execution;
    unsigned char **copies; /* of the buffers that are written, by number */
    uint64_t work;          /* operations so far */
    size_t accepted;        /* faults of order that no line mends */
};

/* False when out of memory; close it in any case. */
bool ptog_search_open(struct ptog_search *search, struct ptog_completion *completion, struct ptog_eval *e,
                      const struct ptog_execution *execution, const struct ptog_function *function);
void ptog_search_close(struct ptog_search *search);

/* One run. How many faults of order it had goes to *faults, all it had to `report`, which may be NULL. PTOG_OK, or
 * PTOG_NO_MEMORY. */
enum ptog_status ptog_search_run(struct ptog_search *search, struct ptog_trial *trial, ptog_diags *report,
                                 size_t *faults);

/* mend.c: adds lines for the races that are left, as long as that leaves fewer. PTOG_OK, or PTOG_NO_MEMORY. */
enum ptog_status ptog_mend(struct ptog_search *search);

#endif
