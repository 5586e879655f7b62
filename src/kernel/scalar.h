/* kernel: the scalar bodies, one per algorithm. Every parameter but the job is a constant where the list stamps them.
 */
#ifndef PTOG_KERNEL_SCALAR_H
#define PTOG_KERNEL_SCALAR_H

#include <string.h>

#include "base/small_float.h"
#include "kernel/kernel.h"

#define PTOG_INLINE static inline __attribute__((always_inline))

/* Indices are read unaligned and zero-extended. */
PTOG_INLINE uint64_t ptog_load_index(const unsigned char *at, int index_size)
{
    uint16_t i2;
    uint32_t i4;
    uint64_t i8;
    switch (index_size) {
    case 2: return memcpy(&i2, at, 2), i2;
    case 4: return memcpy(&i4, at, 4), i4;
    default: return memcpy(&i8, at, 8), i8;
    }
}

/* False: the lane is not to be read; *counted says whether it is zero or has to be counted. */
PTOG_INLINE bool ptog_map_lane(const struct ptog_job *job, enum ptog_oob oob, uint64_t *i, bool *counted)
{
    *counted = (*i & job->alarm) != 0 || (oob == PTOG_OOB_UNDEFINED && *i >= job->limit);
    switch (oob) {
    case PTOG_OOB_CLAMP: *i = *i < job->capacity ? *i : job->capacity - 1; return true;
    case PTOG_OOB_WRAP: *i = *i < job->capacity ? *i : *i % job->capacity; return true;
    case PTOG_OOB_ZERO: return *i < job->capacity;
    default: return !*counted;
    }
}

/* One row: `runs` pieces of `run` bytes, then the tail. `src` is NULL for a row of zeros. */
PTOG_INLINE void ptog_move_row(const struct ptog_job *job, unsigned char *dst, const unsigned char *src, size_t run)
{
    int64_t left = job->batch_runs;
    const unsigned char *batch = src;
    for (int64_t b = 0; run > 0 && b < job->runs; b++) {
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

/* dst[r,:] = table[map(idx[r]),:] */
PTOG_INLINE uint64_t ptog_row_body(const struct ptog_job *job, size_t run, int index_size, enum ptog_oob oob)
{
    uint64_t counted = 0;
    for (int64_t r = 0; r < job->lanes; r++) {
        uint64_t i = ptog_load_index(job->idx + r * job->idx_step, index_size);
        bool count, read = ptog_map_lane(job, oob, &i, &count);
        unsigned char *dst = job->dst + r * job->dst_step;
        counted += count;
        if (read && run == 32)
            ptog_move_row(job, dst,
                          job->src + (int64_t)(i / (uint64_t)job->block_rows) * job->block_step +
                              (int64_t)(i % (uint64_t)job->block_rows) * job->src_step,
                          run);
        else if (read)
            ptog_move_row(job, dst, job->src + (int64_t)i * job->src_step, run);
        else if (oob == PTOG_OOB_ZERO)
            ptog_move_row(job, dst, NULL, run);
    }
    return counted;
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
PTOG_INLINE uint64_t ptog_elem_body(const struct ptog_job *job, int64_t size, int index_size, enum ptog_oob oob,
                                    bool nz)
{
    uint64_t counted = 0;
    for (int64_t n = 0; n < job->lanes; n++) {
        uint64_t i = ptog_load_index(job->idx + n * job->idx_step, index_size);
        bool count, read = ptog_map_lane(job, oob, &i, &count);
        unsigned char *dst = job->dst + n * job->dst_step;
        counted += count;
        if (read)
            memcpy(dst, job->src + (nz ? ptog_nz_place(job, i, size) : (int64_t)i * size), (size_t)size);
        else if (oob == PTOG_OOB_ZERO)
            memset(dst, 0, (size_t)size);
    }
    return counted;
}

PTOG_INLINE void ptog_compact_body(unsigned char *dst, const unsigned char *src, int64_t kept, size_t size,
                                   int64_t step)
{
    for (int64_t n = 0; n < kept; n++)
        memcpy(dst + n * (int64_t)size, src + n * step * (int64_t)size, size);
}

#endif
