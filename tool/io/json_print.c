/* tool/io: prints text as a string of JSON, with what needs it escaped. */
#include "json_print.h"

#include <string.h>

#include "utf8.h"

void tool_json_print(FILE *to, const char *text)
{
    const char *end = text + strlen(text);
    fputc('"', to);
    while (text < end) {
        size_t length = tool_utf8_length(text, end);
        if (length == 0)
            fputs("\\ufffd", to);
        else if (*text == '"' || *text == '\\')
            fprintf(to, "\\%c", *text);
        else if ((unsigned char)*text < ' ' || *text == 0x7f)
            fprintf(to, "\\u%04x", (unsigned)*text);
        else
            fwrite(text, 1, length, to);
        text += length > 0 ? length : 1;
    }
    fputc('"', to);
}
