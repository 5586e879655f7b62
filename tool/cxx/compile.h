/* tool/cxx: running the compiler on sources with launches. */
#ifndef TOOL_CXX_COMPILE_H
#define TOOL_CXX_COMPILE_H

#include <stddef.h>

#include "options.h"

#define CXX_USAGE 2 /* exit status: the command line, a file, or a launch is invalid */

/* Exit status: that of the compiler, or CXX_USAGE after a message on stderr. */
int cxx_compile(const struct cxx_options *options);

/* Runs the compiler with nothing but `option`; the status is 0 when there is no compiler. */
int cxx_ask_compiler(const struct cxx_options *options, const char *option);

/* --ptog-rewrite: every source, rewritten, to stdout. */
int cxx_print_rewritten(const struct cxx_options *options);

/* A message on stderr, "ptog-cxx: ...". Returns CXX_USAGE. */
__attribute__((format(printf, 1, 2))) int cxx_fail(const char *format, ...);

#endif
