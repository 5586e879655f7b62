/* mpi: tables in files: the parts that a rank reads, mapped. */
#ifndef PTOG_MPI_FILES_H
#define PTOG_MPI_FILES_H

#include "mpi/plan.h"

/* Maps what the files have of the pieces from `low` up to `high`. */
void ptog_mpi_files_open(struct ptog_mpi *plan, uint64_t low, uint64_t high, struct ptog_mpi_fault *fault);
void ptog_mpi_files_close(struct ptog_mpi *plan);

/* Whether the pieces of a rank lie one after another in what is mapped, and then where. */
bool ptog_mpi_files_hold(const struct ptog_mpi *plan, int rank, unsigned char **base);

/* Where a piece is that is mapped. */
unsigned char *ptog_mpi_files_find(const struct ptog_mpi *plan, uint64_t piece);

#endif
