/* tool/cxx: finding the headers of another PTO library among the directories that the compiler looks into. */
#define _XOPEN_SOURCE 700 /* setenv */
#include "other_library.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Two files, and not one by two names. */
static bool is_another(const char *path, const char *own)
{
    struct stat there, here;
    if (!path || stat(path, &there) != 0 || !S_ISREG(there.st_mode))
        return false;
    return !own || stat(own, &here) != 0 || there.st_dev != here.st_dev || there.st_ino != here.st_ino;
}

bool cxx_is_other_library(const char *own, const char *directory, struct cxx_words *strings)
{
    static const char *const names[] = {"pto/pto-inst.hpp", "acl/acl.h"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_another(cxx_format(strings, "%s/%s", directory, names[i]), cxx_format(strings, "%s/%s", own, names[i])))
            return true;
    return false;
}

bool cxx_is_own_header(const char *own, const char *name, struct cxx_words *strings)
{
    bool ours = strncmp(name, "pto/", 4) == 0 || strncmp(name, "acl/", 4) == 0;
    return ours && is_another(cxx_format(strings, "%s/%s", own, name), NULL);
}

const char *cxx_other_library_in(const char *own, const struct cxx_argument *argument, struct cxx_words *strings)
{
    static const char *const options[] = {"--include-directory=", "--include-directory", "-isystem", "-iquote", "-I"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        size_t length = strlen(options[i]);
        if (strncmp(argument->word, options[i], length) != 0)
            continue;
        const char *directory = argument->word[length] ? argument->word + length : argument->value;
        if (directory && cxx_is_other_library(own, directory, strings))
            return directory;
        return NULL;
    }
    return NULL;
}

/* One variable. An empty directory in it is the current one. */
static bool move_path(const char *variable, const char *own, struct cxx_words *words, struct cxx_words *strings)
{
    const char *path = getenv(variable), *kept = NULL;
    bool moved = false;
    for (const char *at = path; at; at = at[strcspn(at, ":")] ? at + strcspn(at, ":") + 1 : NULL) {
        const char *directory = cxx_format(strings, "%.*s", (int)strcspn(at, ":"), at);
        if (directory && cxx_is_other_library(own, directory[0] ? directory : ".", strings)) {
            cxx_words_add_all(words, (const char *const[]){"-idirafter", directory[0] ? directory : ".", NULL});
            moved = true;
        } else if (directory) {
            kept = kept ? cxx_format(strings, "%s:%s", kept, directory) : directory;
        }
    }
    if (!moved)
        return true;
    return (kept ? setenv(variable, kept, 1) : unsetenv(variable)) == 0;
}

bool cxx_move_paths(const char *own, struct cxx_words *words, struct cxx_words *strings)
{
    return move_path("CPATH", own, words, strings) && move_path("CPLUS_INCLUDE_PATH", own, words, strings);
}
