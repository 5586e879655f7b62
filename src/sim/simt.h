/* sim: SIMT launches on A5: warps of 32 lanes, at most 32 of them, and what their accesses cost in 128-byte lines. */
#ifndef PTOG_SIM_SIMT_H
#define PTOG_SIM_SIMT_H

#include <ptog/core.h>

#include "sim/log.h"

#define PTOG_WARP 32
#define PTOG_MAX_WARPS 32
#define PTOG_GM_LINE 128

struct ptog_simt_shape {
    int64_t warps;
    int64_t steps; /* lane steps of the whole launch, idle ones included */
    int64_t elements;
    int64_t row_warps, warps_per_row; /* Row: who owns rows, and how many share one */
    int64_t idle_warps;               /* warps that are launched and get no element */
    int64_t remaps;                   /* lanes that apply the policy to an index: Row once per row, Elem per element */
};

/* `all`: the earlier custom instruction, which always launches 32 warps. */
struct ptog_simt_shape ptog_simt_row_shape(bool all, int64_t rows, int64_t cols);
struct ptog_simt_shape ptog_simt_elem_shape(bool all, int64_t rows, int64_t cols);

/* Adds a launch of this shape to the counts of the log, and makes it the log's box in the timeline. */
void ptog_simt_launch(struct ptog_log *log, struct ptog_simt_shape shape);

/* Where a line is remembered. There is a power of two of places unless the caller wants another number: no division
 * then.
 */
static inline uint64_t ptog_simt_place(const struct ptog_recent *recent, uint64_t line)
{
    uint64_t count = recent->count;
    if ((count & (count - 1)) == 0)
        return line & (count - 1);
    return line % count;
}

/* One transaction: a load of GM that touches a line of a buffer. Row loads what the lanes of a warp share with a line
 * at once, Elem loads each lane's element by itself. */
static inline void ptog_simt_line(struct ptog_log *log, int buffer, uint64_t line)
{
    struct ptog_recent *recent = log->recent;
    uint64_t name = ((uint64_t)buffer + 1) << 48 ^ line;
    log->stats.transactions++;
    if (!recent || recent->count == 0)
        return;
    uint64_t *place = &recent->lines[ptog_simt_place(recent, line)];
    log->stats.line_hits += *place == name;
    *place = name;
}

/* A run of contiguous bytes, read by warps of 32 lanes: one transaction per warp and line. The buffer itself starts at
 * a line. */
void ptog_simt_run(struct ptog_log *log, const struct ptog_access *read, uint64_t size);

#endif
