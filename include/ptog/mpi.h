/* Gather and scatter on a table whose rows are spread over the ranks of an MPI communicator. The library is
 * libptog_mpi, which is built for one MPI; it is used together with libptog.
 *
 *   struct ptog_mpi_table table = {.dtype = PTOG_F32, .index = PTOG_I64, .rows = 1 << 30, .cols = 128,
 *                                  .at = my_rows, .bytes = my_bytes};
 *   ptog_mpi *plan = NULL;
 *   ptog_mpi_plan(&plan, MPI_COMM_WORLD, &table, NULL);
 *   ptog_mpi_gather(plan, idx, n, out);                   as often as wanted, with any n on any rank
 *   ptog_mpi_plan_free(plan);
 *
 * Every call that takes a communicator, a memory or a plan is collective: all ranks make it, in the same order. They
 * agree before data moves, so each of them returns the same status, and what was wrong on one rank is known on all. A
 * failure inside MPI itself ends the job, as MPI_ERRORS_ARE_FATAL says. */
#ifndef PTOG_MPI_H
#define PTOG_MPI_H

#include <mpi.h>

#include <ptog/mpi_table.h>

typedef struct ptog_mpi ptog_mpi;

/* Memory for this rank's rows that all ranks of its machine can read: `bytes` of it, zeros, on this rank. `neighbours`
 * as in the table. PTOG_NO_MEMORY, and *memory is NULL on all ranks, when one of them gets none. */
PTOG_API enum ptog_status ptog_mpi_memory_new(ptog_mpi_memory **memory, MPI_Comm comm, size_t bytes, int neighbours);
PTOG_API void *ptog_mpi_memory_at(const ptog_mpi_memory *memory);
PTOG_API void ptog_mpi_memory_free(ptog_mpi_memory *memory); /* after the plans that use it; NULL is fine */

/* Makes a plan. On PTOG_OK *plan is the caller's; otherwise it is NULL. PTOG_BAD_ARGUMENT: the table makes no sense on
 * some rank, the ranks do not agree about it, or a file cannot be mapped; PTOG_ILLEGAL: no such elements can be
 * combined; PTOG_NO_MEMORY. `fault` may be NULL, and says more. `table` is copied; the rows, bounds and files it names
 * stay where they are while the plan lives. */
PTOG_API enum ptog_status ptog_mpi_plan(ptog_mpi **plan, MPI_Comm comm, const struct ptog_mpi_table *table,
                                        struct ptog_mpi_fault *fault);
PTOG_API void ptog_mpi_plan_free(ptog_mpi *plan); /* NULL is fine */

/* out[i] = table[map(idx[i])] for the `n` indices of this rank: rows, or elements, one after another. Each rank has an
 * n of its own, 0 included. PTOG_FAULT: there were indices outside the table under PTOG_OOB_UNDEFINED; their lanes hold
 * 0xAA bytes, and all others are right. PTOG_BAD_ARGUMENT: nothing was written, on any rank. No rank changes its rows
 * before the call has returned on it. */
PTOG_API enum ptog_status ptog_mpi_gather(ptog_mpi *plan, const void *idx, int64_t n, void *out);

/* table[map(idx[i])] = rows[i], or combined with what is there. Lanes that are outside the table are dropped:
 * PTOG_OOB_ZERO silently, PTOG_OOB_UNDEFINED with PTOG_FAULT. The order of the lanes is that of their global position,
 * rank by rank; only the rounding of floating point additions sees more of it: they are done round by round, in each
 * round by rank, then by position, where a round is what fits in chunk_bytes. */
PTOG_API enum ptog_status ptog_mpi_scatter(ptog_mpi *plan, const void *idx, int64_t n, const void *rows);

/* About the last call, and about all of them. */
PTOG_API const struct ptog_mpi_fault *ptog_mpi_plan_fault(const ptog_mpi *plan);
PTOG_API struct ptog_mpi_stats ptog_mpi_plan_stats(const ptog_mpi *plan);

#endif
