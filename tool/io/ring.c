/* tool/io: many reads of files at random places, of which io_uring has many under way at once:
 *
 *   reads    0 1 2 3 4 5 6 7 ...      each that ends makes place for the next one
 *   under way  * *   * *              the first bytes of a read may come alone: the rest is read again
 *
 * liburing is loaded when the first ring is opened, so that the command starts without it. PTOG_URING_LIBRARY names
 * another file. */
#define _GNU_SOURCE /* liburing.h */
#include "ring.h"

#ifdef PTOG_URING

#include <dlfcn.h>
#include <errno.h>
#include <liburing.h>
#include <stdlib.h>
#include <string.h>

#include "pick.h"

#define DEPTH 512u               /* reads that are under way at once */
#define MOST ((uint64_t)1 << 30) /* bytes of one read: the system reads less than 2 GiB at once */
#define LIBRARY "liburing.so.2"

struct tool_ring {
    void *library;
    int (*start)(unsigned entries, struct io_uring *queue, unsigned flags);
    void (*stop)(struct io_uring *queue);
    int (*submit)(struct io_uring *queue, unsigned wait_for);
    struct io_uring queue;
    bool is_started;
    unsigned under_way;
    bool failed; /* a read did; `error` is what was wrong with the first one that did */
    int error;
};

/* Loads liburing, and finds its functions; false, with *why, when it is not there. */
static bool load_liburing(struct tool_ring *ring, struct tool_why *why)
{
    const char *given = getenv("PTOG_URING_LIBRARY");
    ring->library = dlopen(tool_or(given, LIBRARY), RTLD_NOW | RTLD_LOCAL);
    if (!ring->library)
        return tool_why(why, "liburing cannot be loaded (%s)", dlerror());
    *(void **)&ring->start = dlsym(ring->library, "io_uring_queue_init");
    *(void **)&ring->stop = dlsym(ring->library, "io_uring_queue_exit");
    *(void **)&ring->submit = dlsym(ring->library, "io_uring_submit_and_wait");
    return (ring->start && ring->stop && ring->submit) || tool_why(why, "liburing is of another version");
}

/* Plain reads came with Linux 5.6, as this feature did. */
static bool start(struct tool_ring *ring, struct tool_why *why)
{
    int result = ring->start(DEPTH, &ring->queue, IORING_SETUP_COOP_TASKRUN);
    if (result == -EINVAL) /* before Linux 5.19 */
        result = ring->start(DEPTH, &ring->queue, 0);
    ring->is_started = result >= 0;
    if (!ring->is_started)
        return tool_why(why, "the system does not allow io_uring (%s)", strerror(-result));
    return (ring->queue.features & IORING_FEAT_RW_CUR_POS) || tool_why(why, "the system's io_uring cannot read files");
}

struct tool_ring *tool_ring_open(struct tool_why *why)
{
    struct tool_ring *ring = calloc(1, sizeof *ring);
    if (!ring) {
        tool_why_set(why, "out of memory");
        return NULL;
    }
    if (load_liburing(ring, why) && start(ring, why))
        return ring;
    tool_ring_close(ring);
    return NULL;
}

void tool_ring_close(struct tool_ring *ring)
{
    if (!ring)
        return;
    if (ring->is_started)
        ring->stop(&ring->queue);
    if (ring->library)
        dlclose(ring->library);
    free(ring);
}

/* There is an entry: as many as reads that are under way at most. */
static void enqueue(struct tool_ring *ring, struct tool_ring_read *read)
{
    struct io_uring_sqe *entry = io_uring_get_sqe(&ring->queue);
    unsigned size = (unsigned)tool_min(read->size, MOST);
    io_uring_prep_read(entry, read->fd, read->to, size, read->from);
    io_uring_sqe_set_data(entry, read);
    ring->under_way++;
}

/* One read has ended, or a part of it; `result` is its bytes, or an error. */
static void finish_read(struct tool_ring *ring, struct tool_ring_read *read, int result)
{
    ring->under_way--;
    bool again = result == -EINTR || result == -EAGAIN;
    if (result > 0) {
        read->from += (unsigned)result;
        read->to += result;
        read->size -= (unsigned)result;
        again = read->size > 0;
    } else if (!again && !ring->failed) {
        ring->failed = true;
        ring->error = -result;
    }
    if (again && !ring->failed)
        enqueue(ring, read);
}

/* How many ended. */
static unsigned finish_reads(struct tool_ring *ring)
{
    unsigned place, count = 0;
    struct io_uring_cqe *ended;
    io_uring_for_each_cqe(&ring->queue, place, ended)
    {
        finish_read(ring, io_uring_cqe_get_data(ended), ended->res);
        count++;
    }
    io_uring_cq_advance(&ring->queue, count);
    return count;
}

bool tool_ring_read(struct tool_ring *ring, struct tool_ring_read *reads, size_t count)
{
    size_t next = 0;
    ring->failed = false;
    while (ring->under_way > 0 || (next < count && !ring->failed)) {
        for (; next < count && !ring->failed && ring->under_way < DEPTH; next++)
            if (reads[next].size > 0)
                enqueue(ring, &reads[next]);
        if (ring->under_way == 0)
            break;
        int result = ring->submit(&ring->queue, ring->under_way / 4 + 1);
        if (finish_reads(ring) == 0 && result < 0 && result != -EINTR) {
            errno = -result;
            return false;
        }
    }
    errno = ring->error;
    return !ring->failed;
}

#else

struct tool_ring *tool_ring_open(struct tool_why *why)
{
    tool_why_set(why, "this ptog was built without liburing");
    return NULL;
}

void tool_ring_close(struct tool_ring *ring)
{
    (void)ring;
}

bool tool_ring_read(struct tool_ring *ring, struct tool_ring_read *reads, size_t count)
{
    (void)ring;
    (void)reads;
    return count == 0;
}

#endif
