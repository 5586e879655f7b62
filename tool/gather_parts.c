/* tool: gathering from a table of several files: each lane is copied from the file that has its row. The lanes are
 * divided among threads. */
#include "gather.h"

#include <string.h>

#include "io/pick.h"

#define AHEAD 8                         /* lanes whose rows are on their way while one is copied */
#define AHEAD_BYTES 512                 /* of each */
#define LEAST_SHARE ((uint64_t)1 << 20) /* bytes that a thread is started for */

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

/* The row that a lane gets, whose first bytes are fetched ahead; NULL: it has none. */
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

/* A stretch of the lanes. */
struct parts_share {
    uint64_t first, lanes; /* of the piece */
    uint64_t negative;
    uint64_t bad; /* the first lane that may not read what it wants; UINT64_MAX: none */
};

/* What the threads share. */
struct parts_work {
    const struct gather_job *job;
    uint64_t first; /* lane of the piece */
    unsigned char *to;
    struct parts_share shares[TOOL_MAX_JOBS];
};

static void copy_lane(const struct gather_job *job, unsigned char *to, const unsigned char *from)
{
    if (from)
        memcpy(to, from, (size_t)job->lane);
    else
        memset(to, 0, (size_t)job->lane);
}

/* Copies the lanes of one thread, each a little after its row was fetched into the caches. */
static void copy_share(void *user, size_t number)
{
    struct parts_work *work = user;
    struct parts_share *share = &work->shares[number];
    const struct gather_job *job = work->job;
    const unsigned char *from[AHEAD];
    bool moves = job->oob == PTOG_OOB_CLAMP || job->oob == PTOG_OOB_WRAP;
    unsigned char *to = work->to + share->first * job->lane;
    for (uint64_t i = 0; i < share->lanes + AHEAD; i++) {
        uint64_t lane = work->first + share->first + i;
        if (i >= AHEAD)
            copy_lane(job, to + (i - AHEAD) * job->lane, from[i % AHEAD]);
        if (i >= share->lanes)
            continue;
        from[i % AHEAD] = find_lane(job, lane);
        if (!from[i % AHEAD] && job->oob == PTOG_OOB_UNDEFINED) {
            share->bad = lane;
            return;
        }
        share->negative += moves && gather_is_negative(&job->index.array, lane);
    }
}

int gather_from_parts(const struct gather_job *job, uint64_t first, uint64_t lanes, unsigned char *to,
                      uint64_t *negative)
{
    struct parts_work work = {.job = job, .first = first, .to = to};
    size_t most = (size_t)tool_min((uint64_t)job->threads, TOOL_MAX_JOBS);
    size_t count = (size_t)tool_min(most, tool_max(lanes * job->lane / LEAST_SHARE, 1));
    for (size_t i = 0; i < count; i++) {
        uint64_t from = lanes * i / count, end = lanes * (i + 1) / count;
        work.shares[i] = (struct parts_share){.first = from, .lanes = end - from, .bad = UINT64_MAX};
    }
    tool_parallel(count, count, copy_share, &work);
    for (size_t i = 0; i < count; i++) {
        if (work.shares[i].bad != UINT64_MAX)
            return gather_bad_index(job, work.shares[i].bad);
        *negative += work.shares[i].negative;
    }
    return TOOL_OK;
}
