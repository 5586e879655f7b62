/* mpi: the scatter. Ids and rows go to the owners, which write them in the order of the ranks. A row that replaces what
 * is there must not replace one of a later rank that came in an earlier round: every piece has a stamp that says who
 * wrote it in this call. */
#include <string.h>

#include "mpi/batch.h"
#include "mpi/plan.h"

/* Rows for the owners. Of equal pieces the last one is sent. */
static void fill_sent(const struct ptog_mpi_rounds *rounds, int64_t first, struct ptog_mpi_flight *flight)
{
    struct ptog_mpi *plan = rounds->call->plan;
    const struct ptog_mpi_window *w = rounds->window;
    struct ptog_mpi_batch batch = {.piece = plan->shape.piece};
    const unsigned char *rows = rounds->call->rows + w->from * batch.piece;
    unsigned char *to = flight->send;
    for (int r = 0; r < plan->ranks; r++) {
        const uint32_t *head = w->head + w->out_start[r] + first;
        for (int64_t i = 0; i < flight->send_count[r] / (int64_t)batch.piece; i++, to += batch.piece)
            ptog_mpi_batch_add(&batch, to, rows + head[i] * batch.piece);
    }
    ptog_mpi_batch_end(&batch);
}

/* Adds a row to the one at `to`, in the type of the table. */
static void combine_rows(const struct ptog_mpi *plan, unsigned char *to, unsigned char *row)
{
    size_t bytes = (size_t)plan->shape.piece;
    struct ptog_run run = {.dst = {to, bytes}, .src = {to, bytes}, .src1 = {row, bytes}, .threads = 1};
    ptog_plan_run(plan->combine, &run, NULL);
}

/* Writes a piece that rank `from` sent: added to what is there, or in its place unless a higher rank wrote it in this
 * call. */
static void write_piece(struct ptog_mpi *plan, int from, uint64_t place, unsigned char *row)
{
    unsigned char *to = ptog_mpi_locate(plan, plan->rank, place);
    uint32_t stamp = plan->epoch * (uint32_t)plan->ranks + (uint32_t)from;
    if (plan->combine) {
        combine_rows(plan, to, row);
    } else if (stamp >= plan->stamps[place]) {
        plan->stamps[place] = stamp;
        ptog_mpi_copy(to, row, plan->shape.piece);
    }
}

/* Stores the rows of one round, which other ranks have sent, into this rank's shard. */
static void store_received(const struct ptog_mpi_rounds *rounds, int64_t first, const struct ptog_mpi_flight *flight)
{
    struct ptog_mpi *plan = rounds->call->plan;
    const struct ptog_mpi_window *w = rounds->window;
    uint64_t piece = plan->shape.piece;
    for (int r = 0; r < plan->ranks; r++) {
        int64_t count = flight->receive_count[r] / (int64_t)piece;
        unsigned char *row = flight->receive + flight->receive_start[r];
        for (int64_t i = 0; i < count; i++, row += piece)
            write_piece(plan, r, w->in_ids[w->in_start[r] + first + i], row);
        ptog_mpi_progress(plan);
    }
}

/* Stamps of earlier calls are smaller than all of this one. */
static void next_epoch(struct ptog_mpi *plan)
{
    if (!plan->stamps)
        return;
    if (plan->epoch == 0 || plan->epoch + 1 >= UINT32_MAX / (uint32_t)plan->ranks) {
        memset(plan->stamps, 0, (size_t)ptog_mpi_shape_count(&plan->shape, plan->rank) * sizeof *plan->stamps);
        plan->epoch = 0;
    }
    plan->epoch++;
}

enum ptog_status ptog_mpi_scatter(ptog_mpi *plan, const void *idx, int64_t n, const void *rows)
{
    struct ptog_mpi_call call = {.plan = plan, .idx = idx, .n = n, .rows = rows};
    struct ptog_mpi_rounds rounds = {.call = &call, .to_owner = true, .fill = fill_sent, .take = store_received};
    if (!plan || !plan->table.scatters)
        return PTOG_BAD_ARGUMENT;
    enum ptog_status status = ptog_mpi_call_start(&call);
    if (status != PTOG_OK && status != PTOG_FAULT)
        return status;
    next_epoch(plan);
    ptog_mpi_windows_run(&rounds);
    if (plan->table.memory)
        ptog_mpi_memory_sync(plan->table.memory);
    MPI_Barrier(plan->comm); /* what a neighbour reads next has been written */
    return status;
}
