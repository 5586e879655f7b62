/* tool/io: why something failed, as a sentence that the caller puts behind a file's name: "t.npy: is a directory". */
#include "why.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Names from a file may hold anything. */
static void show_controls(struct tool_why *why)
{
    for (char *c = why->text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
}

/* Writes why something failed, as printf formats it. */
void tool_why_set(struct tool_why *why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
    show_controls(why);
}

void tool_why_add(struct tool_why *why, const char *more)
{
    size_t used = strlen(why->text);
    snprintf(why->text + used, sizeof why->text - used, "%s", more);
    show_controls(why);
}
