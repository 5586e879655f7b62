/* repair: advice for a report: fixes that were tried. The machine proposes a flag after the first access and a wait
 * before the second; in loops and conditions that may not be whole, so the lines that are proposed in a text are run
 * first. */
#ifndef PTOG_REPAIR_ADVISE_H
#define PTOG_REPAIR_ADVISE_H

#include "diag/where.h"
#include "repair/edits/text_flags.h"
#include "repair/inserted.h"
#include "repair/other_target.h"
#include "repair/remedies.h"

struct ptog_op_place; /* interp/machine.h */

#define PTOG_MAX_ADVISED 16 /* steps */

struct ptog_adviser {
    struct ptog_eval *e; /* after its run */
    const struct ptog_execution *execution;
    const struct ptog_function *function;
    const ptog_diags *report; /* of that run */
    struct ptog_budget *budget;
    struct ptog_repair repair;
    struct ptog_added added;               /* without its changes, to try others */
    struct ptog_tries *tries;              /* with those */
    struct ptog_text_flags flags;          /* of the text */
    struct ptog_line_text line;            /* that a step names, until the next one */
    struct ptog_insertions insertions;     /* of the repair */
    struct ptog_other_target other_target; /* target is NULL: it was not asked yet */
    struct ptog_remedy last;               /* of the fault before, at the operations `here` and `there` */
    uint32_t here, there;
    ptog_diags *left; /* the report of a run with it; NULL: there was none */
    bool opened, failed;
    bool lost; /* of the last advice: there was no memory to try it */
};

/* The steps that fix a fault of flags, and how many; 0: none were found, or that takes too long. A fault has those
 * changes of a repair that fix it; if none does by itself, all of them; if there is no repair, and it is a race or a
 * flag set twice, lines of its own. `here` and `there` are the operations of the fault and of the access before; NULL:
 * there is none. */
size_t ptog_advise(struct ptog_adviser *adviser, const struct ptog_diag *diag, const struct ptog_op_place *here,
                   const struct ptog_op_place *there, struct ptog_fix steps[PTOG_MAX_ADVISED]);

/* The steps that fix a fault of the data cache, which the machine proposes, at their places in the text. */
size_t ptog_advise_flush(struct ptog_adviser *adviser, const struct ptog_diag *diag, const struct ptog_op_place *here,
                         struct ptog_fix steps[PTOG_MAX_ADVISED]);
void ptog_adviser_close(struct ptog_adviser *adviser);

/* What a note about a pair of flags that changes nothing says of the other machine, in `message`, and the words of its
 * fix. */
#define PTOG_MAX_NOTE 512
void ptog_advise_redundant(struct ptog_adviser *adviser, const struct ptog_diag *note, char message[PTOG_MAX_NOTE],
                           char fix[PTOG_MAX_NOTE]);

#endif
