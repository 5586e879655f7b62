/* repair: a program with changes, as text. */
#ifndef PTOG_REPAIR_WRITE_H
#define PTOG_REPAIR_WRITE_H

#include "interp/added.h"
#include "lower/program.h"

/* The program of a run in level 3, with all addresses and the lines that were added; `said` gets what the printer says.
 */
enum ptog_status ptog_write_result(const ptog_result *result, const struct ptog_sink *sink,
                                   struct ptog_diag_list *said);

/* The text as it was written, with the changes. */
void ptog_write_program(const struct ptog_program *program, const struct ptog_added *added,
                        const struct ptog_sink *sink);

/* Where an operation ends, or the comment that stands behind it on its line. */
uint32_t ptog_end_with_comment(const struct ptog_source *source, struct ptog_span op);

/* The operation that lines after `op` stand before: where `op` has several lines, the next one. NULL: they stand right
 * behind it. */
const struct ptog_op *ptog_op_behind(const struct ptog_source *source, const struct ptog_added *added,
                                     const struct ptog_op *op);

#endif
