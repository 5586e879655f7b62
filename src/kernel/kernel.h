/* kernel: raw-pointer kernels from one list, spec'd by kernels.def. A kernel trusts its job: the caller has checked
 * that everything a lane may touch lies inside the buffers. What it cannot trust are index values: at the first one
 * above `most` it gives up, and the caller starts over on the careful path. */
#ifndef PTOG_KERNEL_KERNEL_H
#define PTOG_KERNEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ptog/insn.h>

/* One file each; all are stamped from the same list. */
enum ptog_isa {
    PTOG_ISA_SCALAR, /* complete */
    PTOG_ISA_AVX2,
    PTOG_ISA_AVX512,
    PTOG_ISA_AVX512_GATHER, /* elements by the gather instruction; the rest is AVX512's */
    PTOG_ISA_NEON,
    PTOG_ISA_AVX512_VBMI, /* masks of 1- and 2-byte elements by permutations of bytes; the rest is AVX512's */
    PTOG_ISA_LIBC,        /* whole rows by memcpy; the rest is SCALAR's */
};
#define PTOG_ISA_COUNT 7

static inline bool ptog_isa_has_avx512(enum ptog_isa isa)
{
    return isa == PTOG_ISA_AVX512 || isa == PTOG_ISA_AVX512_GATHER || isa == PTOG_ISA_AVX512_VBMI;
}

static inline bool ptog_isa_has_avx2(enum ptog_isa isa)
{
    return isa == PTOG_ISA_AVX2 || ptog_isa_has_avx512(isa);
}

/* What brings an index below the capacity, as numbers of an index type. */
struct ptog_bounds {
    uint64_t last;        /* Clamp, Zero: capacity - 1, or the largest number of the type */
    uint64_t wrap, magic; /* Wrap: the capacity, or 0 when no index reaches it, and what divides by it: see map.h */
};

/* How a gather through an index list maps indices and walks its buffers. Steps are in bytes. */
struct ptog_job {
    int64_t dst_step, idx_step; /* from lane to lane */
    uint64_t most;              /* the largest index that is not for the careful path */
    struct ptog_bounds wide;    /* for the index type */
    struct ptog_bounds narrow;  /* for 32 bits, when 64-bit indices turn out to fit */
    int64_t ahead;              /* fetch so many lanes ahead; 0: the table is in the cache */
    int hint;                   /* where to: enum ptog_hint */
    bool stream;                /* whole rows: dst is larger than the cache */

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

/* What the body of a kernel works on: `count` rows (Row) or elements (Elem). */
struct ptog_lanes {
    unsigned char *dst;
    const unsigned char *src;
    const unsigned char *idx;
    int64_t count;
};

enum ptog_kernel_kind {
    PTOG_KERNEL_ROW,       /* part: bytes of a run */
    PTOG_KERNEL_WHOLE_ROW, /* part: bytes of a row; 0: `tail` bytes */
    PTOG_KERNEL_ELEM,      /* part: element size; indices and dst without gaps */
    PTOG_KERNEL_ELEM_STEP, /* part: element size; any steps */
    PTOG_KERNEL_ELEM_NZ,   /* part: element size; any steps, NZ table */
    PTOG_KERNEL_COMPACT,   /* part: element size; index_size: the step of the pattern */
    PTOG_KERNEL_COMPARE,   /* part: element type */
};

/* Gathers `count` lanes. False: an index is above `most`; some lanes may have been gathered. The members of struct
 * ptog_lanes are parameters of their own because a struct of that size goes through memory, which takes longer than a
 * row of eight elements. */
typedef bool ptog_gather_fn(const struct ptog_job *job, unsigned char *dst, const unsigned char *src,
                            const unsigned char *idx, int64_t count);

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

/* Fills the bounds. */
void ptog_job_set_capacity(struct ptog_job *job, uint64_t capacity, int index_size);

/* The set called `name`; false when there is none in this build or on this CPU. */
bool ptog_isa_find(const char *name, enum ptog_isa *isa);
const char *ptog_isa_name(enum ptog_isa isa);
bool ptog_isa_runs(enum ptog_isa isa);

/* The kernel of `isa` that fits, for rows of any width where there is none for just this one; or that of the set which
 * stands in for what `isa` has not; NULL when there is none. */
const struct ptog_kernel *ptog_kernel_find(enum ptog_isa isa, enum ptog_kernel_kind kind, int part, int index_size,
                                           int how);

/* The list, for tests and benchmarks. NULL past the end. */
const struct ptog_kernel *ptog_kernel_at(enum ptog_isa isa, size_t i);

/* One table per file, ended by a row without a name; without any row where the compiler cannot make it. */
extern const struct ptog_kernel ptog_kernels_scalar[], ptog_kernels_avx2[], ptog_kernels_avx512[],
    ptog_kernels_avx512_gather[], ptog_kernels_neon[], ptog_kernels_avx512_vbmi[], ptog_kernels_libc[];

#endif
