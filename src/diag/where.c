/* diag: a span as a place people read: line and column, and the line itself, fit to be shown. */
#include "diag/where.h"

#include <string.h>

/* Bytes of a UTF-8 character that starts with this one; 0: none does. */
static unsigned length_from(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first >= 0xf5)
        return 0;
    if (first < 0xe0)
        return 2;
    if (first < 0xf0)
        return 3;
    return 4;
}

/* Bytes of the UTF-8 character at `s`; 0 when there is none. Overlong forms and surrogates are none. */
static unsigned character_length(const unsigned char *s, size_t left)
{
    unsigned n = length_from(s[0]);
    if (n == 0 || n > left)
        return 0;
    for (unsigned i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool beyond = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    if (overlong || beyond)
        return 0;
    return n;
}

static bool is_control(const unsigned char *s)
{
    return s[0] < 0x20 || s[0] == 0x7f || (s[0] == 0xc2 && s[1] < 0xa0);
}

/* Copies a line: control characters become spaces, bytes that are no character '?', one column each. */
static void copy_line(struct ptog_line_text *to, const char *bytes, size_t length)
{
    const unsigned char *s = (const unsigned char *)bytes;
    size_t used = 0;
    for (unsigned shown = 0; length > 0 && shown < PTOG_LINE_SHOWN; shown++) {
        unsigned n = character_length(s, length);
        if (n == 0) {
            /* a byte that continues nothing has no column of its own: see ptog_source_place */
            if ((s[0] & 0xc0) != 0x80)
                to->text[used++] = '?';
            n = 1;
        } else if (is_control(s)) {
            to->text[used++] = ' ';
        } else {
            memcpy(to->text + used, s, n);
            used += n;
        }
        s += n;
        length -= n;
    }
    to->text[used] = '\0';
}

/* The place of a span as users see it; `text` gets a copy of its line, and must live as long as the place. */
struct ptog_where ptog_where_of(const struct ptog_source *source, struct ptog_span span, struct ptog_line_text *text)
{
    struct ptog_place place = ptog_source_place(source, span);
    struct ptog_span line = ptog_source_line(source, place.line);
    copy_line(text, source->bytes + line.at, line.length);
    return (struct ptog_where){.file = source->name,
                               .line = place.line,
                               .column = place.column,
                               .end_column = place.end_column,
                               .text = text->text};
}
