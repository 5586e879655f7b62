/* tool/io: the length of a UTF-8 character, or that there is none. */
#ifndef TOOL_IO_UTF8_H
#define TOOL_IO_UTF8_H

#include <stddef.h>

/* Bytes of the character at `at`; 0: there is none. */
size_t tool_utf8_length(const char *at, const char *end);

#endif
