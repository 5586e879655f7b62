/* sim: SIMT launches on A5. */
#include "sim/simt.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t chunks(int64_t n)
{
    return (n + PTOG_WARP - 1) / PTOG_WARP;
}

struct ptog_simt_shape ptog_simt_row_shape(bool all, int64_t rows, int64_t cols)
{
    int64_t row_warps = all ? PTOG_MOST_WARPS : least(rows, PTOG_MOST_WARPS), per_row = 1;
    if (!all && least(PTOG_MOST_WARPS / row_warps, chunks(cols)) > 1)
        per_row = least(PTOG_MOST_WARPS / row_warps, chunks(cols));
    int64_t rounds = (rows + row_warps - 1) / row_warps, pieces = (chunks(cols) + per_row - 1) / per_row;
    return (struct ptog_simt_shape){row_warps * per_row, rounds * row_warps * pieces * per_row * PTOG_WARP,
                                    rows * cols};
}

struct ptog_simt_shape ptog_simt_elem_shape(bool all, int64_t rows, int64_t cols)
{
    int64_t warps = all ? PTOG_MOST_WARPS : least(chunks(rows * cols), PTOG_MOST_WARPS), threads = warps * PTOG_WARP;
    int64_t rounds = (rows * cols + threads - 1) / threads;
    if (all) { /* rows go to the warps, columns to the lanes */
        rounds = (rows + PTOG_MOST_WARPS - 1) / PTOG_MOST_WARPS * chunks(cols);
    }
    return (struct ptog_simt_shape){warps, rounds * threads, rows * cols};
}

void ptog_simt_launch(struct ptog_stats *stats, struct ptog_simt_shape shape)
{
    stats->launches++;
    stats->warps += (uint64_t)shape.warps;
    stats->idle_lanes += (uint64_t)(shape.steps - shape.elements);
}

void ptog_simt_run(struct ptog_stats *stats, uint64_t at, uint64_t bytes, uint64_t size)
{
    stats->gm_read_bytes += bytes;
    stats->transaction_bytes += bytes;
    for (uint64_t from = at, end = at + bytes; from < end; from += PTOG_WARP * size) {
        uint64_t last = (end - from < PTOG_WARP * size ? end : from + PTOG_WARP * size) - 1;
        stats->transactions += last / PTOG_GM_LINE - from / PTOG_GM_LINE + 1;
    }
}
