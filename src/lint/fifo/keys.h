/* lint: a list of what was found under which name, to be sorted once and then searched. */
#ifndef PTOG_LINT_FIFO_KEYS_H
#define PTOG_LINT_FIFO_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptog_fifo_key {
    uint64_t where, name, other; /* what must be the same: a function or module, a name or number, and one thing more */
    uint32_t of;                 /* what was found there; of several the smallest comes first */
};

struct ptog_fifo_keys {
    struct ptog_fifo_key *of;
    size_t count, room;
};

/* False when out of memory. */
bool ptog_fifo_keys_add(struct ptog_fifo_keys *keys, struct ptog_fifo_key key);
void ptog_fifo_keys_sort(struct ptog_fifo_keys *keys);

/* In a sorted list: the number of the first that is the same, and how many are; `count` is 0 when there is none. */
size_t ptog_fifo_keys_find(const struct ptog_fifo_keys *keys, uint64_t where, uint64_t name, uint64_t other,
                           size_t *count);
void ptog_fifo_keys_free(struct ptog_fifo_keys *keys);

#endif
