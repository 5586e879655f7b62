/* unit tests: buffers between two pages that no one may touch. An access one byte outside stops the program. */
#ifndef PTOG_TESTS_UNIT_GUARD_H
#define PTOG_TESTS_UNIT_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct guard {
    unsigned char *data;
    size_t bytes;
    unsigned char *pages; /* the mapping */
    size_t mapped;
};

/* At most `most` bytes. Exits the test program when it cannot be had. */
struct guard guard_new(size_t most);

/* A buffer of `bytes` in it: flush with the guard page behind it, or with the one before it. */
unsigned char *guard_place(struct guard *guard, size_t bytes, bool at_end);

void guard_free(struct guard *guard);

#endif
