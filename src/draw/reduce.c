/* draw: reductions.   dst[i,0] comes from every src[i,j], or dst[0,j] from every src[i,j] */
#include "model/reduce.h"

#include "draw/draw.h"

void ptog_draw_reduce(struct ptog_draw *draw)
{
    struct ptog_reduce r;
    ptog_reduce_start(&r, draw->known);
    for (int64_t n = 0; n < r.results; n++)
        for (int64_t k = 0; k < r.count; k++) {
            struct ptog_origin lane = {
                .to = PTOG_REDUCE_DST, .from = PTOG_REDUCE_SRC, .by = -1, .is_one_of_many = true};
            uint64_t bits;
            lane.state = PTOG_CELL_WRITTEN;
            if (r.by_row) {
                lane.r = lane.from_r = n;
                lane.from_c = k;
            } else {
                lane.c = lane.from_c = n;
                lane.from_r = k;
            }
            if (!ptog_plane_bits(&draw->planes[PTOG_REDUCE_SRC], lane.from_r, lane.from_c, &bits))
                lane.state = PTOG_CELL_OUTSIDE;
            ptog_draw_lane(draw, &lane);
        }
}
