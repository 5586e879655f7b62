/* tool: rows of a table that io_uring reads: each goes straight to its place in the output, and a row that several
 * lanes want is read once and copied. The files are opened again, next to their maps. */
#include "gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/pick.h"
#include "io/ring.h"
#include "io/sys.h"

#define STEP ((uint64_t)4096) /* visits whose reads are listed at once */

/* Opens the table's files once more for the rings; false, with *why, when that fails. */
static bool open_files(struct gather_rings *rings, const struct gather_job *job, struct tool_why *why)
{
    const struct gather_table *table = &job->table;
    for (; rings->parts < table->count; rings->parts++) {
        const struct gather_source *source = &table->parts[rings->parts].source;
        struct tool_why reason;
        int fd = tool_map_reopen(&source->map, source->name.path, &reason);
        if (fd < 0)
            return tool_why(why, "%.100s: %.200s", source->name.path, reason.text);
        rings->files[rings->parts] = fd;
    }
    return true;
}

bool gather_rings_open(struct gather_rings *rings, const struct gather_job *job, struct tool_why *why)
{
    size_t wanted = (size_t)tool_min((uint64_t)job->threads, TOOL_MAX_JOBS);
    *rings = (struct gather_rings){.list = calloc(wanted, sizeof *rings->list),
                                   .files = calloc(job->table.count, sizeof *rings->files)};
    if (!rings->list || !rings->files)
        return tool_why(why, "out of memory");
    for (; rings->count < wanted; rings->count++)
        if (!(rings->list[rings->count] = tool_ring_open(why)))
            break;
    return rings->count > 0 && open_files(rings, job, why);
}

void gather_rings_close(struct gather_rings *rings)
{
    for (size_t i = 0; i < rings->count; i++)
        tool_ring_close(rings->list[i]);
    for (size_t i = 0; i < rings->parts; i++)
        tool_sys_close(rings->files[i]);
    free(rings->list);
    free(rings->files);
    *rings = (struct gather_rings){0};
}

/* The reads of some visits, one for each row. Returns their number. */
static size_t list_reads(const struct gather_rings *rings, const struct gather_job *job,
                         const struct gather_visit *visits, uint64_t count, unsigned char *to,
                         struct tool_ring_read *reads)
{
    size_t used = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0 && visits[i].row == visits[i - 1].row)
            continue;
        const struct gather_part *part = gather_part_of(&job->table, visits[i].row);
        const unsigned char *row = gather_row(job, part, visits[i].row);
        reads[used++] = (struct tool_ring_read){.fd = rings->files[part - job->table.parts],
                                                .from = (uint64_t)(row - part->source.map.bytes),
                                                .to = to + visits[i].lane * job->lane,
                                                .size = job->lane};
    }
    return used;
}

/* Reads the rows of some visits through a ring, each once, and copies those that are wanted again. False, with *why,
 * when that fails. */
static bool read_step(const struct gather_rings *rings, size_t ring, const struct gather_job *job,
                      const struct gather_visit *visits, uint64_t count, unsigned char *to,
                      struct tool_ring_read *reads, struct tool_why *why)
{
    size_t read_count = list_reads(rings, job, visits, count, to, reads);
    if (!tool_ring_read(rings->list[ring], reads, read_count))
        return tool_why(why, "a file of the table cannot be read: %s",
                        errno ? strerror(errno) : "it was truncated while it was read");
    for (uint64_t i = 1; i < count; i++)
        if (visits[i].row == visits[i - 1].row)
            memcpy(to + visits[i].lane * job->lane, to + visits[i - 1].lane * job->lane, (size_t)job->lane);
    return true;
}

bool gather_rings_read(const struct gather_rings *rings, size_t ring, const struct gather_job *job,
                       const struct gather_visit *visits, uint64_t count, unsigned char *to, struct tool_why *why)
{
    struct tool_ring_read *reads = malloc(STEP * sizeof *reads);
    bool done = reads || tool_why(why, "out of memory");
    for (uint64_t at = 0; at < count && done; at += STEP) {
        uint64_t left = count - at;
        done = read_step(rings, ring, job, visits + at, tool_min(left, STEP), to, reads, why);
    }
    free(reads);
    return done;
}
