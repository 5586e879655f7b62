/* Plan once, run often: the fast way to the bytes of one instruction, without a machine. Planning verifies the
 * instruction and chooses a kernel; running touches only the caller's buffers and allocates nothing. Any number of
 * threads may run a plan at once, each with its own buffers: all that a run of a large gather changes is one atomic
 * word, which says what kernel was fastest so far.
 *
 *     ptog_plan *plan = NULL;
 *     if (ptog_plan_mgather(&plan, ptog_target_find("host"), &op, diags) != PTOG_OK)
 *         ...                                                     // diags say why
 *     struct ptog_run run = {.dst = {dst, dst_bytes}, .src = {table, table_bytes}, .idx = {idx, idx_bytes}};
 *     enum ptog_status status = ptog_plan_run(plan, &run, NULL);  // as often as wanted
 *     ptog_plan_free(plan);
 *
 * What comes out is what the instruction means on that target, to the byte: also where targets differ, and where an
 * index is out of range. */
#ifndef PTOG_PLAN_H
#define PTOG_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ptog/diag.h>
#include <ptog/pool.h>
#include <ptog/status.h>
#include <ptog/target.h>

/* An instruction that was verified for a target, and how it will be done. */
typedef struct ptog_plan ptog_plan;

/* Any instruction but TLOAD and TSTORE, which are a device's. On PTOG_OK *plan is the caller's, to be freed with
 * ptog_plan_free; otherwise *plan is NULL. `insn` is copied. `diags` may be NULL and is filled as by ptog_verify. */
PTOG_API enum ptog_status ptog_plan_insn(ptog_plan **plan, const struct ptog_target *target,
                                         const struct ptog_insn *insn, ptog_diags *diags);

/* What a plan may do while it is made; zero is nothing of it. PTOG_PLAN_MEASURE: time the kernels that could do it on
 * memory of its own, a table of up to 64 MiB among it, and use the fastest. That takes milliseconds, and pays for small
 * gathers that run often: large ones choose while they run, and without it a table of processors says what small ones
 * use. Plans with PTOG_DYN extents, and those without memory for it, are made as without it. Results do not depend on
 * it. */
#define PTOG_PLAN_MEASURE 1

/* The same, with `flags`; a bit that is not above is PTOG_BAD_ARGUMENT. */
PTOG_API enum ptog_status ptog_plan_insn_with(ptog_plan **plan, const struct ptog_target *target,
                                              const struct ptog_insn *insn, uint64_t flags, ptog_diags *diags);

/* As ptog_plan_insn for the descriptions with names (ptog/insn.h). */
PTOG_API enum ptog_status ptog_plan_mgather(ptog_plan **plan, const struct ptog_target *target,
                                            const struct ptog_mgather *op, ptog_diags *diags);
PTOG_API enum ptog_status ptog_plan_tgather(ptog_plan **plan, const struct ptog_target *target,
                                            const struct ptog_tgather *op, ptog_diags *diags);

/* NULL is fine. No run may use the plan any more. */
PTOG_API void ptog_plan_free(ptog_plan *plan);

/* The chosen kernel, "row.512.i4.CLAMP.avx2", or "reference": for people and logs. Of a large gather it is the one
 * that was fastest so far. The last word is the instruction set: the best one for this CPU, or the one that PTOG_ISA
 * names in the environment (scalar, avx2, avx512, avx512-gather, avx512-vbmi, neon, libc) if the CPU has it. */
PTOG_API const char *ptog_plan_kernel(const ptog_plan *plan);

/* What plans made now are tuned for: "amd-avx512", "any", ..., or "PTOG_TUNE" when that names a file of fields in the
 * environment, as `make tune` writes them. What cannot be used of that file is left out; `diags`, which may be NULL,
 * gets a warning for each such line, and for a file that cannot be read. */
PTOG_API const char *ptog_tuning(ptog_diags *diags);

/* Bytes of the caller: to be written, and to be read. */
struct ptog_buf {
    void *data;
    size_t bytes;
};
struct ptog_cbuf {
    const void *data;
    size_t bytes;
};

/* Tiles are given as their whole padded storage, the table as its storage from the first element on. A buffer smaller
 * than its operand is fine: no byte outside a buffer is ever touched, lanes that would need one are faults. A field
 * left zero means "as planned". Destinations must not overlap the other buffers. */
struct ptog_run {
    struct ptog_buf dst;
    /* The table of MGATHER, the source of TGATHER, the first source of the others. On a2a3 and a5 an index of TGATHER
     * can reach beyond its source: give the buffer up to the end of the on-chip buffer, and it is read as there. */
    struct ptog_cbuf src;
    struct ptog_cbuf idx; /* indices, offsets, a mask; the third source, of lists too, whose fourth is k */
    /* The scratch tile of an instruction that has one. Plans do not need it; when it is given, dst must be apart from
     * it. */
    struct ptog_buf tmp;
    struct ptog_cbuf k;   /* also the scalar of an instruction that has one; without it, the plan's own */
    /* The counts of TGATHER by comparison; the elements of trowargmax and trowargmin; of TMRGSORT four uint16_t, the pairs used
     * of each list; the second destination of TPARTARGMAX, TPARTARGMIN, TINTERLEAVE and TDEINTERLEAVE. */
    struct ptog_buf cdst;
    int threads;    /* of a large gather, at most; 1: the calling one. 0: all of the pool, or 1 when there is none */
    bool reference; /* run the obvious loop instead of the chosen kernel: same bytes, slower */
    int64_t dst_valid[2], src_valid[2], idx_valid[2], k_valid[2], cdst_valid[2]; /* rows, columns of PTOG_DYN extents */
    int64_t shape[5], stride[5];                                                 /* of the table */
    struct ptog_cbuf src1;                                                       /* the second of two sources */
    int64_t src1_valid[2];
    ptog_pool *pool; /* where the threads come from; NULL: they are started, and end before the call returns */
    uint64_t reserved[5];
};

/* What can be wrong with a lane, which is one element of the destination, or one index. A fault does not stop a run:
 * the element gets the bytes that the comment names, and the others are done. ptog_fault_info_at (ptog/rule.h) explains
 * each. */
enum ptog_fault_kind {
    PTOG_FAULT_GM_OUT_OF_BOUNDS = 0, /* the table's buffer ends before the element: 0xAA; counts elements */
    PTOG_FAULT_GM_OUTSIDE_VIEW = 1,  /* in the buffer, but index >= capacity under Undefined: read; counts elements */
    PTOG_FAULT_UB_OUTSIDE_TILE = 2,  /* TGATHER index outside its source: read, or 0xAA past the buffer; elements */
    PTOG_FAULT_TILE_OVERRUN = 3,     /* the instruction's own walk leaves a tile: 0xAA for a read; counts elements */
    PTOG_FAULT_PITCH_MISMATCH = 4,   /* rows are not where the table says: read where the target reads; elements */
    PTOG_FAULT_PRODUCT_OVERFLOW =
        5, /* a product needs more than 32 bits: libraries would wrap; a warning, counts indices */
    PTOG_FAULT_INDEX_NEGATIVE = 6,    /* warning: a negative index under Clamp or Wrap; counts indices */
    PTOG_FAULT_SHORT_BUFFER = 7,      /* an index, source or destination buffer is smaller than its tile; elements */
    PTOG_FAULT_DIV_BY_ZERO = 8,       /* an integer divided by zero: 0; counts elements */
    PTOG_FAULT_SHIFT_RANGE = 9,       /* a shift by less than 0 or by all bits and more; counts elements */
    PTOG_FAULT_COUNT_ZERO = 10,       /* tconcatidx takes nothing of a source: the row is left alone; counts rows */
    PTOG_FAULT_NAN_ORDER = 11,        /* warning: a maximum, minimum or position among NaN: it wins; counts results */
    PTOG_FAULT_EXPAND_BLOCK = 12,     /* warning: trowexpand*: the elements of a 32-byte row differ; counts rows */
    PTOG_FAULT_SCATTER_CONFLICT = 13, /* lanes of one scatter go to one place, in any order: one of them stays; lanes */
    PTOG_FAULT_SCATTER_DROPPED = 14,  /* warning: an index outside the table, where such lanes write nothing; lanes */
    PTOG_FAULT_SORT_NAN = 15,         /* note: a NaN is sorted: positive ones first, negative ones last; elements */
    PTOG_FAULT_GATHERB_MISALIGNED = 16, /* an offset of TGATHERB that is no multiple of 32: used as it is; blocks */
    PTOG_FAULT_SORT_UNSORTED = 17,      /* warning: TMRGSORT merges a list that is not in order; counts pairs */
};
#define PTOG_FAULT_KINDS 18

/* The faults of one kind. */
struct ptog_fault_entry {
    uint64_t count;
    int64_t row, col; /* the first lane, in row-major order */
    uint64_t index;   /* its index, as the target reads it; of a shift its count */
};

/* What was wrong with a run, lane by lane. Filled by ptog_plan_run, whatever it returns. `count` and the lane are those
 * of the errors (the warnings apart). */
struct ptog_fault {
    uint64_t count;
    int64_t row, col;
    uint64_t index;
    uint64_t capacity;
    enum ptog_fault_kind kind;      /* of the first lane */
    struct ptog_fault_entry of[20]; /* by kind */
    bool index_signed;              /* cpu, int32: an index at or above 2^63 is a negative number */
    /* Of PTOG_FAULT_SCATTER_CONFLICT: the lane that goes where the one of its entry goes, and the elements of both.
     * When the values of all such lanes agree, nothing is wrong with the result, and it is no error. */
    int64_t other_row, other_col;
    uint64_t values[2];
    bool values_agree;
    uint64_t reserved[2];
};

/* Runs the plan. PTOG_OK; PTOG_FAULT (bytes are written all the same); PTOG_ILLEGAL when run-time extents break a rule
 * (ptog_plan_check says which), PTOG_BAD_ARGUMENT, PTOG_NO_ROOM or PTOG_OVERLAP: nothing was written. `fault` may be
 * NULL. */
PTOG_API enum ptog_status ptog_plan_run(const ptog_plan *plan, const struct ptog_run *run, struct ptog_fault *fault);

/* Verifies the run-time extents of `run` as ptog_plan_run does, with reasons. Buffers are not looked at. PTOG_OK,
 * PTOG_ILLEGAL, PTOG_BAD_ARGUMENT or PTOG_NO_MEMORY. */
PTOG_API enum ptog_status ptog_plan_check(const ptog_plan *plan, const struct ptog_run *run, ptog_diags *diags);

#endif
