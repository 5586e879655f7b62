/* kernel: which numbers are best on which processor: the rows of tune.def, and a text that says others.
 *
 *   # a comment
 *   elem_set = avx2
 *   elem_far = 8388608
 *
 * Fields that a text does not name stay as they were. A line that cannot be used changes nothing, and is named. */
#ifndef PTOG_KERNEL_TUNE_H
#define PTOG_KERNEL_TUNE_H

#include "kernel/kernel.h"

struct ptog_tune {
    const char *name; /* of the row */
    bool is_forced;   /* the sets are those of PTOG_ISA, and no other may be tried */
#define TUNE_SET(field, meaning) enum ptog_isa field;
#define TUNE_NUMBER(field, least, most, meaning) int64_t field;
#include "kernel/tune.def"
};

/* The row of the processor at hand. */
struct ptog_tune ptog_tune_here(void);

/* Row i of the table, whether it matches or not; false past the end. *measured: where its figures come from. */
bool ptog_tune_at(size_t i, struct ptog_tune *tune, const char **measured);

/* Told of a line that cannot be used: its number from 1 on, and why. */
struct ptog_tune_watch {
    void (*bad_line)(void *data, size_t line, const char *why);
    void *data;
};

/* Takes the fields that a text of any bytes names. `watch` may be NULL. */
void ptog_tune_read(struct ptog_tune *tune, const char *text, size_t bytes, const struct ptog_tune_watch *watch);

#endif
