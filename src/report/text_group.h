/* report: what else belongs to a finding that is shown in full. */
#ifndef PTOG_REPORT_TEXT_GROUP_H
#define PTOG_REPORT_TEXT_GROUP_H

#include "report/checked.h"

/* The other findings that the change for `first` fixes, one line each, and for a note those with its id. `walk` is the
 * walk that gave `first`. */
void ptog_put_group(const struct ptog_sink *sink, struct ptog_walk walk, const struct ptog_diag *first);

#endif
