/* tool: what the files of ptog check share. */
#ifndef TOOL_CHECK_H
#define TOOL_CHECK_H

#include "tool.h"

/* ptog check --target all: the paths, NULL at the end. Returns an enum tool_exit. */
int tool_check_all(const char *const *paths, enum tool_format format);

#endif
