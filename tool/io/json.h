/* tool/io: JSON, read from memory in one pass: the caller asks for what it expects. */
#ifndef TOOL_IO_JSON_H
#define TOOL_IO_JSON_H

#include <stddef.h>
#include <stdint.h>

#include "why.h"

struct tool_json {
    const char *start, *at, *end;
    struct tool_why *why;
};

/* Each is false, with the reason, when something else is there. */
bool tool_json_expect(struct tool_json *in, char c);

/* Whether the next character is `c`; then it is taken. */
bool tool_json_is(struct tool_json *in, char c);

/* A string of UTF-8; escapes are resolved, what does not fit in `room` is cut off. *length counts all of it. */
bool tool_json_string(struct tool_json *in, char *text, size_t room, size_t *length);

/* A whole number from 0 to 2^63 - 1. */
bool tool_json_number(struct tool_json *in, int64_t *number);

/* Any value, nested or not. */
bool tool_json_skip(struct tool_json *in);

/* Nothing but space is left. */
bool tool_json_end(struct tool_json *in);

#endif
