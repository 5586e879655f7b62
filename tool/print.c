/* tool: text for people: wrapped, and bold where that can be seen. */
#define _POSIX_C_SOURCE 200809L /* isatty */
#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/pick.h"

#define COLUMNS 80

enum colour { AUTO, ALWAYS, NEVER };
static enum colour colour; /* --color */

bool tool_set_colour(const char *when)
{
    static const char *const words[] = {[AUTO] = "auto", [ALWAYS] = "always", [NEVER] = "never"};
    for (int i = AUTO; i <= NEVER; i++)
        if (strcmp(words[i], when) == 0) {
            colour = (enum colour)i;
            return true;
        }
    tool_usage(NULL, "--color %s: expected auto, always or never", when);
    return false;
}

bool tool_shows_colour(FILE *to)
{
    if (colour != AUTO)
        return colour == ALWAYS;
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (no_color && no_color[0] != '\0')
        return false;
    return isatty(to == stdout ? STDOUT_FILENO : STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

const char *tool_bold(void)
{
    return tool_when(tool_shows_colour(stdout), "\033[1m");
}

const char *tool_plain(void)
{
    return tool_when(tool_shows_colour(stdout), "\033[0m");
}

/* Writes a number with separators into the end of `text`; returns where it starts. */
const char *tool_grouped(char text[TOOL_GROUPED], uint64_t number)
{
    char *at = text + TOOL_GROUPED;
    *--at = '\0';
    for (int digits = 0; digits == 0 || number > 0; number /= 10, digits++) {
        if (digits > 0 && digits % 3 == 0)
            *--at = ',';
        *--at = (char)('0' + number % 10);
    }
    return at;
}

void tool_put_wrapped(FILE *to, int indent, const char *text)
{
    int column = indent;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > COLUMNS) {
            fprintf(to, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', to);
            column++;
        }
        fprintf(to, "%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', to);
}

void tool_print_wrapped(int indent, const char *text)
{
    tool_put_wrapped(stdout, indent, text);
}

/* Up to the semicolon that ends the first statement: those inside brackets, as in for (;;), do not. */
static size_t statement_length(const char *text)
{
    size_t at = 0;
    for (int depth = 0; text[at] && (text[at] != ';' || depth > 0); at++)
        depth += (strchr("([{", text[at]) != NULL) - (strchr(")]}", text[at]) != NULL);
    return at;
}

void tool_print_statements(const char *indent, const char *statements)
{
    while (*statements) {
        size_t length = statement_length(statements);
        printf("%s%.*s;\n", indent, (int)length, statements);
        statements += length;
        statements += strspn(statements, "; ");
    }
}

void tool_print_lines(const char *indent, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        fputs(tool_when(length > 0, indent), stdout);
        for (size_t i = 0; i < length; i++)
            printf((unsigned char)text[i] < ' ' ? "\\x%02x" : "%c", (unsigned char)text[i]);
        putchar('\n');
        text += length;
        text += *text == '\n';
    }
}

struct cut {
    struct tool_where *where;
    size_t used;
};

/* A sink that keeps as much as fits. */
static void take_cut(void *user, const char *text, size_t length)
{
    struct cut *cut = user;
    size_t room = sizeof cut->where->text - 1 - cut->used;
    size_t taken = tool_min(length, room);
    memcpy(cut->where->text + cut->used, text, taken);
    cut->used += taken;
    cut->where->text[cut->used] = '\0';
}

const char *tool_documented(struct tool_where *where, const char *documented)
{
    struct cut cut = {where, 0};
    where->text[0] = '\0';
    ptog_report_documented(documented, &(struct ptog_sink){.write = take_cut, .user = &cut});
    return where->text;
}
