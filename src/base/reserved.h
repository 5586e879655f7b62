/* base: the words that public structs keep for later. They are zero until a later version gives them a meaning; a
 * caller who sets one means something that this version does not know, and is refused. */
#ifndef PTOG_BASE_RESERVED_H
#define PTOG_BASE_RESERVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether all words of a struct's array `reserved` are zero. */
#define ptog_is_unreserved(s) ptog_all_zero((s)->reserved, sizeof(s)->reserved / sizeof(s)->reserved[0])

static inline bool ptog_all_zero(const uint64_t *words, size_t count)
{
    uint64_t any = 0;
    for (size_t i = 0; i < count; i++)
        any |= words[i];
    return any == 0;
}

struct ptog_sink;

/* Whether a sink can be written to, and what is wrong with it otherwise. */
bool ptog_sink_is_usable(const struct ptog_sink *sink);
#define PTOG_NO_SINK "is NULL, has no function, or has a reserved word that is not zero"

#endif
