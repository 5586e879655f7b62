/* kernel: the scalar bodies, one per algorithm. Every parameter but the job is a constant where the list stamps them.
 */
#ifndef PTOG_KERNEL_SCALAR_H
#define PTOG_KERNEL_SCALAR_H

#include "base/small_float.h"
#include "kernel/map.h"

/* One row: `runs` pieces of `run` bytes, then the tail. `src` is NULL for a row of zeros. */
PTOG_INLINE void ptog_move_row(const struct ptog_job *job, unsigned char *dst, const unsigned char *src, size_t run)
{
    int64_t left = job->batch_runs;
    const unsigned char *batch = src;
    for (int64_t b = 0; b < job->runs; b++) {
        if (src)
            memcpy(dst, src, run);
        else
            memset(dst, 0, run);
        dst += job->dst_run_step;
        if (src)
            src += job->src_run_step;
        if (src && job->batch_runs > 0 && --left == 0) {
            left = job->batch_runs;
            src = batch += job->src_batch_step;
        }
    }
    if (src)
        memcpy(dst, src, (size_t)job->tail);
    else
        memset(dst, 0, (size_t)job->tail);
}

/* dst[r,:] = table[map(idx[r]),:], in pieces */
PTOG_INLINE bool ptog_row_body(const struct ptog_job *job, struct ptog_lanes at, size_t run, int index_size,
                               enum ptog_oob oob)
{
    for (int64_t r = 0; r < at.count; r++) {
        uint64_t i;
        bool zero;
        if (!ptog_map_lane(job, at.idx + r * job->idx_step, index_size, oob, &i, &zero))
            return false;
        const unsigned char *src = at.src + (int64_t)i * job->src_step;
        if (run == 32)
            src = at.src + (int64_t)(i / (uint64_t)job->block_rows) * job->block_step +
                  (int64_t)(i % (uint64_t)job->block_rows) * job->src_step;
        ptog_move_row(job, at.dst + r * job->dst_step, zero ? NULL : src, run);
    }
    return true;
}

/* dst[r,:] = table[map(idx[r]),:], at once */
PTOG_INLINE bool ptog_whole_row_body(const struct ptog_job *job, struct ptog_lanes at, size_t width, int index_size,
                                     enum ptog_oob oob)
{
    size_t bytes = width ? width : (size_t)job->tail;
    for (int64_t r = 0; r < at.count; r++) {
        uint64_t i;
        bool zero;
        if (!ptog_map_lane(job, at.idx + r * job->idx_step, index_size, oob, &i, &zero))
            return false;
        if (zero)
            memset(at.dst + r * job->dst_step, 0, bytes);
        else
            memcpy(at.dst + r * job->dst_step, at.src + (int64_t)i * job->src_step, bytes);
    }
    return true;
}

/* Where element i of an NZ table lies, in bytes. */
PTOG_INLINE int64_t ptog_nz_place(const struct ptog_job *job, uint64_t i, int64_t size)
{
    uint64_t row = i / job->nz_cols, col = i % job->nz_cols, block = col / job->nz_c0;
    return (int64_t)(block / (uint64_t)job->batch_runs) * job->src_batch_step +
           (int64_t)(block % (uint64_t)job->batch_runs) * job->src_run_step +
           (int64_t)(row / (uint64_t)job->block_rows) * job->block_step +
           (int64_t)(row % (uint64_t)job->block_rows) * job->src_step + (int64_t)(col % job->nz_c0) * size;
}

/* dst[n] = flat(table)[map(idx[n])] */
PTOG_INLINE bool ptog_elem_body(const struct ptog_job *job, struct ptog_lanes at, int64_t size, int index_size,
                                enum ptog_oob oob, bool nz)
{
    for (int64_t n = 0; n < at.count; n++) {
        uint64_t i;
        bool zero;
        unsigned char *dst = at.dst + n * job->dst_step;
        if (!ptog_map_lane(job, at.idx + n * job->idx_step, index_size, oob, &i, &zero))
            return false;
        if (zero)
            memset(dst, 0, (size_t)size);
        else
            memcpy(dst, at.src + (nz ? ptog_nz_place(job, i, size) : (int64_t)i * size), (size_t)size);
    }
    return true;
}

PTOG_INLINE void ptog_compact_body(unsigned char *dst, const unsigned char *src, int64_t kept, size_t size,
                                   int64_t step)
{
    for (int64_t n = 0; n < kept; n++)
        memcpy(dst + n * (int64_t)size, src + n * step * (int64_t)size, size);
}

#endif
