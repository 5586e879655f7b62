/* tool/io: the npy format, read from memory and written to it. Nothing here touches a file, and no number in a header
 * is believed before it was compared with the bytes that are there. */
#ifndef TOOL_IO_NPY_H
#define TOOL_IO_NPY_H

#include <stddef.h>
#include <stdint.h>

#include <ptog/dtype.h>

#include "why.h"

#define TOOL_NPY_MAX_RANK 32      /* numpy's own */
#define TOOL_NPY_MAX_HEADER 65536 /* bytes; a real one has 118 */

struct tool_npy {
    char kind;   /* numpy's letter: b i u f c V S */
    size_t item; /* bytes of an element */
    int rank;
    int64_t shape[TOOL_NPY_MAX_RANK];
    const unsigned char *data; /* inside the bytes that were parsed */
    size_t bytes;              /* of data: exactly the elements of the shape */
    bool big_endian;           /* the bytes of an element are the other way round */
    bool fortran;              /* the first index runs fastest, which makes a difference for this shape */
};

/* Whether these bytes start as an npy file does. */
bool tool_npy_starts(const void *bytes, size_t size);

/* Versions 1, 2 and 3; any order of bytes and elements. */
bool tool_npy_parse(struct tool_npy *npy, const void *bytes, size_t size, struct tool_why *why);

/* Copies the data to `to`, little-endian and in C order. */
void tool_npy_to_plain(const struct tool_npy *npy, unsigned char *to);

/* The dictionary in the header: kind, item, rank and shape of *npy. */
bool tool_npy_parse_header(struct tool_npy *npy, const char *text, size_t length, struct tool_why *why);

/* The element type; PTOG_DTYPE_NONE when no tile has such elements. */
enum ptog_dtype tool_npy_dtype(const struct tool_npy *npy);

/* Whether elements of `dtype` may be in this file: the numpy type of the same kind and width; bf16 and the 1-byte
 * floats, which numpy does not know, are carried by any type of their width. */
bool tool_npy_holds(const struct tool_npy *npy, enum ptog_dtype dtype);

/* numpy's names: "float32" for what a file has; for what a file should have, "uint16" for bf16. */
void tool_npy_type_name(char name[24], const struct tool_npy *npy);
void tool_npy_wanted_name(char name[24], enum ptog_dtype dtype);

/* A version 1.0 header: bytes written, a multiple of 64. Rank at most TOOL_NPY_MAX_RANK, extents not negative. */
#define TOOL_NPY_HEADER 832
size_t tool_npy_header(char header[TOOL_NPY_HEADER], enum ptog_dtype dtype, int rank, const int64_t *shape);

/* Writes the header of an npy file with elements of any kind and size; returns its length. */
size_t tool_npy_header_like(char header[TOOL_NPY_HEADER], const struct tool_npy *like, int rank, const int64_t *shape);

/* "64x32", or "()"; an ellipsis stands for what does not fit. */
#define TOOL_SHAPE_NAME 120
void tool_shape_name(char text[TOOL_SHAPE_NAME], int rank, const int64_t *shape);

/* Bytes of all elements; false when they do not fit in 63 bits. An empty array has none, whatever its other extents. */
bool tool_shape_bytes(size_t item, int rank, const int64_t *shape, uint64_t *bytes);

#endif
