/* mpi: what travels: the ids of a window, once; then its rows, round by round. While a round is on its way the one
 * before is taken and the one behind is filled, so there are two buffers of each kind. The next window is prepared and
 * its ids are sent while the first round of this one travels:
 *
 *   fill 0  send 0 ........ wait 0  take 0  send 2 ........ wait 2
 *           next window     fill 1  send 1 ........ wait 1  take 1  ...
 */
#include "mpi/plan.h"

/* ---- ids ---- */

/* Fills in where each rank's part begins; returns how many there are in all. */
static int sum_starts(const int *count, int *start, int ranks)
{
    int all = 0;
    for (int r = 0; r < ranks; all += count[r++])
        start[r] = all;
    return all;
}

static int64_t rounds_of(const struct ptog_mpi *plan, const int *count)
{
    int most = 0;
    for (int r = 0; r < plan->ranks; r++)
        most = count[r] > most ? count[r] : most;
    return (most + plan->shape.round - 1) / plan->shape.round;
}

/* Agrees on the number of rounds, and begins to send ids to the ranks that own them. All ranks take part. */
static void send_ids(struct ptog_mpi *plan, struct ptog_mpi_window *w)
{
    int64_t most[2] = {rounds_of(plan, w->out_count), w->count > 0};
    MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_INT64_T, MPI_MAX, plan->comm);
    w->rounds = most[0];
    w->any = most[1] > 0;
    if (w->rounds == 0)
        return;
    MPI_Alltoall(w->out_count, 1, MPI_INT, w->in_count, 1, MPI_INT, plan->comm);
    int sent = sum_starts(w->out_count, w->out_start, plan->ranks);
    sum_starts(w->in_count, w->in_start, plan->ranks);
    MPI_Ialltoallv(w->ids, w->out_count, w->out_start, MPI_UINT64_T, w->in_ids, w->in_count, w->in_start, MPI_UINT64_T,
                   plan->comm, &w->ids_request);
    plan->stats.ids_sent += (uint64_t)(sent - w->out_count[plan->rank]);
}

/* ---- rows ---- */

/* Bytes for each rank in the round that begins with piece number `first` of each. */
static int measure_round(const struct ptog_mpi *plan, const int *total, int64_t first, int *count, int *start)
{
    int64_t piece = (int64_t)plan->shape.piece;
    for (int r = 0; r < plan->ranks; r++) {
        int64_t pieces = total[r] - first;
        if (pieces > plan->shape.round)
            pieces = plan->shape.round;
        count[r] = pieces > 0 ? (int)(pieces * piece) : 0;
    }
    return sum_starts(count, start, plan->ranks);
}

/* Fills the buffers of a round, and begins its exchange. All ranks take part. */
static void launch_round(const struct ptog_mpi_rounds *rounds, int64_t round)
{
    struct ptog_mpi *plan = rounds->call->plan;
    struct ptog_mpi_flight *f = &plan->flights[round % 2];
    int64_t first = round * plan->shape.round;
    const int *for_owners = rounds->window->out_count, *from_askers = rounds->window->in_count;
    int bytes = measure_round(plan, rounds->to_owner ? for_owners : from_askers, first, f->send_count, f->send_start);
    measure_round(plan, rounds->to_owner ? from_askers : for_owners, first, f->receive_count, f->receive_start);
    rounds->fill(rounds, first, f);
    MPI_Ialltoallv(f->send, f->send_count, f->send_start, MPI_BYTE, f->receive, f->receive_count, f->receive_start,
                   MPI_BYTE, plan->comm, &f->request);
    plan->stats.bytes_sent += (uint64_t)(bytes - f->send_count[plan->rank]);
    plan->stats.rounds++;
}

/* Waits for a round, and does with the received bytes what the call is for. */
static void finish_round(const struct ptog_mpi_rounds *rounds, int64_t round)
{
    struct ptog_mpi *plan = rounds->call->plan;
    struct ptog_mpi_flight *f = &plan->flights[round % 2];
    MPI_Wait(&f->request, MPI_STATUS_IGNORE);
    rounds->take(rounds, round * plan->shape.round, f);
}

void ptog_mpi_progress(struct ptog_mpi *plan)
{
    int done;
    for (int i = 0; i < 2; i++)
        if (plan->flights[i].request != MPI_REQUEST_NULL)
            MPI_Request_get_status(plan->flights[i].request, &done, MPI_STATUS_IGNORE);
}

/* ---- windows ---- */

static void prepare_window(const struct ptog_mpi_rounds *rounds, struct ptog_mpi_window *window, uint64_t from)
{
    ptog_mpi_window_fill(window, rounds->call, from);
    send_ids(rounds->call->plan, window);
}

/* What is done while round number `round` travels. */
static void meanwhile(const struct ptog_mpi_rounds *rounds, int64_t round)
{
    if (round == 0)
        prepare_window(rounds, rounds->next, rounds->window->from + (uint64_t)rounds->window->count);
    if (rounds->meanwhile)
        rounds->meanwhile(rounds, round);
}

/* Runs all rounds of a window: starts each before the one before is finished, and does other work meanwhile. */
static void run_window(const struct ptog_mpi_rounds *rounds)
{
    int64_t count = rounds->window->rounds;
    MPI_Wait(&rounds->window->ids_request, MPI_STATUS_IGNORE);
    if (count > 0)
        launch_round(rounds, 0);
    meanwhile(rounds, 0);
    for (int64_t round = 1; round <= count; round++) {
        if (round < count) {
            launch_round(rounds, round);
            meanwhile(rounds, round);
        }
        finish_round(rounds, round - 1);
    }
}

void ptog_mpi_windows_run(struct ptog_mpi_rounds *rounds)
{
    struct ptog_mpi *plan = rounds->call->plan;
    rounds->window = &plan->windows[0];
    rounds->next = &plan->windows[1];
    prepare_window(rounds, rounds->window, 0);
    while (rounds->window->any) {
        struct ptog_mpi_window *done = rounds->window;
        run_window(rounds);
        rounds->window = rounds->next;
        rounds->next = done;
    }
}
