/* report: what the parts of the page share: text of others made harmless, and links to lines. */
#include "report/page.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Writes a formatted piece of at most 511 bytes, unescaped. */
void ptog_page_format(const struct ptog_sink *page, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ptog_put(page, text);
}

void ptog_page_text_n(const struct ptog_sink *page, const char *text, size_t length)
{
    ptog_put_markup(page, text, length);
}

void ptog_page_text(const struct ptog_sink *page, const char *text)
{
    ptog_page_text_n(page, text, strlen(text));
}

void ptog_page_json(const struct ptog_sink *page, const char *json, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (json[i] == '<')
            ptog_put(page, "\\u003c");
        else
            page->write(page->user, &json[i], 1);
}

void ptog_page_line(const struct ptog_sink *page, uint32_t line)
{
    if (line <= PTOG_PAGE_LINES)
        ptog_page_format(page, "<a href=\"#L%" PRIu32 "\">%" PRIu32 "</a>", line, line);
    else
        ptog_page_format(page, "%" PRIu32, line);
}

size_t ptog_page_count(const ptog_diags *diags, enum ptog_severity severity)
{
    size_t count = 0;
    for (size_t i = 0; i < ptog_diags_count(diags); i++)
        count += ptog_diags_at(diags, i)->severity == severity;
    return count;
}
