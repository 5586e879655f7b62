/* repair: results of runs, by the changes they were made with. */
#include "repair/try_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/diag.h"

#define MAX_RESULTS 2048u
#define MAX_FINDINGS 8192u /* in all reports: a few megabytes */

bool ptog_diags_copy(ptog_diags *to, const ptog_diags *from)
{
    bool good = true;
    for (size_t i = 0; i < ptog_diags_count(from) && good; i++)
        good = ptog_diags_add(to, ptog_diags_at(from, i));
    return good;
}

/* ---- keys */

/* Appends numbers to the key. False when out of memory. */
static bool add_words(struct ptog_try_cache *cache, const uint32_t *words, size_t count)
{
    if (!ptog_array_reserve(&cache->key, cache->key_count + count, &cache->key_room))
        return false;
    memcpy(&cache->key[cache->key_count], words, count * sizeof *words);
    cache->key_count += count;
    return true;
}

/* A line as one number. */
static uint32_t word_of(const struct ptog_sync *sync)
{
    return (uint32_t)sync->src | (uint32_t)sync->dst << 8 | (uint32_t)sync->id << 16 | (uint32_t)sync->part << 24;
}

/* Appends to the key of a run what was changed at one operation; nothing where nothing was. False when out of memory.
 */
static bool add_op(struct ptog_try_cache *cache, const struct ptog_added *added, uint32_t op)
{
    const struct ptog_lines *before = &added->before[op], *after = &added->after[op];
    const struct ptog_edit *edit = &added->edits[op];
    uint32_t head[] = {op, before->count, after->count, edit->kind,
                       edit->kind == PTOG_EDIT_REPLACE ? word_of(&edit->sync) : 0};
    bool good = true;
    if (before->count + after->count == 0 && edit->kind == PTOG_EDIT_NONE)
        return true;
    good = add_words(cache, head, sizeof head / sizeof *head);
    for (uint32_t i = 0; i < before->count && good; i++)
        good = add_words(cache, &(uint32_t){word_of(&before->of[i])}, 1);
    for (uint32_t i = 0; i < after->count && good; i++)
        good = add_words(cache, &(uint32_t){word_of(&after->of[i])}, 1);
    return good;
}

/* Writes the key of a trial: what is run, and every change of it. False when out of memory: then the key is empty. */
static bool write_key(struct ptog_try_cache *cache, const struct ptog_trial *trial, uint32_t subject)
{
    uint32_t head[] = {subject, trial->without_op, trial->without_line};
    cache->key_count = 0;
    bool good = add_words(cache, head, sizeof head / sizeof *head);
    for (uint32_t op = 0; op < trial->added->op_count && good; op++)
        good = add_op(cache, trial->added, op);
    if (!good)
        cache->key_count = 0;
    return good;
}

/* ---- results */

/* The kept result whose key is the one that was written last; NULL when there is none. */
static struct ptog_try_result *find_result(struct ptog_try_cache *cache)
{
    size_t bytes = cache->key_count * sizeof *cache->key;
    uint32_t hash = ptog_hash_bytes(cache->key, bytes);
    for (const struct ptog_index_slot *s = ptog_index_first(&cache->index, hash); s;
         s = ptog_index_next(&cache->index, s)) {
        struct ptog_try_result *result = &cache->of[s->number - 1];
        if (result->key_count == cache->key_count && memcmp(result->key, cache->key, bytes) == 0)
            return result;
    }
    return NULL;
}

const struct ptog_try_result *ptog_try_cache_find(struct ptog_try_cache *cache, const struct ptog_trial *trial,
                                                  uint32_t subject)
{
    const struct ptog_try_result *result = write_key(cache, trial, subject) ? find_result(cache) : NULL;
    bool stops = result && trial->stops && result->faults > trial->tolerated;
    return result && (stops || !result->found) ? result : NULL;
}

/* A new result with the key of the run in question, and nothing else; NULL: there is no room. */
static struct ptog_try_result *add_result(struct ptog_try_cache *cache)
{
    size_t bytes = cache->key_count * sizeof *cache->key;
    if (cache->count == MAX_RESULTS || !ptog_array_reserve(&cache->of, cache->count + 1, &cache->room))
        return NULL;
    uint32_t *key = malloc(bytes);
    if (!key || !ptog_index_add(&cache->index, ptog_hash_bytes(cache->key, bytes), cache->count + 1)) {
        free(key);
        return NULL;
    }
    memcpy(key, cache->key, bytes);
    cache->of[cache->count] = (struct ptog_try_result){.key = key, .key_count = cache->key_count};
    return &cache->of[cache->count++];
}

/* A copy of a report to be kept; NULL when too many are kept, or when out of memory. */
static ptog_diags *copy_report(struct ptog_try_cache *cache, const ptog_diags *report)
{
    ptog_diags *copy = cache->findings + ptog_diags_count(report) <= MAX_FINDINGS ? ptog_diags_new() : NULL;
    if (copy && !ptog_diags_copy(copy, report)) {
        ptog_diags_free(copy);
        return NULL;
    }
    cache->findings += ptog_diags_count(copy);
    return copy;
}

void ptog_try_cache_keep(struct ptog_try_cache *cache, const struct ptog_try_result *result, const ptog_diags *report)
{
    struct ptog_try_result *kept = cache->key_count > 0 ? find_result(cache) : NULL;
    if (!kept && cache->key_count > 0)
        kept = add_result(cache);
    if (!kept)
        return;
    kept->faults = result->faults;
    kept->found = result->found;
    kept->refused = result->refused;
    kept->same = result->same;
    if (report && !kept->report)
        kept->report = copy_report(cache, report);
}

/* Frees the reports and keys of all trials. */
void ptog_try_cache_close(struct ptog_try_cache *cache)
{
    for (uint32_t i = 0; i < cache->count; i++) {
        ptog_diags_free(cache->of[i].report);
        free(cache->of[i].key);
    }
    free(cache->of);
    free(cache->key);
    ptog_index_free(&cache->index);
    *cache = (struct ptog_try_cache){0};
}
