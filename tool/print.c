/* tool: text for people: wrapped, and bold where that can be seen. */
#define _POSIX_C_SOURCE 200809L /* isatty, fileno */
#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COLUMNS 80

bool tool_shows_colour(FILE *to)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (no_color && no_color[0] != '\0')
        return false;
    return isatty(fileno(to)) && term && strcmp(term, "dumb") != 0;
}

const char *tool_bold(void)
{
    return tool_shows_colour(stdout) ? "\033[1m" : "";
}

const char *tool_plain(void)
{
    return tool_shows_colour(stdout) ? "\033[0m" : "";
}

void tool_print_wrapped(int indent, const char *text)
{
    int column = indent;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > COLUMNS) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column++;
        }
        printf("%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

void tool_print_statements(const char *indent, const char *statements)
{
    while (*statements) {
        size_t length = strcspn(statements, ";");
        printf("%s%.*s;\n", indent, (int)length, statements);
        statements += length;
        statements += strspn(statements, "; ");
    }
}

void tool_print_lines(const char *indent, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        fputs(length > 0 ? indent : "", stdout);
        for (size_t i = 0; i < length; i++)
            printf((unsigned char)text[i] < ' ' ? "\\x%02x" : "%c", (unsigned char)text[i]);
        putchar('\n');
        text += length;
        text += *text == '\n';
    }
}
