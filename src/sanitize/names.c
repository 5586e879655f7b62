/* sanitize: numbers for sites and tiles. */
#include "sanitize/names.h"

#include <stdlib.h>
#include <string.h>

#include "model/tile.h"

#define FIRST_BUCKETS 64u

void ptog_names_free(struct ptog_names *names)
{
    ptog_arena_free(&names->arena);
    free(names->sites);
    free(names->tiles);
    free(names->buckets);
    free(names->tile_buckets);
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

static uint32_t hash_of(const struct ptog_where *where, const char *name)
{
    uint32_t h = 2166136261u ^ where->line * 16777619u ^ where->column * 2654435761u;
    for (const char *p = where->file; p && *p; p++)
        h = (h ^ (unsigned char)*p) * 16777619u;
    for (const char *p = name; *p; p++)
        h = (h ^ (unsigned char)*p) * 16777619u;
    return h;
}

/* Room for one more of `size` bytes; the array may move. */
static bool grow(void **array, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return true;
    uint32_t more = *room ? *room * 2 : 32;
    void *grown = more > *room ? realloc(*array, more * size) : NULL;
    if (!grown)
        return false;
    *array = grown;
    *room = more;
    return true;
}

static bool is_site(const struct ptog_site *site, const struct ptog_where *where, const char *name)
{
    return site->where.line == where->line && site->where.column == where->column && same_text(site->name, name) &&
           same_text(site->where.file, where->file);
}

/* Twice as many buckets, filled again. */
static bool rehash_sites(struct ptog_names *names)
{
    uint32_t count = names->bucket_count ? names->bucket_count * 2 : FIRST_BUCKETS;
    uint32_t *buckets = calloc(count, sizeof *buckets);
    if (!buckets)
        return false;
    for (uint32_t i = 0; i < names->site_count; i++) {
        uint32_t b = hash_of(&names->sites[i].where, names->sites[i].name) % count;
        while (buckets[b])
            b = (b + 1) % count;
        buckets[b] = i + 1;
    }
    free(names->buckets);
    names->buckets = buckets;
    names->bucket_count = count;
    return true;
}

static bool copy(struct ptog_names *names, const char **text)
{
    if (*text)
        *text = ptog_arena_copy(&names->arena, *text, strlen(*text));
    return *text != NULL;
}

uint32_t ptog_names_site(struct ptog_names *names, const struct ptog_where *where, const char *name)
{
    if (names->site_count * 2 >= names->bucket_count && !rehash_sites(names))
        return 0;
    uint32_t b = hash_of(where, name) % names->bucket_count;
    for (; names->buckets[b]; b = (b + 1) % names->bucket_count)
        if (is_site(&names->sites[names->buckets[b] - 1], where, name)) {
            names->sites[names->buckets[b] - 1].runs++;
            return names->buckets[b];
        }
    if (!grow((void **)&names->sites, names->site_count, &names->site_room, sizeof *names->sites))
        return 0;
    struct ptog_site site = {*where, name, 1};
    if ((where->file && !copy(names, &site.where.file)) || (where->text && !copy(names, &site.where.text)))
        return 0;
    names->sites[names->site_count] = site;
    return names->buckets[b] = ++names->site_count;
}

static uint32_t tile_hash(uint64_t addr, uint64_t bytes)
{
    return (uint32_t)((addr * 0x9E3779B97F4A7C15u ^ bytes * 0xC2B2AE3D27D4EB4Fu) >> 32);
}

static bool rehash_tiles(struct ptog_names *names)
{
    uint32_t count = names->tile_bucket_count ? names->tile_bucket_count * 2 : FIRST_BUCKETS;
    uint32_t *buckets = calloc(count, sizeof *buckets);
    if (!buckets)
        return false;
    for (uint32_t i = 0; i < names->tile_count; i++) {
        uint32_t b = tile_hash(names->tiles[i].addr, names->tiles[i].bytes) % count;
        while (buckets[b])
            b = (b + 1) % count;
        buckets[b] = i + 1;
    }
    free(names->tile_buckets);
    names->tile_buckets = buckets;
    names->tile_bucket_count = count;
    return true;
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

uint32_t ptog_names_tile(struct ptog_names *names, const struct ptog_tile *tile, const char *operand, uint32_t site)
{
    uint64_t bytes = (uint64_t)ptog_tile_bytes(tile);
    if (names->tile_count * 2 >= names->tile_bucket_count && !rehash_tiles(names))
        return 0;
    uint32_t b = tile_hash(tile->addr, bytes) % names->tile_bucket_count;
    for (; names->tile_buckets[b]; b = (b + 1) % names->tile_bucket_count) {
        struct ptog_tile_seen *seen = &names->tiles[names->tile_buckets[b] - 1];
        if (seen->addr == tile->addr && seen->bytes == bytes) {
            uint64_t reach = reach_of(tile);
            seen->reach = reach > seen->reach ? reach : seen->reach;
            if (seen->first == 0) { /* preset, and now used by an instruction */
                seen->first = site;
                seen->operand = operand;
            }
            seen->last = site;
            seen->uses += site > 0;
            return names->tile_buckets[b];
        }
    }
    if (!grow((void **)&names->tiles, names->tile_count, &names->tile_room, sizeof *names->tiles))
        return 0;
    names->tiles[names->tile_count] = (struct ptog_tile_seen){
        tile->addr, bytes, reach_of(tile), tile->dtype, tile->rows, tile->cols, operand, site, site, 0, site > 0};
    return names->tile_buckets[b] = ++names->tile_count;
}
