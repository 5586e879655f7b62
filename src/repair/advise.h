/* repair: advice for a report: fixes that were tried. The machine proposes a flag after the first access and a wait
 * before the second; in loops and conditions that may not be whole, so the lines that are proposed in a text are run
 * first. */
#ifndef PTOG_REPAIR_ADVISE_H
#define PTOG_REPAIR_ADVISE_H

#include "program/where.h"
#include "repair/elsewhere.h"
#include "repair/halves.h"
#include "repair/inserted.h"
#include "repair/reference.h"
#include "repair/remedies.h"

#define PTOG_MOST_ADVISED 6 /* steps */

struct ptog_adviser {
    struct ptog_eval *e; /* after its run */
    const struct ptog_execution *execution;
    const struct ptog_function *function;
    const ptog_diags *report; /* of that run */
    struct ptog_budget *budget;
    struct ptog_added added;
    struct ptog_tries tries;
    struct ptog_line_text lines[2];  /* that the steps name, until the next advice */
    struct ptog_reference reference; /* of a report with half a pair */
    struct ptog_half half;           /* the one line that completes a pair and leaves no fault; op is NULL: none does */
    struct ptog_insertions insertions; /* of a repair; unless there is such a half */
    struct ptog_elsewhere elsewhere;   /* target is NULL: it was not asked yet */
    struct ptog_remedy last;           /* of the fault before, at the operations `here` and `there` */
    uint32_t here, there;
    ptog_diags *left; /* the report of a run with it; NULL: there was none */
    bool opened, failed;
    bool lost; /* of the last advice: there was no memory to try it */
};

/* The steps that mend a race or a flag set twice, and how many; 0: none were found, or that takes too long. Where one
 * line completes a pair and mends everything, it is the advice for every fault; else a fault has those lines of a
 * repair that mend it, or, where none does by itself, lines of its own. `here` and `there` are the operations of the
 * fault and of the access before. */
size_t ptog_advise(struct ptog_adviser *adviser, const struct ptog_diag *diag, uint32_t here, uint32_t there,
                   struct ptog_fix steps[PTOG_MOST_ADVISED]);
void ptog_adviser_close(struct ptog_adviser *adviser);

/* What a note about a pair of flags that changes nothing says of the other machine, in `message`, and the words of its
 * fix. */
#define PTOG_LONGEST_NOTE 512
void ptog_advise_redundant(struct ptog_adviser *adviser, const struct ptog_diag *note, char message[PTOG_LONGEST_NOTE],
                           char fix[PTOG_LONGEST_NOTE]);

#endif
