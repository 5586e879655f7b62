/* sanitize: numbers for sites (a place in the source and the instruction there) and for tiles, so that shadows and
 * events carry four bytes instead of strings. The same site or tile gets the same number every time. */
#include "sanitize/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/origin.h"
#include "base/pick.h"
#include "model/tile.h"

/* Frees all sites and tiles with their names. */
void ptog_names_free(struct ptog_names *names)
{
    ptog_arena_free(&names->arena);
    free(names->sites);
    free(names->tiles);
    ptog_index_free(&names->site_index);
    ptog_index_free(&names->tile_index);
    *names = (struct ptog_names){0};
}

const struct ptog_site *ptog_names_site_at(const struct ptog_names *names, uint32_t site)
{
    return site > 0 && site <= names->site_count ? &names->sites[site - 1] : NULL;
}

struct ptog_tile_seen *ptog_names_tile_at(const struct ptog_names *names, uint32_t tile)
{
    return tile > 0 && tile <= names->tile_count ? &names->tiles[tile - 1] : NULL;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static uint32_t hash_site(const struct ptog_where *where, const char *name)
{
    uint32_t file = where->file ? ptog_hash_bytes(where->file, strlen(where->file)) : 0;
    return ptog_hash_bytes(name, strlen(name)) ^ file * 16777619u ^ where->line * 2654435761u ^ where->column * 40503u;
}

/* Whether a site is this call. */
static bool is_site(const struct ptog_site *site, const struct ptog_where *where, const char *name)
{
    return site->where.line == where->line && site->where.column == where->column && same_text(site->name, name) &&
           same_text(site->where.file, where->file);
}

/* Replaces *text by a copy in the arena. False when there is none, or when out of memory. */
static bool copy_name(struct ptog_names *names, const char **text)
{
    if (*text)
        *text = ptog_arena_copy(&names->arena, *text, strlen(*text));
    return *text != NULL;
}

/* The number of a site, from 1; a new one is copied and added. 0 when out of memory. */
static uint32_t find_site(struct ptog_names *names, const struct ptog_where *where, const char *name)
{
    uint32_t hash = hash_site(where, name);
    const struct ptog_index_slot *slot = ptog_index_first(&names->site_index, hash);
    for (; slot; slot = ptog_index_next(&names->site_index, slot))
        if (is_site(&names->sites[slot->number - 1], where, name))
            return slot->number;
    struct ptog_site site = {.where = *where, .name = name};
    if ((where->file && !copy_name(names, &site.where.file)) || (where->text && !copy_name(names, &site.where.text)) ||
        !ptog_origin_copy(&names->arena, &site.where.origin))
        return 0;
    if (!ptog_array_reserve(&names->sites, names->site_count + 1, &names->site_room) ||
        !ptog_index_add(&names->site_index, hash, names->site_count + 1))
        return 0;
    names->sites[names->site_count] = site;
    return ++names->site_count;
}

/* The number of a location and instruction, from 1, which is one more run of it; a new one is added. A loop comes by
 * the same places in the same order, so the one that followed last time is tried first. 0 when out of memory. */
uint32_t ptog_names_site(struct ptog_names *names, const struct ptog_where *where, const char *name)
{
    uint32_t before = names->last_site, site = before ? names->sites[before - 1].next : 0;
    if (!site || !is_site(&names->sites[site - 1], where, name))
        site = find_site(names, where, name);
    if (!site)
        return 0;
    if (before)
        names->sites[before - 1].next = site;
    names->sites[site - 1].runs++;
    return names->last_site = site;
}

void ptog_names_mark_fifo(struct ptog_names *names, uint32_t site)
{
    if (site > 0 && site <= names->site_count)
        names->sites[site - 1].is_fifo = true;
}

uint32_t ptog_names_site_again(struct ptog_names *names, uint32_t site)
{
    names->sites[site - 1].runs++;
    return names->last_site = site;
}

bool ptog_names_operand(struct ptog_names *names, uint32_t site, enum ptog_operand_name operand, const char *given)
{
    struct ptog_site *at = site > 0 && site <= names->site_count ? &names->sites[site - 1] : NULL;
    if (!at || !given || operand >= PTOG_AT_COUNT || at->given[operand] == given)
        return true;
    const char *name = given;
    if (!same_text(at->operands[operand], given) && !copy_name(names, &name))
        return false;
    at->given[operand] = given;
    if (name != given)
        at->operands[operand] = name;
    return true;
}

const char *ptog_names_insn(const struct ptog_names *names, uint32_t site)
{
    const struct ptog_site *at = ptog_names_site_at(names, site);
    return at ? at->name : "an instruction";
}

const char *ptog_names_words(const struct ptog_names *names, uint32_t site, enum ptog_operand_name operand)
{
    const struct ptog_site *at = ptog_names_site_at(names, site);
    return ptog_or(at && operand < PTOG_AT_COUNT ? at->operands[operand] : NULL, ptog_operand_role(operand));
}

/* The name of an instruction with that of its operand, for messages. */
const char *ptog_names_insn_of(const struct ptog_names *names, struct ptog_operand_at at, char words[PTOG_INSN_WORDS])
{
    const struct ptog_site *site = ptog_names_site_at(names, at.site);
    const char *operand = site && at.operand < PTOG_AT_COUNT ? site->operands[at.operand] : NULL;
    snprintf(words, PTOG_INSN_WORDS, "%.30s%s%.80s", ptog_names_insn(names, at.site), operand ? " of " : "",
             operand ? operand : "");
    return words;
}

const char *ptog_names_tile_given(const struct ptog_names *names, const struct ptog_tile_seen *tile)
{
    const struct ptog_site *at = ptog_names_site_at(names, tile->first);
    for (int o = 0; at && o < PTOG_AT_COUNT; o++)
        if (strcmp(ptog_operand_name((enum ptog_operand_name)o), tile->operand) == 0)
            return at->operands[o];
    return NULL;
}

static uint32_t tile_hash(uint64_t addr, uint64_t bytes)
{
    return (uint32_t)((addr * 0x9E3779B97F4A7C15u ^ bytes * 0xC2B2AE3D27D4EB4Fu) >> 32);
}

/* The last valid element lies behind all others. */
static uint64_t reach_of(const struct ptog_tile *tile)
{
    int64_t row = tile->valid_row > 0 ? tile->valid_row : tile->rows;
    int64_t col = tile->valid_col > 0 ? tile->valid_col : tile->cols;
    if (!tile->part)
        return (uint64_t)ptog_tile_bytes(tile);
    return ((uint64_t)ptog_tile_offset(tile, row - 1, col - 1) + 1) * ptog_dtype_size(tile->dtype);
}

/* Notes one more use of a tile that is known: how far it reaches, and by which operand and where it was used first and
 * last. */
static void use_again(struct ptog_tile_seen *seen, const struct ptog_tile *tile, const char *operand, uint32_t site)
{
    uint64_t reach = reach_of(tile);
    if (reach > seen->reach)
        seen->reach = reach;
    if (seen->first == 0) { /* preset, and now used by an instruction */
        seen->first = site;
        seen->operand = operand;
    }
    seen->last = site;
    seen->uses += site > 0;
}

uint32_t ptog_names_tile(struct ptog_names *names, const struct ptog_tile *tile, const char *operand, uint32_t site)
{
    uint64_t bytes = (uint64_t)ptog_tile_bytes(tile);
    uint32_t hash = tile_hash(tile->addr, bytes);
    const struct ptog_index_slot *slot = ptog_index_first(&names->tile_index, hash);
    for (; slot; slot = ptog_index_next(&names->tile_index, slot)) {
        struct ptog_tile_seen *seen = &names->tiles[slot->number - 1];
        if (seen->addr == tile->addr && seen->bytes == bytes) {
            use_again(seen, tile, operand, site);
            return slot->number;
        }
    }
    if (!ptog_array_reserve(&names->tiles, names->tile_count + 1, &names->tile_room) ||
        !ptog_index_add(&names->tile_index, hash, names->tile_count + 1))
        return 0;
    names->tiles[names->tile_count] = (struct ptog_tile_seen){.addr = tile->addr,
                                                              .bytes = bytes,
                                                              .reach = reach_of(tile),
                                                              .dtype = tile->dtype,
                                                              .rows = tile->rows,
                                                              .cols = tile->cols,
                                                              .operand = operand,
                                                              .first = site,
                                                              .last = site,
                                                              .uses = site > 0,
                                                              .is_static = tile->is_static,
                                                              .order = ptog_tile_order(tile),
                                                              .valid_row = tile->valid_row,
                                                              .valid_col = tile->valid_col};
    return ++names->tile_count;
}
