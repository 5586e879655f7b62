/* report: text to a sink. What comes from outside is made fit to be shown: no control characters, no broken UTF-8. */
#ifndef PTOG_REPORT_PUT_H
#define PTOG_REPORT_PUT_H

#include <string.h>

#include <ptog/report.h>

static inline void ptog_put(const struct ptog_sink *sink, const char *text)
{
    sink->write(sink->user, text, strlen(text));
}

/* One character of the text at `at`, which is not at its end: its bytes, its code point, and whether those bytes are
 * a character at all. Bytes that continue nothing belong to the character before them, as when columns are counted. */
struct ptog_char {
    size_t bytes;
    uint32_t code;
    bool whole;
};
struct ptog_char ptog_char_at(const char *at);

/* False for control characters, and for those that change the direction of the text around them. */
bool ptog_char_shows(struct ptog_char c);

/* Columns on a terminal: 0, 1 or 2. */
int ptog_char_width(struct ptog_char c);

/* Text with every character that cannot be shown replaced by U+FFFD. */
void ptog_put_clean(const struct ptog_sink *sink, const char *text);

#define PTOG_MAX_STEP 2048 /* bytes of a step of a fix as words; a longer one is cut */

/* Text of others in HTML or XML: in an element, or in an attribute. A NUL, which neither may hold, becomes U+FFFD. */
void ptog_put_markup(const struct ptog_sink *sink, const char *text, size_t length);

#endif
