/* mpi: filling a window: pieces are taken one by one until one of three is full: the window, or the ids for one rank.
 * Repeated pieces are found by a hash table with open addressing, which is as large as two windows. */
#include <string.h>

#include "mpi/plan.h"

struct filling {
    struct ptog_mpi_window *w;
    const struct ptog_mpi_call *call;
    struct ptog_mpi_dedupe *d;
    uint32_t different; /* pieces that have to be sent */
};

/* The number of a piece among the different ones; NOBODY: it is new, and *slot is where it belongs. */
static uint32_t look_up(const struct ptog_mpi_dedupe *d, uint64_t piece, uint64_t *slot)
{
    uint64_t at = piece * UINT64_C(0x9E3779B97F4A7C15);
    for (at = (at ^ at >> 32) & d->mask;; at = (at + 1) & d->mask) {
        uint32_t found = d->hash[at];
        *slot = at;
        if (found == 0)
            return PTOG_MPI_NOBODY;
        if (d->key[found - 1] == piece)
            return found - 1;
    }
}

/* A piece that has to travel. False: there is no more room for ids to its owner. */
static bool collect(struct filling *f, uint64_t piece, int owner, uint64_t place, bool repeats)
{
    struct ptog_mpi_dedupe *d = f->d;
    uint64_t slot = 0;
    uint32_t number = repeats ? look_up(d, piece, &slot) : PTOG_MPI_NOBODY;
    if (number == PTOG_MPI_NOBODY) {
        if (f->w->out_count[owner] >= f->call->plan->shape.quota)
            return false;
        number = f->different++;
        if (repeats)
            d->hash[slot] = number + 1;
        d->key[number] = piece;
        d->id[number] = place;
        d->owner[number] = (uint32_t)owner;
        f->w->out_count[owner]++;
    }
    d->number[f->w->count] = number;
    return true;
}

/* An index outside of the table: a gather gets zeros, a scatter writes nothing. */
static void fill_outside(struct filling *f, uint64_t piece_of_call)
{
    const struct ptog_mpi *plan = f->call->plan;
    uint64_t bytes = plan->shape.piece;
    f->d->number[f->w->count] = PTOG_MPI_NOBODY;
    if (f->call->is_gather)
        memset(f->call->out + piece_of_call * bytes, ptog_mpi_outside(plan), (size_t)bytes);
}

/* One piece of the call; false: it does not fit any more. */
static bool take_piece(struct filling *f, uint64_t piece_of_call)
{
    struct ptog_mpi *plan = f->call->plan;
    struct ptog_mpi_window *w = f->w;
    const struct ptog_mpi_shape *shape = &plan->shape;
    uint64_t lane, part = 0, place, of_call = piece_of_call;
    if (shape->parts > 1) {
        of_call = piece_of_call / shape->parts;
        part = piece_of_call % shape->parts;
    }
    if (!ptog_mpi_call_lane(f->call, (int64_t)of_call, &lane)) {
        fill_outside(f, piece_of_call);
        return true;
    }
    uint64_t piece = lane * shape->parts + part;
    int owner = ptog_mpi_owner(shape, piece, &place);
    if (f->call->is_gather && plan->shards[owner].visible) {
        f->d->number[w->count] = PTOG_MPI_NOBODY;
        w->direct_to[w->direct] = (uint32_t)w->count;
        w->direct_from[w->direct++] = ptog_mpi_locate(plan, owner, place);
        return true;
    }
    return collect(f, piece, owner, place, f->call->is_gather || plan->table.combine == PTOG_MPI_REPLACE);
}

/* The ids, by owner; and the pieces that want each of them, in a list. A gather wants them all, in ascending order. Of
 * a scatter that replaces, only the last is looked at, so the list is a stack: its head is the last piece. */
static void sort(struct filling *f)
{
    struct ptog_mpi_window *w = f->w;
    struct ptog_mpi_dedupe *d = f->d;
    int ranks = f->call->plan->ranks;
    for (int r = 0, start = 0; r < ranks; start += w->out_count[r++])
        w->out_start[r] = start;
    for (uint32_t i = 0; i < f->different; i++) {
        uint32_t at = (uint32_t)w->out_start[d->owner[i]]++;
        d->place[i] = at;
        w->ids[at] = d->id[i];
        w->head[at] = PTOG_MPI_NOBODY;
    }
    for (int r = 0; r < ranks; r++)
        w->out_start[r] -= w->out_count[r];
    for (int64_t k = 0; k < w->count; k++) {
        int64_t i = f->call->is_gather ? w->count - 1 - k : k;
        if (d->number[i] == PTOG_MPI_NOBODY)
            continue;
        uint32_t at = d->place[d->number[i]];
        w->next[i] = w->head[at];
        w->head[at] = (uint32_t)i;
    }
}

void ptog_mpi_window_fill(struct ptog_mpi_window *w, const struct ptog_mpi_call *call, uint64_t from)
{
    struct ptog_mpi *plan = call->plan;
    struct filling f = {.w = w, .call = call, .d = &plan->dedupe};
    uint64_t all = (uint64_t)call->n * plan->shape.parts, left = all - from;
    int64_t most = left < (uint64_t)plan->shape.window ? (int64_t)left : plan->shape.window;
    w->from = from;
    w->direct = w->count = 0;
    memset(w->out_count, 0, (size_t)plan->ranks * sizeof *w->out_count);
    if (most > 0)
        memset(f.d->hash, 0, (size_t)(f.d->mask + 1) * sizeof *f.d->hash);
    while (w->count < most && take_piece(&f, from + (uint64_t)w->count))
        w->count++;
    sort(&f);
    plan->stats.lanes += (uint64_t)w->count;
    plan->stats.direct_lanes += (uint64_t)w->direct;
    plan->stats.windows += w->count > 0;
}
