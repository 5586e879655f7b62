/* draw: sorts.   A pair of dst comes from a number of src and its index, or from a pair of a list that is merged */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/families/sorts.h"

#include "draw/draw.h"
#include "model/families/merges.h"
#include "ref/tile_bytes.h"

static bool find_number(const void *where, int64_t r, int64_t c, uint64_t *bits)
{
    const struct ptog_draw *draw = where;
    return ptog_plane_bits(&draw->planes[PTOG_SORT_SRC], r, c, bits);
}

static bool find_pair_index(const void *where, int64_t r, int64_t c, uint64_t *bits)
{
    const struct ptog_draw *draw = where;
    int64_t row = ptog_sort32_index_row(&draw->known->insn, r);
    return ptog_plane_bits(&draw->planes[PTOG_SORT_IDX], row, c, bits);
}

/* Tells the drawing where the elements of a pair at column `c` of dst come from: what is filled in, the pad and the 0
 * of f16, comes from nowhere. */
static void draw_pair(struct ptog_draw *draw, const struct ptog_sort32 *s, int64_t r, int64_t c,
                      const struct ptog_pair *pair)
{
    for (int64_t e = 0; e < s->pair; e++) {
        bool is_index = e >= s->pair / 2;
        struct ptog_origin lane = {.to = PTOG_SORT_DST, .r = r, .c = c + e, .by = -1, .state = PTOG_CELL_WRITTEN};
        lane.from = is_index ? PTOG_SORT_IDX : PTOG_SORT_SRC;
        lane.from_r = is_index ? ptog_sort32_index_row(&draw->known->insn, r) : r;
        lane.from_c = pair->column;
        if (is_index || (e == 0 && pair->column < s->cols))
            ptog_draw_lane(draw, &lane);
    }
}

/* Tells the drawing where pair number `n` of the result comes from. */
static void draw_merged(struct ptog_draw *draw, const struct ptog_merge *m, int64_t n, int operand, int64_t element)
{
    struct ptog_origin lane = {.to = PTOG_MERGE_DST, .from = operand, .by = -1, .state = PTOG_CELL_WRITTEN};
    for (int64_t e = 0; e < m->pair; e++) {
        lane.c = n * m->pair + e;
        lane.from_c = element + e;
        if (lane.c < draw->known->insn.of[PTOG_MERGE_DST].tile.cols)
            ptog_draw_lane(draw, &lane);
    }
}

/* Tells the drawing which list each pair of a merge comes from. */
static void draw_merges(struct ptog_draw *draw)
{
    struct ptog_ref_tiles tiles = {draw->known, &draw->run};
    const struct ptog_tile_bytes bytes = ptog_ref_bytes(&tiles, NULL);
    int64_t n = 0, element;
    struct ptog_merge m;
    int operand;
    for (int64_t g = 0; g < ptog_merge_groups(&draw->known->insn); g++) {
        ptog_merge_start(&m, draw->known, g, &bytes);
        while (ptog_merge_take(&m, &bytes, &operand, &element))
            draw_merged(draw, &m, n++, operand, element);
    }
}

/* Tells the drawing where each sorted pair comes from. */
void ptog_draw_sorts(struct ptog_draw *draw)
{
    if (draw->known->insn.opcode == PTOG_TMRGSORT) {
        draw_merges(draw);
        return;
    }
    const struct ptog_pair_source source = {find_number, find_pair_index, draw};
    struct ptog_pair pairs[PTOG_SORT_GROUP];
    struct ptog_sort32 s;
    bool readable;
    ptog_sort32_start(&s, draw->known);
    for (int64_t r = 0; r < s.rows; r++)
        for (int64_t g = 0; g < s.groups; g++)
            for (int k = 0, count = ptog_sort32_group(&s, &source, r, g, pairs, &readable); k < count; k++)
                draw_pair(draw, &s, r, ptog_sort32_place(&s, g, k), &pairs[k]);
}
