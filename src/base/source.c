/* base: the bytes of one program text, and where its lines are. */
#include "base/source.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/pick.h"

/* How many lines a text has; it has one when it is empty. */
static uint32_t count_lines(const char *bytes, size_t size)
{
    uint32_t count = 1;
    const char *end = bytes + size;
    for (const char *at = bytes; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
        count++;
    return count;
}

enum ptog_status ptog_source_open(struct ptog_source *source, const char *name, const void *bytes, size_t size)
{
    *source = (struct ptog_source){.name = ptog_or(name, "-"), .bytes = ptog_or(bytes, "")};
    if (size >= UINT32_MAX || (!bytes && size > 0))
        return PTOG_BAD_ARGUMENT;
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark is no part of the text */
        source->bytes += 3;
        size -= 3;
    }
    source->size = (uint32_t)size;
    source->line_count = count_lines(source->bytes, size);
    source->lines = malloc(source->line_count * sizeof *source->lines);
    if (!source->lines) {
        source->line_count = 0;
        return PTOG_NO_MEMORY;
    }
    const char *end = source->bytes + size;
    uint32_t n = 0;
    source->lines[n++] = 0;
    for (const char *at = source->bytes; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
        source->lines[n++] = (uint32_t)(at + 1 - source->bytes);
    return PTOG_OK;
}

void ptog_source_close(struct ptog_source *source)
{
    free(source->lines);
    *source = (struct ptog_source){0};
}

/* The last line that starts at or before `at`, from 0. */
static uint32_t find_line(const struct ptog_source *source, uint32_t at)
{
    uint32_t low = 0, high = source->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (source->lines[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Bytes that continue a character of UTF-8 are not counted. */
static uint32_t count_characters(const char *from, const char *to)
{
    uint32_t n = 0;
    for (; from < to; from++)
        n += ((unsigned char)*from & 0xc0) != 0x80;
    return n;
}

struct ptog_span ptog_source_line(const struct ptog_source *source, uint32_t line)
{
    if (line < 1 || line > source->line_count)
        return (struct ptog_span){source->size, 0};
    uint32_t at = source->lines[line - 1];
    uint32_t end = line < source->line_count ? source->lines[line] - 1 : source->size;
    if (end > at && source->bytes[end - 1] == '\r')
        end--;
    return (struct ptog_span){at, end - at};
}

/* Line and columns of a span, counted in characters; a span over several lines ends with its first. */
struct ptog_place ptog_source_place(const struct ptog_source *source, struct ptog_span span)
{
    if (source->line_count == 0)
        return (struct ptog_place){1, 1, 1};
    uint32_t at = (uint32_t)ptog_min(span.at, source->size);
    uint32_t line = find_line(source, at);
    struct ptog_span text = ptog_source_line(source, line + 1);
    uint32_t line_end = ptog_max_u32(text.at + text.length, at);
    uint32_t end = span.length < line_end - at ? at + span.length : line_end;
    const char *bytes = source->bytes;
    uint32_t column = 1 + count_characters(bytes + text.at, bytes + at);
    return (struct ptog_place){line + 1, column, column + count_characters(bytes + at, bytes + end)};
}

struct ptog_place ptog_source_place_after(const struct ptog_source *source, struct ptog_span span,
                                          struct ptog_span last, struct ptog_place known)
{
    bool goes_on = known.line > 0 && span.at >= last.at && span.at + span.length <= source->size &&
                   !memchr(source->bytes + last.at, '\n', span.at + span.length - last.at);
    if (!goes_on)
        return ptog_source_place(source, span);
    const char *from = source->bytes + last.at, *to = source->bytes + span.at;
    uint32_t column = known.column + count_characters(from, to);
    return (struct ptog_place){known.line, column, column + count_characters(to, to + span.length)};
}
