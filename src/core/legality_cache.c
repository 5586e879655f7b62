/* core: instructions that were found legal, remembered by what the verifier looked at, so that a loop verifies once. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "core/legality_cache.h"

#include <stdlib.h>
#include <string.h>

/* Whether two tiles have bytes in common, or whether only the verifier can say. */
static bool tiles_overlap(const struct ptog_tile *a, const struct ptog_tile *b)
{
    if (!a->placed || !b->placed || a->dtype == PTOG_DTYPE_NONE || b->dtype == PTOG_DTYPE_NONE)
        return false;
    int64_t bytes_a = ptog_tile_bytes(a), bytes_b = ptog_tile_bytes(b);
    if (bytes_a <= 0 || bytes_b <= 0)
        return true; /* for the verifier to judge */
    return a->addr < b->addr ? b->addr - a->addr < (uint64_t)bytes_a : a->addr - b->addr < (uint64_t)bytes_b;
}

/* Whether the verdict depends on addresses: a tile that is written overlaps another one, or has to. */
static bool addresses_matter(const struct ptog_insn *insn)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    if (insn->opcode == PTOG_TFILLPAD_INPLACE)
        return true;
    for (int out = 0; out < insn->count; out++)
        for (int i = 0; i < insn->count && row->of[out].role == PTOG_ROLE_OUT; i++)
            if (i != out && insn->of[out].kind == PTOG_IS_TILE && insn->of[i].kind == PTOG_IS_TILE &&
                tiles_overlap(&insn->of[out].tile, &insn->of[i].tile) && !ptog_insn_is_in_place(NULL, insn, out, i))
                return true;
    return false;
}

/* Makes *plain the instruction without what the verifier does not look at: names, addresses, buffers, the value of
 * most scalars. */
static void make_plain(struct ptog_insn *plain, const struct ptog_insn *insn)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    ptog_insn_copy(plain, insn);
    for (int i = 0; i < plain->count; i++) {
        struct ptog_operand *operand = &plain->of[i];
        operand->buffer = 0;
        operand->offset = 0;
        if (!row->of[i].is_place)
            operand->bits = 0;
        if (operand->kind == PTOG_IS_VIEW) {
            operand->view.name = NULL;
            continue;
        }
        operand->tile.name = NULL;
        operand->tile.placed = operand->tile.is_static = false;
        operand->tile.addr = 0;
    }
}

/* Whether two instructions have the same bytes. */
static bool is_same_insn(const struct ptog_insn *a, const struct ptog_insn *b)
{
    return a->opcode == b->opcode && memcmp(a, b, ptog_insn_bytes(b)) == 0;
}

/* The slot of an instruction in the table, by a hash of its bytes. */
static unsigned slot_of(const struct ptog_insn *plain)
{
    size_t size = ptog_insn_bytes(plain);
    uint64_t h = size, word;
    for (size_t i = 0; i + sizeof word <= size; i += sizeof word) {
        memcpy(&word, (const char *)plain + i, sizeof word);
        h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return (unsigned)(h >> 58) % PTOG_LEGALITY_ENTRIES;
}

struct ptog_legality *ptog_legality_find(struct ptog_legality_cache *cache, uint32_t place,
                                         const struct ptog_insn *insn)
{
    struct ptog_legality *recent = cache->recent[place % PTOG_LEGALITY_ENTRIES];
    if (recent && is_same_insn(&recent->last, insn))
        return recent;
    if (addresses_matter(insn))
        return NULL;
    struct ptog_insn plain;
    make_plain(&plain, insn);
    struct ptog_legality *found = cache->of[slot_of(&plain)];
    if (!found || !is_same_insn(&found->plain, &plain))
        return NULL;
    ptog_insn_copy(&found->last, insn);
    return cache->recent[place % PTOG_LEGALITY_ENTRIES] = found;
}

/* A new entry without a plan; NULL when out of memory. Each goes to a slot of its own, so there are never more than
 * slots. */
static struct ptog_legality *next_entry(struct ptog_legality_cache *cache)
{
    struct ptog_legality **block = &cache->blocks[cache->count / PTOG_LEGALITY_BLOCK];
    if (!*block && !(*block = malloc(PTOG_LEGALITY_BLOCK * sizeof **block)))
        return NULL;
    struct ptog_legality *next = &(*block)[cache->count++ % PTOG_LEGALITY_BLOCK];
    next->plan = NULL;
    next->generation = 0;
    return next;
}

bool ptog_legality_keep(struct ptog_legality_cache *cache, uint32_t place, const struct ptog_insn *insn,
                        struct ptog_legality **kept)
{
    struct ptog_insn plain;
    *kept = NULL;
    if (addresses_matter(insn) || ptog_insn_is_open(insn))
        return true;
    make_plain(&plain, insn);
    struct ptog_legality **slot = &cache->of[slot_of(&plain)];
    if (!*slot && !(*slot = next_entry(cache)))
        return false;
    *kept = *slot;
    ptog_plan_free((*kept)->plan);
    (*kept)->plan = NULL;
    (*kept)->generation++;
    ptog_insn_copy(&(*kept)->plain, &plain);
    ptog_insn_copy(&(*kept)->last, insn);
    cache->recent[place % PTOG_LEGALITY_ENTRIES] = *kept;
    return true;
}

/* Frees all entries with their plans. */
void ptog_legality_close(struct ptog_legality_cache *cache)
{
    for (uint32_t i = 0; i < cache->count; i++)
        ptog_plan_free(cache->blocks[i / PTOG_LEGALITY_BLOCK][i % PTOG_LEGALITY_BLOCK].plan);
    for (size_t i = 0; i < sizeof cache->blocks / sizeof cache->blocks[0]; i++)
        free(cache->blocks[i]);
    memset(cache, 0, sizeof *cache);
}
