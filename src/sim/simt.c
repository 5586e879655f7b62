/* sim: SIMT launches on A5. */
#include "sim/simt.h"

#include "base/pick.h"

/* How many warps n lanes need. */
static int64_t chunk_count(int64_t n)
{
    return (n + PTOG_WARP - 1) / PTOG_WARP;
}

struct ptog_simt_shape ptog_simt_row_shape(bool all, int64_t rows, int64_t cols)
{
    int64_t row_warps = all ? PTOG_MAX_WARPS : ptog_min(rows, PTOG_MAX_WARPS), per_row = 1;
    if (!all && ptog_min(PTOG_MAX_WARPS / row_warps, chunk_count(cols)) > 1)
        per_row = ptog_min(PTOG_MAX_WARPS / row_warps, chunk_count(cols));
    int64_t rounds = (rows + row_warps - 1) / row_warps, pieces = (chunk_count(cols) + per_row - 1) / per_row;
    return (struct ptog_simt_shape){.warps = row_warps * per_row,
                                    .steps = rounds * row_warps * pieces * per_row * PTOG_WARP,
                                    .elements = rows * cols,
                                    .row_warps = row_warps,
                                    .warps_per_row = per_row,
                                    .idle_warps = ptog_max(row_warps - rows, 0),
                                    .remaps = rows * ptog_min(cols, per_row * PTOG_WARP)};
}

struct ptog_simt_shape ptog_simt_elem_shape(bool all, int64_t rows, int64_t cols)
{
    int64_t warps = all ? PTOG_MAX_WARPS : ptog_min(chunk_count(rows * cols), PTOG_MAX_WARPS),
            threads = warps * PTOG_WARP;
    int64_t rounds = (rows * cols + threads - 1) / threads, idle = 0;
    if (all) { /* rows go to the warps, columns to the lanes */
        rounds = (rows + PTOG_MAX_WARPS - 1) / PTOG_MAX_WARPS * chunk_count(cols);
        idle = ptog_max(warps - rows, 0);
    }
    return (struct ptog_simt_shape){
        .warps = warps, .steps = rounds * threads, .elements = rows * cols, .idle_warps = idle, .remaps = rows * cols};
}

void ptog_simt_launch(struct ptog_log *log, struct ptog_simt_shape shape)
{
    log->stats.launches++;
    log->stats.warps += (uint64_t)shape.warps;
    log->stats.idle_lanes += (uint64_t)(shape.steps - shape.elements);
    log->idle_warps = (uint64_t)shape.idle_warps;
    log->lanes = (uint64_t)shape.remaps;
    log->box = (struct ptog_box){.warps = (uint64_t)shape.warps,
                                 .row_warps = (uint64_t)shape.row_warps,
                                 .warps_per_row = (uint64_t)shape.warps_per_row,
                                 .idle_lanes = (uint64_t)(shape.steps - shape.elements)};
}

void ptog_simt_run(struct ptog_log *log, const struct ptog_access *read, uint64_t size)
{
    log->stats.gm_read_bytes += read->bytes;
    log->stats.transaction_bytes += read->bytes;
    for (uint64_t from = read->at, end = read->at + read->bytes; from < end; from += PTOG_WARP * size) {
        uint64_t last = (end - from < PTOG_WARP * size ? end : from + PTOG_WARP * size) - 1;
        for (uint64_t line = from / PTOG_GM_LINE; line <= last / PTOG_GM_LINE; line++)
            ptog_simt_line(log, read->buffer, line);
    }
}
