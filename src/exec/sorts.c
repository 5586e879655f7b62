/* exec: TSORT32 where tiles lie in plain order and no number is a NaN: the place of a pair in a group of 32 is the
 * number of pairs that come before it, which is counted for all of them at once. A NaN is for the reference loop to
 * name: it then does all of it again. And how TSORT32 and TMRGSORT come here. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "exec/merges.h"

#include <string.h>

#include "model/buffers.h"
#include "model/families/merges.h"
#include "model/tile.h"
#include "ref/ref.h"

/* ---- groups */

#define QUADS (PTOG_SORT_GROUP / 4)
typedef int32_t quad __attribute__((vector_size(16)));

/* How many pairs come before each: those with a larger key, and earlier ones with an equal key. */
static void count_before(const quad key[QUADS], quad before[QUADS])
{
    quad lower[QUADS]; /* what a key has to exceed to be no smaller */
    for (int q = 0; q < QUADS; q++) {
        lower[q] = key[q] - 1;
        before[q] = (quad){0};
    }
    for (int i = 0; i < PTOG_SORT_GROUP; i++) {
        int own = i / 4, lane = i % 4;
        quad one = (quad){0} + key[own][lane];
        quad is_earlier = (quad){0, 1, 2, 3} > lane; /* than those of its own four: -1 */
        for (int q = 0; q < own; q++)
            before[q] -= one > key[q];
        before[own] -= one > key[own] + is_earlier;
        for (int q = own + 1; q < QUADS; q++)
            before[q] -= one > lower[q];
    }
}

/* The numbers of a group as integers in the same order. False when there is a NaN among them. */
static inline bool find_keys(const quad bits[QUADS], quad key[QUADS], bool is_half)
{
    quad is_bad = {0}, infinity = (quad){0} + (is_half ? 0x7c000000 : 0x7f800000);
    for (int q = 0; q < QUADS; q++) {
        quad size = bits[q] & 0x7fffffff, sign = bits[q] >> 31;
        key[q] = (size ^ sign) - sign;
        is_bad |= size > infinity;
    }
    return !(is_bad[0] | is_bad[1] | is_bad[2] | is_bad[3]);
}

/* Sorts one group. False when there is a NaN in it. */
static inline bool sort_group(const unsigned char *src, const unsigned char *idx, unsigned char *dst, bool is_half)
{
    uint32_t number[PTOG_SORT_GROUP];
    int32_t place[PTOG_SORT_GROUP];
    quad bits[QUADS], key[QUADS], before[QUADS];
    for (int k = 0; k < PTOG_SORT_GROUP && is_half; k++) {
        uint16_t half;
        memcpy(&half, src + 2 * k, sizeof half);
        number[k] = (uint32_t)half << 16;
    }
    memcpy(bits, is_half ? (const unsigned char *)number : src, sizeof bits);
    if (!find_keys(bits, key, is_half))
        return false;
    count_before(key, before);
    memcpy(number, bits, sizeof number);
    memcpy(place, before, sizeof place);
    for (int k = 0; k < PTOG_SORT_GROUP; k++) {
        uint32_t index;
        memcpy(&index, idx + 4 * k, sizeof index);
        uint64_t pair = (is_half ? number[k] >> 16 : number[k]) | (uint64_t)index << 32;
        memcpy(dst + place[k] * PTOG_PAIR_BYTES, &pair, sizeof pair);
    }
    return true;
}

/* Sorts the groups of all rows; false where a number is NaN. */
static bool sort_rows(const struct ptog_exec *x, const struct ptog_run *run)
{
    const struct ptog_insn *insn = &x->known->insn;
    const struct ptog_tile *dst = &insn->of[PTOG_SORT_DST].tile, *src = &insn->of[PTOG_SORT_SRC].tile,
                           *idx = &insn->of[PTOG_SORT_IDX].tile;
    bool is_half = src->dtype == PTOG_F16;
    int64_t size = is_half ? 2 : 4;
    struct ptog_sort32 s;
    ptog_sort32_start(&s, x->known);
    for (int64_t r = 0; r < s.rows; r++) {
        const unsigned char *from = (const unsigned char *)run->src.data + r * src->cols * size;
        const unsigned char *ids =
            (const unsigned char *)run->idx.data + ptog_sort32_index_row(insn, r) * idx->cols * 4;
        unsigned char *to = (unsigned char *)run->dst.data + r * dst->cols * size;
        for (int64_t c = 0; c < s.cols; c += PTOG_SORT_GROUP)
            if (!(is_half ? sort_group(from + 2 * c, ids + 4 * c, to + 8 * c, true)
                          : sort_group(from + 4 * c, ids + 4 * c, to + 8 * c, false)))
                return false;
    }
    return true;
}

/* ---- the family */

/* Whether elements lie row after row. */
static bool is_plain_tile(const struct ptog_tile *tile)
{
    return ptog_tile_order(tile) == PTOG_ORDER_ROW;
}

/* The CPU simulator has groups, and an order of equal numbers, of its own; a merge that ends early is rare. */
static bool has_loop(const struct ptog_known_insn *known)
{
    const struct ptog_insn *insn = &known->insn;
    bool plain = !known->target->cpu_threads;
    for (int i = 0; i < insn->count; i++)
        if (insn->of[i].kind == PTOG_IS_TILE)
            plain = plain && is_plain_tile(&insn->of[i].tile);
    if (known->form == PTOG_FORM_SORT_32)
        return plain && insn->of[PTOG_SORT_SRC].tile.valid_col % PTOG_SORT_GROUP == 0;
    return plain && (ptog_merge_is_runs(insn) || insn->attr[PTOG_TMRGSORT_EXHAUSTED] == 0);
}

/* What runs of a sort need that the instruction decides. */
static struct ptog_ready ready_to_sort(const struct ptog_known_insn *known)
{
    const struct ptog_insn *insn = &known->insn;
    struct ptog_ready ready = {.fast = has_loop(known)};
    if (known->form != PTOG_FORM_SORT_32 && known->form != PTOG_FORM_MERGE_RUNS)
        return ready;
    ready.dst_bytes = (uint64_t)ptog_tile_bytes(&insn->of[0].tile);
    ready.src_bytes = ready.src_span = (uint64_t)ptog_tile_bytes(&insn->of[1].tile);
    if (known->form == PTOG_FORM_SORT_32)
        ready.idx_bytes = (uint64_t)ptog_tile_bytes(&insn->of[PTOG_SORT_IDX].tile);
    return ready;
}

/* Whether dst lies over another operand, which is for the careful way to judge. */
static bool dst_is_over_another(const struct ptog_insn *insn, const struct ptog_run *run)
{
    struct ptog_bytes dst = {run->dst.data, (uint64_t)ptog_tile_bytes(&insn->of[0].tile)};
    for (int i = 1; i < insn->count; i++) {
        struct ptog_buf buffer = ptog_run_buffer(run, &ptog_insn_row(insn->opcode)->of[i]);
        if (insn->of[i].kind == PTOG_IS_TILE &&
            ptog_bytes_overlap(dst, (struct ptog_bytes){buffer.data, buffer.data ? buffer.bytes : 0}))
            return true;
    }
    return false;
}

/* Sorts or merges without checks; false where numbers are NaN, lists unsorted, or buffers do not fit. */
static bool sorts_fast(const struct ptog_exec *x, const struct ptog_run *run)
{
    const struct ptog_insn *insn = &x->known->insn;
    bool is_runs = x->known->form == PTOG_FORM_MERGE_RUNS;
    if (!x->ready->fast || dst_is_over_another(insn, run))
        return false;
    if (x->known->form == PTOG_FORM_SORT_32)
        return ptog_exec_covers(x->ready, run) && sort_rows(x, run);
    if (is_runs && !ptog_exec_covers(x->ready, run))
        return false;
    return ptog_exec_merge(x, run);
}

/* Runs the reference loop. */
static enum ptog_status sorts_checked(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault)
{
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_sorts = {ptog_exec_no_kernel, ready_to_sort, sorts_fast, sorts_checked};
