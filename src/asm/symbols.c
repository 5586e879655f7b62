/* asm: every name of a program once. */
#include "asm/symbols.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 1024u /* the words of the language are about 300 */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 32;
}

/* Eight bytes at a time; the last eight may overlap those before, which saves a loop over single bytes. */
uint32_t ptog_text_hash(const char *text, size_t length)
{
    uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15), word = 0;
    const char *end = text + length;
    if (length >= 8) {
        for (; end - text > 8; text += 8) {
            memcpy(&word, text, 8);
            hash = mix(hash, word);
        }
        memcpy(&word, end - 8, 8);
    } else {
        for (; text < end; text++)
            word = word << 8 | (unsigned char)*text;
    }
    hash = mix(hash, word);
    return (uint32_t)(hash ^ hash >> 29);
}

static uint32_t *find_slot(const struct ptog_symbols *symbols, const char *text, size_t length, uint32_t hash)
{
    uint32_t mask = symbols->slot_count - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        uint32_t symbol = symbols->slots[i];
        if (symbol == 0)
            return &symbols->slots[i];
        const struct ptog_symbol_entry *entry = &symbols->entries[symbol - 1];
        if (entry->hash == hash && entry->length == length && memcmp(entry->text, text, length) == 0)
            return &symbols->slots[i];
    }
}

/* Room for one more: the table stays at most half full. */
static bool grow(struct ptog_symbols *symbols)
{
    uint32_t slot_count = symbols->slot_count ? symbols->slot_count * 2 : FIRST_SLOTS;
    if (symbols->slot_count > UINT32_MAX / 2)
        return false;
    uint32_t room = slot_count / 2;
    struct ptog_symbol_entry *entries = realloc(symbols->entries, room * sizeof *entries);
    if (!entries)
        return false;
    symbols->entries = entries;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (!slots)
        return false;
    for (uint32_t i = 0; i < symbols->count; i++) {
        uint32_t at = entries[i].hash & (slot_count - 1);
        while (slots[at] != 0)
            at = (at + 1) & (slot_count - 1);
        slots[at] = i + 1;
    }
    free(symbols->slots);
    symbols->slots = slots;
    symbols->slot_count = slot_count;
    symbols->room = room;
    return true;
}

ptog_symbol ptog_symbol_add(struct ptog_symbols *symbols, const char *text, size_t length)
{
    if (length >= UINT32_MAX || (symbols->count == symbols->room && !grow(symbols)))
        return 0;
    uint32_t hash = ptog_text_hash(text, length);
    uint32_t *slot = find_slot(symbols, text, length, hash);
    if (*slot != 0)
        return *slot;
    const char *copy = ptog_arena_copy(symbols->arena, text, length);
    if (!copy)
        return 0;
    symbols->entries[symbols->count++] = (struct ptog_symbol_entry){copy, (uint32_t)length, hash};
    return *slot = symbols->count;
}

ptog_symbol ptog_symbol_find(const struct ptog_symbols *symbols, const char *text, size_t length)
{
    if (symbols->slot_count == 0)
        return 0;
    return *find_slot(symbols, text, length, ptog_text_hash(text, length));
}

const char *ptog_symbol_text(const struct ptog_symbols *symbols, ptog_symbol symbol)
{
    return symbol == 0 || symbol > symbols->count ? "" : symbols->entries[symbol - 1].text;
}

uint32_t ptog_symbol_length(const struct ptog_symbols *symbols, ptog_symbol symbol)
{
    return symbol == 0 || symbol > symbols->count ? 0 : symbols->entries[symbol - 1].length;
}

void ptog_symbols_free(struct ptog_symbols *symbols)
{
    free(symbols->entries);
    free(symbols->slots);
    *symbols = (struct ptog_symbols){0};
}
