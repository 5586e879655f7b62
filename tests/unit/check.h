/* unit tests: what every test program includes, in the order cmocka wants. */
#ifndef PTOG_TESTS_UNIT_CHECK_H
#define PTOG_TESTS_UNIT_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <ptog/ptog.h>

/* The words of a fix, a line for each step, until the next call. */
static inline const char *fix_of(const struct ptog_diag *diag)
{
    static char words[1024];
    words[0] = '\0';
    for (size_t i = 0; i < diag->fix_count; i++) {
        size_t used = strlen(words);
        if (i > 0)
            words[used++] = '\n';
        ptog_fix_words(&diag->fix[i], words + used, sizeof words - used);
    }
    return words;
}

/* A number of the environment, so that a random test can be made longer or repeated; else `otherwise`. */
static inline uint64_t number_from(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    if (text && *text)
        return strtoull(text, NULL, 0);
    return otherwise;
}

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

#endif
