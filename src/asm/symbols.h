/* asm: every name of a program once. Equal names have equal numbers, so later modules look things up in arrays. */
#ifndef PTOG_ASM_SYMBOLS_H
#define PTOG_ASM_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/index.h"

typedef uint32_t ptog_symbol; /* 0: none */

struct ptog_symbol_entry {
    const char *text; /* terminated; may hold NUL bytes of its own */
    uint32_t length;
};

struct ptog_symbols {
    struct ptog_arena *arena; /* where the texts live */
    struct ptog_symbol_entry *entries;
    uint32_t count;
    size_t room;
    struct ptog_index index; /* by text */
};

/* The first names, with the numbers 1 to `count`: no two are equal, and their texts are not copied. False when out of
 * memory. */
bool ptog_symbols_start(struct ptog_symbols *symbols, const struct ptog_symbol_entry *names, uint32_t count);

/* The number of a name, new ones from 1 on in the order of adding; 0 when out of memory. Also for the empty text. */
ptog_symbol ptog_symbol_add(struct ptog_symbols *symbols, const char *text, size_t length);

/* The number of a text that was added before; 0 when it never was. */
ptog_symbol ptog_symbol_find(const struct ptog_symbols *symbols, const char *text, size_t length);

/* Never NULL: "" for 0. */
const char *ptog_symbol_text(const struct ptog_symbols *symbols, ptog_symbol symbol);
uint32_t ptog_symbol_length(const struct ptog_symbols *symbols, ptog_symbol symbol);

void ptog_symbols_free(struct ptog_symbols *symbols);

#endif
