/* tool/cxx: where the headers and the library are: next to the program, in the build tree or installed. */
#ifndef TOOL_CXX_PLACE_H
#define TOOL_CXX_PLACE_H

#include "io/why.h"
#include "words.h"

struct cxx_place {
    const char *include, *lib; /* directories */
};

bool cxx_place_find(struct cxx_place *place, struct cxx_words *strings, struct tool_why *why);

#endif
