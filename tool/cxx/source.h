/* tool/cxx: one source of the command line: read, rewritten, and, where it has launches, written to a temporary file.
 */
#ifndef TOOL_CXX_SOURCE_H
#define TOOL_CXX_SOURCE_H

#include "io/why.h"
#include "rewrite.h"
#include "words.h"

struct cxx_source {
    const char *path;      /* as on the command line */
    const char *name;      /* the same for people and __FILE__: "<stdin>" for - */
    bool is_header;        /* it is included, not on the command line */
    bool changed;          /* it is rewritten, or something that it includes is */
    bool has_halves;       /* it is compiled for the vector cores and for the cube core */
    unsigned searched;     /* the last search that looked into it (halves.c) */
    const char *temporary; /* NULL: it is compiled as it is */
    const char *directory; /* in which `temporary` lies */
    const char *object;    /* NULL, or where it was compiled to, for linking */
    void *text;
    size_t size;
    struct cxx_rewritten rewritten;
};

/* False after messages on stderr. cxx_source_free in any case. */
bool cxx_source_read(struct cxx_source *source, const char *path);

/* A file that is included: one that cannot be read or has a wrong launch is left to the compiler, with a warning. */
void cxx_header_read(struct cxx_source *source, const char *path);

/* Frees what a source holds, and not the struct itself. */
void cxx_source_free(struct cxx_source *source);

/* The part of a path in front of its last name, with the slash: "" for "a.cpp". */
const char *cxx_directory_of(struct cxx_words *strings, const char *path);
const char *cxx_base_of(const char *path);

/* Writes `temporary` into source->directory. It begins with a #line, so that compilers speak of the user's file. */
bool cxx_source_write(struct cxx_source *source, struct cxx_words *strings, struct tool_why *why);

#endif
