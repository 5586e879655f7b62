/* mpi: the gather. When all ranks see the whole table, each reads its lanes and nothing is sent. Otherwise ids go to
 * the owners and rows come back, window by window. */
#include <string.h>

#include "mpi/batch.h"
#include "mpi/plan.h"

/* ---- the table is visible ---- */

/* Where piece number `i` of the call is; NULL: outside the table. */
static const unsigned char *find_piece(const struct ptog_mpi_call *call, uint64_t i)
{
    const struct ptog_mpi *plan = call->plan;
    uint64_t lane, place, parts = plan->shape.parts;
    if (!ptog_mpi_call_lane(call, (int64_t)(i / parts), &lane))
        return NULL;
    int owner = ptog_mpi_owner(&plan->shape, lane * parts + i % parts, &place);
    return ptog_mpi_locate(plan, owner, place);
}

/* Shards that do not lie one behind the other. */
static void read_shards(const struct ptog_mpi_call *call)
{
    const struct ptog_mpi *plan = call->plan;
    struct ptog_mpi_batch batch = {.piece = plan->shape.piece};
    uint64_t all = (uint64_t)call->n * plan->shape.parts;
    for (uint64_t i = 0; i < all; i++) {
        const unsigned char *from = find_piece(call, i);
        unsigned char *to = call->out + i * batch.piece;
        if (from)
            ptog_mpi_batch_add(&batch, to, from);
        else
            memset(to, ptog_mpi_outside(plan), (size_t)batch.piece);
    }
    ptog_mpi_batch_end(&batch);
}

/* Gathers all lanes where this rank can read every shard itself, counts them, and waits for the other ranks. */
static void gather_visible(const struct ptog_mpi_call *call)
{
    struct ptog_mpi *plan = call->plan;
    if (plan->table.memory)
        ptog_mpi_memory_sync(plan->table.memory);
    if (plan->whole && call->n > 0)
        ptog_mpi_fetch_run(&plan->whole_fetch, plan->whole, call->idx, call->n, call->out, plan->bounce);
    else
        read_shards(call);
    plan->stats.lanes += (uint64_t)call->n;
    plan->stats.direct_lanes += (uint64_t)call->n;
    MPI_Barrier(plan->comm); /* a neighbour may still read what this rank is going to change */
}

/* ---- rows travel ---- */

/* The ids of a round, one rank's behind the other's, in block_ids. */
static int64_t list_ids(const struct ptog_mpi_rounds *rounds, int64_t first, const struct ptog_mpi_flight *flight)
{
    struct ptog_mpi *plan = rounds->call->plan;
    const struct ptog_mpi_window *w = rounds->window;
    int64_t all = 0;
    for (int r = 0; r < plan->ranks; r++) {
        int64_t count = flight->send_count[r] / (int64_t)plan->shape.piece;
        memcpy(plan->block_ids + all, w->in_ids + w->in_start[r] + first, (size_t)count * sizeof *w->in_ids);
        all += count;
    }
    return all;
}

/* Rows that others asked for, by the local kernel, straight into the send buffer. */
static void fill_requested(const struct ptog_mpi_rounds *rounds, int64_t first, struct ptog_mpi_flight *flight)
{
    struct ptog_mpi *plan = rounds->call->plan;
    const struct ptog_mpi_shard *shard = &plan->shards[plan->rank];
    int64_t all = list_ids(rounds, first, flight);
    if (shard->packed) {
        ptog_mpi_fetch_run(&plan->shard_fetch, shard->base, plan->block_ids, all, flight->send, NULL);
        return;
    }
    struct ptog_mpi_batch batch = {.piece = plan->shape.piece};
    for (int64_t i = 0; i < all; i++)
        ptog_mpi_batch_add(&batch, flight->send + (uint64_t)i * batch.piece,
                           ptog_mpi_locate(plan, plan->rank, plan->block_ids[i]));
    ptog_mpi_batch_end(&batch);
}

/* Rows that have come go to every piece that wants them. */
static void scatter_received(const struct ptog_mpi_rounds *rounds, int64_t first, const struct ptog_mpi_flight *flight)
{
    struct ptog_mpi *plan = rounds->call->plan;
    const struct ptog_mpi_window *w = rounds->window;
    struct ptog_mpi_batch batch = {.piece = plan->shape.piece};
    unsigned char *out = rounds->call->out + w->from * batch.piece;
    for (int r = 0; r < plan->ranks; r++) {
        int64_t count = flight->receive_count[r] / (int64_t)batch.piece;
        const unsigned char *row = flight->receive + flight->receive_start[r];
        const uint32_t *head = w->head + w->out_start[r] + first;
        for (int64_t i = 0; i < count; i++, row += batch.piece)
            for (uint32_t to = head[i]; to != PTOG_MPI_NOBODY; to = w->next[to])
                ptog_mpi_batch_add(&batch, out + to * batch.piece, row);
        ptog_mpi_progress(plan);
    }
    ptog_mpi_batch_end(&batch);
}

#define BETWEEN 256 /* pieces between two looks at the messages */

/* The pieces of this rank and its neighbours: in each round some of them. */
static void read_directly(const struct ptog_mpi_rounds *rounds, int64_t round)
{
    struct ptog_mpi *plan = rounds->call->plan;
    const struct ptog_mpi_window *w = rounds->window;
    struct ptog_mpi_batch batch = {.piece = plan->shape.piece};
    unsigned char *out = rounds->call->out + w->from * batch.piece;
    int64_t parts = w->rounds > 0 ? w->rounds : 1, each = (w->direct + parts - 1) / parts;
    int64_t from = round * each, to = from + each < w->direct ? from + each : w->direct;
    for (int64_t i = from; i < to; i++) {
        ptog_mpi_batch_add(&batch, out + w->direct_to[i] * batch.piece, w->direct_from[i]);
        if (i % BETWEEN == 0)
            ptog_mpi_progress(plan);
    }
    ptog_mpi_batch_end(&batch);
}

/* Gathers with requests to the ranks that have the rows, which send them back; afterwards all ranks have read what
 * they need. */
static void gather_sent(const struct ptog_mpi_call *call)
{
    struct ptog_mpi_rounds rounds = {
        .call = call, .fill = fill_requested, .take = scatter_received, .meanwhile = read_directly};
    struct ptog_mpi *plan = call->plan;
    if (plan->table.memory)
        ptog_mpi_memory_sync(plan->table.memory);
    ptog_mpi_windows_run(&rounds);
    if (plan->table.memory || plan->table.files)
        MPI_Barrier(plan->comm);
}

enum ptog_status ptog_mpi_gather(ptog_mpi *plan, const void *idx, int64_t n, void *out)
{
    struct ptog_mpi_call call = {.plan = plan, .idx = idx, .n = n, .is_gather = true, .out = out};
    if (!plan)
        return PTOG_BAD_ARGUMENT;
    enum ptog_status status = ptog_mpi_call_start(&call);
    if (status != PTOG_OK && status != PTOG_FAULT)
        return status;
    if (plan->all_visible)
        gather_visible(&call);
    else
        gather_sent(&call);
    return status;
}
