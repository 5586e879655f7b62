/* tool/cxx: growing lists of words. */
#include "words.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/grow.h"

/* Appends a word, which stays the caller's. Sets `failed` when out of memory, or when the word is NULL for that
 * reason. */
void cxx_words_add(struct cxx_words *words, const char *word)
{
    if (!tool_reserve(&words->at, words->count + 2, &words->room)) { /* with the NULL behind the last */
        words->failed = true;
        return;
    }
    words->failed |= word == NULL;
    words->at[words->count++] = word;
    words->at[words->count] = NULL;
}

void cxx_words_add_all(struct cxx_words *words, const char *const *list)
{
    while (list && *list)
        cxx_words_add(words, *list++);
}

void cxx_words_free(struct cxx_words *words)
{
    free(words->at);
    *words = (struct cxx_words){0};
}

/* A formatted string that lives as long as `strings`; NULL when out of memory. */
char *cxx_format(struct cxx_words *strings, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *made = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (made)
        vsnprintf(made, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    size_t before = strings->count;
    cxx_words_add(strings, made);
    if (made && strings->count == before) {
        free(made);
        return NULL;
    }
    return made;
}

void cxx_strings_free(struct cxx_words *strings)
{
    for (size_t i = 0; i < strings->count; i++)
        free(cxx_unconst(strings->at[i]));
    cxx_words_free(strings);
}
