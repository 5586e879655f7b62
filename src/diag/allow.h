/* diag: what the author of a text accepts on purpose: "// ptog: allow ID" at a line. */
#ifndef PTOG_DIAG_ALLOW_H
#define PTOG_DIAG_ALLOW_H

#include "diag/list.h"

#define PTOG_MAX_ALLOWED 32 /* comments that speak of one line */

/* The lists of ids that speak of the line looked at last; start with zeros. Findings come by place: a line is looked at
 * once, however many of them it has. */
struct ptog_allowed {
    uint32_t line, count;
    struct ptog_span ids[PTOG_MAX_ALLOWED];
};

/* Whether a comment speaks of this line and names this id. */
bool ptog_line_allows(struct ptog_allowed *allowed, const struct ptog_source *source, uint32_t line, const char *id);

/* Whether a comment at the end of the finding's line, or on lines of their own right above it, allows its id. What
 * makes a program refused cannot be allowed: there is nothing to run. */
bool ptog_allows(struct ptog_allowed *allowed, const struct ptog_source *source, const struct ptog_diag_entry *found);

/* Whether there is such a comment anywhere. */
bool ptog_allows_any(const struct ptog_source *source);

/* Says which comments allow an id that does not exist. */
void ptog_allow_check(const struct ptog_source *source, struct ptog_diag_list *diags);

#endif
