/* report: the diagnostics of several programs as one sequence. */
#ifndef PTOG_REPORT_CHECKED_H
#define PTOG_REPORT_CHECKED_H

#include <ptog/report.h>

/* Where one is in the sequence; start with `list` and `count` alone. */
struct ptog_walk {
    const struct ptog_checked *list;
    size_t count;
    size_t program, diag; /* of the next one */
    size_t seen;
};

/* The next diagnostic; NULL after the last. */
const struct ptog_diag *ptog_walk_next(struct ptog_walk *walk);

/* The next one that is not there already: a program that was judged for several targets says many things several times.
 * In a sequence of more than 4096, repetitions are not looked for any more. */
const struct ptog_diag *ptog_walk_next_new(struct ptog_walk *walk);

/* The next one that starts a group: no earlier one of its program is fixed by the same change, and no earlier note of
 * its program has its id. */
const struct ptog_diag *ptog_walk_next_group(struct ptog_walk *walk);

/* The next one of the group that `first` starts; begin with a copy of the walk that gave `first`. NULL: no other. */
const struct ptog_diag *ptog_walk_next_member(struct ptog_walk *walk, const struct ptog_diag *first);

/* Whether the same was said before of the program, at the same place, for another target that has another fix for it.
 */
bool ptog_walk_is_variant(const struct ptog_walk *walk, const struct ptog_diag *diag);

/* What the diagnostic that the walk gave last was found for, when its program was judged for several targets. */
const char *ptog_walk_target(const struct ptog_walk *walk);

/* "a2a3 and a5": the targets that say the same; empty when its program was judged for one. */
#define PTOG_MAX_TARGETS 128
void ptog_walk_targets(const struct ptog_walk *walk, const struct ptog_diag *diag, char text[PTOG_MAX_TARGETS]);

/* Whether there is something to write, and somewhere: the sink can be used, the programs are there, and none has a
 * reserved word that is not zero. */
bool ptog_report_is_possible(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink);

#endif
