/* asm: symbols: every name of a program once, as a number. Equal names have equal numbers, and later modules use them
 * as indices of arrays. */
#include "asm/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* The symbol of a text with this hash; 0: it has none. */
static ptog_symbol find_symbol(const struct ptog_symbols *symbols, const char *text, size_t length, uint32_t hash)
{
    const struct ptog_index_slot *slot = ptog_index_first(&symbols->index, hash);
    for (; slot; slot = ptog_index_next(&symbols->index, slot)) {
        const struct ptog_symbol_entry *entry = &symbols->entries[slot->number - 1];
        if (entry->length == length && memcmp(entry->text, text, length) == 0)
            return slot->number;
    }
    return 0;
}

bool ptog_symbols_start(struct ptog_symbols *symbols, const struct ptog_symbol_entry *names, uint32_t count)
{
    uint32_t most = count + count / 2; /* with those of a small program */
    if (!ptog_array_reserve(&symbols->entries, most, &symbols->room) || !ptog_index_reserve(&symbols->index, most))
        return false;
    memcpy(symbols->entries, names, count * sizeof *names);
    symbols->count = count;
    for (uint32_t i = 0; i < count; i++)
        if (!ptog_index_add(&symbols->index, ptog_hash_bytes(names[i].text, names[i].length), i + 1))
            return false;
    return true;
}

ptog_symbol ptog_symbol_add(struct ptog_symbols *symbols, const char *text, size_t length)
{
    if (length >= UINT32_MAX)
        return 0;
    uint32_t hash = ptog_hash_bytes(text, length);
    ptog_symbol known = find_symbol(symbols, text, length, hash);
    if (known != 0)
        return known;
    const char *copy = ptog_arena_copy(symbols->arena, text, length);
    if (!copy || !ptog_array_reserve(&symbols->entries, (size_t)symbols->count + 1, &symbols->room) ||
        !ptog_index_add(&symbols->index, hash, symbols->count + 1))
        return 0;
    symbols->entries[symbols->count++] = (struct ptog_symbol_entry){copy, (uint32_t)length};
    return symbols->count;
}

ptog_symbol ptog_symbol_find(const struct ptog_symbols *symbols, const char *text, size_t length)
{
    return find_symbol(symbols, text, length, ptog_hash_bytes(text, length));
}

const char *ptog_symbol_text(const struct ptog_symbols *symbols, ptog_symbol symbol)
{
    if (symbol == 0 || symbol > symbols->count)
        return "";
    return symbols->entries[symbol - 1].text;
}

uint32_t ptog_symbol_length(const struct ptog_symbols *symbols, ptog_symbol symbol)
{
    if (symbol == 0 || symbol > symbols->count)
        return 0;
    return symbols->entries[symbol - 1].length;
}

void ptog_symbols_free(struct ptog_symbols *symbols)
{
    free(symbols->entries);
    ptog_index_free(&symbols->index);
    *symbols = (struct ptog_symbols){0};
}
