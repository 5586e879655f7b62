/* draw: TLOAD and TSTORE.   tile[r,c] = view[r,c] over the valid region, and back */
#include "model/transfer.h"

#include "draw/draw.h"

/* Tells the drawing which elements a load or store moves, and which lie outside of memory. */
void ptog_draw_transfer(struct ptog_draw *draw)
{
    const struct ptog_insn *op = &draw->known->insn;
    bool load = draw->known->form == PTOG_FORM_LOAD;
    const struct ptog_tile *tile = ptog_transfer_tile(op);
    const struct ptog_plane *view = &draw->planes[PTOG_TRANSFER_VIEW];
    struct ptog_origin lane = {.to = PTOG_TRANSFER_VIEW, .from = PTOG_TRANSFER_TILE, .by = -1};
    if (draw->known->form == PTOG_FORM_PREFETCH)
        return; /* no element of the tile comes from anywhere */
    if (load) {
        lane.to = PTOG_TRANSFER_TILE;
        lane.from = PTOG_TRANSFER_VIEW;
    }
    for (int64_t r = 0; r < tile->valid_row; r++)
        for (int64_t c = 0; c < tile->valid_col; c++) {
            uint64_t bits;
            lane.r = lane.from_r = r;
            lane.c = lane.from_c = c;
            lane.state = ptog_plane_bits(view, r, c, &bits) ? PTOG_CELL_WRITTEN : PTOG_CELL_OUTSIDE;
            ptog_draw_lane(draw, &lane);
        }
}
