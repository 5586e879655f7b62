/* mpi: which rank has what, as numbers. */
#include "mpi/shape.h"

#define CHUNK                                                                                                          \
    ((uint64_t)1 << 20) /* bytes that a rank has in flight: they stay near the core; docs/explanation/scale.md */
#define MESSAGE ((uint64_t)16 << 10) /* but that many for each rank: shorter messages cost their latency only */
#define MAX_CHUNK ((uint64_t)1 << 30)
#define WINDOW ((int64_t)1 << 17)
#define MAX_WINDOW ((int64_t)1 << 26)
#define MAX_LANE ((uint64_t)1 << 40)

/* What is wrong with the numbers and types of a table, in words; NULL: nothing. */
static const char *wrong_numbers(const struct ptog_mpi_table *t, int ranks)
{
    if (ranks < 1 || ranks > PTOG_MPI_MAX_RANKS)
        return "the number of ranks is not between 1 and 2^20";
    if (ptog_dtype_size(t->dtype) == 0)
        return "dtype is not an element type";
    if (t->index != PTOG_I32 && t->index != PTOG_U32 && t->index != PTOG_I64 && t->index != PTOG_U64)
        return "index is not i32, u32, i64 or u64";
    if (t->rows < 1 || t->cols < 1)
        return "rows and cols are not at least 1";
    if (t->chunk_bytes > MAX_CHUNK || t->window < 0 || t->window > MAX_WINDOW || t->neighbours < 0)
        return "chunk_bytes, window or neighbours is out of range";
    return NULL;
}

/* What is wrong with the enums and reserved words of a table, in words; NULL: nothing. */
static const char *wrong_words(const struct ptog_mpi_table *t)
{
    if ((unsigned)t->layout > PTOG_MPI_ROUND_ROBIN || (unsigned)t->coalesce > PTOG_ELEM ||
        (unsigned)t->oob > PTOG_OOB_ZERO || (unsigned)t->combine > PTOG_MPI_MIN)
        return "layout, coalesce, oob or combine has an unknown value";
    if (t->layout == PTOG_MPI_BOUNDS && !t->bounds)
        return "bounds are missing";
    for (size_t i = 0; i < sizeof t->reserved / sizeof t->reserved[0]; i++)
        if (t->reserved[i] != 0)
            return "a reserved word of the table is not zero";
    return NULL;
}

/* The least divisor of `units` that is not below `least`. */
static uint64_t divisor_from(uint64_t units, uint64_t least)
{
    uint64_t best = units;
    for (uint64_t d = 1; d <= units / d; d++) {
        if (units % d != 0)
            continue;
        if (d >= least && d < best)
            best = d;
        if (units / d >= least && units / d < best)
            best = units / d;
    }
    return best;
}

static int64_t at_least_1(uint64_t number)
{
    return number < 1 ? 1 : (int64_t)number;
}

/* How lanes are cut and how many pieces travel at once: a rank sends to all others in a round, and their pieces
 * together are a chunk. */
static void cut_lanes(struct ptog_mpi_shape *shape, const struct ptog_mpi_table *t, uint64_t size)
{
    uint64_t ranks = (uint64_t)shape->ranks, chunk = t->chunk_bytes;
    if (chunk == 0)
        chunk = ranks * MESSAGE > CHUNK ? ranks * MESSAGE : CHUNK;
    if (chunk > MAX_CHUNK)
        chunk = MAX_CHUNK;
    uint64_t most = chunk / ranks;
    if (most < size)
        most = size;
    shape->parts = divisor_from(shape->lane_bytes / size, (shape->lane_bytes + most - 1) / most);
    shape->piece = shape->lane_bytes / shape->parts;
    shape->round = at_least_1(most / shape->piece);
    shape->window = t->window > 0 ? t->window : WINDOW;
    shape->quota = at_least_1(2 * (uint64_t)shape->window / (uint64_t)shape->ranks);
}

const char *ptog_mpi_shape_start(struct ptog_mpi_shape *shape, const struct ptog_mpi_table *t, int ranks)
{
    const char *wrong = wrong_numbers(t, ranks);
    uint64_t size = ptog_dtype_size(t->dtype), row, all;
    if (!wrong)
        wrong = wrong_words(t);
    if (wrong)
        return wrong;
    if (__builtin_mul_overflow((uint64_t)t->cols, size, &row) || row > MAX_LANE ||
        __builtin_mul_overflow((uint64_t)t->rows, row, &all) || all > INT64_MAX)
        return "a row has more than 2^40 bytes, or the table more than 2^63";
    bool rows = t->coalesce == PTOG_ROW;
    *shape = (struct ptog_mpi_shape){.ranks = ranks,
                                     .round_robin = t->layout == PTOG_MPI_ROUND_ROBIN,
                                     .capacity = rows ? (uint64_t)t->rows : (uint64_t)t->rows * (uint64_t)t->cols,
                                     .lane_bytes = rows ? row : size};
    cut_lanes(shape, t, size);
    shape->group = row / shape->piece;
    return NULL;
}

bool ptog_mpi_shape_bounds(const struct ptog_mpi_shape *shape, const struct ptog_mpi_table *t, uint64_t *first)
{
    int64_t ranks = shape->ranks, each = t->rows / ranks, rest = t->rows % ranks;
    for (int64_t r = 0; r <= ranks; r++) {
        int64_t row = r * each + (r < rest ? r : rest);
        if (t->layout == PTOG_MPI_BOUNDS)
            row = t->bounds[r];
        if (row < 0 || row > t->rows || (r == 0 && row != 0) || (r == ranks && row != t->rows) ||
            (r > 0 && (uint64_t)row * shape->group < first[r - 1]))
            return false;
        first[r] = (uint64_t)row * shape->group;
    }
    return true;
}

int64_t ptog_mpi_share(const struct ptog_mpi_table *t, int ranks, int rank)
{
    struct ptog_mpi_shape shape;
    if (!t || rank < 0 || rank >= ranks || ptog_mpi_shape_start(&shape, t, ranks))
        return -1;
    if (t->layout == PTOG_MPI_BOUNDS)
        return t->bounds[rank + 1] - t->bounds[rank];
    return t->rows / ranks + (rank < t->rows % ranks); /* the same for blocks and round robin */
}

uint64_t ptog_mpi_shape_count(const struct ptog_mpi_shape *shape, int rank)
{
    if (!shape->round_robin)
        return shape->first[rank + 1] - shape->first[rank];
    uint64_t rows = shape->capacity * shape->parts / shape->group, ranks = (uint64_t)shape->ranks;
    return (rows / ranks + ((uint64_t)rank < rows % ranks)) * shape->group;
}

uint64_t ptog_mpi_shape_piece(const struct ptog_mpi_shape *shape, int rank, uint64_t place)
{
    if (!shape->round_robin)
        return shape->first[rank] + place;
    return (place / shape->group * (uint64_t)shape->ranks + (uint64_t)rank) * shape->group + place % shape->group;
}
