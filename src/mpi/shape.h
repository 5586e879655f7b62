/* mpi: which rank has what. An index counts lanes: rows, or elements. A lane that is too long to be sent at once is cut
 * into `parts` pieces of equal length, and from there on everything counts pieces:
 *
 *   index 5  --policy-->  lane 5  --parts = 2-->  pieces 10 and 11  --layout-->  (owner, place among the owner's
 * pieces) */
#ifndef PTOG_MPI_SHAPE_H
#define PTOG_MPI_SHAPE_H

#include <ptog/mpi_table.h>

#define PTOG_MPI_MAX_RANKS (1 << 20)

struct ptog_mpi_shape {
    int ranks;
    bool round_robin;
    uint64_t capacity;     /* lanes */
    uint64_t lane_bytes;   /* of a lane */
    uint64_t parts;        /* pieces of a lane */
    uint64_t piece;        /* bytes of one */
    uint64_t group;        /* pieces of a row: what a round robin deals out at once */
    const uint64_t *first; /* blocks: the first piece of every rank, and behind them the number of all */
    int64_t window;        /* pieces that are prepared together */
    int64_t quota;         /* different ones of them that may go to one rank */
    int64_t round;         /* pieces for one rank that are in flight at once */
};

/* Everything but `first`. NULL, or what is wrong with the table. */
const char *ptog_mpi_shape_start(struct ptog_mpi_shape *shape, const struct ptog_mpi_table *table, int ranks);

/* The numbers of `first`, one more than there are ranks. False: the bounds make no sense. */
bool ptog_mpi_shape_bounds(const struct ptog_mpi_shape *shape, const struct ptog_mpi_table *table, uint64_t *first);

/* Pieces of a rank. */
uint64_t ptog_mpi_shape_count(const struct ptog_mpi_shape *shape, int rank);

/* The piece that is number `place` of a rank. */
uint64_t ptog_mpi_shape_piece(const struct ptog_mpi_shape *shape, int rank, uint64_t place);

/* The rank that has a piece, and its number there. */
static inline int ptog_mpi_owner(const struct ptog_mpi_shape *shape, uint64_t piece, uint64_t *place)
{
    if (shape->round_robin) {
        uint64_t row = piece / shape->group, ranks = (uint64_t)shape->ranks;
        *place = row / ranks * shape->group + piece % shape->group;
        return (int)(row % ranks);
    }
    int low = 0, count = shape->ranks; /* first[low] <= piece; a rank without pieces is never found */
    while (count > 1) {
        int half = count / 2;
        low = piece >= shape->first[low + half] ? low + half : low;
        count -= half;
    }
    *place = piece - shape->first[low];
    return low;
}

#endif
