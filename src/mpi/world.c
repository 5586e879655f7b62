/* mpi: MPI_COMM_WORLD behind a table of functions, for a program that is built without MPI's headers and opens
 * libptog_mpi when it is one of several ranks: ptog gather does so. */
#include <stdio.h>
#include <string.h>

#include <ptog/mpi_world.h>

#include "mpi/plan.h"

/* Initializes MPI, and fills in this rank and how many there are; false when it cannot. */
static bool start_mpi(struct ptog_mpi_world *world)
{
    static char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return false;
    MPI_Comm_rank(MPI_COMM_WORLD, &world->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world->ranks);
    MPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0';
    world->library = library;
    return true;
}

static void end(void)
{
    MPI_Finalize();
}

/* The largest number of all ranks; *first, unless it is NULL, is the lowest rank that has it. All ranks take part. */
static int64_t largest(int64_t mine, int *first)
{
    int rank, lowest;
    int64_t most = mine;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    lowest = mine == most ? rank : INT32_MAX;
    if (first) {
        MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        *first = lowest;
    }
    return most;
}

/* Sends bytes of rank `from` to all others. All ranks take part. */
static void share(void *bytes, size_t size, int from)
{
    MPI_Bcast(bytes, (int)size, MPI_BYTE, from, MPI_COMM_WORLD);
}

/* The name of a rank's machine. All ranks take part. */
static void host_name(int rank, char name[PTOG_MPI_HOST])
{
    char own[MPI_MAX_PROCESSOR_NAME] = "";
    int length;
    MPI_Get_processor_name(own, &length);
    snprintf(name, PTOG_MPI_HOST, "%.255s", own);
    MPI_Bcast(name, PTOG_MPI_HOST, MPI_BYTE, rank, MPI_COMM_WORLD);
}

static enum ptog_status plan_world(ptog_mpi **plan, const struct ptog_mpi_table *table, struct ptog_mpi_fault *fault)
{
    return ptog_mpi_plan(plan, MPI_COMM_WORLD, table, fault);
}

void ptog_mpi_world(struct ptog_mpi_world *world)
{
    *world = (struct ptog_mpi_world){.version = PTOG_MPI_WORLD_VERSION,
                                     .start = start_mpi,
                                     .end = end,
                                     .ranks = 1,
                                     .largest = largest,
                                     .share = share,
                                     .host = host_name,
                                     .plan = plan_world,
                                     .gather = ptog_mpi_gather,
                                     .fault = ptog_mpi_plan_fault,
                                     .free = ptog_mpi_plan_free,
                                     .plan_bytes = ptog_mpi_plan_bytes};
}
