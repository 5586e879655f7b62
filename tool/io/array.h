/* tool/io: arrays in files: npy, or raw little-endian bytes when the name ends in .bin. */
#ifndef TOOL_IO_ARRAY_H
#define TOOL_IO_ARRAY_H

#include "file.h"
#include "npy.h"

#define TOOL_ARRAY_MAX_RANK 5 /* no tile and no tensor has more */

/* What a file holds. From raw bytes neither type nor shape is known: npy.item is 0. */
struct tool_array {
    void *file;          /* the whole file, to be freed */
    struct tool_npy npy; /* its orders are those of the file */
    unsigned char *data; /* the elements, little-endian and in C order, in `file` */
    size_t bytes;
};

bool tool_is_raw(const char *path);
bool tool_array_read(struct tool_array *array, const char *path, struct tool_why *why);

/* Elements to be written: `bytes` is their size. */
struct tool_elements {
    enum ptog_dtype dtype;
    int rank;
    int64_t shape[TOOL_ARRAY_MAX_RANK];
    const void *data;
    size_t bytes;
};

/* Writes the file but does not keep it yet. False: there is nothing to drop. */
bool tool_array_write(struct tool_file *file, const char *path, const struct tool_elements *elements,
                      struct tool_why *why);

#endif
