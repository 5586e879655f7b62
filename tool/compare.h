/* tool: what the files of ptog compare share. */
#ifndef TOOL_COMPARE_H
#define TOOL_COMPARE_H

#include "run.h"

#define COMPARE_MAX_ERRATA 6
#define COMPARE_VALUE 40

/* Why two targets differ: the first gather, or else the first other instruction, that gives other bytes from the same
 * operands, one lane of it, and the property of the target that makes the difference. */
struct compare_why {
    bool found;
    const char *instruction; /* "pto.mgather"; NULL: no single instruction explains it */
    uint32_t line, column;
    struct compare_author { /* of that line; its line is 0: not known */
        char file[256];
        uint32_t line, column;
    } author;
    const char *operand; /* "dst", "cdst" */
    int64_t row, col;
    bool padding; /* the lane is outside the valid region */
    bool has_values, has_index;
    char value[2][COMPARE_VALUE], index[2][COMPARE_VALUE]; /* of the baseline, of the other */
    uint64_t capacity[2];                                  /* 0: has none */
    const char *because;                                   /* "the row pitch"; NULL: not known */
    bool exchanged;                                        /* found by giving one target that property of the other */
    bool scratch;                                          /* it is the scratch tile that differs, if anything */
    double slack; /* it is a fold, and this is how far two orders of it may lie apart; 0: it is none, or is further */
    bool proved;  /* exchanging that property alone makes all of its bytes equal; else this lane */
    const char *errata[COMPARE_MAX_ERRATA];
    int errata_count;
};

/* Keeps the author's own line, which does not outlive a run. */
void compare_keep_author(struct compare_why *why, const struct ptog_where *origin);

/* Runs the program for its meaning and looks at each gather on both targets. False when out of memory. */
bool compare_find_why(const ptog_program *program, const struct ptog_execution *execution,
                      const struct ptog_target *baseline, const struct ptog_target *other, struct compare_why *why);

/* The same for the other instructions, where no gather explains it. */
bool compare_find_why_other_target(const ptog_program *program, const struct ptog_execution *execution,
                                   const struct ptog_target *baseline, const struct ptog_target *other,
                                   struct compare_why *why);

/* A value as text; 0xAAAAAAAA where there is none. */
void compare_put_value(char text[COMPARE_VALUE], enum ptog_dtype dtype, const void *bits);

/* Adds an erratum once. */
void compare_add_erratum(struct compare_why *why, const char *id);

enum compare_outcome { COMPARE_BASELINE, COMPARE_EQUAL, COMPARE_DIFFERS, COMPARE_REFUSED };

/* One target and what came out. */
struct compare_result {
    const struct ptog_target *target;
    enum compare_outcome outcome;
    ptog_diags *diags;
    void **outputs;     /* by number */
    bool near, within;  /* some elements are not the same: a unit or two in the last place, or by a device's bound */
    bool ordered;       /* ... or by as much as the orders of its sums allow */
    const char *output; /* the first that differs, and where */
    int rank;
    int64_t at[5];
    char value[2][COMPARE_VALUE];
    struct compare_why why;
};

/* What is compared: memory that the program writes, or where it writes none, the tiles it leaves. */
struct compare_output {
    const char *name;
    struct run_item *item; /* NULL: a tile */
    void *initial;         /* of memory: its bytes before a run */
    enum ptog_dtype dtype;
    int rank;
    int64_t shape[5];
    size_t bytes;
};

struct compare_request {
    const char *targets_text, *format_text, *blocks_text, *steps_text, *work_text, *memory_text,
        *data_text; /* as given; NULL: not */
    const char *path, *function;
    enum tool_format format;
    int64_t blocks, max_steps, max_work, max_memory;
    struct run_items items;
    struct compare_output *outputs;
    size_t output_count, output_room;
    struct compare_result *results; /* one per target, as listed */
    size_t target_count, target_room;
    const struct ptog_target **targets; /* the same ones */
};

/* Runs the program on every target, compares and prints. Returns an enum tool_exit. */
int compare_program(struct compare_request *request, const ptog_program *program);

struct compare_report {
    const char *path;
    struct compare_result *results;
    size_t count;
    const struct ptog_target *baseline; /* NULL: all refuse */
};
void compare_print_text(const struct compare_report *report);
void compare_print_json(const struct compare_report *report);

#endif
