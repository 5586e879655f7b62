/* exec: the numbers that kernels are tuned by, from the processor and the environment; and what they mean for a job.
 * The file of PTOG_TUNE is the only one that the library ever opens. */
#define _POSIX_C_SOURCE 200809L /* open */
#include "exec/tune.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/pick.h"

#define MAX_TEXT 8192 /* bytes of the file; a row has about 400 */

/* Reads the text of a regular file, up to `room` bytes, and returns how many; -1 with *why when it cannot. */
static ssize_t read_text(const char *path, char *text, size_t room, const char **why)
{
    struct stat info;
    size_t used = 0;
    ssize_t got = 0;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe without a writer is not waited for */
    if (fd < 0) {
        *why = "cannot be opened";
        return -1;
    }
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(fd);
        *why = "is not a file";
        return -1;
    }
    while (used < room && (got = read(fd, text + used, room - used)) > 0)
        used += (size_t)got;
    close(fd);
    if (got >= 0)
        return (ssize_t)used;
    *why = "cannot be read";
    return -1;
}

/* Reads the fields of a file into *tune; reports what is wrong with it to `watch`, unless that is NULL. */
static void read_file(struct ptog_tune *tune, const char *path, const struct ptog_tune_watch *watch)
{
    char text[MAX_TEXT + 1];
    const char *why = NULL;
    ssize_t bytes = read_text(path, text, sizeof text, &why);
    if (bytes > MAX_TEXT)
        why = "is longer than 8 KiB: it was not written by 'make tune'";
    if (!why) {
        tune->name = "PTOG_TUNE";
        ptog_tune_read(tune, text, (size_t)bytes, watch);
    } else if (watch) {
        watch->bad_line(watch->data, 0, why);
    }
}

struct ptog_tune ptog_exec_tune(const struct ptog_tune_watch *watch)
{
    struct ptog_tune tune = ptog_tune_here();
    const char *path = getenv("PTOG_TUNE"), *isa = getenv("PTOG_ISA");
    enum ptog_isa forced;
    if (path && *path)
        read_file(&tune, path, watch);
    if (isa && ptog_isa_find(isa, &forced))
        tune.is_forced = true, tune.row_set = tune.elem_set = tune.gather_set = tune.mask_set = forced;
    return tune;
}

enum ptog_isa ptog_exec_isa(void)
{
    const char *name = getenv("PTOG_ISA");
    enum ptog_isa isa;
    if (name && ptog_isa_find(name, &isa))
        return isa;
    return ptog_tune_here().row_set;
}

/* ---- what they mean for a job */

const struct ptog_kernel *ptog_tuned_kernel(const struct ptog_tune *tune, enum ptog_kernel_kind kind, int part,
                                            int index_size, int how)
{
    enum ptog_isa isa = tune->mask_set;
    if (kind == PTOG_KERNEL_ROW || kind == PTOG_KERNEL_WHOLE_ROW)
        isa = tune->row_set;
    else if (kind == PTOG_KERNEL_ELEM || kind == PTOG_KERNEL_ELEM_STEP || kind == PTOG_KERNEL_ELEM_NZ)
        isa = tune->elem_set;
    return ptog_kernel_find(isa, kind, part, index_size, how);
}

const struct ptog_kernel *ptog_tuned_elem(const struct ptog_tune *tune, enum ptog_kernel_kind kind,
                                          struct ptog_elem_use use)
{
    const uint64_t near = (uint64_t)tune->elem_near, far = (uint64_t)tune->near_bytes;
    struct ptog_tune own = *tune;
    if (use.oob == PTOG_OOB_WRAP || (use.table_bytes > near && use.table_bytes <= far))
        own.elem_set = tune->gather_set;
    return ptog_tuned_kernel(&own, kind, use.size, use.index_size, use.oob);
}

void ptog_fetch_ahead(struct ptog_candidate *candidate, enum ptog_kernel_kind kind, int64_t row_bytes,
                      const struct ptog_tune *tune)
{
    candidate->ahead = tune->elem_ahead;
    candidate->hint = (int)tune->elem_hint;
    if (kind == PTOG_KERNEL_ELEM || row_bytes < 1)
        return;
    candidate->ahead = ptog_min_i64(ptog_max_i64(tune->row_ahead / row_bytes, tune->row_least), tune->row_most);
    candidate->hint = (int)tune->row_hint;
}

/* Chooses the candidates of a row gather: rows that come from memory are fetched ahead, short rows from the last cache
 * are faster without. */
static void ready_rows(struct ptog_ready *ready, const struct ptog_tune *tune)
{
    struct ptog_job *job = &ready->job;
    uint64_t far = (uint64_t)tune->row_far;
    if (job->tail < 256)
        far = (uint64_t)tune->short_far;
    struct ptog_candidate fetched = {0};
    if (ready->src_bytes > far && job->tail > 0)
        ptog_fetch_ahead(&fetched, PTOG_KERNEL_WHOLE_ROW, job->tail, tune);
    job->ahead = fetched.ahead;
    job->hint = fetched.hint;
    job->stream = ready->dst_bytes > (uint64_t)tune->stream_above;
}

void ptog_ready_memory(struct ptog_ready *ready, const struct ptog_kernel *kernel, const struct ptog_tune *tune)
{
    struct ptog_job *job = &ready->job;
    int64_t lanes = ready->rows > 0 ? ready->rows * ready->cols : ready->lanes;
    uint64_t lines = (uint64_t)lanes * 64;
    if (!kernel || !ready->fast)
        return;
    ready->touched = ready->dst_bytes;
    if (ready->src_bytes > (uint64_t)tune->near_bytes) /* each lane brings a line of the table */
        ready->touched = ptog_max_u64(lines, ready->dst_bytes);
    if (kernel->kind == PTOG_KERNEL_WHOLE_ROW)
        ready_rows(ready, tune);
    if (kernel->kind == PTOG_KERNEL_ELEM && ready->src_bytes > (uint64_t)tune->elem_far) {
        job->ahead = tune->elem_ahead;
        job->hint = (int)tune->elem_hint;
    }
}

/* ---- for people */

/* Adds a warning for a line of the file, or with line 0 for the file itself. */
static void report_line(void *data, size_t line, const char *why)
{
    const char *path = getenv("PTOG_TUNE");
    char message[512];
    if (line > 0)
        snprintf(message, sizeof message, "PTOG_TUNE: %.256s:%zu: %s", path, line, why);
    else
        snprintf(message, sizeof message, "PTOG_TUNE: %.256s: %s", path, why);
    ptog_diags_add(data, &(struct ptog_diag){.id = "bad-argument", .severity = PTOG_WARNING, .message = message});
}

const char *ptog_tuning(ptog_diags *diags)
{
    struct ptog_tune_watch watch = {report_line, diags};
    return ptog_exec_tune(diags ? &watch : NULL).name;
}
