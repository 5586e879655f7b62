/* model: the buffers of a run, by operand. */
#ifndef PTOG_MODEL_BUFFERS_H
#define PTOG_MODEL_BUFFERS_H

#include "model/insn.h"

/* What an operand of a resolved instruction occupies in its buffer, in bytes: all of a padded tile, or a view from its
 * first element to its last. */
uint64_t ptog_operand_span(const struct ptog_operand *operand);

/* The buffer that `run` has for an operand of a row: for a transfer the destination is dst and the source src. */
struct ptog_buf ptog_run_buffer(const struct ptog_run *run, const struct ptog_operand_row *row);
void ptog_run_set_buffer(struct ptog_run *run, const struct ptog_operand_row *row, struct ptog_buf buffer);

#endif
