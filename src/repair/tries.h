/* repair: runs of a program to try something: with lines that are not in its text (interp/added.h), or without one of
 * them. */
#ifndef PTOG_REPAIR_TRIES_H
#define PTOG_REPAIR_TRIES_H

#include "interp/added.h"
#include "lower/program.h"
#include "repair/budget.h"
#include "repair/try_cache.h"

struct ptog_reference; /* reference.h */

struct ptog_tries {
    struct ptog_added *added;
    struct ptog_eval *e; /* prepared; its memory is what every run starts from and what is left */
    const struct ptog_function *function;
    struct ptog_execution execution;
    unsigned char **copies;                 /* of the buffers that are written, by number */
    uint64_t copied;                        /* bytes of them */
    struct ptog_budget *budget;             /* of the call */
    uint64_t most;                          /* no more runs are made when that much of it is used */
    uint64_t look;                          /* of a run that costs more than this the beginning will do */
    bool cut;                               /* of one it had to do, or the budget was used up before the last line */
    struct ptog_reference *reference;       /* other data for the same program; NULL: none was made */
    size_t accepted;                        /* faults of order that no line fixes */
    bool forgives;                          /* the text has comments that allow something */
    struct ptog_try_cache cache;            /* of runs that came to their end */
    unsigned named[PTOG_PIPES][PTOG_PIPES]; /* bit (1 << id): an advice that was given names this flag */
};

/* False when out of memory; close it in any case. */
bool ptog_tries_open(struct ptog_tries *tries, struct ptog_added *added, struct ptog_eval *e,
                     const struct ptog_execution *execution, const struct ptog_function *function,
                     struct ptog_budget *budget);
void ptog_tries_close(struct ptog_tries *tries);

/* Whether no more runs are to be made. */
static inline bool ptog_tries_are_used_up(const struct ptog_tries *tries)
{
    return tries->budget->used > tries->most;
}

/* A run that may stop when it has so many faults of order: one with fewer is looked for. */
struct ptog_trial ptog_trial_below(const struct ptog_tries *tries, size_t faults);

/* One run, or the result of the same one before. How many faults of order it had that no comment allows goes to
 * *faults, all it had to `report`, which may be NULL. A run that is cut because the budget is used up has shown
 * nothing: *faults is SIZE_MAX. PTOG_OK, or PTOG_NO_MEMORY. */
enum ptog_status ptog_try(struct ptog_tries *tries, struct ptog_trial *trial, ptog_diags *report, size_t *faults);

/* A run with another execution: other data, or another target. It is always made. */
enum ptog_status ptog_try_as(struct ptog_tries *tries, const struct ptog_execution *execution, struct ptog_trial *trial,
                             ptog_diags *report, size_t *faults);

/* The result of the same run before; NULL: there was none. Looking for it costs a little of the budget. */
const struct ptog_try_result *ptog_try_known(struct ptog_tries *tries, struct ptog_trial *trial, uint32_t subject);

/* ptog_try on the other machine (a5 for a2a3, a2a3 for the others). *faults is 0, too, when that one refuses the
 * program: then it has nothing to say about its order. */
enum ptog_status ptog_try_other_target(struct ptog_tries *tries, struct ptog_trial *trial, ptog_diags *report,
                                       size_t *faults);

/* A comment of the text allows it ("// ptog: allow ID"): nothing is to be done about it. In a program without flags of
 * its own there is no such thing: all that it needs is put in. */
bool ptog_is_allowed(const struct ptog_tries *tries, const struct ptog_diag *diag);

/* The machine that is not this one. */
const struct ptog_target *ptog_other_machine(const struct ptog_target *target);

#endif
