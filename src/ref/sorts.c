/* ref: sorts.   tsort32: each 32 pairs (src[r,c], idx[r,c]) of a row, in descending order of the numbers */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/families/sorts.h"

#include "model/fault.h"
#include "model/tile.h"
#include "ref/lane.h"
#include "ref/ref.h"

struct ref_sort {
    const struct ptog_insn *insn;
    const struct ptog_run *run;
};

static bool read_number(const void *where, int64_t r, int64_t c, uint64_t *bits)
{
    const struct ref_sort *sort = where;
    const struct ptog_tile *src = &sort->insn->of[PTOG_SORT_SRC].tile;
    *bits = 0;
    return ptog_lane_read(sort->run->src, (uint64_t)ptog_tile_offset(src, r, c), ptog_dtype_size(src->dtype), bits);
}

static bool read_pair_index(const void *where, int64_t r, int64_t c, uint64_t *bits)
{
    const struct ref_sort *sort = where;
    const struct ptog_tile *idx = &sort->insn->of[PTOG_SORT_IDX].tile;
    int64_t row = ptog_sort32_index_row(sort->insn, r);
    return ptog_lane_read(sort->run->idx, (uint64_t)ptog_tile_offset(idx, row, c), 4, bits);
}

/* Writes the sorted pairs of a group; false when the buffer of dst ends before. */
static bool write_group(const struct ref_sort *sort, const struct ptog_sort32 *s, int64_t r, int64_t g,
                        const struct ptog_pair *pairs, int count)
{
    const struct ptog_tile *dst = &sort->insn->of[PTOG_SORT_DST].tile;
    bool fits = true;
    for (int k = 0; k < count; k++)
        for (int64_t e = 0; e < s->pair; e++) {
            uint64_t bits = ptog_pair_element(s->dtype, &pairs[k], e);
            int64_t at = ptog_tile_offset(dst, r, ptog_sort32_place(s, g, k) + e);
            fits = ptog_lane_write(sort->run->dst, (uint64_t)at, ptog_dtype_size(s->dtype), &bits) && fits;
        }
    return fits;
}

/* Sorts group g of row r and writes its pairs; NaN and missing buffers are noted in *fault. */
static void ref_sort32(const struct ref_sort *sort, const struct ptog_sort32 *s, int64_t r, int64_t g,
                       struct ptog_fault *fault)
{
    const struct ptog_pair_source source = {read_number, read_pair_index, sort};
    struct ptog_pair pairs[PTOG_SORT_GROUP];
    bool readable = true;
    int count = ptog_sort32_group(s, &source, r, g, pairs, &readable);
    for (int k = 0; k < count; k++)
        if (pairs[k].column < s->cols && ptog_pair_is_nan(s->dtype, &pairs[k]))
            ptog_fault_note(fault, PTOG_FAULT_SORT_NAN, 1, r, ptog_sort32_place(s, g, k), (uint64_t)pairs[k].column);
    if (!write_group(sort, s, r, g, pairs, count) || !readable)
        ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, g * s->step, 0);
}

/* The meaning of tsort32, or of tmrgsort. */
enum ptog_status ptog_ref_sorts(const struct ptog_known_insn *known, const struct ptog_run *run,
                                struct ptog_fault *fault)
{
    const struct ref_sort sort = {&known->insn, run};
    struct ptog_sort32 s;
    if (known->insn.opcode == PTOG_TMRGSORT)
        return ptog_ref_merges(known, run, fault);
    ptog_sort32_start(&s, known);
    for (int64_t r = 0; r < s.rows; r++)
        for (int64_t g = 0; g < s.groups; g++)
            ref_sort32(&sort, &s, r, g, fault);
    return ptog_fault_sum(fault);
}
