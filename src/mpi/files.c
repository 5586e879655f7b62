/* mpi: tables that lie in files: each rank maps the part that it owns. */
#define _POSIX_C_SOURCE 200809L /* open, mmap, sysconf */
#include "mpi/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void refuse_file(struct ptog_mpi_fault *fault, const char *path, const char *why)
{
    char text[180];
    size_t length = strlen(path), shown = length > 100 ? 100 : length;
    snprintf(text, sizeof text, "%s%s: %s", shown < length ? "..." : "", path + length - shown, why);
    ptog_mpi_refuse(fault, PTOG_BAD_ARGUMENT, text);
}

/* Opens a file that has at least so many bytes; -1, with *fault filled, when there is none. */
static int open_file(const char *path, bool writes, uint64_t bytes, struct ptog_mpi_fault *fault)
{
    struct stat info;
    int fd;
    do
        fd = open(path, (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    while (fd < 0 && errno == EINTR);
    if (fd < 0 || fstat(fd, &info) != 0) {
        refuse_file(fault, path, strerror(errno));
    } else if (!S_ISREG(info.st_mode) || info.st_size < 0 || (uint64_t)info.st_size < bytes) {
        refuse_file(fault, path, "is not a file, or is shorter than its rows");
    } else {
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Maps the part [from, from + bytes) of an open file, whole pages of it. */
static bool map_part(struct ptog_mpi_segment *segment, int fd, bool writes, uint64_t from, uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), before = from % page;
    int rights = writes ? PROT_READ | PROT_WRITE : PROT_READ;
    void *at = mmap(NULL, (size_t)(bytes + before), rights, MAP_SHARED, fd, (off_t)(from - before));
    if (at == MAP_FAILED)
        return false;
    segment->map = at;
    segment->map_bytes = (size_t)(bytes + before);
    segment->at = (unsigned char *)at + before;
    return true;
}

/* Maps the rows of a file that belong to a node, and adds them to the plan's segments; *fault is filled when that
 * fails. */
static void open_part(struct ptog_mpi *plan, const struct ptog_mpi_file *file, struct ptog_mpi_segment part,
                      uint64_t file_first, struct ptog_mpi_fault *fault)
{
    uint64_t piece = plan->shape.piece, bytes = (uint64_t)file->rows * plan->shape.group * piece;
    int fd = open_file(file->path, plan->table.scatters, file->offset + bytes, fault);
    if (fd < 0)
        return;
    uint64_t from = file->offset + (part.first - file_first) * piece;
    if (map_part(&part, fd, plan->table.scatters, from, part.count * piece))
        plan->segments[plan->segment_count++] = part;
    else
        refuse_file(fault, file->path, "cannot be mapped into memory");
    close(fd);
}

void ptog_mpi_files_open(struct ptog_mpi *plan, uint64_t low, uint64_t high, struct ptog_mpi_fault *fault)
{
    uint64_t first = 0, all = plan->shape.capacity * plan->shape.parts;
    for (size_t i = 0; i < plan->table.file_count && fault->status == PTOG_OK; i++) {
        const struct ptog_mpi_file *file = &plan->table.files[i];
        if (!file->path || file->rows < 0 || (uint64_t)file->rows > (all - first) / plan->shape.group ||
            file->offset > INT64_MAX / 2) {
            ptog_mpi_refuse(fault, PTOG_BAD_ARGUMENT, "the files have more rows than the table, or one has no name");
            return;
        }
        uint64_t end = first + (uint64_t)file->rows * plan->shape.group;
        uint64_t from = first > low ? first : low, to = end < high ? end : high;
        if (from < to)
            open_part(plan, file, (struct ptog_mpi_segment){.first = from, .count = to - from}, first, fault);
        first = end;
    }
    if (first != all)
        ptog_mpi_refuse(fault, PTOG_BAD_ARGUMENT, "the files have fewer rows than the table");
}

void ptog_mpi_files_close(struct ptog_mpi *plan)
{
    for (size_t i = 0; i < plan->segment_count; i++)
        munmap(plan->segments[i].map, plan->segments[i].map_bytes);
    plan->segment_count = 0;
}

/* The last segment that does not begin behind the piece. */
static const struct ptog_mpi_segment *segment_of(const struct ptog_mpi *plan, uint64_t piece)
{
    size_t low = 0, count = plan->segment_count;
    while (count > 1) {
        size_t half = count / 2;
        low = piece >= plan->segments[low + half].first ? low + half : low;
        count -= half;
    }
    return &plan->segments[low];
}

bool ptog_mpi_files_hold(const struct ptog_mpi *plan, int rank, unsigned char **base)
{
    uint64_t count = ptog_mpi_shape_count(&plan->shape, rank);
    if (count == 0)
        return true;
    uint64_t first = ptog_mpi_shape_piece(&plan->shape, rank, 0);
    const struct ptog_mpi_segment *segment = segment_of(plan, first);
    *base = segment->at + (first - segment->first) * plan->shape.piece;
    return (!plan->shape.round_robin || plan->ranks == 1) && first + count <= segment->first + segment->count;
}

unsigned char *ptog_mpi_files_find(const struct ptog_mpi *plan, uint64_t piece)
{
    const struct ptog_mpi_segment *segment = segment_of(plan, piece);
    return segment->at + (piece - segment->first) * plan->shape.piece;
}
