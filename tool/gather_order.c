/* tool: gathering from a table that is larger than what should be in memory. The lanes of a piece are visited in the
 * order of their rows, so that each page of the table is read once for all lanes that want it, and every row goes to
 * its place in the output:
 *
 *   lanes        0  1  2  3  4          rows  700  3  701  4  3
 *   visited      1  4  3  0  2                3  3    4  700  701     two places of the file instead of five
 *
 * While one step of lanes is copied, the system reads the pages of the next; pages that were used are given back. */
#include "gather.h"

#include <stdlib.h>
#include <string.h>

#include "io/memory.h"
#include "io/pick.h"

#define STEP ((uint64_t)256)          /* lanes that are copied while the pages of as many are read */
#define RESIDENT ((uint64_t)48 << 20) /* pages are given back when the process holds so many bytes of them */
#define NEARBY 4096                   /* bytes between two rows that are asked for together */

struct gather_visit {
    uint64_t row, lane;
};

static int by_row(const void *a, const void *b)
{
    const struct gather_visit *x = a, *y = b;
    if (x->row != y->row)
        return (x->row > y->row) - (x->row < y->row);
    return (x->lane > y->lane) - (x->lane < y->lane);
}

/* Asks for the pages of some visits, one call for rows that follow each other closely. */
static void fetch(const struct gather_job *job, const struct gather_visit *visits, uint64_t count)
{
    const struct gather_part *part = NULL;
    const unsigned char *from = NULL, *to = NULL;
    for (uint64_t i = 0; i < count; i++) {
        const struct gather_part *here = gather_part_of(&job->table, visits[i].row);
        const unsigned char *row = gather_row(job, here, visits[i].row);
        if (here != part || row > to + NEARBY) {
            if (part)
                tool_map_fetch(&part->source.map, from, (size_t)(to - from));
            part = here;
            from = row;
        }
        to = row + job->lane;
    }
    if (part)
        tool_map_fetch(&part->source.map, from, (size_t)(to - from));
}

static void keep_small(const struct gather_order *order, struct gather_job *job)
{
    uint64_t resident = tool_resident();
    if (resident > 0 && resident < order->own + RESIDENT)
        return;
    for (size_t i = 0; i < job->table.count; i++)
        tool_map_release(&job->table.parts[i].source.map);
    tool_map_release(&job->index.map);
}

/* Which rows the lanes want. Lanes without a row become zeros. */
static int find_visits(const struct gather_job *job, uint64_t first, uint64_t lanes, unsigned char *to,
                       struct gather_order *order)
{
    bool moves = job->oob == PTOG_OOB_CLAMP || job->oob == PTOG_OOB_WRAP;
    order->count = 0;
    for (uint64_t i = 0; i < lanes; i++) {
        struct gather_visit *visit = &order->visits[order->count];
        if (gather_find_lane(job, first + i, &visit->row)) {
            visit->lane = i;
            order->count++;
        } else if (job->oob == PTOG_OOB_UNDEFINED) {
            return gather_bad_index(job, first + i);
        } else {
            memset(to + i * job->lane, 0, (size_t)job->lane);
        }
        order->negative += moves && gather_is_negative(&job->index.array, first + i);
    }
    return TOOL_OK;
}

bool gather_order_open(struct gather_order *order, struct gather_job *job, uint64_t most)
{
    *order = (struct gather_order){.visits = malloc((size_t)tool_max(most, 1) * sizeof *order->visits),
                                   .own = (size_t)(most * (job->lane + sizeof *order->visits))};
    for (size_t i = 0; i < job->table.count; i++)
        tool_map_at_random(&job->table.parts[i].source.map);
    return order->visits;
}

void gather_order_close(struct gather_order *order)
{
    free(order->visits);
}

int gather_in_order(struct gather_order *order, struct gather_job *job, uint64_t first, uint64_t lanes,
                    unsigned char *to)
{
    int result = find_visits(job, first, lanes, to, order);
    if (result != TOOL_OK)
        return result;
    qsort(order->visits, (size_t)order->count, sizeof *order->visits, by_row);
    fetch(job, order->visits, tool_min(order->count, STEP));
    for (uint64_t done = 0; done < order->count; done += STEP) {
        const struct gather_visit *here = order->visits + done;
        uint64_t left = order->count - done, count = tool_min(left, STEP);
        fetch(job, here + count, tool_min(left - count, STEP));
        for (uint64_t i = 0; i < count; i++)
            memcpy(to + here[i].lane * job->lane,
                   gather_row(job, gather_part_of(&job->table, here[i].row), here[i].row), (size_t)job->lane);
        keep_small(order, job);
    }
    return TOOL_OK;
}
