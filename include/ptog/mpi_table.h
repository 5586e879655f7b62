/* Tables over the ranks of an MPI job: their description, and what a call says about them. Nothing here needs mpi.h;
 * the calls are in ptog/mpi.h.
 *
 *     rank 0   rows 0 1 2           every rank has some rows of the table, and requests rows by their numbers in the
 *     rank 1   rows 3 4 5           whole table; the library knows who has them, and of the indices of a window
 *     rank 2   rows 6 7             that are the same, one is sent
 *     rank 3   rows 8 9
 */
#ifndef PTOG_MPI_TABLE_H
#define PTOG_MPI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ptog/insn.h>
#include <ptog/status.h>

/* Which rank has which rows. */
enum ptog_mpi_layout {
    PTOG_MPI_BLOCKS = 0,      /* equal blocks: with 10 rows on 4 ranks 3, 3, 2, 2 of them */
    PTOG_MPI_BOUNDS = 1,      /* rank r has the rows from bounds[r] to bounds[r + 1] - 1; a rank may have none */
    PTOG_MPI_ROUND_ROBIN = 2, /* rank r has the rows r, r + ranks, r + 2*ranks, ... */
};

/* What a scatter does to a row that is there. */
enum ptog_mpi_combine {
    PTOG_MPI_REPLACE = 0, /* the last lane by global position wins: the highest rank, and its highest position */
    PTOG_MPI_ADD = 1,     /* integers wrap around; floating point is rounded after every addition */
    PTOG_MPI_MAX = 2,     /* the larger element stays */
    PTOG_MPI_MIN = 3,     /* the smaller one does */
};

/* Memory that the ranks of one machine see: ptog_mpi_memory_new in ptog/mpi.h. */
typedef struct ptog_mpi_memory ptog_mpi_memory;

/* Rows in a file, packed, from byte `offset` on. */
struct ptog_mpi_file {
    const char *path; /* the same file on every rank, by whatever name it has there */
    uint64_t offset;  /* of its first row */
    int64_t rows;     /* that follow one another without gaps */
};

/* A table of rows x cols elements. Zero is the default of every field. The fields up to `at` must be the same on all
 * ranks. Where this rank's rows are is said in exactly one of three ways:
 *
 *   at, bytes            in memory of its own, packed, in the order of their numbers; NULL for a rank without rows
 *   memory               in memory that the neighbours see, too: they read from it and no message is sent
 *   files, file_count    in files whose rows follow one another and are the whole table. All ranks give the same list.
 * A rank maps the part that it reads itself: its own rows, and those of its neighbours */
struct ptog_mpi_table {
    enum ptog_dtype dtype;
    enum ptog_dtype index; /* of the indices: PTOG_I32, PTOG_U32, PTOG_I64, PTOG_U64; read without their sign */
    int64_t rows, cols;    /* of the whole table, at least 1 each */
    enum ptog_mpi_layout layout;
    enum ptog_coalesce coalesce;   /* what an index counts: rows, or elements of the table as one long row */
    enum ptog_oob oob;             /* of a scatter, PTOG_OOB_ZERO drops the lane */
    enum ptog_mpi_combine combine; /* of a scatter */
    bool scatters;                 /* ptog_mpi_scatter will be called, too: it needs memory of its own */
    int32_t neighbours;            /* at most so many ranks of a machine share memory; 0: all; 1: every rank is alone */
    uint64_t chunk_bytes;  /* of rows that a rank has in flight at once, up to 2^30; 0: 1 MiB, or 16 KiB per rank */
    int64_t window;        /* lanes among which repeated indices are sent once, up to 2^26; 0: 2^17 */
    const int64_t *bounds; /* PTOG_MPI_BOUNDS: ranks + 1 numbers that do not fall, from 0 to rows */

    /* The three ways; the others stay zero. */
    void *at;
    size_t bytes; /* of `at`: at least those of the rank's rows */
    ptog_mpi_memory *memory;
    const struct ptog_mpi_file *files;
    size_t file_count;
    uint64_t reserved[8];
};

/* What went wrong, the same on all ranks. */
struct ptog_mpi_fault {
    enum ptog_status status; /* what the call returned, on every rank */
    int32_t rank;            /* the first rank on which it did; -1: on none */
    int64_t position;        /* PTOG_FAULT: of the first index outside the table, in the list of that rank */
    uint64_t index;          /* and the index itself */
    uint64_t capacity;       /* rows, or elements, of the table */
    uint64_t count;          /* indices outside the table, of all ranks */
    uint64_t negative;       /* negative ones that were read as very large, of all ranks: Clamp and Wrap */
    char text[200];          /* a sentence for people; empty when all is well */
    uint64_t reserved[4];
};

/* What this rank did since the plan was made. */
struct ptog_mpi_stats {
    uint64_t calls;           /* gathers and scatters */
    uint64_t lanes;           /* indices that were looked at */
    uint64_t direct_lanes;    /* of which so many were read from this rank's memory or that of its neighbours */
    uint64_t ids_sent;        /* to other ranks, 8 bytes each */
    uint64_t bytes_sent;      /* of rows, to other ranks */
    uint64_t windows, rounds; /* parts of a list of indices, and exchanges of rows, that it took */
    uint64_t reserved[4];
};

/* How many rows rank number `rank` of `ranks` has; -1 for a table that makes no sense. */
PTOG_API int64_t ptog_mpi_share(const struct ptog_mpi_table *table, int ranks, int rank);

/* Bytes of memory that a plan takes on one rank, besides the table itself and some kilobytes; 0 for a table that makes
 * no sense. The calls take no more. */
PTOG_API uint64_t ptog_mpi_plan_bytes(const struct ptog_mpi_table *table, int ranks, int rank);

#endif
