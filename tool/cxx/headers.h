/* tool/cxx: files that sources include. Launches in them are rewritten, too, into copies, and the #include of each file
 * that leads to a copy names the copy:
 *
 *     main.cpp  #include "kernels.h"       copy 0/main.cpp  #include "<scratch>/h1/kernels.h"
 *     kernels.h #include "launch.inl"      copy h1/kernels.h  #include "<scratch>/h2/launch.inl"
 *     launch.inl  k<<<1>>>(x);             copy h2/launch.inl  ::ptog::fn(...)
 *
 * A file is looked for where compilers look: "..." next to the file that includes it, then along -iquote and -I; <...>
 * along -I. Where another library has a header of the name of one of ours, ours is used, and one next to the source is
 * an error. What is found nowhere there is the compiler's business, and so is a name that a macro makes. */
#ifndef TOOL_CXX_HEADERS_H
#define TOOL_CXX_HEADERS_H

#include "options.h"
#include "source.h"

struct cxx_headers {
    struct cxx_source **at;
    size_t count, room;
};

/* Reads what `sources` include, and what that includes; `changed` is set in every file that is not compiled as it is.
 * `own` is the directory of our headers, which are the compiler's business, too. False when out of memory. A file that
 * cannot be read, or has a launch that is wrong, stays as it is: a warning. */
bool cxx_headers_read(struct cxx_headers *headers, struct cxx_source *sources, size_t count,
                      const struct cxx_options *options, const char *own, struct cxx_words *strings);

/* Puts the copies of the changed ones below `scratch`. */
bool cxx_headers_write(struct cxx_headers *headers, const char *scratch, struct cxx_words *strings,
                       struct tool_why *why);

/* The copy of the file that an option includes before the first line of every source; NULL: it names none, or none
 * that was changed. */
const char *cxx_headers_copy_of(const struct cxx_headers *headers, const struct cxx_argument *argument,
                                const struct cxx_options *options, const char *own, struct cxx_words *strings);

/* Makes the text of a changed file again, with the names of copies in its #include lines. False when out of memory. */
bool cxx_headers_rewrite(struct cxx_source *source, struct cxx_words *strings);

void cxx_headers_free(struct cxx_headers *headers);

#endif
