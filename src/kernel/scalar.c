/* kernel: the scalar set, complete. */
#include "kernel/scalar.h"

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

#define BODY_COMPARE(type, cmp)                                                                                        \
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

#define BODY_ROW ptog_row_body
#define BODY_WHOLE_ROW ptog_whole_row_body
#define BODY_ELEM(job, at, size, index, oob) ptog_elem_body(job, at, size, index, oob, false)
#define BODY_ELEM_STEP(job, at, size, index, oob) ptog_elem_body(job, at, size, index, oob, false)
#define BODY_ELEM_NZ(job, at, size, index, oob) ptog_elem_body(job, at, size, index, oob, true)
#define BODY_COMPACT ptog_compact_body
#define ISA "scalar"
#define TABLE ptog_kernels_scalar
#include "kernel/stamp.h"
