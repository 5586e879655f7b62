/* exec: TMRGSORT of lists that are in order: four become two, and two become one. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "exec/merges.h"

#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "model/buffers.h"
#include "model/dtype.h"
#include "model/families/merges.h"

/* A pair in memory: the number in the lowest bits, the index in the highest 32. */
static inline uint64_t pair_at(const unsigned char *pairs, int64_t k)
{
    uint64_t pair;
    memcpy(&pair, pairs + k * PTOG_PAIR_BYTES, sizeof pair);
    return pair;
}

/* The number of a pair, as an integer in the same order. */
static inline int32_t key_of(uint64_t pair, bool is_half)
{
    uint32_t bits = is_half ? (uint32_t)pair << 16 : (uint32_t)pair;
    int32_t size = (int32_t)(bits & 0x7fffffff);
    return bits >> 31 ? -size : size;
}

/* Whether the key of a number is one of NaN. */
static inline bool is_nan_key(int32_t key, bool is_half)
{
    int32_t infinity = is_half ? 0x7c000000 : 0x7f800000;
    return key > infinity || key < -infinity;
}

struct sorted_list {
    const unsigned char *at;
    int64_t pairs;
};

/* Whether a list is in descending order, and without another NaN than those that sorts fill up with. */
static bool is_in_order(const struct sorted_list *list, enum ptog_dtype dtype)
{
    bool is_half = dtype == PTOG_F16, is_good = true;
    int32_t pad = key_of(ptog_pair_pad(dtype), is_half), before = INT32_MAX;
    for (int64_t k = 0; k < list->pairs; k++) {
        int32_t key = key_of(pair_at(list->at, k), is_half);
        is_good &= key <= before && (!is_nan_key(key, is_half) || key == pad);
        before = key;
    }
    return is_good;
}

/* From both ends at once, until they meet: with as many pairs in both lists, neither end runs out of one before. */
static inline void merge_equal(const unsigned char *a, const unsigned char *b, int64_t pairs, unsigned char *to,
                               bool is_half)
{
    int64_t i = 0, j = 0, last_i = pairs - 1, last_j = pairs - 1;
    unsigned char *end = to + 2 * pairs * PTOG_PAIR_BYTES;
    for (int64_t k = 0; k < pairs; k++) {
        uint64_t one = pair_at(a, i), other = pair_at(b, j), high = pair_at(a, last_i), low = pair_at(b, last_j);
        bool is_other = key_of(other, is_half) > key_of(one, is_half);
        bool is_high = key_of(low, is_half) > key_of(high, is_half);
        uint64_t next = is_other ? other : one, previous = is_high ? high : low;
        memcpy(to + k * PTOG_PAIR_BYTES, &next, sizeof next);
        end -= PTOG_PAIR_BYTES;
        memcpy(end, &previous, sizeof previous);
        j += is_other;
        i += !is_other;
        last_i -= is_high;
        last_j -= !is_high;
    }
}

/* Merges two sorted lists of pairs into `to`; of equal numbers those of the first list come first. */
static inline void merge_unequal(const struct sorted_list *a, const struct sorted_list *b, unsigned char *to,
                                 bool is_half)
{
    int64_t i = 0, j = 0;
    while (i < a->pairs && j < b->pairs) {
        uint64_t one = pair_at(a->at, i), other = pair_at(b->at, j);
        bool is_other = key_of(other, is_half) > key_of(one, is_half);
        uint64_t next = is_other ? other : one;
        memcpy(to, &next, sizeof next);
        to += PTOG_PAIR_BYTES;
        j += is_other;
        i += !is_other;
    }
    memcpy(to, a->at + i * PTOG_PAIR_BYTES, (size_t)((a->pairs - i) * PTOG_PAIR_BYTES));
    to += (a->pairs - i) * PTOG_PAIR_BYTES;
    memcpy(to, b->at + j * PTOG_PAIR_BYTES, (size_t)((b->pairs - j) * PTOG_PAIR_BYTES));
}

/* Merges two lists into one at `to`, and returns it; of equal numbers those of `a` come first. */
static struct sorted_list merge_two(struct sorted_list a, struct sorted_list b, unsigned char *to,
                                    enum ptog_dtype dtype)
{
    bool is_half = dtype == PTOG_F16;
    if (a.pairs == b.pairs && is_half)
        merge_equal(a.at, b.at, a.pairs, to, true);
    else if (a.pairs == b.pairs)
        merge_equal(a.at, b.at, a.pairs, to, false);
    else
        merge_unequal(&a, &b, to, is_half);
    return (struct sorted_list){to, a.pairs + b.pairs};
}

/* Two to four lists become one; `room` is as large as all of them. */
static void merge_all(const struct sorted_list *lists, int count, unsigned char *room, unsigned char *to,
                      enum ptog_dtype dtype)
{
    struct sorted_list first = merge_two(lists[0], lists[1], count == 2 ? to : room, dtype), rest;
    if (count == 2)
        return;
    rest = lists[2];
    if (count == 4)
        rest = merge_two(lists[2], lists[3], room + first.pairs * PTOG_PAIR_BYTES, dtype);
    merge_two(first, rest, to, dtype);
}

/* Whether all lists are sorted, without NaN. */
static bool are_in_order(const struct sorted_list *lists, int count, enum ptog_dtype dtype)
{
    bool is_good = true;
    for (int i = 0; i < count; i++)
        is_good = is_good && is_in_order(&lists[i], dtype);
    return is_good;
}

/* Merges each group of four runs of the source into dst. False, and dst is not complete, when a run is not sorted. */
static bool merge_runs(const struct ptog_exec *x, const struct ptog_run *run, unsigned char *room)
{
    const struct ptog_insn *insn = &x->known->insn;
    enum ptog_dtype dtype = insn->of[PTOG_MERGE_DST].tile.dtype;
    int64_t bytes = ptog_merge_block(insn) * (int64_t)ptog_dtype_size(dtype), groups = ptog_merge_groups(insn);
    for (int64_t g = 0; g < groups; g++) {
        struct sorted_list lists[PTOG_MERGE_WAYS];
        int64_t at = g * PTOG_MERGE_WAYS * bytes;
        for (int i = 0; i < PTOG_MERGE_WAYS; i++)
            lists[i] =
                (struct sorted_list){(const unsigned char *)run->src.data + at + i * bytes, bytes / PTOG_PAIR_BYTES};
        if (!are_in_order(lists, PTOG_MERGE_WAYS, dtype))
            return false;
        merge_all(lists, PTOG_MERGE_WAYS, room, (unsigned char *)run->dst.data + at, dtype);
    }
    return true;
}

/* How many lists the form merges. */
static int count_lists(enum ptog_form form)
{
    if (form == PTOG_FORM_MERGE_2)
        return 2;
    return form == PTOG_FORM_MERGE_3 ? 3 : 4;
}

/* Merges the lists into the second half of `room`, and copies them from there to dst, which may lie over a list.
 * False: a list is not in order, and the reference does it. */
static bool merge_lists(const struct ptog_exec *x, const struct ptog_run *run, unsigned char *room)
{
    const struct ptog_insn *insn = &x->known->insn;
    enum ptog_dtype dtype = insn->of[PTOG_MERGE_DST].tile.dtype;
    int64_t size = (int64_t)ptog_dtype_size(dtype), all = ptog_merge_elements(insn) * size;
    int64_t copied = ptog_min(ptog_merge_copied(x->known) * size, all);
    int count = count_lists(x->known->form);
    struct sorted_list lists[PTOG_MERGE_WAYS];
    for (int i = 0; i < count; i++) {
        struct ptog_buf buffer = ptog_run_buffer(run, &ptog_insn_row(insn->opcode)->of[PTOG_MERGE_LIST + i]);
        lists[i] =
            (struct sorted_list){buffer.data, insn->of[PTOG_MERGE_LIST + i].tile.valid_col * size / PTOG_PAIR_BYTES};
        if (!buffer.data || buffer.bytes < (uint64_t)(lists[i].pairs * PTOG_PAIR_BYTES))
            return false;
    }
    if (run->dst.bytes < (uint64_t)copied || !run->dst.data || !are_in_order(lists, count, dtype))
        return false;
    merge_all(lists, count, room, room + all, dtype);
    memcpy(run->dst.data, room + all, (size_t)copied);
    return true;
}

bool ptog_exec_merge(const struct ptog_exec *x, const struct ptog_run *run)
{
    const struct ptog_insn *insn = &x->known->insn;
    bool is_runs = x->known->form == PTOG_FORM_MERGE_RUNS;
    int64_t elements = is_runs ? PTOG_MERGE_WAYS * ptog_merge_block(insn) : 2 * ptog_merge_elements(insn);
    unsigned char *room = malloc((size_t)elements * ptog_dtype_size(insn->of[PTOG_MERGE_DST].tile.dtype) + 1);
    bool done = room && (is_runs ? merge_runs(x, run, room) : merge_lists(x, run, room));
    free(room);
    return done;
}
