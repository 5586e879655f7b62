/* tool: the scatter itself. The output is made block by block: rows of the table are copied, and a plan of the library
 * writes, or adds, the rows whose indices lie in the block. Every block sees all indices in their order, so that of
 * equal ones the last wins, and sums are rounded in that order, whatever the blocks are and whoever makes them. */
#define PTOG_NAMES_OPCODES
#include "gather.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/memory.h"
#include "io/pick.h"

#define BLOCK ((uint64_t)256 << 20)   /* bytes of output that are made at once, or a quarter of memory */
#define MAX_LANES ((uint64_t)1 << 20) /* indices that are looked at at once */

struct scatter_work {
    const struct gather_job *job;
    uint64_t rows;  /* of a block, at most */
    uint64_t lanes; /* looked at at once, at most */
    unsigned char *block;
    uint64_t *ids;   /* of lanes: rows of the block */
    ptog_pool *pool; /* NULL: one thread */
    ptog_plan *plan;
    uint64_t planned_rows, planned_lanes; /* of the plan */
};

/* ---- a block ---- */

/* Elements that are added have their type; what is copied is copied in elements as large as they can be. */
static enum ptog_dtype unit_of(const struct gather_job *job)
{
    if (job->adds)
        return gather_table_type(&job->table);
    return gather_unit(job->lane);
}

/* Makes the plan for so many rows and lanes, unless the last one serves. */
static enum ptog_status plan_lanes(struct scatter_work *work, uint64_t rows, uint64_t lanes)
{
    const struct gather_job *job = work->job;
    enum ptog_dtype unit = unit_of(job);
    int64_t width = (int64_t)(job->lane / ptog_dtype_size(unit)), count = (int64_t)lanes;
    struct ptog_tile src = ptog_tile_vec(unit, count, width), idx = ptog_tile_vec(PTOG_U64, 1, count);
    struct ptog_insn insn;
    if (work->planned_rows == rows && work->planned_lanes == lanes)
        return PTOG_OK;
    ptog_insn_start(&insn, PTOG_MSCATTER);
    insn.of[1].kind = PTOG_IS_VIEW;
    insn.of[1].view = ptog_tensor_2d(unit, (int64_t)rows, width);
    if (width == 1) { /* elements, which lie in one row */
        src = ptog_tile_vec(unit, 1, count);
        insn.of[1].view = ptog_tensor_2d(unit, 1, (int64_t)rows);
        insn.attr[PTOG_MSCATTER_COALESCE] = PTOG_ELEM;
    }
    ptog_insn_set_tile(&insn, 0, &src);
    ptog_insn_set_tile(&insn, 2, &idx);
    insn.attr[PTOG_MSCATTER_OOB] = PTOG_SCATTER_OOB_SKIP;
    insn.attr[PTOG_MSCATTER_ATOMIC] = job->adds ? PTOG_SCATTER_ADD : PTOG_SCATTER_NONE;
    ptog_plan_free(work->plan);
    work->planned_rows = work->planned_lanes = 0;
    enum ptog_status status = ptog_plan_insn(&work->plan, ptog_target_at(PTOG_TARGET_HOST), &insn, NULL);
    if (status != PTOG_OK)
        return status;
    work->planned_rows = rows;
    work->planned_lanes = lanes;
    return PTOG_OK;
}

/* The rows of the block that lanes go to; UINT64_MAX, which is outside of every block: none. */
static void find_ids(const struct scatter_work *work, uint64_t first, uint64_t rows, uint64_t lane, uint64_t lanes)
{
    for (uint64_t i = 0; i < lanes; i++) {
        uint64_t row = 0;
        bool is_here = gather_find_lane(work->job, lane + i, &row) && row >= first && row - first < rows;
        work->ids[i] = is_here ? row - first : UINT64_MAX;
    }
}

/* Rows first, first + 1, ... of the output. */
static int make_block(struct scatter_work *work, uint64_t first, uint64_t rows)
{
    const struct gather_job *job = work->job;
    memcpy(work->block, job->table.array.data + first * job->lane, (size_t)(rows * job->lane));
    for (uint64_t lane = 0; lane < job->lanes; lane += work->lanes) {
        uint64_t left = job->lanes - lane, lanes = tool_min(left, work->lanes);
        enum ptog_status status = plan_lanes(work, rows, lanes);
        find_ids(work, first, rows, lane, lanes);
        struct ptog_run run = {.dst = {work->block, (size_t)(rows * job->lane)},
                               .src = {job->rows->array.data + lane * job->lane, (size_t)(lanes * job->lane)},
                               .idx = {work->ids, (size_t)(lanes * sizeof *work->ids)},
                               .pool = work->pool,
                               .threads = job->threads};
        if (status == PTOG_OK)
            status = ptog_plan_run(work->plan, &run, NULL);
        if (status != PTOG_OK)
            return tool_fail("scatter", "%s", ptog_status_text(status));
    }
    return TOOL_OK;
}

/* Allocates what a block of the table and its lanes need; the exit status. Free it in any case. */
static int open_work(struct scatter_work *work, const struct gather_job *job)
{
    uint64_t most = tool_min(BLOCK, tool_memory_left() / 4), lane = tool_max(job->lane, 1);
    *work = (struct scatter_work){.job = job};
    work->rows = tool_min(tool_max(most / lane, 1), tool_max(job->capacity, 1));
    work->lanes = tool_min(MAX_LANES, tool_max(job->lanes, 1));
    work->block = work->rows * lane < tool_memory() ? ptog_alloc((size_t)(work->rows * lane)) : NULL;
    work->ids = malloc((size_t)work->lanes * sizeof *work->ids);
    if (job->threads > 1)
        ptog_pool_new(&work->pool, job->threads); /* without memory for it, one thread does the work */
    if (work->block && work->ids)
        return TOOL_OK;
    return tool_fail("scatter", "a row of %" PRIu64 " bytes does not fit in memory", job->lane);
}

static void close_work(struct scatter_work *work)
{
    ptog_plan_free(work->plan);
    ptog_pool_free(work->pool);
    ptog_free(work->block);
    free(work->ids);
}

/* ---- before anything is written ---- */

/* The first bad index is named; *negative: those that are brought into the table. */
static int check_lanes(const struct gather_job *job, uint64_t *negative)
{
    bool sign_matters = job->oob == PTOG_OOB_CLAMP || job->oob == PTOG_OOB_WRAP;
    int result = gather_check_empty(job);
    *negative = 0;
    for (uint64_t i = 0; i < job->lanes && result == TOOL_OK; i++) {
        if (job->oob == PTOG_OOB_UNDEFINED && gather_index_at(&job->index.array, i) >= job->capacity)
            result = gather_bad_index(job, i);
        *negative += sign_matters && gather_is_negative(&job->index.array, i);
    }
    return result;
}

/* ---- by one process ---- */

static int fail_to_write(const struct gather_output *out, const struct tool_why *why)
{
    return tool_fail("scatter", "%s: %s", out->path, why->text);
}

/* Makes the new table block by block and writes it to the file; the exit status. */
static int write_blocks(struct scatter_work *work, const struct gather_output *out, struct tool_file *file)
{
    const struct gather_job *job = work->job;
    struct tool_progress progress;
    struct tool_why why;
    int result = TOOL_OK;
    tool_progress_start(&progress);
    for (uint64_t first = 0; result == TOOL_OK && first < job->capacity && job->lane > 0; first += work->rows) {
        uint64_t left = job->capacity - first, rows = tool_min(left, work->rows);
        result = make_block(work, first, rows);
        if (result == TOOL_OK && !tool_file_write(file, work->block, (size_t)(rows * job->lane), &why))
            result = fail_to_write(out, &why);
        tool_progress_at(&progress, first + rows, job->capacity, job->lane);
    }
    tool_progress_end(&progress);
    return result;
}

/* Writes the output, header first, and keeps the file only when all of it is there; the exit status. */
static int write_file(struct scatter_work *work, const struct gather_output *out)
{
    struct tool_file file;
    struct tool_why why;
    if (!tool_file_start(&file, out->name.path, &why))
        return fail_to_write(out, &why);
    int result = tool_file_write(&file, out->header, out->header_bytes, &why) ? write_blocks(work, out, &file)
                                                                              : fail_to_write(out, &why);
    if (result != TOOL_OK)
        tool_file_drop(&file);
    else if (!tool_file_keep(&file, &why))
        result = fail_to_write(out, &why);
    return result;
}

int gather_scatter_run(const struct gather_job *job, const struct gather_output *out)
{
    struct scatter_work work = {0};
    uint64_t negative;
    int result = check_lanes(job, &negative);
    if (result == TOOL_OK)
        result = open_work(&work, job);
    if (result == TOOL_OK)
        result = write_file(&work, out);
    if (result == TOOL_OK)
        gather_report_scatter(job, negative);
    close_work(&work);
    return result;
}

/* ---- by the ranks of an MPI job ---- */

/* The first row of a rank's block. */
static uint64_t first_row(const struct gather_job *job, int rank, int ranks)
{
    uint64_t each = job->capacity / (uint64_t)ranks, rest = job->capacity % (uint64_t)ranks;
    return (uint64_t)rank * each + (tool_min((uint64_t)rank, rest));
}

/* Prints, and returns the exit status for, what several ranks cannot share: a pipe, or standard output. */
static int check_files(const struct gather_job *job, const struct gather_output *out)
{
    const struct gather_source *read[] = {&job->table.parts[0].source, &job->index, job->rows};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        if (read[i]->map.read)
            return tool_fail("scatter", "%s: is not a file: ranks cannot share it", read[i]->path);
    if (strcmp(out->name.path, "-") == 0)
        return tool_fail("scatter", "-: several ranks cannot write standard output: name a file");
    return TOOL_OK;
}

/* Writes the rows of this rank into the file that all ranks write; the exit status. */
static int write_share(struct scatter_work *work, struct gather_together *file)
{
    const struct gather_job *job = work->job;
    const struct ptog_mpi_world *world = &file->ranks->world;
    uint64_t first = first_row(job, world->rank, world->ranks), end = first_row(job, world->rank + 1, world->ranks);
    int result = TOOL_OK;
    for (; result == TOOL_OK && first < end && job->lane > 0; first += work->rows) {
        uint64_t rows = tool_min(end - first, work->rows);
        result = make_block(work, first, rows);
        if (result == TOOL_OK)
            result =
                gather_together_write(file, work->block, rows * job->lane, file->out->header_bytes + first * job->lane);
    }
    return result;
}

int gather_scatter_ranks(const struct gather_job *job, const struct gather_output *out, struct tool_ranks *ranks,
                         int result)
{
    struct scatter_work work = {0};
    struct gather_together file = {.job = job, .out = out, .ranks = ranks, .fd = -1};
    uint64_t negative = 0;
    result = tool_ranks_agree(ranks, result);
    if (result != TOOL_OK)
        return result;
    result = tool_ranks_agree(ranks, check_files(job, out));
    if (result == TOOL_OK)
        result = gather_agree(job, out, ranks);
    if (result == TOOL_OK && ranks->world.rank == 0)
        gather_note_inputs(job);
    if (result == TOOL_OK)
        result = tool_ranks_agree(ranks, check_lanes(job, &negative));
    if (result == TOOL_OK)
        result = tool_ranks_agree(ranks, open_work(&work, job));
    if (result == TOOL_OK) {
        result = tool_ranks_agree(ranks, gather_together_start(&file));
        if (result == TOOL_OK)
            result = write_share(&work, &file);
        result = gather_together_end(&file, result);
    }
    if (result == TOOL_OK && ranks->world.rank == 0)
        gather_report_scatter(job, negative);
    close_work(&work);
    return result;
}
