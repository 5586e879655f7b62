/* tool/io: whole files. What is read fits in memory; what is written appears by rename, complete or not at all. */
#ifndef TOOL_IO_FILE_H
#define TOOL_IO_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "why.h"

/* Bytes that are read of what does not say how long it is: a pipe, a device. It may have no end. */
#define TOOL_MAX_STREAM ((uint64_t)1 << 30)

/* All bytes of a file; "-" is stdin. At most `most` bytes, and not more than memory. free(*bytes) afterwards; it is not
 * NULL on success, even for an empty file, and NULL otherwise. */
bool tool_file_read(const char *path, uint64_t most, void **bytes, size_t *size, struct tool_why *why);

/* A file to be: its bytes are written to another name next to it, until tool_file_keep gives it its own. Something that
 * is no file (a device, a pipe, "-" for stdout) cannot appear by rename: it is opened at once and written when kept. A
 * signal that ends the process removes what lies under the other name, so the struct stays where it is meanwhile. */
struct tool_file {
    char *path;  /* where it goes, symbolic links resolved */
    char *draft; /* the other name; NULL: none */
    int fd;
    struct tool_file *next; /* of those with a draft */
};

/* True: write, then keep or drop it. */
bool tool_file_start(struct tool_file *file, const char *path, struct tool_why *why);
bool tool_file_write(struct tool_file *file, const void *bytes, size_t size, struct tool_why *why);

/* Everything has been written: gives the file its name. The file is gone from the caller's hands either way. */
bool tool_file_keep(struct tool_file *file, struct tool_why *why);
void tool_file_drop(struct tool_file *file);

#endif
