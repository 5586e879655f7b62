/* interp: records of single elements: of global memory and of tiles. */
#ifndef PTOG_INTERP_RUN_MEMORY_H
#define PTOG_INTERP_RUN_MEMORY_H

#include "lower/eval.h"

/* Reads an element of global memory, and defines it; or writes one. An element outside its buffer is a fault. */
void ptog_run_load(struct ptog_eval *e, const struct ptog_code *code);
void ptog_run_store(struct ptog_eval *e, const struct ptog_code *code);

/* tgetval: has the core read an element of a tile, and defines it. */
void ptog_run_get_value(struct ptog_eval *e, const struct ptog_code *code);

#endif
