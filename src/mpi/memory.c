/* mpi: memory that the ranks of a machine share. */
#include <stdlib.h>
#include <string.h>

#include "mpi/plan.h"

struct ptog_mpi_memory {
    MPI_Comm near; /* the neighbours */
    MPI_Win window;
    unsigned char *at;
};

MPI_Comm ptog_mpi_neighbours(MPI_Comm comm, int most)
{
    MPI_Comm machine, near;
    int rank, key;
    MPI_Comm_rank(comm, &key);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL, &machine);
    if (most <= 0)
        return machine;
    MPI_Comm_rank(machine, &rank);
    MPI_Comm_split(machine, rank / most, key, &near);
    MPI_Comm_free(&machine);
    return near;
}

/* Whether every rank has what it wanted. */
static bool all_have(MPI_Comm comm, bool mine)
{
    int have = mine;
    MPI_Allreduce(MPI_IN_PLACE, &have, 1, MPI_INT, MPI_MIN, comm);
    return have;
}

/* The window of the neighbours. MPI says what failed instead of ending the job: there may be no such memory. */
static bool open_window(ptog_mpi_memory *memory, size_t bytes)
{
    void *at = NULL;
    MPI_Comm_set_errhandler(memory->near, MPI_ERRORS_RETURN);
    int failed = MPI_Win_allocate_shared((MPI_Aint)bytes, 1, MPI_INFO_NULL, memory->near, &at, &memory->window);
    if (failed != MPI_SUCCESS) {
        memory->window = MPI_WIN_NULL;
        return false;
    }
    memory->at = at;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, memory->window);
    if (bytes > 0)
        memset(memory->at, 0, bytes);
    return true;
}

enum ptog_status ptog_mpi_memory_new(ptog_mpi_memory **memory, MPI_Comm comm, size_t bytes, int neighbours)
{
    ptog_mpi_memory *made = calloc(1, sizeof *made);
    bool sensible = memory && neighbours >= 0 && bytes <= PTRDIFF_MAX;
    if (memory)
        *memory = NULL;
    bool all_made = all_have(comm, made), all_sensible = all_have(comm, sensible);
    if (!all_made || !all_sensible) {
        free(made);
        return all_sensible ? PTOG_NO_MEMORY : PTOG_BAD_ARGUMENT;
    }
    made->near = ptog_mpi_neighbours(comm, neighbours);
    if (all_have(comm, open_window(made, bytes))) {
        *memory = made;
        return PTOG_OK;
    }
    ptog_mpi_memory_free(made);
    return PTOG_NO_MEMORY;
}

void *ptog_mpi_memory_at(const ptog_mpi_memory *memory)
{
    return memory ? memory->at : NULL;
}

/* Frees memory that ranks share; NULL may be given. */
void ptog_mpi_memory_free(ptog_mpi_memory *memory)
{
    if (!memory)
        return;
    if (memory->window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(memory->window);
        MPI_Win_free(&memory->window);
    }
    MPI_Comm_free(&memory->near);
    free(memory);
}

/* The rows of a neighbour that this rank can read itself, and *bytes of them. */
unsigned char *ptog_mpi_memory_of(const ptog_mpi_memory *memory, int neighbour, size_t *bytes)
{
    MPI_Aint size = 0;
    int unit;
    void *at = NULL;
    MPI_Win_shared_query(memory->window, neighbour, &size, &unit, &at);
    *bytes = (size_t)size;
    return at;
}

MPI_Comm ptog_mpi_memory_comm(const ptog_mpi_memory *memory)
{
    return memory->near;
}

void ptog_mpi_memory_sync(const ptog_mpi_memory *memory)
{
    MPI_Win_sync(memory->window);
}
