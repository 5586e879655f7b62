/* mpi: the memory of a plan: one block, cut up in one place. */
#include "mpi/plan.h"

#define BLOCK_BYTES ((uint64_t)256 << 10) /* of a small block: it stays near the core */

int64_t ptog_mpi_block_lanes(uint64_t lane)
{
    uint64_t lanes = BLOCK_BYTES / lane;
    if (lanes < 1)
        return 1;
    return lanes < PTOG_MPI_MAX_BLOCK ? (int64_t)lanes : PTOG_MPI_MAX_BLOCK;
}

struct knife {
    unsigned char *memory;
    uint64_t used;
};

static void *carve_part(struct knife *knife, uint64_t count, size_t size)
{
    void *at = knife->memory ? knife->memory + knife->used : NULL;
    knife->used += (count * size + 63) / 64 * 64;
    return at;
}

static uint64_t table_size(int64_t window)
{
    uint64_t size = 16;
    while (size < 2 * (uint64_t)window)
        size *= 2;
    return size;
}

/* Gives a window its arrays in the plan's memory, or counts their bytes. */
static void carve_window(struct knife *knife, struct ptog_mpi_window *w, const struct ptog_mpi_shape *shape)
{
    uint64_t lanes = (uint64_t)shape->window, ranks = (uint64_t)shape->ranks;
    w->ids = carve_part(knife, lanes, sizeof *w->ids);
    w->head = carve_part(knife, lanes, sizeof *w->head);
    w->next = carve_part(knife, lanes, sizeof *w->next);
    w->direct_to = carve_part(knife, lanes, sizeof *w->direct_to);
    w->direct_from = carve_part(knife, lanes, sizeof *w->direct_from);
    w->out_count = carve_part(knife, ranks, sizeof *w->out_count);
    w->out_start = carve_part(knife, ranks, sizeof *w->out_start);
    w->in_count = carve_part(knife, ranks, sizeof *w->in_count);
    w->in_start = carve_part(knife, ranks, sizeof *w->in_start);
    w->in_ids = carve_part(knife, ranks * (uint64_t)shape->quota, sizeof *w->in_ids);
    w->ids_request = MPI_REQUEST_NULL;
}

/* Gives the table of ids of a window its arrays in the plan's memory, or counts their bytes. */
static void carve_dedupe(struct knife *knife, struct ptog_mpi_dedupe *d, int64_t window)
{
    uint64_t lanes = (uint64_t)window;
    d->mask = table_size(window) - 1;
    d->hash = carve_part(knife, d->mask + 1, sizeof *d->hash);
    d->key = carve_part(knife, lanes, sizeof *d->key);
    d->id = carve_part(knife, lanes, sizeof *d->id);
    d->owner = carve_part(knife, lanes, sizeof *d->owner);
    d->place = carve_part(knife, lanes, sizeof *d->place);
    d->number = carve_part(knife, lanes, sizeof *d->number);
}

/* Behind the pieces of a round there is room for a whole block. */
static void carve_flight(struct knife *knife, struct ptog_mpi_flight *f, const struct ptog_mpi_shape *shape)
{
    uint64_t ranks = (uint64_t)shape->ranks, pieces = ranks * (uint64_t)shape->round;
    f->send = carve_part(knife, pieces + (uint64_t)ptog_mpi_block_lanes(shape->piece), (size_t)shape->piece);
    f->receive = carve_part(knife, pieces, (size_t)shape->piece);
    f->send_count = carve_part(knife, ranks, sizeof *f->send_count);
    f->send_start = carve_part(knife, ranks, sizeof *f->send_start);
    f->receive_count = carve_part(knife, ranks, sizeof *f->receive_count);
    f->receive_start = carve_part(knife, ranks, sizeof *f->receive_start);
    f->request = MPI_REQUEST_NULL;
}

uint64_t ptog_mpi_carve(struct ptog_mpi *plan, unsigned char *memory)
{
    struct knife knife = {.memory = memory};
    const struct ptog_mpi_shape *shape = &plan->shape;
    uint64_t ranks = (uint64_t)shape->ranks, block = (uint64_t)ptog_mpi_block_lanes(shape->piece);
    uint64_t whole = (uint64_t)ptog_mpi_block_lanes(shape->lane_bytes) * shape->lane_bytes;
    plan->first = carve_part(&knife, ranks + 1, sizeof *plan->first);
    plan->shards = carve_part(&knife, ranks, sizeof *plan->shards);
    plan->segments = carve_part(&knife, plan->table.file_count, sizeof *plan->segments);
    for (int i = 0; i < 2; i++) {
        carve_window(&knife, &plan->windows[i], shape);
        carve_flight(&knife, &plan->flights[i], shape);
    }
    carve_dedupe(&knife, &plan->dedupe, shape->window);
    plan->block_ids = carve_part(&knife, ranks * (uint64_t)shape->round + block, sizeof *plan->block_ids);
    plan->bounce = carve_part(&knife, 1, (size_t)(whole > block * shape->piece ? whole : block * shape->piece));
    if (plan->table.scatters && plan->table.combine == PTOG_MPI_REPLACE)
        plan->stamps =
            carve_part(&knife, (uint64_t)ptog_mpi_share(&plan->table, shape->ranks, plan->rank) * shape->group,
                       sizeof *plan->stamps);
    return knife.used;
}
