/* kernel: whole rows by the C library's memcpy, as one would write it by hand. It is tuned for the processor at hand by
 * others, so it is among what a run may choose from. Rows are fetched ahead if the job says so. */
#include "kernel/scalar.h"

/* dst[r,:] = table[map(idx[r]),:] A row beyond the last is not fetched: lanes may not be looked at there. */
PTOG_INLINE bool ptog_libc_rows(const struct ptog_job *job, struct ptog_lanes at, size_t width, int index_size,
                                enum ptog_oob oob)
{
    const struct ptog_job own = *job; /* which no store can change */
    const size_t bytes = width ? width : (size_t)own.tail;
    for (int64_t r = 0; r < at.count; r++) {
        uint64_t i, next;
        bool zero, next_zero;
        if (own.ahead && r + own.ahead < at.count) {
            ptog_map_lane(&own, at.idx + (r + own.ahead) * own.idx_step, index_size, oob, &next, &next_zero);
            ptog_fetch_row((uintptr_t)at.src + next * (uint64_t)own.src_step, bytes, own.hint);
        }
        if (!ptog_map_lane(&own, at.idx + r * own.idx_step, index_size, oob, &i, &zero))
            return false;
        if (zero)
            memset(at.dst + r * own.dst_step, 0, bytes);
        else
            memcpy(at.dst + r * own.dst_step, at.src + (int64_t)i * own.src_step, bytes);
    }
    return true;
}

#define BODY_WHOLE_ROW ptog_libc_rows
#define ONLY_ANY_WIDTH /* a memcpy of a known width would not be the library's */
#define ISA "libc"
#define TABLE ptog_kernels_libc
#include "kernel/stamp.h"
