/* tool/cxx: growing lists of words, as for execvp, and the strings that were made for them. */
#ifndef TOOL_CXX_WORDS_H
#define TOOL_CXX_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start with zeros. When memory ran out, `failed` is set and stays set: one look at the end is enough. */
struct cxx_words {
    const char **at; /* NULL after the last */
    size_t count, room;
    bool failed;
};

void cxx_words_add(struct cxx_words *words, const char *word);
void cxx_words_add_all(struct cxx_words *words, const char *const *list); /* up to NULL */
void cxx_words_free(struct cxx_words *words);

/* A string that lives as long as `strings`: its words are freed too, with cxx_strings_free. NULL: out of memory, which
 * `strings` remembers. */
__attribute__((format(printf, 2, 3))) char *cxx_format(struct cxx_words *strings, const char *format, ...);
void cxx_strings_free(struct cxx_words *strings);

/* For calls of the C library and POSIX that take a char * and do not change it: free, posix_spawnp. */
static inline void *cxx_unconst(const void *words)
{
    return (void *)(uintptr_t)words;
}

#endif
