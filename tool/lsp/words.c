/* tool/lsp: text that grows, and what is known about ids. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server.h"

/* Appends a formatted piece of any length to the output. */
void lsp_print(struct ptog_output *output, const char *format, ...)
{
    struct ptog_sink sink = ptog_output_sink(output);
    char text[512];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(text, sizeof text, format, args);
    if (length >= 0 && (size_t)length < sizeof text) {
        sink.write(sink.user, text, (size_t)length);
    } else if (length >= 0) {
        char *longer = malloc((size_t)length + 1);
        if (longer && vsnprintf(longer, (size_t)length + 1, format, again) >= 0)
            sink.write(sink.user, longer, (size_t)length);
        free(longer);
    }
    va_end(again);
    va_end(args);
}

/* One row of whichever table has the id. */
static void put_row(struct ptog_output *markdown, const char *id, const char *what, const char *why,
                    const char *documented)
{
    struct ptog_sink sink = ptog_output_sink(markdown);
    lsp_print(markdown, "**%s**: %s", id, what);
    if (why)
        lsp_print(markdown, "  \n%s", why);
    if (documented) {
        lsp_print(markdown, "  \nsource: ");
        ptog_report_documented(documented, &sink);
    }
    lsp_print(markdown, "\n\n");
}

void lsp_put_explanation(struct ptog_output *markdown, const char *id)
{
    const struct ptog_rule *rule = ptog_rule_find(id);
    const struct ptog_text_rule *text = ptog_text_rule_find(id);
    const struct ptog_machine_fault *fault = ptog_machine_fault_find(id);
    const struct ptog_fault_info *lane = ptog_fault_info_find(id);
    if (rule)
        put_row(markdown, id, rule->what, rule->why, rule->documented);
    else if (text)
        put_row(markdown, id, text->what, text->why, NULL);
    else if (fault)
        put_row(markdown, id, fault->what, fault->why, fault->documented);
    else if (lane)
        put_row(markdown, id, lane->what, lane->why, lane->documented);
}
