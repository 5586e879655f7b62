/* model: TMRGSORT: its lists, and which pair comes next. */
#include "model/families/merges.h"

#include "base/pick.h"
#include "model/dtype.h"
#include "model/target.h"
#include "model/tile.h"

bool ptog_merge_is_runs(const struct ptog_insn *insn)
{
    return insn->of[PTOG_MERGE_LIST].kind == PTOG_IS_ABSENT;
}

bool ptog_merge_goes_through_tmp(const struct ptog_target *target, const struct ptog_insn *insn, int in)
{
    return target && !target->cpu_threads && !ptog_merge_is_runs(insn) && in >= PTOG_MERGE_LIST && in < PTOG_MERGE_TMP;
}

int64_t ptog_merge_block(const struct ptog_insn *insn)
{
    return (int64_t)insn->of[PTOG_MERGE_BLOCK].bits;
}

int64_t ptog_merge_groups(const struct ptog_insn *insn)
{
    int64_t block = ptog_merge_block(insn);
    if (!ptog_merge_is_runs(insn))
        return 1;
    if (block < 1 || block > INT64_MAX / PTOG_MERGE_WAYS)
        return 0;
    return insn->of[PTOG_MERGE_SRC].tile.valid_col / (PTOG_MERGE_WAYS * block);
}

static int64_t pair_elements(enum ptog_dtype dtype)
{
    return PTOG_PAIR_BYTES / (int64_t)ptog_dtype_size(dtype);
}

static int count_lists(const struct ptog_insn *insn)
{
    int count = 2;
    while (count < PTOG_MERGE_WAYS && insn->of[PTOG_MERGE_LIST + count].kind == PTOG_IS_TILE)
        count++;
    return count;
}

int64_t ptog_merge_elements(const struct ptog_insn *insn)
{
    int64_t sum = 0, pair = pair_elements(insn->of[PTOG_MERGE_DST].tile.dtype);
    for (int i = 0; i < count_lists(insn); i++)
        sum += insn->of[PTOG_MERGE_LIST + i].tile.valid_col / pair * pair;
    return sum;
}

/* Looks at the next pair of a list: where it is larger than the one before it, the list is not in order. */
static void look_ahead(const struct ptog_merge *m, struct ptog_merge_list *list, const struct ptog_tile_bytes *bytes)
{
    int64_t at = list->first + list->taken * m->pair, size = (int64_t)ptog_dtype_size(m->dtype), before = list->rank;
    uint64_t bits;
    if (list->taken == list->pairs)
        return;
    if (!bytes->get(bytes->where, list->operand, at * size, (size_t)size, &bits))
        ptog_bytes_note(bytes, PTOG_FAULT_SHORT_BUFFER, 0, at, 0);
    const struct ptog_pair pair = {.bits = bits};
    list->rank = ptog_pair_rank(m->dtype, bits);
    if (ptog_pair_is_nan(m->dtype, &pair) && bits != ptog_pair_pad(m->dtype))
        ptog_bytes_note(bytes, PTOG_FAULT_SORT_NAN, 0, at, (uint64_t)at);
    if (list->taken > 0 && list->rank > before)
        ptog_bytes_note(bytes, PTOG_FAULT_SORT_UNSORTED, 0, at, (uint64_t)(list - m->of));
}

void ptog_merge_start(struct ptog_merge *m, const struct ptog_known_insn *known, int64_t g,
                      const struct ptog_tile_bytes *bytes)
{
    const struct ptog_insn *insn = &known->insn;
    bool runs = ptog_merge_is_runs(insn);
    int64_t block = runs ? ptog_merge_block(insn) : 0;
    *m = (struct ptog_merge){.dtype = insn->of[PTOG_MERGE_DST].tile.dtype,
                             .count = runs ? PTOG_MERGE_WAYS : count_lists(insn),
                             .exhausted = !runs && insn->attr[PTOG_TMRGSORT_EXHAUSTED] != 0};
    m->pair = pair_elements(m->dtype);
    for (int i = 0; i < m->count; i++) {
        struct ptog_merge_list *list = &m->of[i];
        list->operand = runs ? PTOG_MERGE_SRC : PTOG_MERGE_LIST + i;
        list->first = runs ? (g * PTOG_MERGE_WAYS + i) * block : 0;
        list->pairs = (runs ? block : insn->of[list->operand].tile.valid_col) / m->pair;
        look_ahead(m, list, bytes);
    }
}

static bool is_used_up(const struct ptog_merge_list *list)
{
    return list->taken == list->pairs;
}

bool ptog_merge_take(struct ptog_merge *m, const struct ptog_tile_bytes *bytes, int *operand, int64_t *element)
{
    struct ptog_merge_list *best = NULL;
    for (int i = 0; i < m->count; i++) {
        struct ptog_merge_list *list = &m->of[i];
        if (is_used_up(list) && m->exhausted)
            return false;
        if (!is_used_up(list) && (!best || list->rank > best->rank))
            best = list;
    }
    if (!best)
        return false;
    *operand = best->operand;
    *element = best->first + best->taken++ * m->pair;
    look_ahead(m, best, bytes);
    return true;
}

uint64_t ptog_merge_counts(const struct ptog_merge *m)
{
    uint64_t counts = 0;
    for (int i = 0; i < m->count; i++)
        counts |= ((uint64_t)m->of[i].taken & 0xffff) << (16 * i);
    return counts;
}

bool ptog_merge_tells(const struct ptog_known_insn *known)
{
    return !ptog_merge_is_runs(&known->insn) &&
           (known->target->cpu_threads || known->insn.attr[PTOG_TMRGSORT_EXHAUSTED] != 0);
}

int64_t ptog_merge_copied(const struct ptog_known_insn *known)
{
    const struct ptog_tile *dst = &known->insn.of[PTOG_MERGE_DST].tile;
    int64_t block = ptog_c0(dst->dtype), pair = pair_elements(dst->dtype);
    if (known->target->cpu_threads)
        return dst->valid_col / pair * pair;
    return ptog_min((dst->valid_col + block - 1) / block * block, dst->cols);
}
