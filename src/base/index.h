/* base: an index by hash. It finds the elements of somebody else's array: it keeps a number for each, from 1 on, and
 * the hash of what the element is looked up by. Keys stay with their owner, who compares them:
 *
 *     for (const struct ptog_index_slot *s = ptog_index_first(&index, hash); s; s = ptog_index_next(&index, s))
 *         if (is_same(&things[s->number - 1], key))
 *             return s->number;
 *     things[count] = ...;
 *     return ptog_index_add(&index, hash, count + 1) ? ++count : 0;
 *
 * Slots are probed one after the other (open addressing, a power of two), and at most half of them are used. Nothing is
 * ever taken out. Zeroed memory is an empty index. */
#ifndef PTOG_BASE_INDEX_H
#define PTOG_BASE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptog_index_slot {
    uint32_t hash, number; /* number 0: the slot is empty */
};

struct ptog_index {
    struct ptog_index_slot *slots;
    uint32_t count, slot_count;
};

/* The first slot whose hash is this one; NULL when there is none. */
const struct ptog_index_slot *ptog_index_first(const struct ptog_index *index, uint32_t hash);

/* The next slot with the same hash; NULL when there is none. */
const struct ptog_index_slot *ptog_index_next(const struct ptog_index *index, const struct ptog_index_slot *slot);

/* Room for so many numbers in all, so that adding them moves nothing. False when out of memory. */
bool ptog_index_reserve(struct ptog_index *index, uint32_t count);

/* Adds a number, which is not 0. False when out of memory; the index is then as it was. Slots move. */
bool ptog_index_add(struct ptog_index *index, uint32_t hash, uint32_t number);

void ptog_index_free(struct ptog_index *index);

/* A hash of any bytes. */
uint32_t ptog_hash_bytes(const void *bytes, size_t length);

#endif
