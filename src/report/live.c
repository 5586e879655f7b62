/* report: how many bytes of UB are live over time, that is written and to be read once more: the counter of a trace. */
#include "report/live.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/pick.h"

#define BLOCK ((uint64_t)32)
#define KEPT ((size_t)1 << 16)
#define LOOK_BACK 4 /* the blocks of a tile begin and end together */

bool ptog_live_open(struct ptog_live *live, uint64_t ub_bytes)
{
    *live = (struct ptog_live){.block_count = (size_t)(ub_bytes / BLOCK)};
    live->blocks = calloc(live->block_count + 1, sizeof *live->blocks);
    return live->blocks != NULL;
}

void ptog_live_free(struct ptog_live *live)
{
    free(live->blocks);
    free(live->changes);
}

/* Notes that at some time so many bytes begin or end to be live. Sets `failed` when out of memory. */
static void note_change(struct ptog_live *live, double time, int64_t bytes)
{
    time = ptog_max(time, live->settled);
    for (size_t back = 1; back <= LOOK_BACK && back <= live->count; back++)
        if (live->changes[live->count - back].time == time) {
            live->changes[live->count - back].bytes += bytes;
            return;
        }
    if (!ptog_array_reserve(&live->changes, live->count + 1, &live->room)) {
        live->failed = true;
        return;
    }
    live->changes[live->count++] = (struct ptog_live_change){time, bytes};
}

/* Counts a block as live from its first write, once. */
static void begin_block(struct ptog_live *live, struct ptog_live_block *block)
{
    if (!block->counted)
        note_change(live, block->from, (int64_t)BLOCK);
    block->counted = true;
}

/* With its last use, or when it is written anew, which an instruction in place does while it still reads. */
static void end(struct ptog_live *live, struct ptog_live_block *block, double anew)
{
    if (!block->open)
        return;
    begin_block(live, block);
    double last = ptog_min(block->last, anew);
    note_change(live, ptog_max(last, block->from), -(int64_t)BLOCK);
    block->open = false;
}

/* A block that is written in part holds on to the rest. */
static void write_block(struct ptog_live *live, struct ptog_live_block *block, bool whole, double from, double to)
{
    if (whole)
        end(live, block, from);
    if (!block->open)
        *block = (struct ptog_live_block){.from = from, .last = to, .open = true};
    block->last = ptog_max(block->last, to);
}

void ptog_live_write(struct ptog_live *live, uint64_t at, uint64_t bytes, double from, double to)
{
    for (uint64_t b = at / BLOCK; bytes > 0 && b < live->block_count && b * BLOCK < at + bytes; b++)
        write_block(live, &live->blocks[b], at <= b * BLOCK && at + bytes >= (b + 1) * BLOCK, from, to);
}

void ptog_live_read(struct ptog_live *live, uint64_t at, uint64_t bytes, double to)
{
    for (uint64_t b = at / BLOCK; bytes > 0 && b < live->block_count && b * BLOCK < at + bytes; b++)
        live->blocks[b].last = ptog_max(live->blocks[b].last, to);
}

bool ptog_live_is_full(const struct ptog_live *live)
{
    return live->count >= KEPT;
}

static int by_time(const void *a, const void *b)
{
    double x = ((const struct ptog_live_change *)a)->time, y = ((const struct ptog_live_change *)b)->time;
    return (x > y) - (x < y);
}

void ptog_live_settle(struct ptog_live *live, double until, void (*tell)(void *user, double time, uint64_t bytes),
                      void *user)
{
    size_t done = 0;
    for (size_t b = 0; b < live->block_count; b++)
        if (live->blocks[b].open && live->blocks[b].from <= until)
            begin_block(live, &live->blocks[b]);
    if (live->count > 0)
        qsort(live->changes, live->count, sizeof *live->changes, by_time);
    while (done < live->count && live->changes[done].time <= until) {
        double time = live->changes[done].time;
        int64_t before = live->bytes;
        for (; done < live->count && live->changes[done].time == time; done++)
            live->bytes += live->changes[done].bytes;
        if (live->bytes != before)
            tell(user, time, (uint64_t)live->bytes);
    }
    for (size_t i = done; i < live->count; i++)
        live->changes[i - done] = live->changes[i];
    live->count -= done;
    live->settled = ptog_max(live->settled, until);
}

void ptog_live_end(struct ptog_live *live, void (*tell)(void *user, double time, uint64_t bytes), void *user)
{
    for (size_t b = 0; b < live->block_count; b++)
        end(live, &live->blocks[b], INFINITY);
    ptog_live_settle(live, HUGE_VAL, tell, user);
}
