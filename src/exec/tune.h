/* exec: the numbers by which this process chooses kernels and fetches memory: those of the processor at hand, with what
 * the environment says. */
#ifndef PTOG_EXEC_TUNE_H
#define PTOG_EXEC_TUNE_H

#include "exec/plan.h"
#include "kernel/tune.h"

/* The row of the processor, with the fields that the file of PTOG_TUNE names, and the set of PTOG_ISA. `watch` is told
 * of lines that cannot be used, and of a file that cannot be read as line 0; it may be NULL. */
struct ptog_tune ptog_exec_tune(const struct ptog_tune_watch *watch);

/* A kernel of the set that is best for its kind; NULL when there is none. */
const struct ptog_kernel *ptog_tuned_kernel(const struct ptog_tune *tune, enum ptog_kernel_kind kind, int part,
                                            int index_size, int how);

/* The same for elements, which also go by how large their table is. */
struct ptog_elem_use {
    int size, index_size, oob;
    uint64_t table_bytes;
};
const struct ptog_kernel *ptog_tuned_elem(const struct ptog_tune *tune, enum ptog_kernel_kind kind,
                                          struct ptog_elem_use use);

/* The set to choose maps from: the one of PTOG_ISA, or of the processor's row. */
enum ptog_isa ptog_exec_isa(void);

/* How far ahead elements are fetched, or rows of so many bytes, and into which cache. */
void ptog_fetch_ahead(struct ptog_candidate *candidate, enum ptog_kernel_kind kind, int64_t row_bytes,
                      const struct ptog_tune *tune);

/* How a job that is ready uses the memory: what it fetches ahead, and whether it writes past the caches. */
void ptog_ready_memory(struct ptog_ready *ready, const struct ptog_kernel *kernel, const struct ptog_tune *tune);

#endif
