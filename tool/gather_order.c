/* tool: gathering from a table that is larger than what should be in memory. The lanes of a piece are visited in the
 * order of their rows, so that each page of the table is read once for all lanes that want it, and every row goes to
 * its place in the output:
 *
 *   lanes        0  1  2  3  4          rows  700  3  701  4  3
 *   visited      1  4  3  0  2                3  3    4  700  701     two places of the file instead of five
 *
 * The visits are divided among threads, each of which reads a part of the table. From mapped files: while one step of
 * lanes is copied, the system reads the pages of the next; pages that were used are given back. Or io_uring reads each
 * row to its place. */
#include "gather.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "io/memory.h"
#include "io/pick.h"

#define STEP ((uint64_t)256)          /* lanes that are copied while the pages of as many are read */
#define RESIDENT ((uint64_t)48 << 20) /* pages are given back when the process holds so many bytes of them */
#define NEARBY 4096                   /* bytes between two rows that are asked for together */
#define LEAST_READ 64                 /* bytes of a row that io_uring reads */

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

/* Lets go of table pages when too much memory is resident. */
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

/* ---- which of the two ----

 * io_uring reads rows; elements, of which many lie in one page, are quicker copied from there. */

static bool wants_ring(const struct gather_job *job)
{
    return job->io == GATHER_IO_URING || (job->io == GATHER_IO_AUTO && job->lane >= LEAST_READ);
}

/* Prepares gathers of up to `most` lanes in the order of the table; false, with a message, when that fails. */
bool gather_order_open(struct gather_order *order, struct gather_job *job, uint64_t most)
{
    struct tool_why why;
    *order = (struct gather_order){.visits = malloc((size_t)tool_max(most, 1) * sizeof *order->visits),
                                   .own = (size_t)(most * (job->lane + sizeof *order->visits))};
    for (size_t i = 0; i < job->table.count; i++)
        tool_map_at_random(&job->table.parts[i].source.map);
    if (!order->visits) {
        tool_fail("gather", "out of memory");
        return false;
    }
    if (!wants_ring(job) || gather_rings_open(&order->rings, job, &why))
        return true;
    gather_rings_close(&order->rings);
    if (job->io == GATHER_IO_AUTO)
        return true;
    tool_fail("gather", "--io uring: %s", why.text);
    return false;
}

void gather_order_close(struct gather_order *order)
{
    gather_rings_close(&order->rings);
    free(order->visits);
}

/* ---- all visits ---- */

/* What the threads share. */
struct order_work {
    struct gather_order *order;
    struct gather_job *job;
    unsigned char *to;
    size_t shares;
    atomic_flag failed;
    struct tool_why why; /* of the one that failed first */
    bool is_wrong;
};

/* Copies rows of mapped files to their lanes, in the order of visits, and asks for the next ones ahead. */
static void copy_mapped(const struct order_work *work, const struct gather_visit *visits, uint64_t visit_count)
{
    const struct gather_job *job = work->job;
    fetch(job, visits, tool_min(visit_count, STEP));
    for (uint64_t done = 0; done < visit_count; done += STEP) {
        const struct gather_visit *here = visits + done;
        uint64_t left = visit_count - done, count = tool_min(left, STEP);
        fetch(job, here + count, tool_min(left - count, STEP));
        for (uint64_t i = 0; i < count; i++)
            memcpy(work->to + here[i].lane * job->lane,
                   gather_row(job, gather_part_of(&job->table, here[i].row), here[i].row), (size_t)job->lane);
        keep_small(work->order, work->job);
    }
}

/* One share of the visits, which is a stretch of the table. */
static void copy_share(void *user, size_t share)
{
    struct order_work *work = user;
    struct tool_why why;
    const struct gather_order *order = work->order;
    uint64_t from = order->count * share / work->shares, to = order->count * (share + 1) / work->shares;
    if (!order->rings.count)
        copy_mapped(work, order->visits + from, to - from);
    else if (!gather_rings_read(&order->rings, share, work->job, order->visits + from, to - from, work->to, &why) &&
             !atomic_flag_test_and_set(&work->failed)) {
        work->why = why;
        work->is_wrong = true;
    }
}

/* Gathers some lanes into `to`, in the order in which their rows lie in the table; the exit status. */
int gather_in_order(struct gather_order *order, struct gather_job *job, uint64_t first, uint64_t lanes,
                    unsigned char *to)
{
    struct order_work work = {.order = order,
                              .job = job,
                              .to = to,
                              .shares = order->rings.count ? order->rings.count : (size_t)job->threads,
                              .failed = ATOMIC_FLAG_INIT};
    int result = find_visits(job, first, lanes, to, order);
    if (result != TOOL_OK)
        return result;
    qsort(order->visits, (size_t)order->count, sizeof *order->visits, by_row);
    tool_parallel(work.shares, work.shares, copy_share, &work);
    if (!work.is_wrong)
        return TOOL_OK;
    return tool_fail("gather", "%s", work.why.text);
}
