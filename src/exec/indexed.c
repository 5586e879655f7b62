/* exec: gathering through a list of indices, which MGATHER and TGATHER by index share: how the lanes of two tiles
 * follow each other, and the calls of the kernel that come of it. */
#include "exec/indexed.h"

#include "base/pick.h"
#include "exec/threads.h"
#include "model/dtype.h"
#include "model/tile.h"

/* Bytes from one column to the next within a piece; reduces *piece to the columns that lie at that distance. */
int64_t ptog_col_step(const struct ptog_tile *tile, int64_t *piece)
{
    int64_t size = (int64_t)ptog_dtype_size(tile->dtype);
    enum ptog_tile_order order = ptog_tile_order(tile);
    if (order == PTOG_ORDER_NZ && *piece > ptog_c0(tile->dtype))
        *piece = ptog_c0(tile->dtype);
    if (order == PTOG_ORDER_COL)
        return tile->rows * size;
    return size;
}

int64_t ptog_row_step(const struct ptog_tile *tile)
{
    int64_t size = (int64_t)ptog_dtype_size(tile->dtype);
    if (tile->rows > 1)
        return ptog_tile_offset(tile, 1, 0) * size;
    return 0;
}

uint64_t ptog_most_index(enum ptog_dtype index, bool sign_matters, bool checked, uint64_t capacity)
{
    uint64_t sign = ptog_dtype_sign_bit(index), most = checked ? capacity - 1 : UINT64_MAX;
    if (sign_matters && ptog_dtype_is_signed(index) && most >= sign)
        return sign - 1;
    return most;
}

bool ptog_is_without_gaps(const struct ptog_tile *dst, const struct ptog_tile *idx)
{
    return ptog_tile_order(dst) != PTOG_ORDER_COL && ptog_tile_order(idx) != PTOG_ORDER_COL;
}

void ptog_ready_elem(const struct ptog_tile *dst, const struct ptog_tile *idx, int64_t rows, int64_t cols,
                     struct ptog_ready *ready)
{
    struct ptog_job *job = &ready->job;
    bool plain = ptog_tile_order(dst) == PTOG_ORDER_ROW && ptog_tile_order(idx) == PTOG_ORDER_ROW;
    ready->piece = cols;
    job->dst_step = ptog_col_step(dst, &ready->piece);
    job->idx_step = ptog_col_step(idx, &ready->piece);
    if (rows == 1 && ready->piece == cols) {
        ready->lanes = cols;
    } else if (plain && cols == dst->cols && cols == idx->cols) {
        ready->lanes = rows * cols;
    } else {
        ready->rows = rows;
        ready->cols = cols;
    }
}

/* ---- calls of the kernel */

/* How many bytes into a tile's storage an element is. */
static int64_t element_offset(const struct ptog_tile *tile, int64_t r, int64_t c)
{
    return ptog_tile_offset(tile, r, c) * (int64_t)ptog_dtype_size(tile->dtype);
}

#define PIECE ((uint64_t)32 << 10) /* bytes touched: the least that is timed; a run has 256 of them at most */
#define MAX_PIECES 256

struct plain_gather {
    const struct ptog_exec *x;
    const struct ptog_tile *dst, *idx;
    const struct ptog_run *run;
    int64_t piece; /* items that are timed at once */
};

/* Lanes first..last-1 in one call. */
static bool gather_lanes(const void *work, int candidate, int64_t first, int64_t last)
{
    const struct plain_gather *g = work;
    const struct ptog_job job = ptog_candidate_job(g->x->ready, candidate);
    const struct ptog_kernel *kernel = g->x->ready->candidates.of[candidate].kernel;
    return kernel->gather(&job, (unsigned char *)g->run->dst.data + first * job.dst_step, g->run->src.data,
                          (const unsigned char *)g->run->idx.data + first * job.idx_step, last - first);
}

/* Gathers rows first..last-1 with a candidate's kernel, piece by piece. False: a kernel has given up, and the run does
 * it with the reference loop. */
static bool gather_rows(const void *work, int candidate, int64_t first, int64_t last)
{
    const struct plain_gather *g = work;
    const struct ptog_ready *ready = g->x->ready;
    const struct ptog_job job = ptog_candidate_job(ready, candidate);
    const struct ptog_kernel *kernel = ready->candidates.of[candidate].kernel;
    for (int64_t r = first; r < last; r++)
        for (int64_t c = 0; c < ready->cols; c += ready->piece) {
            int64_t count = ptog_min(ready->cols - c, ready->piece);
            unsigned char *dst = (unsigned char *)g->run->dst.data + element_offset(g->dst, r, c);
            const unsigned char *idx = (const unsigned char *)g->run->idx.data + element_offset(g->idx, r, c);
            if (!kernel->gather(&job, dst, g->run->src.data, idx, count))
                return false;
        }
    return true;
}

/* Gathers a part of the items, as one thread does them; the part that the run begins with tries candidates. False as
 * the parts themselves. */
static bool gather_part(const void *work, int64_t first, int64_t last)
{
    const struct plain_gather *g = work;
    const struct ptog_ready *ready = g->x->ready;
    struct ptog_choice_work items = {gather_lanes, g, ready->candidates.count, ready->lanes, g->piece};
    if (ready->rows > 0)
        items.part = gather_rows, items.count = ready->rows;
    if (ready->candidates.count > 1 && first == 0)
        return ptog_choice_run(&items, first, last, g->x->hint, g->x->clock);
    int best = ready->candidates.count > 1 ? ptog_choice_best(g->x->hint) : 0;
    return items.part(g, best, first, last);
}

bool ptog_gather_in_parts(const struct ptog_exec *x, const struct ptog_tile *dst, const struct ptog_tile *idx,
                          const struct ptog_run *run)
{
    const struct ptog_ready *ready = x->ready;
    struct plain_gather g = {x, dst, idx, run, 1};
    struct ptog_items items = {gather_part, &g, ready->rows > 0 ? ready->rows : ready->lanes, ready->touched};
    uint64_t pieces = ptog_max(ptog_min(ready->touched / PIECE, (uint64_t)MAX_PIECES), (uint64_t)1);
    g.piece = ptog_max(items.count / (int64_t)pieces, (int64_t)1);
    return ptog_in_parts(&items, run->threads, run->pool);
}
