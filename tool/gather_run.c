/* tool: the gather itself: a piece at a time through the library's plan, written as it comes. */
#include "gather.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"

#define PIECE ((uint64_t)8 << 20)      /* bytes of output that are gathered at once */
#define MOST_LANES ((uint64_t)1 << 20) /* indices that are looked at at once */
#define LARGE ((uint64_t)1 << 30)      /* a table of more bytes is read with care */
#define LARGE_LANES ((uint64_t)512)    /* then so many at once: each may bring 64 KiB of pages with it */
#define RESIDENT ((size_t)96 << 20)    /* and pages are given back when the process holds so many bytes */

/* The work, and what it needs. */
struct gather_work {
    const struct gather_job *job;
    struct tool_map *table, *index;
    bool is_large;
    uint64_t most;               /* lanes of a piece */
    unsigned char *piece, *wide; /* output; indices as 32-bit numbers, when theirs are narrower */
    ptog_pool *pool;             /* NULL: one thread */
    ptog_plan *plan;
    uint64_t planned; /* lanes of the plan; 0: none yet */
    uint64_t negative;
};

/* ---- one piece ---- */

/* Elements of one, two, four or eight bytes are gathered as such; longer ones are rows of the largest of those that
 * divides them. */
static enum ptog_dtype unit_of(uint64_t lane)
{
    if (lane % 8 == 0)
        return PTOG_U64;
    if (lane % 4 == 0)
        return PTOG_U32;
    return lane % 2 == 0 ? PTOG_U16 : PTOG_U8;
}

static enum ptog_dtype index_type(const struct tool_npy *index)
{
    if (index->item == 8)
        return index->kind == 'i' ? PTOG_I64 : PTOG_U64;
    return index->item == 4 && index->kind == 'u' ? PTOG_U32 : PTOG_I32;
}

static enum ptog_status plan(struct gather_work *work, uint64_t lanes)
{
    const struct gather_job *job = work->job;
    enum ptog_dtype unit = unit_of(job->lane);
    int64_t width = (int64_t)(job->lane / ptog_dtype_size(unit)), count = (int64_t)lanes;
    bool rows = width > 1;
    struct ptog_mgather op = {
        .dst = ptog_tile_vec(unit, rows ? count : 1, rows ? width : count),
        .table = ptog_tensor_2d(unit, rows ? (int64_t)job->capacity : 1, rows ? width : (int64_t)job->capacity),
        .idx = ptog_tile_vec(index_type(&job->index.array), 1, count),
        .coalesce = rows ? PTOG_ROW : PTOG_ELEM,
        .oob = job->oob};
    if (work->planned == lanes)
        return PTOG_OK;
    ptog_plan_free(work->plan);
    work->planned = 0;
    enum ptog_status status = ptog_plan_mgather(&work->plan, ptog_target_find("host"), &op, NULL);
    if (status == PTOG_OK)
        work->planned = lanes;
    return status;
}

/* An index as the plan reads it: 1- and 2-byte ones are widened to 32 bits first. */
static uint64_t index_at(const struct tool_npy *index, uint64_t lane)
{
    const unsigned char *at = index->data + lane * index->item;
    uint64_t value = 0;
    for (size_t i = 0; i < index->item; i++)
        value |= (uint64_t)at[i] << (8 * i);
    bool negative = index->kind == 'i' && index->item < 4 && value >> (8 * index->item - 1) & 1;
    return negative ? (uint32_t)(value | ~(uint64_t)0 << (8 * index->item)) : value;
}

static const unsigned char *indices(struct gather_work *work, uint64_t first, uint64_t lanes)
{
    const struct tool_npy *index = &work->job->index.array;
    if (!work->wide)
        return index->data + first * index->item;
    for (uint64_t i = 0; i < lanes; i++) {
        uint32_t value = (uint32_t)index_at(index, first + i);
        memcpy(work->wide + 4 * i, &value, 4);
    }
    return work->wide;
}

/* index[3,7]: the place of a lane in the index array. */
static void lane_name(char text[TOOL_SHAPE_NAME], const struct tool_npy *index, uint64_t lane)
{
    uint64_t below[TOOL_NPY_MOST_RANK], size = 1;
    size_t used = 0;
    for (int d = index->rank - 1; d >= 0; size *= (uint64_t)index->shape[d--])
        below[d] = size;
    text[0] = '\0';
    for (int d = 0; d < index->rank && used + 24 < TOOL_SHAPE_NAME; d++)
        used += (size_t)snprintf(text + used, TOOL_SHAPE_NAME - used, "%s%" PRIu64, d > 0 ? "," : "",
                                 lane / below[d] % (uint64_t)index->shape[d]);
}

static int bad_index(const struct gather_job *job, uint64_t lane)
{
    char place[TOOL_SHAPE_NAME], value[32];
    const struct tool_npy *index = &job->index.array;
    uint64_t i = index_at(index, lane);
    lane_name(place, index, lane);
    if (index->kind == 'i')
        snprintf(value, sizeof value, "%" PRId64, index->item == 8 ? (int64_t)i : (int64_t)(int32_t)(uint32_t)i);
    else
        snprintf(value, sizeof value, "%" PRIu64, i);
    tool_fail("gather", "%s: index[%s] is %s; the table has %" PRIu64 " %s", job->index.path, place, value,
              job->capacity, job->mode == PTOG_ROW ? "rows" : "elements");
    return TOOL_WRONG;
}

/* Gathers lanes first, first + 1, ... into the piece. */
static int gather_piece(struct gather_work *work, uint64_t first, uint64_t lanes)
{
    const struct gather_job *job = work->job;
    struct ptog_fault fault;
    enum ptog_status status = plan(work, lanes);
    if (status == PTOG_OK) {
        const struct tool_npy *table = &job->table.array, *index = &job->index.array;
        struct ptog_run run = {
            .dst = {work->piece, (size_t)(lanes * job->lane)},
            .src = {table->data, table->bytes},
            .idx = {indices(work, first, lanes), (size_t)lanes * (index->item < 4 ? 4 : index->item)},
            .pool = work->pool};
        status = ptog_plan_run(work->plan, &run, &fault);
        work->negative += fault.of[PTOG_FAULT_INDEX_NEGATIVE].count;
    }
    if (status == PTOG_FAULT) /* one row, or one column, of lanes */
        return bad_index(job, first + (uint64_t)(fault.row + fault.col));
    return status == PTOG_OK ? TOOL_OK : tool_fail("gather", "%s", ptog_status_text(status));
}

/* ---- tables that are larger than what should be in memory ---- */

/* Where a lane will be read; false when it is not read at all. */
static bool find_lane(const struct gather_job *job, uint64_t lane, uint64_t *at)
{
    uint64_t i = index_at(&job->index.array, lane);
    if (i >= job->capacity && (job->oob == PTOG_OOB_UNDEFINED || job->oob == PTOG_OOB_ZERO))
        return false;
    if (i >= job->capacity)
        i = job->oob == PTOG_OOB_CLAMP ? job->capacity - 1 : i % job->capacity;
    *at = i * job->lane;
    return true;
}

/* The system starts to read what the lanes from `first` on need, while the piece before is gathered and written. */
static void fetch_ahead(const struct gather_work *work, uint64_t first, uint64_t lanes)
{
    uint64_t at;
    for (uint64_t i = 0; i < lanes; i++)
        if (find_lane(work->job, first + i, &at))
            tool_map_fetch(work->table, work->job->table.array.data + at, (size_t)work->job->lane);
}

static void keep_small(struct gather_work *work)
{
    size_t resident = tool_resident();
    if (resident > 0 && resident < RESIDENT)
        return;
    tool_map_release(work->table);
    tool_map_release(work->index);
}

/* ---- all pieces ---- */

static int write_pieces(struct gather_work *work, struct tool_file *file)
{
    const struct gather_job *job = work->job;
    struct tool_progress progress;
    struct tool_why why;
    int result = TOOL_OK;
    tool_progress_start(&progress);
    for (uint64_t first = 0; result == TOOL_OK && first < job->lanes && job->lane > 0; first += work->most) {
        uint64_t left = job->lanes - first, lanes = left < work->most ? left : work->most;
        uint64_t next = left - lanes < work->most ? left - lanes : work->most;
        if (work->is_large)
            fetch_ahead(work, first + lanes, next);
        if (job->capacity > 0)
            result = gather_piece(work, first, lanes);
        if (result == TOOL_OK && !tool_file_write(file, work->piece, (size_t)(lanes * job->lane), &why))
            result = tool_fail("gather", "%s: %s", file->path ? file->path : "standard output", why.text);
        if (work->is_large)
            keep_small(work);
        tool_progress_at(&progress, first + lanes, job->lanes, job->lane);
    }
    tool_progress_end(&progress);
    return result;
}

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

/* A table without rows has nothing to clamp or wrap to, and every index is outside it. */
static int empty_table(const struct gather_job *job)
{
    if (job->oob == PTOG_OOB_UNDEFINED)
        return bad_index(job, 0);
    tool_fail("gather", "%s: has no %s: there is nothing to %s to", job->table.path,
              job->mode == PTOG_ROW ? "rows" : "elements", ptog_oob_name(job->oob));
    return TOOL_WRONG;
}

/* Rows without elements: nothing is gathered, but their numbers have to exist. */
static int empty_rows(const struct gather_job *job)
{
    for (uint64_t lane = 0; lane < job->lanes && job->oob == PTOG_OOB_UNDEFINED; lane++)
        if (index_at(&job->index.array, lane) >= job->capacity)
            return bad_index(job, lane);
    return TOOL_OK;
}

int gather_run(struct gather_job *job, const struct gather_output *out)
{
    struct gather_work work = {.job = job, .table = &job->table.map, .index = &job->index.map};
    if (job->capacity == 0 && job->lanes > 0 && job->oob != PTOG_OOB_ZERO)
        return empty_table(job);
    if (job->lane == 0 && empty_rows(job) != TOOL_OK)
        return TOOL_WRONG;
    work.is_large = job->table.map.mapped && job->table.map.size > LARGE;
    work.most = job->lane > 0 ? PIECE / job->lane : 1;
    uint64_t limit = work.is_large ? LARGE_LANES : MOST_LANES;
    if (work.most < 1)
        work.most = 1;
    if (work.most > limit)
        work.most = limit;
    if (work.most > job->lanes)
        work.most = job->lanes;
    if (work.is_large)
        tool_map_at_random(work.table);
    uint64_t bytes = work.most * job->lane;
    bool narrow = job->index.array.item < 4;
    if (bytes <= tool_memory())
        work.piece = calloc(bytes > 0 ? (size_t)bytes : 1, 1);
    work.wide = narrow ? malloc((size_t)work.most * 4 + 1) : NULL;
    if (job->threads > 1)
        ptog_pool_new(&work.pool, job->threads); /* without memory for it, one thread does the work */
    int result = work.piece && (work.wide || !narrow)
                     ? write_file(&work, out)
                     : tool_fail("gather", "a row of %" PRIu64 " bytes does not fit in memory", job->lane);
    if (result == TOOL_OK && work.negative > 0)
        fprintf(stderr, "ptog gather: warning: %s: %" PRIu64 " negative %s read as very large, as MGATHER does\n",
                job->index.path, work.negative, work.negative == 1 ? "index was" : "indices were");
    ptog_plan_free(work.plan);
    ptog_pool_free(work.pool);
    free(work.piece);
    free(work.wide);
    return result;
}
