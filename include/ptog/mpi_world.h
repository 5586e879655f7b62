/* libptog_mpi for a program that is not linked with MPI, but loads this library at run time and finds ptog_mpi_world in
 * it. The calls are those of ptog/mpi.h on MPI_COMM_WORLD, and the few others that ranks need to work together.
 *
 *     void *library = dlopen("libptog_mpi.so.0.2", RTLD_NOW);
 *     ptog_mpi_world_fn *fill = (ptog_mpi_world_fn *)dlsym(library, "ptog_mpi_world");
 *     struct ptog_mpi_world world;
 *     fill(&world);
 *     if (world.version == PTOG_MPI_WORLD_VERSION && world.start(&world))
 *         ...                                    // world.rank of world.ranks
 *     world.end();
 */
#ifndef PTOG_MPI_WORLD_H
#define PTOG_MPI_WORLD_H

#include <ptog/mpi_table.h>

/* A plan of ptog/mpi.h. */
typedef struct ptog_mpi ptog_mpi;

#define PTOG_MPI_WORLD_VERSION 1 /* of the struct below */
#define PTOG_MPI_HOST 256        /* bytes of a machine's name, with the terminator */

/* The calls. Every rank makes the same ones, in the same order. */
struct ptog_mpi_world {
    int version;         /* PTOG_MPI_WORLD_VERSION */
    const char *library; /* the MPI: "Open MPI v4.1.4", in words of its own; after start */

    /* MPI_Init and MPI_Finalize; false: MPI cannot be started. `end` frees nothing else. */
    bool (*start)(struct ptog_mpi_world *world);
    void (*end)(void);
    int rank, ranks;

    /* The largest of the numbers of all ranks; *first is the first rank that has it. */
    int64_t (*largest)(int64_t mine, int *first);

    /* Bytes of rank `from`, for all. */
    void (*share)(void *bytes, size_t size, int from);

    /* The name of a rank's machine, for all. */
    void (*host)(int rank, char name[PTOG_MPI_HOST]);

    /* ptog_mpi_plan, ptog_mpi_gather, ptog_mpi_plan_fault, ptog_mpi_plan_free, ptog_mpi_plan_bytes. */
    enum ptog_status (*plan)(ptog_mpi **plan, const struct ptog_mpi_table *table, struct ptog_mpi_fault *fault);
    enum ptog_status (*gather)(ptog_mpi *plan, const void *idx, int64_t n, void *out);
    const struct ptog_mpi_fault *(*fault)(const ptog_mpi *plan);
    void (*free)(ptog_mpi *plan);
    uint64_t (*plan_bytes)(const struct ptog_mpi_table *table, int ranks, int rank);
};

/* Fills the table of calls; the program that loads it has its type from here: ptog_mpi_world_fn. */
PTOG_API void ptog_mpi_world(struct ptog_mpi_world *world);
typedef void ptog_mpi_world_fn(struct ptog_mpi_world *world);

#endif
