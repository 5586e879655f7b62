/* model: element types, from spec/dtypes.def: sizes, names in all spellings, and elements as text and numbers. */
#include "model/dtype.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/small_float.h"

#define MAX_SPELLINGS 6

struct dtype_row {
    size_t size;
    const char *spellings[MAX_SPELLINGS + 1]; /* short name, C++ name, others, NULL */
};

static const struct dtype_row rows[PTOG_DTYPE_COUNT] = {
    [PTOG_DTYPE_NONE] = {0, {"none"}},
#define DTYPE(dtype, size, ...) [dtype] = {size, {__VA_ARGS__}},
#include "spec/dtypes.def"
#undef DTYPE
};

static const struct dtype_row *row_of(enum ptog_dtype dtype)
{
    return &rows[(unsigned)dtype < PTOG_DTYPE_COUNT ? dtype : PTOG_DTYPE_NONE];
}

size_t ptog_dtype_size(enum ptog_dtype dtype)
{
    return row_of(dtype)->size;
}

const char *ptog_dtype_name(enum ptog_dtype dtype)
{
    return row_of(dtype)->spellings[0];
}

const char *ptog_dtype_cxx_name(enum ptog_dtype dtype)
{
    const struct dtype_row *row = row_of(dtype);
    return row->spellings[row->size ? 1 : 0];
}

enum ptog_dtype ptog_dtype_find(const char *name)
{
    for (int d = 1; name && d < PTOG_DTYPE_COUNT; d++)
        for (const char *const *s = rows[d].spellings; *s; s++)
            if ((*s)[0] == name[0] && strcmp(*s, name) == 0)
                return (enum ptog_dtype)d;
    return PTOG_DTYPE_NONE;
}

float ptog_dtype_to_float(enum ptog_dtype dtype, uint64_t bits)
{
    switch (dtype) {
    case PTOG_F16: return ptog_f16_to_f32((uint16_t)bits);
    case PTOG_BF16: return ptog_bf16_to_f32((uint16_t)bits);
    case PTOG_F8E4M3: return ptog_f8e4m3_to_f32((uint8_t)bits);
    case PTOG_F8E5M2: return ptog_f8e5m2_to_f32((uint8_t)bits);
    case PTOG_HIF8: return ptog_hif8_to_f32((uint8_t)bits);
    case PTOG_F8E8M0: return ptog_f8e8m0_to_f32((uint8_t)bits);
    case PTOG_F4E2M1X2: return ptog_f4e2m1_to_f32((uint8_t)bits);
    case PTOG_F4E1M2X2: return ptog_f4e1m2_to_f32((uint8_t)bits);
    default: return ptog_f32_from_bits((uint32_t)bits);
    }
}

uint64_t ptog_dtype_from_real(enum ptog_dtype dtype, double value)
{
    switch (dtype) {
    case PTOG_F16: return ptog_float_encode((struct ptog_float_format){5, 10, true}, value);
    case PTOG_BF16: return ptog_float_encode((struct ptog_float_format){8, 7, true}, value);
    case PTOG_F32: return ptog_f32_of_real(value);
    case PTOG_F8E5M2: return ptog_float_encode((struct ptog_float_format){5, 2, true}, value);
    case PTOG_F8E4M3: return ptog_float_encode((struct ptog_float_format){4, 3, false}, value);
    default: {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    }
}

/* 9 digits are enough for a float; fewer are taken when they read back to the same value. */
static size_t format_float(char *text, size_t size, float value)
{
    char digits[40];
    if (isnan(value))
        return (size_t)snprintf(text, size, "nan");
    for (int precision = 1; precision <= 9; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, (double)value);
        if (strtof(digits, NULL) == value)
            break;
    }
    char *comma = strchr(digits, ','); /* the caller's locale must not show */
    if (comma)
        *comma = '.';
    return (size_t)snprintf(text, size, "%s", digits);
}

size_t ptog_dtype_format(char *text, size_t size, enum ptog_dtype dtype, const void *bits)
{
    uint64_t raw = 0;
    if (bits)
        memcpy(&raw, bits, ptog_dtype_size(dtype));
    if (!text)
        size = 0;
    switch (dtype) {
    case PTOG_I8: return (size_t)snprintf(text, size, "%d", (int8_t)raw);
    case PTOG_I16: return (size_t)snprintf(text, size, "%d", (int16_t)raw);
    case PTOG_I32: return (size_t)snprintf(text, size, "%" PRId32, (int32_t)raw);
    case PTOG_I64: return (size_t)snprintf(text, size, "%" PRId64, (int64_t)raw);
    case PTOG_U8:
    case PTOG_U16:
    case PTOG_U32:
    case PTOG_U64: return (size_t)snprintf(text, size, "%" PRIu64, raw);
    case PTOG_HIF8:
    case PTOG_F4E2M1X2:
    case PTOG_F4E1M2X2:
    case PTOG_I4X2: return (size_t)snprintf(text, size, "0x%02x", (unsigned)raw);
    case PTOG_I4: return (size_t)snprintf(text, size, "%d", (int)(raw & 7) - (int)(raw & 8));
    case PTOG_DTYPE_NONE: return (size_t)snprintf(text, size, "none");
    default: return format_float(text, size, ptog_dtype_to_float(dtype, raw));
    }
}
