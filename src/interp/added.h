/* interp: changes of the text that a run executes as if they were made: pairs of flags and barriers before or after
 * an operation, and flags and barriers of the text that are replaced, moved or removed. Repairs are found by running a
 * program with such changes, and without some of them. */
#ifndef PTOG_INTERP_ADDED_H
#define PTOG_INTERP_ADDED_H

#include <stddef.h>

#include "auto/sync.h"

struct ptog_lines {
    struct ptog_sync *of;
    uint32_t count;
    size_t room;
};

/* Puts `count` more at `at`. False when out of memory: then nothing was added. */
bool ptog_lines_add(struct ptog_lines *lines, uint32_t at, const struct ptog_sync *syncs, uint32_t count);

/* Takes line `at` out again. */
void ptog_lines_drop(struct ptog_lines *lines, uint32_t at);

/* What becomes of a flag or a barrier of the text. */
enum ptog_edit_kind { PTOG_EDIT_NONE = 0, PTOG_EDIT_REPLACE, PTOG_EDIT_MOVE, PTOG_EDIT_REMOVE };

struct ptog_edit {
    enum ptog_edit_kind kind;
    struct ptog_sync sync; /* what stands there then; if it is moved or removed, what stood there */
    uint32_t to;           /* the operation that it is moved to, where it is one of the added lines */
    bool after;            /* that operation; else before it */
};

struct ptog_added {
    struct ptog_lines *before, *after; /* by number of the operation */
    struct ptog_edit *edits;           /* the same */
    uint32_t op_count;
};

/* No lines, in a program of so many operations. False when out of memory; close it in any case. */
bool ptog_added_open(struct ptog_added *added, uint32_t op_count);
void ptog_added_close(struct ptog_added *added);

/* How a run takes part: it executes the lines, and looks for more, or does without one of them. */
struct ptog_trial {
    struct ptog_added *added;
    /* The text in the order of issue: each operation is over before the next begins, and its flags and barriers are
     * left out. The run writes these down, by number of the operation: a set, a wait or a barrier, and all zero for
     * what is none, or has a computed id. NULL: nobody wants to know. */
    bool in_turn;
    struct ptog_sync *flags;
    bool discovers; /* lines that are missing are added */
    bool stops;     /* at the first fault of order above `tolerated` */
    size_t tolerated;
    uint32_t without_op, without_line; /* this line is left out; line from 1, 0: none */
    /* what came of it */
    bool grew, found;
    bool refused;            /* nothing ran, or not to its end */
    bool cut;                /* refused because it would have cost more than runs to try something may */
    uint32_t at_op, at_line; /* where a line that is missing goes */
};

#endif
