/* tool: ptog gather under mpirun. The ranks share the lanes: each has a block of them, in order. A rank maps what it
 * reads of the table, gathers a piece at a time together with the others, and writes it to its place in the one file,
 * which rank 0 has started and names when all have written; or to a file of its own. Whatever fails on a rank is agreed
 * on by all before they go on, and the first rank that failed says it. */
#include "gather.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/memory.h"
#include "io/pick.h"

#define PIECE ((uint64_t)16 << 20) /* bytes of output that a rank gathers at once */

struct gather_share {
    struct gather_job *job;
    struct gather_output *out;
    struct tool_ranks *ranks;
    uint64_t first, lanes; /* of this rank */
    uint64_t most;         /* of a piece */
    struct ptog_mpi_file *files;
    ptog_mpi *plan;
    unsigned char *piece, *wide;
    struct gather_together file;
    uint64_t data_from; /* the first byte of this rank there */
    uint64_t negative;  /* indices that were brought into the table, of all ranks */
};

static bool is_first(const struct gather_share *share)
{
    return share->ranks->world.rank == 0;
}

/* The lanes of a rank: an equal block, in whole steps of the index array's first dimension when files are to have
 * shapes. */
static uint64_t first_lane(const struct gather_job *job, int rank, int ranks)
{
    const struct tool_npy *index = &job->index.array;
    uint64_t step = 1;
    for (int d = 1; d < index->rank && job->output_shards; d++)
        step *= (uint64_t)index->shape[d];
    uint64_t steps = step > 0 ? job->lanes / step : 0, each = steps / (uint64_t)ranks, rest = steps % (uint64_t)ranks;
    return ((uint64_t)rank * each + (tool_min((uint64_t)rank, rest))) * step;
}

/* ---- before anything is written ---- */

/* Prints why ranks cannot use a file; the exit status. */
static int refuse_file(const char *path, const char *why)
{
    return tool_fail("gather", "%s: %s", path, why);
}

/* Every rank reads its indices: the first bad one of all is named, as by one process. */
static int check_lanes(const struct gather_share *share)
{
    const struct gather_job *job = share->job;
    for (uint64_t i = share->first; i < share->first + share->lanes && job->oob == PTOG_OOB_UNDEFINED; i++)
        if (gather_index_at(&job->index.array, i) >= job->capacity)
            return gather_bad_index(job, i);
    return TOOL_OK;
}

/* Whether ranks can share these files, and the job's lanes are in order; the exit status. */
static int check_shared(struct gather_share *share)
{
    const struct gather_job *job = share->job;
    for (size_t i = 0; i < job->table.count; i++)
        if (!job->table.parts[i].source.map.mapped && job->table.parts[i].count * job->lane > 0)
            return refuse_file(job->table.parts[i].path, "is not a file: ranks cannot share it");
    if (job->index.map.read)
        return refuse_file(job->index.path, "is not a file: ranks cannot share it");
    if (strcmp(share->out->name.path, "-") == 0)
        return refuse_file("-", "several ranks cannot write standard output: name a file");
    int result = gather_check_empty(job);
    if (result == TOOL_OK)
        return check_lanes(share);
    return result;
}

/* ---- the plan ---- */

/* Whether there are bytes to write; without rows in the table they are zeros, and there is no plan. */
static bool has_bytes(const struct gather_job *job)
{
    return job->lanes > 0 && job->lane > 0;
}

/* How many ranks share a node, as the environment says; 0: MPI knows. */
static int32_t neighbour_count(void)
{
    const char *text = getenv("PTOG_MPI_NEIGHBOURS");
    int number = text ? atoi(text) : 0;
    return number > 0 ? number : 0;
}

/* The files as the library maps them. What the command has mapped to look at their headers is given back. */
static int make_plan(struct gather_share *share)
{
    struct gather_job *job = share->job;
    struct ptog_mpi_fault fault;
    enum ptog_dtype unit = gather_unit(job->lane);
    struct ptog_mpi_table table = {.dtype = unit,
                                   .index = gather_index_type(&job->index.array),
                                   .rows = (int64_t)job->capacity,
                                   .cols = (int64_t)(job->lane / ptog_dtype_size(unit)),
                                   .oob = job->oob,
                                   .neighbours = neighbour_count(),
                                   .files = share->files,
                                   .file_count = job->table.count};
    for (size_t i = 0; i < job->table.count && share->files; i++) {
        struct gather_source *source = &job->table.parts[i].source;
        uint64_t offset = source->array.data ? (uint64_t)(source->array.data - source->map.bytes) : 0;
        share->files[i] = (struct ptog_mpi_file){source->name.path, offset, (int64_t)job->table.parts[i].count};
        tool_map_close(&source->map);
    }
    if (share->ranks->world.plan(&share->plan, &table, &fault) == PTOG_OK)
        return TOOL_OK;
    return tool_fail("gather", "%s", fault.text);
}

/* Makes room for the pieces of a rank; the exit status. */
static int allocate_share(struct gather_share *share)
{
    const struct gather_job *job = share->job;
    share->most = tool_max(PIECE / job->lane, 1);
    uint64_t most = tool_min(share->lanes, share->most);
    share->files = calloc(job->table.count, sizeof *share->files);
    share->piece = most * job->lane < tool_memory() ? malloc((size_t)(most * job->lane) + 1) : NULL;
    share->wide = malloc((size_t)most * 4 + 1);
    if (share->files && share->piece && share->wide)
        return TOOL_OK;
    return tool_fail("gather", "a row of %" PRIu64 " bytes does not fit in memory", job->lane);
}

/* ---- the output ---- */

/* A file of this rank's own. */
static int start_shard(struct gather_share *share)
{
    const struct gather_job *job = share->job;
    uint64_t step = job->lanes > 0 && job->index.array.rank > 0 ? job->lanes / (uint64_t)job->shape[0] : 1;
    if (job->index.array.rank == 0)
        return refuse_file(share->out->path, "a single index cannot be divided among ranks");
    if (!gather_output_shard(share->out, job, share->ranks->world.rank, share->ranks->world.ranks) ||
        !gather_output_header(share->out, job, (int64_t)(share->lanes / step)))
        return TOOL_USAGE;
    share->data_from = share->out->header_bytes;
    return gather_together_own(&share->file, share->out->name.path);
}

static int write_piece(struct gather_share *share, uint64_t lane, uint64_t lanes)
{
    uint64_t bytes = lanes * share->job->lane, to = share->data_from + lane * share->job->lane;
    return gather_together_write(&share->file, share->piece, bytes, to);
}

/* Gathers some lanes of this rank. All ranks take part, also those without lanes. */
static int gather_piece(struct gather_share *share, uint64_t at, uint64_t lanes)
{
    const struct ptog_mpi_world *world = &share->ranks->world;
    if (!share->plan) {
        memset(share->piece, 0, (size_t)(lanes * share->job->lane));
        return TOOL_OK;
    }
    const unsigned char *idx = gather_indices(share->job, share->first + at, lanes, share->wide);
    enum ptog_status status = world->gather(share->plan, idx, (int64_t)lanes, share->piece);
    share->negative += world->fault(share->plan)->negative;
    if (status == PTOG_OK)
        return TOOL_OK;
    return tool_fail("gather", "%s", world->fault(share->plan)->text);
}

/* All pieces. The ranks make the same number of calls, the last of them with nothing to do. */
static int write_pieces(struct gather_share *share)
{
    struct gather_job *job = share->job;
    struct tool_ranks *ranks = share->ranks;
    struct tool_progress progress;
    uint64_t most = (uint64_t)ranks->world.largest((int64_t)share->lanes, NULL);
    int result = TOOL_OK;
    tool_progress_start(&progress);
    progress.wanted = progress.wanted && is_first(share);
    for (uint64_t at = 0; at < most && result == TOOL_OK; at += share->most) {
        uint64_t left = share->lanes - tool_min(at, share->lanes), lanes = tool_min(left, share->most);
        result = gather_piece(share, at, lanes);
        if (result == TOOL_OK)
            result = write_piece(share, at, lanes);
        result = tool_ranks_agree(ranks, result);
        tool_progress_at(&progress, tool_min(at + share->most, most), most, job->lane * (uint64_t)ranks->world.ranks);
    }
    tool_progress_end(&progress);
    return result;
}

/* Writes the lanes of this rank to the output; the exit status, on which all ranks agree. */
static int write_output(struct gather_share *share)
{
    share->data_from = share->out->header_bytes + share->first * share->job->lane;
    int result = share->job->output_shards ? start_shard(share) : gather_together_start(&share->file);
    result = tool_ranks_agree(share->ranks, result);
    if (result == TOOL_OK && has_bytes(share->job))
        result = write_pieces(share);
    return gather_together_end(&share->file, result);
}

int gather_run_ranks(struct gather_job *job, struct gather_output *out, struct tool_ranks *ranks, int result)
{
    struct gather_share share = {.job = job, .out = out, .ranks = ranks};
    share.file = (struct gather_together){.job = job, .out = out, .ranks = ranks, .fd = -1};
    int rank = ranks->world.rank, all = ranks->world.ranks;
    result = tool_ranks_agree(ranks, result);
    if (result == TOOL_OK)
        result = gather_agree(job, out, ranks);
    if (result != TOOL_OK)
        return result;
    if (is_first(&share))
        gather_note_inputs(job);
    share.first = first_lane(job, rank, all);
    share.lanes = first_lane(job, rank + 1, all) - share.first;
    result = tool_ranks_agree(ranks, check_shared(&share));
    if (result == TOOL_OK && has_bytes(job))
        result = tool_ranks_agree(ranks, allocate_share(&share));
    if (result == TOOL_OK && has_bytes(job) && job->capacity > 0)
        result = tool_ranks_agree(ranks, make_plan(&share));
    if (result == TOOL_OK)
        result = write_output(&share);
    if (result == TOOL_OK && is_first(&share))
        gather_report(job, out, share.negative);
    if (share.plan)
        ranks->world.free(share.plan);
    free(share.files);
    free(share.piece);
    free(share.wide);
    return result;
}
