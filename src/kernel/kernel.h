/* kernel: raw-pointer kernels from one list, spec'd by kernels.def. A kernel trusts its job: the caller has checked
 * that everything a lane may touch lies inside the buffers. What it cannot trust are index values: a lane whose index
 * is at or above `limit`, or has a bit of `alarm`, is not gathered but counted, and the caller starts over on the
 * careful path. */
#ifndef PTOG_KERNEL_KERNEL_H
#define PTOG_KERNEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ptog/insn.h>

/* Gather through an index list. Steps are in bytes. */
struct ptog_job {
    unsigned char *dst;
    const unsigned char *src;
    const unsigned char *idx;
    int64_t lanes;              /* rows (Row) or elements (Elem) */
    int64_t dst_step, idx_step; /* from lane to lane */
    uint64_t capacity;          /* what Clamp, Wrap and Zero bring an index below */
    uint64_t limit;             /* Undefined: the first index that is not gathered */
    uint64_t alarm;             /* index bits that send the caller to the careful path */

    /* Row: lane i reads row i of the table, at (i / block_rows)*block_step + (i % block_rows)*src_step, and moves
     * `runs` pieces of it, then `tail` bytes more (of a last, shorter piece). */
    int64_t src_step;
    int64_t runs, tail;
    int64_t dst_run_step, src_run_step;
    int64_t batch_runs, src_batch_step; /* after so many runs the source starts a new batch; 0: never */
    int64_t block_rows, block_step;

    /* Elem on an NZ table: element i is at row i / cols, column i % cols. */
    uint64_t nz_cols, nz_c0;
};

enum ptog_kernel_kind {
    PTOG_KERNEL_ROW,     /* part: bytes of a run; 0: the whole row is one run of `tail` bytes */
    PTOG_KERNEL_ELEM,    /* part: element size */
    PTOG_KERNEL_ELEM_NZ, /* part: element size; NZ table */
    PTOG_KERNEL_COMPACT, /* part: element size; index_size: the step of the pattern */
    PTOG_KERNEL_COMPARE, /* part: element type */
};

/* Returns the number of lanes that were counted instead of gathered. */
typedef uint64_t ptog_gather_fn(const struct ptog_job *job);

/* dst[i] = src[i*step], i < kept. */
typedef void ptog_compact_fn(unsigned char *dst, const unsigned char *src, int64_t kept);

/* Counts the i < n with src[i] cmp k; stores first + i for each of them when dst is not NULL. */
typedef int64_t ptog_compare_fn(const unsigned char *src, int64_t n, const unsigned char *k, uint32_t first,
                                unsigned char *dst);

struct ptog_kernel {
    const char *name;
    enum ptog_kernel_kind kind;
    int part, index_size;
    int how; /* gather: enum ptog_oob; compare: enum ptog_cmp */
    ptog_gather_fn *gather;
    ptog_compact_fn *compact;
    ptog_compare_fn *compare;
};

/* Not an element type: float32 compared as A5 does. */
#define PTOG_COMPARE_A5_F32 100

/* The first in the list that fits; NULL when there is none. */
const struct ptog_kernel *ptog_kernel_find(enum ptog_kernel_kind kind, int part, int index_size, int how);

/* The list, for tests and benchmarks. NULL past the end. */
const struct ptog_kernel *ptog_kernel_at(size_t i);

#endif
