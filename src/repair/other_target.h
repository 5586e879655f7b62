/* repair: flags that change nothing on one machine, and what the other machine says about them. */
#ifndef PTOG_REPAIR_OTHER_TARGET_H
#define PTOG_REPAIR_OTHER_TARGET_H

#include "base/text.h"
#include "repair/tries.h"

/* What is known of the run on the other machine. */
enum ptog_other_target_state {
    PTOG_OTHER_TARGET_UNKNOWN = 0, /* it was not tried: the run is long, or there is no memory */
    PTOG_OTHER_TARGET_REFUSED,
    PTOG_OTHER_TARGET_WRONG, /* it has errors, so nothing is said of its flags */
    PTOG_OTHER_TARGET_CLEAN,
};

struct ptog_other_target {
    const struct ptog_target *target;
    enum ptog_other_target_state state;
    ptog_diags *report;
};

/* Runs the program there. PTOG_OK or PTOG_NO_MEMORY; close it in any case. */
enum ptog_status ptog_other_target_open(struct ptog_other_target *other_target, struct ptog_tries *tries);
void ptog_other_target_close(struct ptog_other_target *other_target);

/* Is this a note about a pair of flags that changes nothing? */
bool ptog_is_redundant(const struct ptog_diag *diag);

/* Adds to the message of such a note what holds on the other machine: " and a5", "; needed on a5". True: the pair is
 * needed there. */
bool ptog_other_target_say(const struct ptog_other_target *other_target, const struct ptog_diag *note,
                           struct ptog_text *text);

#endif
