/* draw: TGATHER, its three forms.
 *   by index        dst[i,j] = flat(src)[idx[i,j]]
 *   by mask         the elements, or rows, of src that the pattern keeps, one after another
 *   by comparison   what the instruction wrote says which elements matched */
#include "model/tgather.h"

#include "draw/draw.h"
#include "model/tile.h"
#include "ref/lane.h"

/* ---- by index */

/* Tells the drawing which element the index at (r, c) leads to. */
static void index_lane(struct ptog_draw *draw, int64_t r, int64_t c)
{
    const struct ptog_target *target = draw->known->target;
    const struct ptog_tile *idx = ptog_tgather_idx(&draw->known->insn);
    bool zeroes = target->tile_oob == PTOG_TILE_OOB_ZERO;
    struct ptog_origin lane = {.to = PTOG_TGATHER_DST,
                               .r = r,
                               .c = c,
                               .from = -1,
                               .by = PTOG_TGATHER_IDX,
                               .by_r = r,
                               .by_c = c,
                               .state = PTOG_CELL_OUTSIDE};
    uint64_t index;
    if (ptog_lane_index(draw->run.idx, (uint64_t)ptog_tile_offset(idx, r, c), idx->dtype, zeroes, &index)) {
        if (ptog_plane_find(&draw->planes[PTOG_TGATHER_SRC], index, &lane.from_r, &lane.from_c)) {
            lane.from = PTOG_TGATHER_SRC;
            lane.state = PTOG_CELL_WRITTEN;
        } else if (zeroes) {
            lane.state = PTOG_CELL_ZEROED;
        }
    }
    ptog_draw_lane(draw, &lane);
}

static void by_index(struct ptog_draw *draw)
{
    const struct ptog_tile *dst = ptog_tgather_dst(&draw->known->insn);
    for (int64_t r = 0; r < dst->valid_row; r++)
        for (int64_t c = 0; c < dst->valid_col; c++)
            index_lane(draw, r, c);
}

/* ---- by mask */

/* Tells the drawing that element (r, c) of src goes to place `to` of dst. */
static void mask_lane(struct ptog_draw *draw, int64_t r, int64_t c, int64_t to)
{
    struct ptog_origin lane = {.to = PTOG_TGATHER_DST,
                               .from = PTOG_TGATHER_SRC,
                               .from_r = r,
                               .from_c = c,
                               .by = -1,
                               .state = PTOG_CELL_WRITTEN};
    if (ptog_plane_find(&draw->planes[PTOG_TGATHER_DST], (uint64_t)to, &lane.r, &lane.c))
        ptog_draw_lane(draw, &lane);
}

/* Tells the drawing which elements a mask keeps. */
static void by_mask(struct ptog_draw *draw)
{
    const struct ptog_insn *op = &draw->known->insn;
    const struct ptog_tile *src = ptog_tgather_src(op);
    struct ptog_kept kept = {0, 1};
    ptog_pattern_kept(ptog_tgather_pattern(op), &kept);
    struct ptog_kept rows = {0, 1}, cols = kept;
    bool by_row = ptog_tgather_axis(op) == PTOG_AXIS_COL;
    if (by_row) {
        rows = kept;
        cols = (struct ptog_kept){0, 1};
    }
    for (int64_t r = rows.first, k = 0; r < src->valid_row; r += rows.step, k++) {
        int64_t to = k * ptog_tgather_dst(op)->cols;
        if (!by_row)
            to = ptog_mask_row_start(draw->known->target, op, r);
        for (int64_t c = cols.first; c < src->valid_col; c += cols.step)
            mask_lane(draw, r, c, to++);
    }
}

/* ---- by comparison */

/* How many elements of row r compare true, read from the result; *lane gets where that count stands. */
static uint64_t count_of(const struct ptog_draw *draw, int64_t r, struct ptog_origin *lane)
{
    const struct ptog_tile *cdst = ptog_tgather_cdst(&draw->known->insn);
    uint64_t at = (uint64_t)ptog_tile_list_offset(cdst, r), count = 0;
    ptog_lane_read((struct ptog_cbuf){draw->run.cdst.data, draw->run.cdst.bytes}, at, 4, &count);
    ptog_plane_find(&draw->planes[PTOG_TGATHER_CDST], at, &lane->r, &lane->c);
    return count;
}

/* Makes *lane the n-th match of row r, from its position, which stands in dst. */
static void match_lane(struct ptog_draw *draw, int64_t r, int64_t n, struct ptog_origin *lane)
{
    const struct ptog_insn *op = &draw->known->insn;
    uint64_t at = (uint64_t)(r * ptog_tgather_dst(op)->cols + n);
    uint32_t position = 0;
    ptog_lane_read((struct ptog_cbuf){draw->run.dst.data, draw->run.dst.bytes}, at, 4, &position);
    lane->to = PTOG_TGATHER_DST;
    lane->r = r;
    lane->c = n;
    lane->from_r = r;
    lane->from_c = (int64_t)(position - ptog_compare_position(draw->known->target, op, r, 0));
    lane->from = lane->from_c >= 0 && lane->from_c < ptog_tgather_src(op)->cols ? PTOG_TGATHER_SRC : -1;
    ptog_draw_lane(draw, lane);
}

/* Tells the drawing which positions of a comparison are written, and the counts. */
static void by_compare(struct ptog_draw *draw)
{
    const struct ptog_insn *op = &draw->known->insn;
    const struct ptog_tile *src = ptog_tgather_src(op), *k = ptog_tgather_k(op);
    bool one = ptog_tgather_k_is_scalar(op) || ptog_tile_is_list(k, 1);
    for (int64_t r = 0; r < src->valid_row; r++) {
        struct ptog_origin lane = {
            .to = PTOG_TGATHER_CDST, .from = -1, .by = PTOG_TGATHER_K, .state = PTOG_CELL_WRITTEN};
        if (!one)
            ptog_plane_find(&draw->planes[PTOG_TGATHER_K], (uint64_t)ptog_tile_list_offset(k, r), &lane.by_r,
                            &lane.by_c);
        uint64_t count = count_of(draw, r, &lane);
        ptog_draw_lane(draw, &lane);
        for (uint64_t n = 0; n < count && n < (uint64_t)ptog_tgather_dst(op)->cols; n++)
            match_lane(draw, r, (int64_t)n, &lane);
    }
}

/* Tells the drawing where each element of tgather comes from. */
void ptog_draw_tgather(struct ptog_draw *draw)
{
    switch (draw->known->form) {
    case PTOG_FORM_MASK: by_mask(draw); break;
    case PTOG_FORM_COMPARE: by_compare(draw); break;
    default: by_index(draw);
    }
}
