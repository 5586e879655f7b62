/* base: text built into a caller's buffer. */
#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/pick.h"

/* Makes *text an empty text in the caller's buffer. */
void ptog_text_init(struct ptog_text *text, char *buf, size_t size)
{
    *text = (struct ptog_text){buf, size, 0};
    if (size > 0)
        buf[0] = '\0';
}

/* Appends so many bytes, as far as there is room; `len` counts all of them. */
void ptog_text_add_n(struct ptog_text *text, const char *piece, size_t length)
{
    if (text->len + 1 < text->size) {
        size_t room = text->size - text->len - 1;
        size_t n = ptog_min(length, room);
        memcpy(text->buf + text->len, piece, n);
        text->buf[text->len + n] = '\0';
    }
    text->len += length;
}

/* Appends a text, as far as there is room. */
void ptog_text_add(struct ptog_text *text, const char *piece)
{
    ptog_text_add_n(text, piece, strlen(piece));
}

/* Appends a formatted piece of at most 255 bytes; what does not fit into the text is cut. */
void ptog_text_addf(struct ptog_text *text, const char *format, ...)
{
    char piece[256];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    if (n > 0)
        ptog_text_add_n(text, piece, (size_t)n < sizeof piece ? (size_t)n : sizeof piece - 1);
}

/* Writes a number with separators, "196,608", into `text`, and returns it. */
const char *ptog_grouped(uint64_t number, char text[PTOG_GROUPED])
{
    char digits[24];
    size_t count = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, number), used = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

const char *ptog_text_or(size_t i, size_t count)
{
    if (i == 0)
        return "";
    if (i + 1 < count)
        return ", ";
    return " or ";
}

bool ptog_word_listed(const char *word, const char *words)
{
    size_t length = strlen(word);
    for (const char *at = words; length > 0 && (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}
