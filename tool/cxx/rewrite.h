/* tool/cxx: kernel launches made into C++.
 *
 *     kernel<T><<<blocks, dynUB, stream>>>(x, y);
 *     ::ptog::fn([&](auto &&...ptog_a) { kernel<T>(ptog_a...); }).on(blocks, dynUB, stream)(x, y);
 *
 * [aicore] and __attribute__((aiv)), which only the device's compiler knows, are left out, and asm volatile("MOV %0,
 * SYS_CNT\n" : "+l"(x)), which reads the device's counter, becomes a call; so does one that reads PC. Every other byte
 * stays, and so does every line end: what is on a line stays on that line. */
#ifndef TOOL_CXX_REWRITE_H
#define TOOL_CXX_REWRITE_H

#include "launch.h"

#define CXX_MAX_PROBLEMS 20

struct cxx_rewritten {
    char *text; /* free(); not NULL when the rewriting was done */
    size_t size;
    size_t launches;
    size_t edits;                 /* 0: the text is as it was */
    struct cxx_include *includes; /* of the file */
    size_t include_count;
    size_t problem_count; /* all of them; the first CXX_MAX_PROBLEMS are kept, in the order of the file */
    struct cxx_problem problems[CXX_MAX_PROBLEMS];
};

/* False: `text` is NULL, and the problems say why; without problems, there was not enough memory, or `size` is more
 * than CXX_MAX_BYTES. Time and memory grow with `size`, whatever the bytes. */
bool cxx_rewrite(const char *text, size_t size, struct cxx_rewritten *rewritten);
void cxx_rewritten_free(struct cxx_rewritten *rewritten);

/* The same, with other names in #include lines. */
struct cxx_renamed {
    size_t start, end; /* of a cxx_include */
    const char *name;  /* with its quotes */
};
bool cxx_rewrite_named(const char *text, size_t size, const struct cxx_renamed *names, size_t count,
                       struct cxx_rewritten *rewritten);

#endif
