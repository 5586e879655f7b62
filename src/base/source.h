/* base: the bytes of one program text, and where its lines are. */
#ifndef PTOG_BASE_SOURCE_H
#define PTOG_BASE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include <ptog/status.h>

/* A piece of the text. Offsets are 32 bits wide: a text of 4 GiB or more is refused. */
struct ptog_span {
    uint32_t at, length;
};

struct ptog_source {
    const char *name;  /* the caller's; "-" for a text without a file */
    const char *bytes; /* the caller's, any bytes; outlives the source */
    uint32_t size;
    uint32_t *lines; /* offset of the first byte of each line */
    uint32_t line_count;
};

/* What people read: lines and columns start at 1, a column is a character of UTF-8, the end is exclusive. A span over
 * several lines ends, for people, at the end of its first line. */
struct ptog_place {
    uint32_t line, column, end_column;
};

/* PTOG_OK, PTOG_BAD_ARGUMENT (4 GiB or more), PTOG_NO_MEMORY. Close it in any case. */
enum ptog_status ptog_source_open(struct ptog_source *source, const char *name, const void *bytes, size_t size);
void ptog_source_close(struct ptog_source *source);

struct ptog_place ptog_source_place(const struct ptog_source *source, struct ptog_span span);

/* The place of a span, found faster when it is one of many on a long line: `known` is the place of `last`, which comes
 * before it. */
struct ptog_place ptog_source_place_after(const struct ptog_source *source, struct ptog_span span,
                                          struct ptog_span last, struct ptog_place known);

/* The bytes of a line (from 1), its newline excluded; empty past the end. */
struct ptog_span ptog_source_line(const struct ptog_source *source, uint32_t line);

#endif
