/* tool/cxx: where the headers and the library are. Nothing is compiled in but how an installation lies: the tree can be
 * moved as a whole. In the build tree, include is a link to the headers. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "place.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first of the directories, seen from `base`, that has `file` in it. */
static const char *find(struct cxx_words *strings, const char *base, const char *const *directories, const char *file)
{
    for (; *directories; directories++) {
        const char *directory = cxx_format(strings, "%s/%s", base, *directories);
        const char *path = directory ? cxx_format(strings, "%s/%s", directory, file) : NULL;
        char *real = path && access(path, R_OK) == 0 ? realpath(directory, NULL) : NULL;
        if (real) {
            const char *kept = cxx_format(strings, "%s", real);
            free(real);
            return kept;
        }
    }
    return NULL;
}

/* Finds the headers and the library, seen from this program; false, with *why, when one of them is missing. */
bool cxx_place_find(struct cxx_place *place, struct cxx_words *strings, struct tool_why *why)
{
    static const char *const includes[] = {"include", "../include", PTOG_INCLUDE_FROM_BIN, NULL};
    static const char *const libs[] = {".", PTOG_LIB_FROM_BIN, NULL};
    char *program = realpath("/proc/self/exe", NULL);
    if (!program)
        return tool_why(why, "cannot find the path of this program: /proc/self/exe is missing");
    *strrchr(program, '/') = '\0'; /* an absolute path */
    place->include = find(strings, program, includes, "ptog/ptog.h");
    place->lib = find(strings, program, libs, "libptog.a");
    bool found = place->include && place->lib;
    if (!found)
        tool_why_set(why, "cannot find %s near %s", place->include ? "libptog" : "the headers", program);
    free(program);
    return found;
}
