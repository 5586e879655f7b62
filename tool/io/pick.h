/* tool/io: small choices by their names, as src/base/pick.h has them for the library. */
#ifndef TOOL_IO_PICK_H
#define TOOL_IO_PICK_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t tool_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t tool_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* A word, or another one where there is none. */
static inline const char *tool_or(const char *word, const char *otherwise)
{
    return word ? word : otherwise;
}

/* A word where it is wanted, else nothing. */
static inline const char *tool_when(bool wanted, const char *word)
{
    return wanted ? word : "";
}

/* What makes a noun a plural: "file", "files". */
static inline const char *tool_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

#endif
