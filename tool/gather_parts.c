/* tool: gathering from a table of several files: each lane is copied from the file that has its row. */
#include "gather.h"

#include <string.h>

#define AHEAD 8         /* lanes whose rows are on their way while one is copied */
#define AHEAD_BYTES 512 /* of each */

const struct gather_part *gather_part_of(const struct gather_table *table, uint64_t row)
{
    size_t low = 0, count = table->count;
    while (count > 1) {
        size_t half = count / 2;
        if (row >= table->parts[low + half].first)
            low = low + half;
        count -= half;
    }
    return &table->parts[low];
}

const unsigned char *gather_row(const struct gather_job *job, const struct gather_part *part, uint64_t row)
{
    return part->source.array.data + (row - part->first) * job->lane;
}

static const unsigned char *find_lane(const struct gather_job *job, uint64_t lane)
{
    uint64_t row;
    if (!gather_find_lane(job, lane, &row))
        return NULL;
    const unsigned char *at = gather_row(job, gather_part_of(&job->table, row), row);
    for (uint64_t i = 0; i < job->lane && i < AHEAD_BYTES; i += 64)
        __builtin_prefetch(at + i);
    return at;
}

bool gather_is_negative(const struct tool_npy *index, uint64_t lane)
{
    return index->kind == 'i' && (index->data[(lane + 1) * index->item - 1] & 0x80);
}

int gather_from_parts(const struct gather_job *job, uint64_t first, uint64_t lanes, unsigned char *to,
                      uint64_t *negative)
{
    const unsigned char *from[AHEAD];
    bool moves = job->oob == PTOG_OOB_CLAMP || job->oob == PTOG_OOB_WRAP;
    for (uint64_t i = 0; i < lanes + AHEAD; i++) {
        if (i >= AHEAD && from[i % AHEAD])
            memcpy(to + (i - AHEAD) * job->lane, from[i % AHEAD], (size_t)job->lane);
        else if (i >= AHEAD)
            memset(to + (i - AHEAD) * job->lane, 0, (size_t)job->lane);
        if (i >= lanes)
            continue;
        from[i % AHEAD] = find_lane(job, first + i);
        if (!from[i % AHEAD] && job->oob == PTOG_OOB_UNDEFINED)
            return gather_bad_index(job, first + i);
        *negative += moves && gather_is_negative(&job->index.array, first + i);
    }
    return TOOL_OK;
}
