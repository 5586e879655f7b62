/* base: an index by hash: probing, growing, and the hash itself. */
#include "base/index.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64u

/* From slot `at` on, the first with this hash; NULL when an empty one comes before it. */
static const struct ptog_index_slot *probe(const struct ptog_index *index, uint32_t at, uint32_t hash)
{
    uint32_t mask = index->slot_count - 1;
    for (at &= mask; index->slots[at].number != 0; at = (at + 1) & mask)
        if (index->slots[at].hash == hash)
            return &index->slots[at];
    return NULL;
}

const struct ptog_index_slot *ptog_index_first(const struct ptog_index *index, uint32_t hash)
{
    if (index->slot_count == 0)
        return NULL;
    return probe(index, hash, hash);
}

const struct ptog_index_slot *ptog_index_next(const struct ptog_index *index, const struct ptog_index_slot *slot)
{
    return probe(index, (uint32_t)(slot - index->slots) + 1, slot->hash);
}

/* Puts a slot in its place, or in the next free one; there is one. */
static void put_slot(struct ptog_index_slot *slots, uint32_t slot_count, struct ptog_index_slot slot)
{
    uint32_t at = slot.hash & (slot_count - 1);
    while (slots[at].number != 0)
        at = (at + 1) & (slot_count - 1);
    slots[at] = slot;
}

/* Gives the index so many slots, and puts its entries into them again. False when out of memory. */
static bool resize(struct ptog_index *index, uint32_t slot_count)
{
    struct ptog_index_slot *slots = calloc(slot_count, sizeof *slots);
    if (!slots)
        return false;
    for (uint32_t i = 0; i < index->slot_count; i++)
        if (index->slots[i].number != 0)
            put_slot(slots, slot_count, index->slots[i]);
    free(index->slots);
    index->slots = slots;
    index->slot_count = slot_count;
    return true;
}

bool ptog_index_reserve(struct ptog_index *index, uint32_t count)
{
    uint32_t slot_count = index->slot_count ? index->slot_count : FIRST_SLOTS;
    while (slot_count / 2 < count) {
        if (slot_count > UINT32_MAX / 2)
            return false;
        slot_count *= 2;
    }
    return slot_count == index->slot_count || resize(index, slot_count);
}

bool ptog_index_add(struct ptog_index *index, uint32_t hash, uint32_t number)
{
    if (index->count >= index->slot_count / 2 && !ptog_index_reserve(index, index->count + 1))
        return false;
    put_slot(index->slots, index->slot_count, (struct ptog_index_slot){hash, number});
    index->count++;
    return true;
}

void ptog_index_free(struct ptog_index *index)
{
    free(index->slots);
    *index = (struct ptog_index){0};
}

/* The hash with one more word in it. */
static uint64_t mix_hash(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 32;
}

/* Up to seven bytes as one number, by reads that may overlap. */
static uint64_t few(const unsigned char *at, size_t length)
{
    uint32_t first, last;
    if (length >= 4) {
        memcpy(&first, at, 4);
        memcpy(&last, at + length - 4, 4);
        return (uint64_t)last << 32 | first;
    }
    if (length == 0)
        return 0;
    return at[0] | (uint64_t)at[length / 2] << 8 | (uint64_t)at[length - 1] << 16;
}

/* A hash of any bytes, eight at a time; the last eight may overlap those before, which saves a loop over single bytes.
 */
uint32_t ptog_hash_bytes(const void *bytes, size_t length)
{
    uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15), word = 0;
    const unsigned char *at = bytes, *end = at + length;
    if (length >= 8) {
        for (; end - at > 8; at += 8) {
            memcpy(&word, at, 8);
            hash = mix_hash(hash, word);
        }
        memcpy(&word, end - 8, 8);
    } else {
        word = few(at, length);
    }
    hash = mix_hash(hash, word);
    return (uint32_t)(hash ^ hash >> 29);
}
