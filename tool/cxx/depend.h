/* tool/cxx: makefile rules written by the compiler (-MD) name the user's file, not the temporary one. */
#ifndef TOOL_CXX_DEPEND_H
#define TOOL_CXX_DEPEND_H

#include "options.h"
#include "source.h"

/* Where the compiler shall write the rules for this source: what the user said, or what compilers do by default. */
const char *cxx_depend_file(const struct cxx_options *options, const struct cxx_source *source,
                            struct cxx_words *strings);

/* Replaces the name of the temporary file in the rules. */
bool cxx_depend_fix(const char *file, const struct cxx_source *source, struct cxx_words *strings, struct tool_why *why);

#endif
