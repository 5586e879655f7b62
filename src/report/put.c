/* report: text to a sink, character by character. */
#include "report/put.h"

static bool is_utf8_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* What the first byte says: how many bytes, and the bits of the code point that it holds. */
static size_t utf8_length(unsigned char first, uint32_t *code)
{
    *code = first;
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return *code &= 0x1f, 2;
    if (first >= 0xe0 && first < 0xf0)
        return *code &= 0x0f, 3;
    if (first >= 0xf0 && first < 0xf5)
        return *code &= 0x07, 4;
    return 0;
}

/* Neither written longer than need be, nor half of a UTF-16 pair, nor past the last one. */
static bool is_character(uint32_t code, size_t bytes)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return code >= least[bytes] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

/* The character at `at`, decoded from UTF-8: its code, its bytes, and whether it is one at all. */
struct ptog_char ptog_char_at(const char *at)
{
    struct ptog_char c = {.bytes = 1};
    size_t wanted = utf8_length((unsigned char)at[0], &c.code);
    while (is_utf8_continuation(at[c.bytes])) {
        c.code = c.code << 6 | ((unsigned char)at[c.bytes] & 0x3f);
        c.bytes++;
    }
    c.whole = wanted == c.bytes && is_character(c.code, c.bytes);
    return c;
}

bool ptog_char_shows(struct ptog_char c)
{
    if (!c.whole || c.code < 0x20 || (c.code >= 0x7f && c.code < 0xa0))
        return false;
    return !(c.code >= 0x200b && c.code <= 0x200f) && !(c.code >= 0x2028 && c.code <= 0x202e) &&
           !(c.code >= 0x2060 && c.code <= 0x206f) && c.code != 0xfeff;
}

int ptog_char_width(struct ptog_char c)
{
    static const struct {
        uint32_t first, last;
        int width;
    } ranges[] = {{0x0300, 0x036f, 0},   {0x1100, 0x115f, 2},   {0x2e80, 0xa4cf, 2},  {0xac00, 0xd7a3, 2},
                  {0xf900, 0xfaff, 2},   {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2},  {0xffe0, 0xffe6, 2},
                  {0x1f300, 0x1f64f, 2}, {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2}};
    if (ptog_char_shows(c))
        for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
            if (c.code >= ranges[i].first && c.code <= ranges[i].last)
                return ranges[i].width;
    return 1;
}

void ptog_put_clean(const struct ptog_sink *sink, const char *text)
{
    const char *from = text;
    while (*text) {
        struct ptog_char c = ptog_char_at(text);
        if (!ptog_char_shows(c)) {
            sink->write(sink->user, from, (size_t)(text - from));
            ptog_put(sink, "\xef\xbf\xbd");
            from = text + c.bytes;
        }
        text += c.bytes;
    }
    sink->write(sink->user, from, (size_t)(text - from));
}

void ptog_put_markup(const struct ptog_sink *sink, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        switch (text[i]) {
        case '<': ptog_put(sink, "&lt;"); break;
        case '>': ptog_put(sink, "&gt;"); break;
        case '&': ptog_put(sink, "&amp;"); break;
        case '"': ptog_put(sink, "&quot;"); break;
        case '\0': ptog_put(sink, "\xef\xbf\xbd"); break;
        default: sink->write(sink->user, &text[i], 1);
        }
}
