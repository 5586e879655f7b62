/* mpi: the shards of the table: whose rows this rank can read itself, and where they are. */
#include <string.h>

#include "mpi/files.h"
#include "mpi/plan.h"

/* ---- who is near ---- */

/* The rank in `to` of every rank of `from`; MPI_UNDEFINED: it is not there. */
static int rank_in(MPI_Comm from, int rank, MPI_Comm to)
{
    MPI_Group a, b;
    int found = MPI_UNDEFINED;
    MPI_Comm_group(from, &a);
    MPI_Comm_group(to, &b);
    MPI_Group_translate_ranks(a, 1, &rank, b, &found);
    MPI_Group_free(&a);
    MPI_Group_free(&b);
    return found;
}

/* Finds the rows of the ranks of this node in shared memory; *fault is filled when they are too few. */
static void open_memory(struct ptog_mpi *plan, MPI_Comm near, struct ptog_mpi_fault *fault)
{
    MPI_Comm sharing = ptog_mpi_memory_comm(plan->table.memory);
    int count;
    MPI_Comm_size(near, &count);
    for (int i = 0; i < count; i++) {
        int rank = rank_in(near, i, plan->comm), place = rank_in(near, i, sharing);
        struct ptog_mpi_shard *shard = &plan->shards[rank];
        size_t bytes = 0;
        if (place == MPI_UNDEFINED)
            continue;
        shard->base = ptog_mpi_memory_of(plan->table.memory, place, &bytes);
        shard->visible = shard->packed = true;
        if (rank == plan->rank && bytes < ptog_mpi_shape_count(&plan->shape, rank) * plan->shape.piece)
            ptog_mpi_refuse(fault, PTOG_BAD_ARGUMENT, "the memory is smaller than this rank's rows");
    }
}

/* Takes the caller's rows as this rank's; *fault is filled when they are too few. */
static void open_own(struct ptog_mpi *plan, struct ptog_mpi_fault *fault)
{
    uint64_t count = ptog_mpi_shape_count(&plan->shape, plan->rank);
    struct ptog_mpi_shard *shard = &plan->shards[plan->rank];
    *shard = (struct ptog_mpi_shard){.base = plan->table.at, .visible = true, .packed = true};
    if (count > 0 && (!plan->table.at || plan->table.bytes < count * plan->shape.piece))
        ptog_mpi_refuse(fault, PTOG_BAD_ARGUMENT, "this rank's rows are missing, or there are too few bytes of them");
}

/* Maps the rows of the ranks of this node from the table's files; *fault is filled when that fails. */
static void open_files(struct ptog_mpi *plan, MPI_Comm near, struct ptog_mpi_fault *fault)
{
    uint64_t low = UINT64_MAX, high = 0;
    int count;
    MPI_Comm_size(near, &count);
    for (int i = 0; i < count; i++) {
        int rank = rank_in(near, i, plan->comm);
        uint64_t pieces = ptog_mpi_shape_count(&plan->shape, rank);
        plan->shards[rank].visible = true;
        if (pieces == 0)
            continue;
        uint64_t first = ptog_mpi_shape_piece(&plan->shape, rank, 0),
                 end = ptog_mpi_shape_piece(&plan->shape, rank, pieces - 1) + 1;
        low = first < low ? first : low;
        high = end > high ? end : high;
    }
    ptog_mpi_files_open(plan, low, high, fault);
    for (int rank = 0; rank < plan->ranks && fault->status == PTOG_OK; rank++)
        if (plan->shards[rank].visible)
            plan->shards[rank].packed = ptog_mpi_files_hold(plan, rank, &plan->shards[rank].base);
}

/* ---- what that makes ---- */

/* The whole table, when it lies in memory as one process would have it. */
static unsigned char *find_whole(const struct ptog_mpi *plan)
{
    unsigned char *start = NULL, *end = NULL;
    if (plan->shape.round_robin && plan->ranks > 1)
        return NULL;
    if (plan->segment_count == 1 && plan->segments[0].count == plan->shape.capacity * plan->shape.parts)
        return plan->segments[0].at;
    for (int rank = 0; rank < plan->ranks; rank++) {
        const struct ptog_mpi_shard *shard = &plan->shards[rank];
        uint64_t bytes = ptog_mpi_shape_count(&plan->shape, rank) * plan->shape.piece;
        if (bytes == 0)
            continue;
        if (!shard->packed || (end && shard->base != end))
            return NULL;
        start = start ? start : shard->base;
        end = shard->base + bytes;
    }
    return start;
}

void ptog_mpi_shards_open(struct ptog_mpi *plan, struct ptog_mpi_fault *fault)
{
    MPI_Comm near = ptog_mpi_neighbours(plan->comm, plan->table.neighbours);
    int all = 1;
    memset(plan->shards, 0, (size_t)plan->ranks * sizeof *plan->shards);
    if (plan->table.memory)
        open_memory(plan, near, fault);
    else if (plan->table.files)
        open_files(plan, near, fault);
    else
        open_own(plan, fault);
    MPI_Comm_free(&near);
    for (int rank = 0; rank < plan->ranks; rank++)
        all = all && (plan->shards[rank].visible || ptog_mpi_shape_count(&plan->shape, rank) == 0);
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, plan->comm);
    plan->all_visible = all;
    plan->whole = all && fault->status == PTOG_OK ? find_whole(plan) : NULL;
}

void ptog_mpi_shards_close(struct ptog_mpi *plan)
{
    ptog_mpi_files_close(plan);
}

unsigned char *ptog_mpi_locate(const struct ptog_mpi *plan, int owner, uint64_t place)
{
    const struct ptog_mpi_shard *shard = &plan->shards[owner];
    if (shard->packed)
        return shard->base + place * plan->shape.piece;
    return ptog_mpi_files_find(plan, ptog_mpi_shape_piece(&plan->shape, owner, place));
}
