/* kernel: from the list to functions and their table, for one instruction set. Included once by the file of the set,
 * which says what its bodies are (BODY_ROW, BODY_WHOLE_ROW, BODY_ELEM, BODY_ELEM_STEP, BODY_ELEM_NZ, BODY_COMPACT,
 * BODY_COMPARE: kinds without one have no rows; BODY_FAR_ROW: what does whole rows that are not in the cache) and its
 * ISA and TABLE. */

#define GATHER_PARAMETERS                                                                                              \
    const struct ptog_job *job, unsigned char *dst, const unsigned char *src, const unsigned char *idx, int64_t count
#define GATHER(kind, body, part, index, policy)                                                                        \
    static bool kind##_##part##_i##index##_##policy(GATHER_PARAMETERS)                                                 \
    {                                                                                                                  \
        struct ptog_lanes at = {dst, src, idx, count};                                                                 \
        return body(job, at, part, index, PTOG_OOB_##policy);                                                          \
    }
#define NO_ROW(...)

#ifdef BODY_ROW
#define ROW(part, index, policy) GATHER(row, BODY_ROW, part, index, policy)
#else
#define ROW NO_ROW
#endif
#ifdef BODY_FAR_ROW
/* Rows that stay in the cache need no ring, and a call of theirs does not pay for one. */
#define WHOLE_ROW(part, index, policy)                                                                                 \
    static bool whole_row_##part##_i##index##_##policy(GATHER_PARAMETERS)                                              \
    {                                                                                                                  \
        struct ptog_lanes at = {dst, src, idx, count};                                                                 \
        if (job->ahead || job->stream)                                                                                 \
            return BODY_FAR_ROW(job, at, part, index, PTOG_OOB_##policy);                                              \
        return BODY_WHOLE_ROW(job, at, part, index, PTOG_OOB_##policy);                                                \
    }
#elif defined(BODY_WHOLE_ROW)
#define WHOLE_ROW(part, index, policy) GATHER(whole_row, BODY_WHOLE_ROW, part, index, policy)
#else
#define WHOLE_ROW NO_ROW
#endif
#ifdef BODY_ELEM
#define ELEM(part, index, policy) GATHER(elem, BODY_ELEM, part, index, policy)
#else
#define ELEM NO_ROW
#endif
#ifdef BODY_ELEM_STEP
#define ELEM_STEP(part, index, policy) GATHER(elem_step, BODY_ELEM_STEP, part, index, policy)
#else
#define ELEM_STEP NO_ROW
#endif
#ifdef BODY_ELEM_NZ
#define ELEM_NZ(part, index, policy) GATHER(elem_nz, BODY_ELEM_NZ, part, index, policy)
#else
#define ELEM_NZ NO_ROW
#endif
#ifdef BODY_COMPACT
#define COMPACT(part, step)                                                                                            \
    static void compact_##part##_by_##step(unsigned char *dst, const unsigned char *src, int64_t kept)                 \
    {                                                                                                                  \
        BODY_COMPACT(dst, src, kept, part, step);                                                                      \
    }
#else
#define COMPACT NO_ROW
#endif
#ifdef BODY_COMPARE
#define COMPARE(type, part, cmp)                                                                                       \
    static int64_t compare_##type##_##cmp(const unsigned char *src, int64_t n, const unsigned char *k, uint32_t first, \
                                          unsigned char *dst) BODY_COMPARE(type, cmp)
#else
#define COMPARE NO_ROW
#endif
#include "kernel/kernels.def"

/* ---- the table */

#define GATHER_ROW(text, kind_, function, part_, index, policy)                                                        \
    {.name = text "." #part_ ".i" #index "." #policy "." ISA,                                                          \
     .kind = kind_,                                                                                                    \
     .part = (part_),                                                                                                  \
     .index_size = (index),                                                                                            \
     .how = PTOG_OOB_##policy,                                                                                         \
     .gather = function##_##part_##_i##index##_##policy},

#ifdef BODY_ROW
#undef ROW
#define ROW(part, index, policy) GATHER_ROW("row-in-pieces", PTOG_KERNEL_ROW, row, part, index, policy)
#endif
#ifdef BODY_WHOLE_ROW
#undef WHOLE_ROW
#define WHOLE_ROW(part, index, policy) GATHER_ROW("row", PTOG_KERNEL_WHOLE_ROW, whole_row, part, index, policy)
#endif
#ifdef BODY_ELEM
#undef ELEM
#define ELEM(part, index, policy) GATHER_ROW("elem", PTOG_KERNEL_ELEM, elem, part, index, policy)
#endif
#ifdef BODY_ELEM_STEP
#undef ELEM_STEP
#define ELEM_STEP(part, index, policy) GATHER_ROW("elem-step", PTOG_KERNEL_ELEM_STEP, elem_step, part, index, policy)
#endif
#ifdef BODY_ELEM_NZ
#undef ELEM_NZ
#define ELEM_NZ(part, index, policy) GATHER_ROW("elem-nz", PTOG_KERNEL_ELEM_NZ, elem_nz, part, index, policy)
#endif
#ifdef BODY_COMPACT
#undef COMPACT
#define COMPACT(part_, step)                                                                                           \
    {.name = "compact." #part_ ".by" #step "." ISA,                                                                    \
     .kind = PTOG_KERNEL_COMPACT,                                                                                      \
     .part = (part_),                                                                                                  \
     .index_size = (step),                                                                                             \
     .compact = compact_##part_##_by_##step},
#endif
#ifdef BODY_COMPARE
#undef COMPARE
#define COMPARE(type, part_, cmp)                                                                                      \
    {.name = "compare." #type "." #cmp "." ISA,                                                                        \
     .kind = PTOG_KERNEL_COMPARE,                                                                                      \
     .part = (part_),                                                                                                  \
     .how = PTOG_CMP_##cmp,                                                                                            \
     .compare = compare_##type##_##cmp},
#endif

const struct ptog_kernel TABLE[] = {
#include "kernel/kernels.def"
    {.name = NULL},
};
