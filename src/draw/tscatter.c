/* draw: TSCATTER.   by index: flat(dst)[idx[i,j]] = src[i,j]      by mask: what the pattern keeps of dst = src */
#include "model/families/tscatter.h"

#include "draw/draw.h"
#include "model/tile.h"
#include "ref/lane.h"

/* Tells the drawing where element (i, j) goes by its index. */
static void index_arrow(struct ptog_draw *draw, int64_t i, int64_t j)
{
    const struct ptog_tile *idx = &draw->known->insn.of[PTOG_TSCATTER_IDX].tile;
    struct ptog_origin lane = {.to = PTOG_TSCATTER_DST,
                               .from = PTOG_TSCATTER_SRC,
                               .from_r = i,
                               .from_c = j,
                               .by = PTOG_TSCATTER_IDX,
                               .by_r = i,
                               .by_c = j,
                               .state = PTOG_CELL_WRITTEN};
    uint64_t bits;
    if (!ptog_lane_index(draw->run.idx, (uint64_t)ptog_tile_offset(idx, i, j), idx->dtype, false, &bits))
        return;
    int64_t index = ptog_tscatter_index(draw->known, bits);
    if (index >= 0 && ptog_plane_find(&draw->planes[PTOG_TSCATTER_DST], (uint64_t)index, &lane.r, &lane.c))
        ptog_draw_lane(draw, &lane);
}

/* Tells the drawing where element (i, j) goes by the pattern. */
static void mask_arrow(struct ptog_draw *draw, int64_t i, int64_t j)
{
    struct ptog_origin lane = {
        .to = PTOG_TSCATTER_DST, .from = PTOG_TSCATTER_SRC, .by = -1, .state = PTOG_CELL_WRITTEN};
    int64_t to, from;
    bool wraps;
    ptog_tscatter_places(draw->known, i, j, &to, &from, &wraps);
    if (ptog_plane_find(&draw->planes[PTOG_TSCATTER_DST], (uint64_t)to, &lane.r, &lane.c) &&
        ptog_plane_find(&draw->planes[PTOG_TSCATTER_SRC], (uint64_t)from, &lane.from_r, &lane.from_c))
        ptog_draw_lane(draw, &lane);
}

/* Tells the drawing where each element of tscatter goes. */
void ptog_draw_tscatter(struct ptog_draw *draw)
{
    bool by_index = draw->known->form == PTOG_FORM_SCATTER_INDEX;
    const struct ptog_tile *over = &draw->known->insn.of[by_index ? PTOG_TSCATTER_IDX : PTOG_TSCATTER_SRC].tile;
    for (int64_t i = 0; i < over->valid_row; i++)
        for (int64_t j = 0; j < over->valid_col; j++)
            if (by_index)
                index_arrow(draw, i, j);
            else
                mask_arrow(draw, i, j);
}
