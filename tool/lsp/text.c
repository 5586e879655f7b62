/* tool/lsp: the text of a document, where its lines start, and positions in units of UTF-16. */
#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"

/* ---- lines ---- */

static bool add_start(size_t **starts, size_t *count, size_t *room, size_t at)
{
    if (!tool_reserve(starts, *count + 1, room))
        return false;
    (*starts)[(*count)++] = at;
    return true;
}

/* Finds where lines and rows start; false when out of memory. */
static bool find_lines(struct lsp_text *text)
{
    text->line_count = text->row_count = 0;
    bool good = add_start(&text->lines, &text->line_count, &text->line_room, 0) &&
                add_start(&text->rows, &text->row_count, &text->row_room, 0);
    for (size_t i = 0; good && i < text->size; i++) {
        char c = text->bytes[i];
        bool alone = c == '\r' && (i + 1 == text->size || text->bytes[i + 1] != '\n');
        if (c == '\n' || alone)
            good = add_start(&text->lines, &text->line_count, &text->line_room, i + 1);
        if (good && c == '\n')
            good = add_start(&text->rows, &text->row_count, &text->row_room, i + 1);
    }
    return good;
}

void lsp_text_free(struct lsp_text *text)
{
    free(text->bytes);
    free(text->lines);
    free(text->rows);
    *text = (struct lsp_text){0};
}

/* Takes the bytes, which were allocated, as the text; frees them when out of memory. */
static bool take_bytes(struct lsp_text *text, char *bytes, size_t size)
{
    struct lsp_text fresh = {.bytes = bytes, .size = size};
    if (!bytes || !find_lines(&fresh)) {
        lsp_text_free(&fresh);
        return false;
    }
    lsp_text_free(text);
    *text = fresh;
    return true;
}

bool lsp_text_set(struct lsp_text *text, const char *bytes, size_t size)
{
    char *copy = malloc(size + 1);
    if (copy) {
        memcpy(copy, bytes, size);
        copy[size] = '\0';
    }
    return take_bytes(text, copy, size);
}

bool lsp_text_splice(struct lsp_text *text, struct lsp_span part, const char *bytes, size_t size)
{
    size_t after = text->size - part.end, total = part.at + size + after;
    char *made = malloc(total + 1);
    if (made) {
        memcpy(made, text->bytes, part.at);
        memcpy(made + part.at, bytes, size);
        memcpy(made + part.at + size, text->bytes + part.end, after);
        made[total] = '\0';
    }
    return take_bytes(text, made, total);
}

/* The number of the last start that is not behind an offset. */
static size_t find_start(const size_t *starts, size_t count, size_t offset)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

size_t lsp_text_line(const struct lsp_text *text, size_t offset)
{
    return find_start(text->lines, text->line_count, offset);
}

uint32_t lsp_text_row(const struct lsp_text *text, size_t offset)
{
    return (uint32_t)find_start(text->rows, text->row_count, offset) + 1;
}

/* The bytes of line number `line`, without its end. */
static struct lsp_span line_at(const struct lsp_text *text, size_t line)
{
    size_t end = line + 1 < text->line_count ? text->lines[line + 1] : text->size;
    size_t at = text->lines[line];
    while (end > at && (text->bytes[end - 1] == '\n' || text->bytes[end - 1] == '\r'))
        end--;
    return (struct lsp_span){at, end};
}

struct lsp_span lsp_text_line_span(const struct lsp_text *text, size_t offset)
{
    return line_at(text, lsp_text_line(text, offset));
}

/* ---- characters ---- */

/* How many bytes the character that begins with this byte has, and how many units of UTF-16. */
static size_t character_bytes(char lead)
{
    unsigned char c = (unsigned char)lead;
    return 1 + (size_t)(c >= 0xc0) + (c >= 0xe0) + (c >= 0xf0);
}

static size_t character_units(char lead)
{
    return 1 + (size_t)((unsigned char)lead >= 0xf0);
}

size_t lsp_text_units(const struct lsp_text *text, struct lsp_span span)
{
    size_t units = 0;
    for (size_t i = span.at; i < span.end; i += character_bytes(text->bytes[i]))
        units += character_units(text->bytes[i]);
    return units;
}

size_t lsp_text_offset(const struct lsp_text *text, const struct lsp_json *position)
{
    uint32_t line = lsp_json_count(lsp_json_get(position, "line"), 0);
    uint32_t left = lsp_json_count(lsp_json_get(position, "character"), 0);
    if (line >= text->line_count)
        return text->size;
    struct lsp_span span = line_at(text, line);
    size_t at = span.at;
    while (at < span.end && left >= character_units(text->bytes[at])) {
        left -= (uint32_t)character_units(text->bytes[at]);
        at += character_bytes(text->bytes[at]);
    }
    return at;
}

struct lsp_span lsp_text_span(const struct lsp_text *text, const struct lsp_json *range)
{
    struct lsp_span span = {lsp_text_offset(text, lsp_json_get(range, "start")),
                            lsp_text_offset(text, lsp_json_get(range, "end"))};
    if (span.end < span.at)
        span.end = span.at;
    return span;
}

size_t lsp_text_at(const struct lsp_text *text, uint32_t line, uint32_t column)
{
    if (line == 0 || line > text->row_count)
        return line == 0 ? 0 : text->size;
    size_t at = text->rows[line - 1], end = line < text->row_count ? text->rows[line] - 1 : text->size;
    for (uint32_t i = 1; i < column && at < end; i++)
        at += character_bytes(text->bytes[at]);
    return at;
}

struct lsp_span lsp_text_place(const struct lsp_text *text, const struct ptog_where *where)
{
    struct lsp_span span;
    span.at = lsp_text_at(text, where->line, where->column);
    span.end = lsp_text_at(text, where->line, where->end_column);
    if (where->end_column <= where->column) /* no end is known: to the end of the line */
        span.end = lsp_text_line_span(text, span.at).end;
    if (span.end < span.at)
        span.end = span.at;
    return span;
}

/* ---- writing ---- */

void lsp_put_position(struct lsp_writer *writer, const struct lsp_text *text, size_t offset)
{
    size_t line = lsp_text_line(text, offset);
    struct lsp_span before = line_at(text, line);
    if (before.end > offset) /* the end of a line is before its "\r\n" */
        before.end = offset;
    lsp_put_open(writer, '{');
    lsp_put_number(writer, "line", line);
    lsp_put_number(writer, "character", lsp_text_units(text, before));
    lsp_put_close(writer, '}');
}

void lsp_put_span(struct lsp_writer *writer, const struct lsp_text *text, struct lsp_span span)
{
    lsp_put_open(writer, '{');
    lsp_put_key(writer, "start");
    lsp_put_position(writer, text, span.at);
    lsp_put_key(writer, "end");
    lsp_put_position(writer, text, span.end);
    lsp_put_close(writer, '}');
}

void lsp_put_range(struct lsp_writer *writer, const struct lsp_text *text, struct lsp_span span)
{
    lsp_put_key(writer, "range");
    lsp_put_span(writer, text, span);
}

/* How many bytes of whole lines two texts have in common at their beginning. */
static size_t common_head(const struct lsp_text *text, const char *bytes, size_t size)
{
    size_t head = 0;
    for (size_t i = 0; i < size && i < text->size && bytes[i] == text->bytes[i]; i++)
        if (bytes[i] == '\n')
            head = i + 1;
    return head;
}

/* And at their end, behind the head. */
static size_t common_tail(const struct lsp_text *text, const char *bytes, size_t size, size_t head)
{
    size_t tail = 0;
    for (size_t i = 0; i < size - head && i < text->size - head; i++) {
        if (bytes[size - 1 - i] != text->bytes[text->size - 1 - i])
            break;
        if (bytes[size - 1 - i] == '\n')
            tail = i; /* what follows this newline is the same */
    }
    return tail;
}

void lsp_put_rewrite(struct lsp_writer *writer, const struct lsp_text *text, const char *bytes, size_t size)
{
    lsp_put_open(writer, '[');
    if (size != text->size || (size > 0 && memcmp(bytes, text->bytes, size) != 0)) {
        size_t head = common_head(text, bytes, size), tail = common_tail(text, bytes, size, head);
        lsp_put_open(writer, '{');
        lsp_put_range(writer, text, (struct lsp_span){head, text->size - tail});
        lsp_put_key(writer, "newText");
        lsp_put_string(writer, bytes + head, size - tail - head);
        lsp_put_close(writer, '}');
    }
    lsp_put_close(writer, ']');
}
