/* tool/io: prints text as a string of JSON, with what needs it escaped. */
#ifndef TOOL_IO_JSON_PRINT_H
#define TOOL_IO_JSON_PRINT_H

#include <stdio.h>

/* Text as a string of JSON, in quotes. Bytes that are not UTF-8, which file names may have, become U+FFFD. */
void tool_json_print(FILE *to, const char *text);

#endif
