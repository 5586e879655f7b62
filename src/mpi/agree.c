/* mpi: agreement: what one rank knows, all know before anything is sent. */
#include <stdio.h>
#include <string.h>

#include "mpi/plan.h"

void ptog_mpi_refuse(struct ptog_mpi_fault *fault, enum ptog_status status, const char *text)
{
    if (fault->status != PTOG_OK && fault->status != PTOG_FAULT)
        return;
    fault->status = status;
    snprintf(fault->text, sizeof fault->text, "%s", text);
}

/* The lanes outside the table: how many on all ranks, and the first of the first rank that has one. */
static void sum_lanes(MPI_Comm comm, struct ptog_mpi_fault *fault, int first)
{
    uint64_t counts[2] = {fault->count, fault->negative}, place[2] = {(uint64_t)fault->position, fault->index};
    MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_UINT64_T, MPI_SUM, comm);
    fault->count = counts[0];
    fault->negative = counts[1];
    if (first < 0)
        return;
    MPI_Bcast(place, 2, MPI_UINT64_T, first, comm);
    fault->status = PTOG_FAULT;
    fault->rank = first;
    fault->position = (int64_t)place[0];
    fault->index = place[1];
    snprintf(
        fault->text, sizeof fault->text,
        "rank %d: index %lld is %llu, but the table has %llu rows or elements; %llu indices in total are outside it",
        first, (long long)fault->position, (unsigned long long)fault->index, (unsigned long long)fault->capacity,
        (unsigned long long)fault->count);
}

enum ptog_status ptog_mpi_agree(MPI_Comm comm, struct ptog_mpi_fault *fault)
{
    enum { REFUSED, OUTSIDE, NEGATIVE };
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    bool outside = fault->status == PTOG_FAULT, refused = fault->status != PTOG_OK && !outside;
    int mine = ranks - rank,
        most[3] = {refused ? mine : 0, outside ? mine : 0, fault->negative > 0}; /* first rank: most */
    MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_INT, MPI_MAX, comm);
    fault->rank = -1;
    if (most[REFUSED] > 0) {
        int first = ranks - most[REFUSED];
        MPI_Bcast(fault, (int)sizeof *fault, MPI_BYTE, first, comm);
        fault->rank = first;
    } else if (most[OUTSIDE] > 0 || most[NEGATIVE] > 0) {
        sum_lanes(comm, fault, most[OUTSIDE] > 0 ? ranks - most[OUTSIDE] : -1);
    }
    return fault->status;
}

/* ---- ranks that differ ---- */

/* The hash with one more number in it. */
static uint64_t mix_hash(uint64_t hash, uint64_t number)
{
    return (hash ^ number) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 29);
}

static int64_t sum_of_bounds(const struct ptog_mpi_table *t, int ranks)
{
    uint64_t hash = 1;
    for (int r = 0; t->layout == PTOG_MPI_BOUNDS && t->bounds && r <= ranks; r++)
        hash = mix_hash(hash, (uint64_t)t->bounds[r]);
    return (int64_t)(hash >> 2);
}

static int64_t sum_of_files(const struct ptog_mpi_table *t)
{
    uint64_t hash = 1;
    for (size_t i = 0; t->files && i < t->file_count; i++)
        hash = mix_hash(hash, (uint64_t)t->files[i].rows);
    return (int64_t)(hash >> 2);
}

void ptog_mpi_compare(MPI_Comm comm, const struct ptog_mpi_table *t, int ranks, struct ptog_mpi_fault *fault)
{
    const struct {
        const char *name;
        int64_t value;
    } fields[] = {{"dtype", t->dtype},
                  {"index", t->index},
                  {"rows", t->rows},
                  {"cols", t->cols},
                  {"layout", t->layout},
                  {"coalesce", t->coalesce},
                  {"oob", t->oob},
                  {"combine", t->combine},
                  {"scatters", t->scatters},
                  {"neighbours", t->neighbours},
                  {"chunk_bytes", (int64_t)(t->chunk_bytes & INT64_MAX)},
                  {"window", t->window},
                  {"bounds", sum_of_bounds(t, ranks)},
                  {"memory or not", t->memory != NULL},
                  {"files", sum_of_files(t)}};
    enum { FIELDS = sizeof fields / sizeof *fields };
    int64_t most[2 * FIELDS];
    char text[120];
    for (int i = 0; i < FIELDS; i++) {
        most[2 * i] = fields[i].value;
        most[2 * i + 1] = ~fields[i].value;
    }
    MPI_Allreduce(MPI_IN_PLACE, most, 2 * FIELDS, MPI_INT64_T, MPI_MAX, comm);
    for (int i = 0; i < FIELDS; i++)
        if (most[2 * i] != ~most[2 * i + 1]) {
            snprintf(text, sizeof text, "the ranks do not agree about the table: %s differs", fields[i].name);
            ptog_mpi_refuse(fault, PTOG_BAD_ARGUMENT, text);
        }
}
