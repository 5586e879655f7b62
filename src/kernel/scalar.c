/* kernel: the scalar kernels, stamped from the list. */
#include "kernel/scalar.h"

#define ROW(part, index, policy)                                                                                       \
    static uint64_t row_##part##_i##index##_##policy(const struct ptog_job *job)                                       \
    {                                                                                                                  \
        return ptog_row_body(job, part, index, PTOG_OOB_##policy);                                                     \
    }
#define ELEM(part, index, policy)                                                                                      \
    static uint64_t elem_##part##_i##index##_##policy(const struct ptog_job *job)                                      \
    {                                                                                                                  \
        return ptog_elem_body(job, part, index, PTOG_OOB_##policy, false);                                             \
    }
#define ELEM_NZ(part, index, policy)                                                                                   \
    static uint64_t elem_nz_##part##_i##index##_##policy(const struct ptog_job *job)                                   \
    {                                                                                                                  \
        return ptog_elem_body(job, part, index, PTOG_OOB_##policy, true);                                              \
    }
#define COMPACT(part, step)                                                                                            \
    static void compact_##part##_by_##step(unsigned char *dst, const unsigned char *src, int64_t kept)                 \
    {                                                                                                                  \
        ptog_compact_body(dst, src, kept, part, step);                                                                 \
    }

/* How an element of each type is stored, and what of it is compared. */
typedef int8_t bits_i8;
typedef uint8_t bits_u8, bits_f8e4m3, bits_f8e5m2;
typedef int16_t bits_i16;
typedef uint16_t bits_u16, bits_f16, bits_bf16;
typedef int32_t bits_i32;
typedef uint32_t bits_u32;
typedef int64_t bits_i64;
typedef uint64_t bits_u64;
typedef float bits_f32, bits_a5f32;
#define VALUE_i8(x) (x)
#define VALUE_u8(x) (x)
#define VALUE_i16(x) (x)
#define VALUE_u16(x) (x)
#define VALUE_i32(x) (x)
#define VALUE_u32(x) (x)
#define VALUE_i64(x) (x)
#define VALUE_u64(x) (x)
#define VALUE_f32(x) (x)
#define VALUE_f16(x) ptog_f16_to_f32(x)
#define VALUE_bf16(x) ptog_bf16_to_f32(x)
#define VALUE_f8e4m3(x) ptog_f8e4m3_to_f32(x)
#define VALUE_f8e5m2(x) ptog_f8e5m2_to_f32(x)
#define VALUE_a5f32(x) ((uint32_t)ptog_f32_to_i32(x))
#define CMP_EQ ==
#define CMP_GT >

#define COMPARE(type, part, cmp)                                                                                       \
    static int64_t compare_##type##_##cmp(const unsigned char *src, int64_t n, const unsigned char *k, uint32_t first, \
                                          unsigned char *dst)                                                          \
    {                                                                                                                  \
        bits_##type a, b;                                                                                              \
        int64_t count = 0;                                                                                             \
        memcpy(&b, k, sizeof b);                                                                                       \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            memcpy(&a, src + i * (int64_t)sizeof a, sizeof a);                                                         \
            if (!(VALUE_##type(a) CMP_##cmp VALUE_##type(b)))                                                          \
                continue;                                                                                              \
            uint32_t position = first + (uint32_t)i;                                                                   \
            if (dst)                                                                                                   \
                memcpy(dst + 4 * count, &position, 4);                                                                 \
            count++;                                                                                                   \
        }                                                                                                              \
        return count;                                                                                                  \
    }
#include "kernel/kernels.def"
#undef ROW
#undef ELEM
#undef ELEM_NZ
#undef COMPACT
#undef COMPARE

#define ROW(part_, index, policy)                                                                                      \
    {.name = "row." #part_ ".i" #index "." #policy,                                                                    \
     .kind = PTOG_KERNEL_ROW,                                                                                          \
     .part = (part_),                                                                                                  \
     .index_size = (index),                                                                                            \
     .how = PTOG_OOB_##policy,                                                                                         \
     .gather = row_##part_##_i##index##_##policy},
#define ELEM(part_, index, policy)                                                                                     \
    {.name = "elem." #part_ ".i" #index "." #policy,                                                                   \
     .kind = PTOG_KERNEL_ELEM,                                                                                         \
     .part = (part_),                                                                                                  \
     .index_size = (index),                                                                                            \
     .how = PTOG_OOB_##policy,                                                                                         \
     .gather = elem_##part_##_i##index##_##policy},
#define ELEM_NZ(part_, index, policy)                                                                                  \
    {.name = "elem-nz." #part_ ".i" #index "." #policy,                                                                \
     .kind = PTOG_KERNEL_ELEM_NZ,                                                                                      \
     .part = (part_),                                                                                                  \
     .index_size = (index),                                                                                            \
     .how = PTOG_OOB_##policy,                                                                                         \
     .gather = elem_nz_##part_##_i##index##_##policy},
#define COMPACT(part_, step)                                                                                           \
    {.name = "compact." #part_ ".by" #step,                                                                            \
     .kind = PTOG_KERNEL_COMPACT,                                                                                      \
     .part = (part_),                                                                                                  \
     .index_size = (step),                                                                                             \
     .compact = compact_##part_##_by_##step},
#define COMPARE(type, part_, cmp)                                                                                      \
    {.name = "compare." #type "." #cmp,                                                                                \
     .kind = PTOG_KERNEL_COMPARE,                                                                                      \
     .part = (part_),                                                                                                  \
     .how = PTOG_CMP_##cmp,                                                                                            \
     .compare = compare_##type##_##cmp},

static const struct ptog_kernel kernels[] = {
#include "kernel/kernels.def"
};
#define COUNT (sizeof kernels / sizeof kernels[0])

const struct ptog_kernel *ptog_kernel_at(size_t i)
{
    return i < COUNT ? &kernels[i] : NULL;
}

const struct ptog_kernel *ptog_kernel_find(enum ptog_kernel_kind kind, int part, int index_size, int how)
{
    for (size_t i = 0; i < COUNT; i++) {
        const struct ptog_kernel *k = &kernels[i];
        if (k->kind == kind && k->part == part && k->index_size == index_size && k->how == how)
            return k;
    }
    return NULL;
}
