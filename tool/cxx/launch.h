/* tool/cxx: finding the parts of a kernel launch, name<T><<<blocks, dynUB, stream>>>(arguments). */
#ifndef TOOL_CXX_LAUNCH_H
#define TOOL_CXX_LAUNCH_H

#include "tokens.h"

struct cxx_problem {
    size_t at;     /* byte */
    size_t line;   /* from 1; of that byte. Set by cxx_rewrite */
    size_t column; /* from 1, in bytes */
    char text[160];
};

/* Indices of tokens. */
struct cxx_launch {
    size_t name;  /* the first of the kernel's name, qualified or not */
    size_t open;  /* <<< */
    size_t close; /* the first of the three > */
};

/* The launch whose <<< is the token `open`. False: *problem says what is wrong with it, and where. Takes time
 * proportional to the distance from the <<< before, and to the one after. */
bool cxx_launch_find(const struct cxx_tokens *tokens, size_t open, struct cxx_launch *launch,
                     struct cxx_problem *problem);

#endif
