/* tool/io: the npy format: magic, version, length, a dictionary, and the elements. */
#include "npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pick.h"

static const char magic[] = "\x93NUMPY";
#define MAGIC 6

/* ---- element types ---- */

/* How a type is carried: numpy's letter, for types that numpy lacks the letter of an unsigned integer. */
static char numpy_letter(enum ptog_dtype dtype)
{
    switch (dtype) {
    case PTOG_I8:
    case PTOG_I16:
    case PTOG_I32:
    case PTOG_I64: return 'i';
    case PTOG_F16:
    case PTOG_F32: return 'f';
    default: return 'u';
    }
}

static bool is_unknown_to_numpy(enum ptog_dtype dtype)
{
    return dtype == PTOG_BF16 || dtype >= PTOG_F8E4M3;
}

enum ptog_dtype tool_npy_dtype(const struct tool_npy *npy)
{
    if (npy->kind == 'b')
        return PTOG_U8;
    for (int dtype = PTOG_DTYPE_NONE + 1; dtype < PTOG_DTYPE_COUNT; dtype++)
        if (!is_unknown_to_numpy((enum ptog_dtype)dtype) && numpy_letter((enum ptog_dtype)dtype) == npy->kind &&
            ptog_dtype_size((enum ptog_dtype)dtype) == npy->item)
            return (enum ptog_dtype)dtype;
    return PTOG_DTYPE_NONE;
}

bool tool_npy_holds(const struct tool_npy *npy, enum ptog_dtype dtype)
{
    if (is_unknown_to_numpy(dtype))
        return npy->item == ptog_dtype_size(dtype);
    return dtype != PTOG_DTYPE_NONE && tool_npy_dtype(npy) == dtype;
}

/* Writes the name of an element type: "int32", "bool". */
static void type_name(char name[24], char kind, size_t item)
{
    static const struct {
        char kind;
        const char *name;
    } kinds[] = {{'i', "int"}, {'u', "uint"}, {'f', "float"}, {'c', "complex"}, {'V', "void"}, {'S', "bytes"}};
    const char *word = "?";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].kind == kind)
            word = kinds[i].name;
    if (kind == 'b')
        snprintf(name, 24, "bool");
    else
        snprintf(name, 24, "%s%zu", word, item * 8);
}

void tool_npy_type_name(char name[24], const struct tool_npy *npy)
{
    type_name(name, npy->kind, npy->item);
}

void tool_npy_wanted_name(char name[24], enum ptog_dtype dtype)
{
    type_name(name, numpy_letter(dtype), ptog_dtype_size(dtype));
}

/* ---- reading ---- */

bool tool_npy_starts(const void *bytes, size_t size)
{
    return size >= MAGIC && memcmp(bytes, magic, MAGIC) == 0;
}

/* Whether the bytes begin as an npy file does; *why says what was found instead. */
static bool is_magic(const unsigned char *bytes, size_t size, struct tool_why *why)
{
    if (tool_npy_starts(bytes, size))
        return true;
    if (size == 0)
        return tool_why(why, "is empty; expected an npy file");
    char found[3 * MAGIC + 1] = "";
    for (size_t i = 0; i < size && i < MAGIC; i++)
        snprintf(found + 3 * i, sizeof found - 3 * i, " %02x", bytes[i]);
    return tool_why(why, "is not an npy file: it starts with%s; expected 93 4e 55 4d 50 59", found);
}

/* Where the dictionary starts, and its length. */
static bool find_header(const unsigned char *bytes, size_t size, size_t *start, size_t *length, struct tool_why *why)
{
    if (size < MAGIC + 4)
        return tool_why(why, "is truncated: %zu bytes, and an npy file starts with 10 at least", size);
    unsigned major = bytes[MAGIC], minor = bytes[MAGIC + 1];
    if (major < 1 || major > 3 || minor != 0)
        return tool_why(why, "has npy version %u.%u; expected 1.0, 2.0 or 3.0", major, minor);
    size_t width = major == 1 ? 2 : 4;
    *start = MAGIC + 2 + width;
    if (size < *start)
        return tool_why(why, "is truncated: %zu bytes, and an npy file of version %u.0 starts with %zu at least", size,
                        major, *start);
    *length = 0;
    for (size_t i = 0; i < width; i++)
        *length |= (size_t)bytes[MAGIC + 2 + i] << (8 * i);
    if (*length > TOOL_NPY_MAX_HEADER)
        return tool_why(why, "says that its npy header has %zu bytes; expected at most %d", *length,
                        TOOL_NPY_MAX_HEADER);
    if (*length > size - *start)
        return tool_why(why, "is truncated: its npy header ends at byte %zu, the file at byte %zu", *start + *length,
                        size);
    return true;
}

/* Writes a shape as "32x128"; "()" without dimensions. */
void tool_shape_name(char text[TOOL_SHAPE_NAME], int rank, const int64_t *shape)
{
    size_t used = 0;
    snprintf(text, TOOL_SHAPE_NAME, "()");
    for (int d = 0; d < rank; d++) {
        if (used + 26 > TOOL_SHAPE_NAME) { /* an extent has up to 19 digits */
            snprintf(text + used, TOOL_SHAPE_NAME - used, "...");
            break;
        }
        used += (size_t)snprintf(text + used, TOOL_SHAPE_NAME - used, "%s%" PRId64, tool_when(d > 0, "x"), shape[d]);
    }
}

bool tool_shape_bytes(size_t item, int rank, const int64_t *shape, uint64_t *bytes)
{
    *bytes = item;
    for (int d = 0; d < rank; d++)
        if (shape[d] == 0)
            return *bytes = 0, true;
    for (int d = 0; d < rank; d++) {
        if (*bytes > (uint64_t)INT64_MAX / (uint64_t)shape[d])
            return false;
        *bytes *= (uint64_t)shape[d];
    }
    return true;
}

bool tool_npy_parse(struct tool_npy *npy, const void *bytes, size_t size, struct tool_why *why)
{
    const unsigned char *at = bytes;
    size_t start, length;
    uint64_t wanted;
    char shape[TOOL_SHAPE_NAME], type[24];
    *npy = (struct tool_npy){0};
    if (!is_magic(at, size, why) || !find_header(at, size, &start, &length, why) ||
        !tool_npy_parse_header(npy, (const char *)at + start, length, why))
        return false;
    npy->data = at + start + length;
    npy->bytes = size - start - length;
    tool_shape_name(shape, npy->rank, npy->shape);
    tool_npy_type_name(type, npy);
    if (!tool_shape_bytes(npy->item, npy->rank, npy->shape, &wanted))
        return tool_why(why, "has a shape of %s: its bytes do not fit in 63 bits", shape);
    if (wanted != npy->bytes)
        return tool_why(why, "has %zu bytes of data; expected %" PRIu64 " for %s %s: it is %s", npy->bytes, wanted,
                        shape, type, wanted > npy->bytes ? "truncated" : "too long");
    return true;
}

/* ---- writing ---- */

size_t tool_npy_header(char header[TOOL_NPY_HEADER], enum ptog_dtype dtype, int rank, const int64_t *shape)
{
    struct tool_npy like = {.kind = numpy_letter(dtype), .item = ptog_dtype_size(dtype)};
    return tool_npy_header_like(header, &like, rank, shape);
}

size_t tool_npy_header_like(char header[TOOL_NPY_HEADER], const struct tool_npy *like, int rank, const int64_t *shape)
{
    size_t used = MAGIC + 4;
    used += (size_t)snprintf(header + used, TOOL_NPY_HEADER - used,
                             "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (",
                             like->item == 1 || strchr("VS", like->kind) ? '|' : '<', like->kind, like->item);
    for (int d = 0; d < rank; d++)
        used += (size_t)snprintf(header + used, TOOL_NPY_HEADER - used, "%s%" PRId64 "%s", tool_when(d > 0, " "),
                                 shape[d], tool_when(d + 1 < rank || rank == 1, ","));
    used += (size_t)snprintf(header + used, TOOL_NPY_HEADER - used, "), }");
    size_t size = (used + 1 + 63) / 64 * 64;
    memset(header + used, ' ', size - used - 1);
    header[size - 1] = '\n';
    memcpy(header, magic, MAGIC);
    header[MAGIC] = 1, header[MAGIC + 1] = 0;
    header[MAGIC + 2] = (char)((size - MAGIC - 4) & 0xff);
    header[MAGIC + 3] = (char)((size - MAGIC - 4) >> 8);
    return size;
}
