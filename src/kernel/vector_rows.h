/* kernel: whole rows for vector instruction sets. The addresses of the next rows are kept in a ring, so that rows can
 * be fetched before they are copied. */
#ifndef PTOG_KERNEL_VECTOR_ROWS_H
#define PTOG_KERNEL_VECTOR_ROWS_H

#include "kernel/map.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define PTOG_VECTOR 64 /* bytes */
#elif defined(__AVX2__)
#define PTOG_VECTOR 32
#else
#define PTOG_VECTOR 16
#endif

#define PTOG_RING 256 /* rows; half of them are new at a time */

typedef unsigned char ptog_piece __attribute__((vector_size(PTOG_VECTOR), aligned(1), may_alias));
typedef unsigned char ptog_piece16 __attribute__((vector_size(16), aligned(1), may_alias));

/* Writes a vector, past the caches if `stream`. */
PTOG_INLINE void ptog_put_piece(unsigned char *dst, ptog_piece piece, bool stream)
{
#if defined(__AVX512F__)
    if (stream) {
        _mm512_stream_si512((void *)dst, (__m512i)piece);
        return;
    }
#elif defined(__AVX2__)
    if (stream) {
        _mm256_stream_si256((void *)dst, (__m256i)piece);
        return;
    }
#else
    (void)stream;
#endif
    *(ptog_piece *)dst = piece;
}

/* Four pieces: all loads before all stores, which may be at the same place of another page. */
PTOG_INLINE void ptog_copy_four(unsigned char *dst, const unsigned char *src, bool stream)
{
    const ptog_piece *from = (const ptog_piece *)src;
    ptog_piece a = from[0], b = from[1], c = from[2], d = from[3];
    ptog_put_piece(dst, a, stream);
    ptog_put_piece(dst + PTOG_VECTOR, b, stream);
    ptog_put_piece(dst + 2 * PTOG_VECTOR, c, stream);
    ptog_put_piece(dst + 3 * PTOG_VECTOR, d, stream);
}

/* Fewer bytes than a piece: one copy of a smaller size, or two that may overlap. */
PTOG_INLINE void ptog_copy_few(unsigned char *dst, const unsigned char *src, size_t bytes)
{
    if (bytes == 16) {
        *(ptog_piece16 *)dst = *(const ptog_piece16 *)src;
        return;
    }
#if PTOG_VECTOR > 32
    if (bytes == 32) {
        memcpy(dst, src, 32);
        return;
    }
    if (bytes >= 32) {
        memcpy(dst, src, 32);
        memcpy(dst + bytes - 32, src + bytes - 32, 32);
        return;
    }
#endif
    if (bytes >= 16) {
        ptog_piece16 last = *(const ptog_piece16 *)(src + bytes - 16);
        *(ptog_piece16 *)dst = *(const ptog_piece16 *)src;
        *(ptog_piece16 *)(dst + bytes - 16) = last;
    } else if (bytes >= 8) {
        memcpy(dst, src, 8);
        memcpy(dst + bytes - 8, src + bytes - 8, 8);
    } else if (bytes >= 4) {
        memcpy(dst, src, 4);
        memcpy(dst + bytes - 4, src + bytes - 4, 4);
    } else {
        for (size_t k = 0; k < bytes; k++)
            dst[k] = src[k];
    }
}

/* Copies a row in pieces, the last ones over each other. */
PTOG_INLINE void ptog_copy_row(unsigned char *dst, const unsigned char *src, size_t bytes, bool stream)
{
    size_t k = 0;
    if (bytes < PTOG_VECTOR) {
        ptog_copy_few(dst, src, bytes);
        return;
    }
    for (; k + 4 * PTOG_VECTOR <= bytes; k += 4 * PTOG_VECTOR)
        ptog_copy_four(dst + k, src + k, stream);
    for (; k + PTOG_VECTOR <= bytes; k += PTOG_VECTOR)
        ptog_put_piece(dst + k, *(const ptog_piece *)(src + k), stream);
    if (k < bytes)
        ptog_put_piece(dst + bytes - PTOG_VECTOR, *(const ptog_piece *)(src + bytes - PTOG_VECTOR), false);
}

#define PTOG_ROW_POLICIES(ROW, index_size)                                                                             \
    ROW(index_size, UNDEFINED) ROW(index_size, CLAMP) ROW(index_size, WRAP) ROW(index_size, ZERO)

/* Where the rows of n lanes begin; NULL for a row of zeros. False when an index is above `most`. */
PTOG_INLINE bool ptog_find_rows(const struct ptog_job *job, struct ptog_lanes at, int64_t first, int64_t n,
                                int index_size, enum ptog_oob oob, const unsigned char **rows)
{
    bool all = true;
    for (int64_t k = 0; k < n; k++) {
        uint64_t i;
        bool zero;
        all &= ptog_map_lane(job, at.idx + (first + k) * job->idx_step, index_size, oob, &i, &zero);
        rows[k] = zero ? NULL : (const unsigned char *)((uintptr_t)at.src + i * (uint64_t)job->src_step);
    }
    return all;
}

/* Some rows of the ring, which holds all rows before `found`. */
struct ptog_ring_part {
    const unsigned char *const *ring;
    int64_t first, n, found;
};

/* Copies the rows that a part of the ring points to, zeros for NULL, and fetches rows ahead. */
PTOG_INLINE void ptog_copy_rows(const struct ptog_job *job, unsigned char *dst, const struct ptog_ring_part *part,
                                size_t bytes, bool stream)
{
    const unsigned char *const *ring = part->ring;
    const int64_t end = part->first + part->n, found = part->found, ahead = job->ahead, dst_step = job->dst_step;
    const int hint = job->hint;
    for (int64_t r = part->first; r < end; r++) {
        const unsigned char *row = ring[r % PTOG_RING];
        unsigned char *to = dst + r * dst_step;
        int64_t next = r + ahead < found ? r + ahead : found - 1;
        ptog_fetch_row((uintptr_t)ring[next % PTOG_RING], bytes, hint);
        if (row)
            ptog_copy_row(to, row, bytes, stream);
        else
            memset(to, 0, bytes);
    }
}

#define PTOG_COPY_ROWS(width)                                                                                          \
    PTOG_SHARED void ptog_copy_rows_##width(const struct ptog_job *job, unsigned char *dst,                            \
                                            const struct ptog_ring_part *part, bool stream)                            \
    {                                                                                                                  \
        const size_t bytes = (width) ? (width) : (size_t)job->tail;                                                    \
        if (stream)                                                                                                    \
            ptog_copy_rows(job, dst, part, bytes, true);                                                               \
        else                                                                                                           \
            ptog_copy_rows(job, dst, part, bytes, false);                                                              \
    }
PTOG_COPY_ROWS(0)
PTOG_COPY_ROWS(16)
PTOG_COPY_ROWS(32)
PTOG_COPY_ROWS(64)
PTOG_COPY_ROWS(128)
PTOG_COPY_ROWS(256)
PTOG_COPY_ROWS(512)
#undef PTOG_COPY_ROWS

typedef void ptog_copy_rows_fn(const struct ptog_job *job, unsigned char *dst, const struct ptog_ring_part *part,
                               bool stream);

/* For rows of one width; 0: of `tail` bytes. */
PTOG_INLINE ptog_copy_rows_fn *ptog_copy_rows_of(size_t width)
{
    switch (width) {
    case 16: return ptog_copy_rows_16;
    case 32: return ptog_copy_rows_32;
    case 64: return ptog_copy_rows_64;
    case 128: return ptog_copy_rows_128;
    case 256: return ptog_copy_rows_256;
    case 512: return ptog_copy_rows_512;
    default: return ptog_copy_rows_0;
    }
}

/* Rows from a cache, one after another: dst[r,:] = table[map(idx[r]),:] The caller's job would have to be read again
 * after every store, which might be to it: short rows took 1.3 to 1.6 times as long. */
PTOG_INLINE bool ptog_near_row_blocks(const struct ptog_job *job, struct ptog_lanes at, size_t width, int index_size,
                                      enum ptog_oob oob)
{
    const struct ptog_job own = *job;
    size_t bytes = width ? width : (size_t)own.tail;
    for (int64_t r = 0; r < at.count; r++) {
        uint64_t i;
        bool zero;
        if (!ptog_map_lane(&own, at.idx + r * own.idx_step, index_size, oob, &i, &zero))
            return false;
        if (zero)
            memset(at.dst + r * own.dst_step, 0, bytes);
        else
            ptog_copy_row(at.dst + r * own.dst_step, at.src + (int64_t)i * own.src_step, bytes, false);
    }
    return true;
}

/* Rows from memory, or to it: dst[r,:] = table[map(idx[r]),:], with the next rows on their way. */
PTOG_INLINE bool ptog_far_rows(const struct ptog_job *job, struct ptog_lanes at, size_t width, int index_size,
                               enum ptog_oob oob)
{
    ptog_copy_rows_fn *const copy_rows = ptog_copy_rows_of(width);
    const size_t bytes = width ? width : (size_t)job->tail;
    const bool stream =
        job->stream && bytes >= PTOG_VECTOR && ((uintptr_t)at.dst | (uintptr_t)job->dst_step) % PTOG_VECTOR == 0;
    const unsigned char *ring[PTOG_RING];
    const int64_t half = PTOG_RING / 2;
    int64_t found = at.count < half ? at.count : half;
    if (!ptog_find_rows(job, at, 0, found, index_size, oob, ring))
        return false;
    for (int64_t done = 0; done < at.count; done += half) {
        int64_t n = at.count - done < half ? at.count - done : half;
        if (found < at.count) {
            int64_t more = at.count - found < half ? at.count - found : half;
            if (!ptog_find_rows(job, at, found, more, index_size, oob, ring + found % PTOG_RING))
                return false;
            found += more;
        }
        copy_rows(job, at.dst, &(struct ptog_ring_part){ring, done, n, found}, stream);
    }
#if defined(__AVX__)
    if (stream)
        _mm_sfence();
#endif
    return true;
}

#define PTOG_FAR_ROWS(index_size, policy)                                                                              \
    PTOG_SHARED bool ptog_far_rows_##index_size##_##policy(const struct ptog_job *job, const struct ptog_lanes *at,    \
                                                           size_t width)                                               \
    {                                                                                                                  \
        return ptog_far_rows(job, *at, width, index_size, PTOG_OOB_##policy);                                          \
    }
PTOG_ROW_POLICIES(PTOG_FAR_ROWS, 4)
PTOG_ROW_POLICIES(PTOG_FAR_ROWS, 8)
#undef PTOG_FAR_ROWS

PTOG_INLINE bool ptog_far_row_blocks(const struct ptog_job *job, struct ptog_lanes at, size_t width, int index_size,
                                     enum ptog_oob oob)
{
#define PTOG_PICK(index_size_, policy)                                                                                 \
    if (index_size == index_size_ && oob == PTOG_OOB_##policy)                                                         \
        return ptog_far_rows_##index_size_##_##policy(job, &at, width);
    PTOG_ROW_POLICIES(PTOG_PICK, 4)
    PTOG_ROW_POLICIES(PTOG_PICK, 8)
#undef PTOG_PICK
#undef PTOG_ROW_POLICIES
    return false;
}

#endif
