/* interp: records of FIFOs between the cores. */
#ifndef PTOG_INTERP_RUN_FIFO_H
#define PTOG_INTERP_RUN_FIFO_H

#include "lower/eval.h"

/* Sets up a FIFO, pushes, pops, ...: where the core has to wait for another one, `blocked` is set, and the record is
 * carried out again later. */
void ptog_run_fifo(struct ptog_eval *e, const struct ptog_code *code);

/* Buffers of the device for the rings of FIFOs that have no global memory of their own. False when out of memory. */
bool ptog_fifo_add_rings(struct ptog_eval *e);

#endif
