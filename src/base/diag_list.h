/* base: what a list of diagnostics holds. Only the files that implement ptog/diag.h look inside. */
#ifndef PTOG_BASE_DIAG_LIST_H
#define PTOG_BASE_DIAG_LIST_H

#include <ptog/diag.h>

#include "base/arena.h"

#define PTOG_MAX_AUTHOR_FILES 64

struct ptog_diags {
    struct ptog_arena arena;
    struct ptog_diag **entries;
    size_t count, room;
    size_t suppressed;                        /* findings that the program allows */
    const char *files[PTOG_MAX_AUTHOR_FILES]; /* that origins name */
    size_t file_count;
};

/* quote.c: adds the files that the origins of an entry name to those of the list. */
void ptog_diags_list_files(ptog_diags *diags, const struct ptog_diag *entry);

#endif
