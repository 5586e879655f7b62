/* tool/io: why something failed, in words. Whoever knows the file's name puts it in front. */
#ifndef TOOL_IO_WHY_H
#define TOOL_IO_WHY_H

#include <stdbool.h>

struct tool_why {
    char text[400];
};

__attribute__((format(printf, 2, 3))) void tool_why_set(struct tool_why *why, const char *format, ...);

/* More about the same failure. */
void tool_why_add(struct tool_why *why, const char *more);

/* Always false, so that a failure is one statement: return tool_why(why, "...", ...). */
#define tool_why(...) (tool_why_set(__VA_ARGS__), false)

#endif
