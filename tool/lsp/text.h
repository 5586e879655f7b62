/* tool/lsp: the text of a document and its places. The protocol counts lines from 0 and characters in UTF-16; the
 * library counts lines and characters from 1; everything in between is a byte offset. */
#ifndef TOOL_LSP_TEXT_H
#define TOOL_LSP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ptog/diag.h>

#include "json.h"

/* Valid UTF-8, as all strings of JSON are here. */
struct lsp_text {
    char *bytes;
    size_t size;
    size_t *lines; /* where each line starts: after "\n", "\r\n" or "\r" */
    size_t line_count, line_room;
    size_t *rows; /* where the lines of the library start: after "\n" alone */
    size_t row_count, row_room;
};

struct lsp_span {
    size_t at, end; /* in bytes */
};

/* Makes the text a copy of these bytes; false when out of memory: the text is as it was. */
bool lsp_text_set(struct lsp_text *text, const char *bytes, size_t size);
void lsp_text_free(struct lsp_text *text);

/* Replaces a part of the text by other bytes; false when out of memory. */
bool lsp_text_splice(struct lsp_text *text, struct lsp_span part, const char *bytes, size_t size);

/* The offset of a position {"line":0,"character":0}; a position past the end of a line is its end. */
size_t lsp_text_offset(const struct lsp_text *text, const struct lsp_json *position);
struct lsp_span lsp_text_span(const struct lsp_text *text, const struct lsp_json *range);

/* The offset of a line and a column of the library, and what a place there covers. */
size_t lsp_text_at(const struct lsp_text *text, uint32_t line, uint32_t column);
struct lsp_span lsp_text_place(const struct lsp_text *text, const struct ptog_where *where);

/* The line of an offset, from 0: as the protocol counts, and as the library does, from 1. */
size_t lsp_text_line(const struct lsp_text *text, size_t offset);
uint32_t lsp_text_row(const struct lsp_text *text, size_t offset);

/* The bytes of the line around an offset, without its end. */
struct lsp_span lsp_text_line_span(const struct lsp_text *text, size_t offset);

/* Writes a position, a range, or a member "range". */
void lsp_put_position(struct lsp_writer *writer, const struct lsp_text *text, size_t offset);
void lsp_put_span(struct lsp_writer *writer, const struct lsp_text *text, struct lsp_span span);
void lsp_put_range(struct lsp_writer *writer, const struct lsp_text *text, struct lsp_span span);

/* How many units of UTF-16 a part of the text has. */
size_t lsp_text_units(const struct lsp_text *text, struct lsp_span span);

/* Writes the list of edits that makes `bytes` of the text: none, or one from the first line that differs to the last.
 */
void lsp_put_rewrite(struct lsp_writer *writer, const struct lsp_text *text, const char *bytes, size_t size);

#endif
