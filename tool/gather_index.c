/* tool: the indices of ptog gather and ptog scatter: how they are read, which rows they mean, and how a bad one is
 * named. */
#include "gather.h"

#include <inttypes.h>
#include <string.h>

#include "io/pick.h"

enum ptog_dtype gather_unit(uint64_t lane)
{
    if (lane % 8 == 0)
        return PTOG_U64;
    if (lane % 4 == 0)
        return PTOG_U32;
    return lane % 2 == 0 ? PTOG_U16 : PTOG_U8;
}

enum ptog_dtype gather_index_type(const struct tool_npy *index)
{
    if (index->item == 8)
        return index->kind == 'i' ? PTOG_I64 : PTOG_U64;
    return index->item == 4 && index->kind == 'u' ? PTOG_U32 : PTOG_I32;
}

uint64_t gather_index_at(const struct tool_npy *index, uint64_t lane)
{
    const unsigned char *at = index->data + lane * index->item;
    uint64_t value = 0;
    for (size_t i = 0; i < index->item; i++)
        value |= (uint64_t)at[i] << (8 * i);
    bool negative = index->kind == 'i' && index->item < 4 && value >> (8 * index->item - 1) & 1;
    if (negative)
        return (uint32_t)(value | ~(uint64_t)0 << (8 * index->item));
    return value;
}

const unsigned char *gather_indices(const struct gather_job *job, uint64_t first, uint64_t lanes, unsigned char *wide)
{
    const struct tool_npy *index = &job->index.array;
    if (index->item >= 4)
        return index->data + first * index->item;
    for (uint64_t i = 0; i < lanes; i++) {
        uint32_t value = (uint32_t)gather_index_at(index, first + i);
        memcpy(wide + 4 * i, &value, 4);
    }
    return wide;
}

/* index[3,7]: the place of a lane in the index array. */
static void lane_name(char text[TOOL_SHAPE_NAME], const struct tool_npy *index, uint64_t lane)
{
    uint64_t below[TOOL_NPY_MAX_RANK], size = 1;
    size_t used = 0;
    for (int d = index->rank - 1; d >= 0; size *= (uint64_t)index->shape[d--])
        below[d] = size;
    text[0] = '\0';
    for (int d = 0; d < index->rank && used + 24 < TOOL_SHAPE_NAME; d++)
        used += (size_t)snprintf(text + used, TOOL_SHAPE_NAME - used, "%s%" PRIu64, tool_when(d > 0, ","),
                                 lane / below[d] % (uint64_t)index->shape[d]);
}

int gather_bad_index(const struct gather_job *job, uint64_t lane)
{
    char place[TOOL_SHAPE_NAME], value[32];
    const struct tool_npy *index = &job->index.array;
    uint64_t i = gather_index_at(index, lane);
    lane_name(place, index, lane);
    if (index->kind == 'i')
        snprintf(value, sizeof value, "%" PRId64, index->item == 8 ? (int64_t)i : (int64_t)(int32_t)(uint32_t)i);
    else
        snprintf(value, sizeof value, "%" PRIu64, i);
    tool_fail(job->command, "%s: index[%s] is %s; the table has %" PRIu64 " %s", job->index.path, place, value,
              job->capacity, job->mode == PTOG_ROW ? "rows" : "elements");
    return TOOL_WRONG;
}

bool gather_find_lane(const struct gather_job *job, uint64_t lane, uint64_t *row)
{
    uint64_t i = gather_index_at(&job->index.array, lane);
    if (i >= job->capacity && (job->oob == PTOG_OOB_UNDEFINED || job->oob == PTOG_OOB_ZERO))
        return false;
    if (i >= job->capacity)
        i = job->oob == PTOG_OOB_CLAMP ? job->capacity - 1 : i % job->capacity;
    *row = i;
    return true;
}

/* Whether an index file holds whole numbers; if not, that is printed. */
static bool is_integers(const struct gather_source *index, const char *command)
{
    char type[24];
    tool_npy_type_name(type, &index->array);
    if ((index->array.kind == 'i' || index->array.kind == 'u') && index->array.item <= 8)
        return true;
    tool_fail(command, "%s: holds %s; expected whole numbers", index->path, type);
    return false;
}

bool gather_open_index(struct gather_source *index, const char *spec, const char *command)
{
    if (gather_is_list(spec))
        return gather_open_list(index, spec, "--index", command);
    return gather_open(index, spec, command) && gather_convert(index) && is_integers(index, command);
}

/* Reports that the table has no rows or elements: every index is outside it, and there is nothing to clamp or wrap to.
 * Returns the exit status. */
static int refuse_empty_table(const struct gather_job *job)
{
    if (job->oob == PTOG_OOB_UNDEFINED)
        return gather_bad_index(job, 0);
    tool_fail(job->command, "%s: has no %s to %s to", job->table.path, job->mode == PTOG_ROW ? "rows" : "elements",
              ptog_oob_name(job->oob));
    return TOOL_WRONG;
}

/* Rows without elements: nothing is gathered, but their numbers have to exist. */
static int empty_rows(const struct gather_job *job)
{
    for (uint64_t lane = 0; lane < job->lanes && job->oob == PTOG_OOB_UNDEFINED; lane++)
        if (gather_index_at(&job->index.array, lane) >= job->capacity)
            return gather_bad_index(job, lane);
    return TOOL_OK;
}

int gather_check_empty(const struct gather_job *job)
{
    if (job->capacity == 0 && job->lanes > 0 && job->oob != PTOG_OOB_ZERO)
        return refuse_empty_table(job);
    if (job->lane == 0)
        return empty_rows(job);
    return TOOL_OK;
}

void gather_warn_negative(const struct gather_job *job, uint64_t count)
{
    if (count > 0)
        fprintf(stderr, "ptog %s: warning: %s: %" PRIu64 " negative %s read as unsigned, as %s does\n", job->command,
                job->index.path, count, count == 1 ? "index was" : "indices were", job->rows ? "MSCATTER" : "MGATHER");
}
