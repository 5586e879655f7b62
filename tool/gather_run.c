/* tool: the gather itself: a piece at a time through the library's plan, written as it comes. */
#include "gather.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/memory.h"
#include "io/pick.h"

#define PIECE ((uint64_t)8 << 20)        /* bytes of output that are gathered at once */
#define MAX_LANES ((uint64_t)1 << 20)    /* indices that are looked at at once */
#define LARGE ((uint64_t)1 << 30)        /* a table of more bytes is read with care, or of a quarter of memory */
#define LARGE_PIECE ((uint64_t)64 << 20) /* in larger pieces: what comes again in one is read once */

/* The work, and what it needs. */
struct gather_work {
    struct gather_job *job;
    bool is_large;
    uint64_t most;               /* lanes of a piece */
    unsigned char *piece, *wide; /* output; indices as 32-bit numbers, when theirs are narrower */
    ptog_pool *pool;             /* NULL: one thread */
    ptog_plan *plan;
    uint64_t planned; /* lanes of the plan; 0: none yet */
    uint64_t negative;
    struct gather_order order; /* of a large table */
};

/* ---- one piece ---- */

/* Makes the plan for gathers of so many lanes, unless the last one serves. */
static enum ptog_status plan_lanes(struct gather_work *work, uint64_t lanes)
{
    const struct gather_job *job = work->job;
    enum ptog_dtype unit = gather_unit(job->lane);
    int64_t width = (int64_t)(job->lane / ptog_dtype_size(unit)), count = (int64_t)lanes;
    struct ptog_mgather op = {.dst = ptog_tile_vec(unit, count, width),
                              .table = ptog_tensor_2d(unit, (int64_t)job->capacity, width),
                              .idx = ptog_tile_vec(gather_index_type(&job->index.array), 1, count),
                              .oob = job->oob};
    if (width == 1) { /* elements, which lie in one row */
        op.dst = ptog_tile_vec(unit, 1, count);
        op.table = ptog_tensor_2d(unit, 1, (int64_t)job->capacity);
        op.coalesce = PTOG_ELEM;
    }
    if (work->planned == lanes)
        return PTOG_OK;
    ptog_plan_free(work->plan);
    work->planned = 0;
    enum ptog_status status = ptog_plan_mgather(&work->plan, ptog_target_at(PTOG_TARGET_HOST), &op, NULL);
    if (status == PTOG_OK)
        work->planned = lanes;
    return status;
}

/* Gathers lanes first, first + 1, ... into the piece. */
static int gather_piece(struct gather_work *work, uint64_t first, uint64_t lanes)
{
    const struct gather_job *job = work->job;
    struct ptog_fault fault;
    if (work->is_large)
        return gather_in_order(&work->order, work->job, first, lanes, work->piece);
    if (job->table.count > 1)
        return gather_from_parts(job, first, lanes, work->piece, &work->negative);
    enum ptog_status status = plan_lanes(work, lanes);
    if (status == PTOG_OK) {
        const struct tool_npy *table = &job->table.array, *index = &job->index.array;
        struct ptog_run run = {
            .dst = {work->piece, (size_t)(lanes * job->lane)},
            .src = {table->data, table->bytes},
            .idx = {gather_indices(job, first, lanes, work->wide), (size_t)lanes * (tool_max(4, index->item))},
            .pool = work->pool};
        status = ptog_plan_run(work->plan, &run, &fault);
        work->negative += fault.of[PTOG_FAULT_INDEX_NEGATIVE].count;
    }
    if (status == PTOG_FAULT) /* one row, or one column, of lanes */
        return gather_bad_index(job, first + (uint64_t)(fault.row + fault.col));
    if (status == PTOG_OK)
        return TOOL_OK;
    return tool_fail("gather", "%s", ptog_status_text(status));
}

/* ---- all pieces ---- */

/* Gathers piece after piece and writes it to the file; the exit status. */
static int write_pieces(struct gather_work *work, struct tool_file *file)
{
    const struct gather_job *job = work->job;
    struct tool_progress progress;
    struct tool_why why;
    int result = TOOL_OK;
    tool_progress_start(&progress);
    for (uint64_t first = 0; result == TOOL_OK && first < job->lanes && job->lane > 0; first += work->most) {
        uint64_t left = job->lanes - first, lanes = tool_min(left, work->most);
        if (job->capacity > 0)
            result = gather_piece(work, first, lanes);
        if (result == TOOL_OK && !tool_file_write(file, work->piece, (size_t)(lanes * job->lane), &why))
            result = tool_fail("gather", "%s: %s", tool_or(file->path, "standard output"), why.text);
        tool_progress_at(&progress, first + lanes, job->lanes, job->lane);
    }
    tool_progress_end(&progress);
    return result;
}

/* Writes the output, header first, and keeps the file only when all of it is there; the exit status. */
static int write_file(struct gather_work *work, const struct gather_output *out)
{
    const char *path = out->path;
    struct tool_file file;
    struct tool_why why;
    if (!tool_file_start(&file, out->name.path, &why))
        return tool_fail("gather", "%s: %s", path, why.text);
    int result = tool_file_write(&file, out->header, out->header_bytes, &why)
                     ? write_pieces(work, &file)
                     : tool_fail("gather", "%s: %s", path, why.text);
    if (result != TOOL_OK)
        tool_file_drop(&file);
    else if (!tool_file_keep(&file, &why))
        result = tool_fail("gather", "%s: %s", path, why.text);
    return result;
}

/* What a piece needs. TOOL_OK, or after a message. */
static int open_work(struct gather_work *work, uint64_t memory)
{
    struct gather_job *job = work->job;
    uint64_t bytes = work->most * job->lane;
    bool narrow = job->index.array.item < 4;
    if (bytes <= memory)
        work->piece = ptog_alloc(tool_max(bytes, 1));
    work->wide = narrow ? malloc((size_t)work->most * 4 + 1) : NULL;
    if (!work->piece || (narrow && !work->wide))
        return tool_fail("gather", "a row of %" PRIu64 " bytes does not fit in memory", job->lane);
    if (work->is_large && !gather_order_open(&work->order, job, work->most))
        return TOOL_USAGE;
    if (job->threads > 1)
        ptog_pool_new(&work->pool, job->threads); /* without memory for it, one thread does the work */
    return TOOL_OK;
}

int gather_run(struct gather_job *job, const struct gather_output *out)
{
    struct gather_work work = {.job = job};
    if (job->io == GATHER_IO_URING && !job->table.is_mapped && job->table.array.bytes > 0)
        return tool_fail("gather", "--io uring: %s: is read into memory as a whole", job->table.path);
    if (gather_check_empty(job) != TOOL_OK)
        return TOOL_WRONG;
    uint64_t memory = tool_memory_left(), piece = PIECE;
    work.is_large =
        job->table.is_mapped && (job->io == GATHER_IO_URING || job->table.array.bytes > tool_min(LARGE, memory / 4));
    if (work.is_large)
        piece = tool_min(LARGE_PIECE, memory / 4);
    work.most = tool_min(tool_max(piece / tool_max(job->lane, 1), 1), tool_min(MAX_LANES, job->lanes));
    int result = open_work(&work, memory);
    if (result == TOOL_OK)
        result = write_file(&work, out);
    if (result == TOOL_OK)
        gather_report(job, out, work.negative + work.order.negative);
    ptog_plan_free(work.plan);
    ptog_pool_free(work.pool);
    gather_order_close(&work.order);
    ptog_free(work.piece);
    free(work.wide);
    return result;
}
