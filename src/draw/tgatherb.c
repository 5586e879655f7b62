/* draw: TGATHERB.   The elements of a block of dst come from 32 bytes of src, by one offset */
#include "model/families/tgatherb.h"

#include "draw/draw.h"
#include "model/tile.h"
#include "ref/lane.h"

/* Tells the drawing where each element of one 32-byte block comes from. */
static void block_arrows(struct ptog_draw *draw, const struct ptog_block_lane *block)
{
    const struct ptog_insn *insn = &draw->known->insn;
    int64_t size = (int64_t)ptog_dtype_size(insn->of[PTOG_TGATHERB_DST].tile.dtype);
    struct ptog_origin lane = {
        .to = PTOG_TGATHERB_DST, .from = PTOG_TGATHERB_SRC, .by = PTOG_TGATHERB_OFFSET, .state = PTOG_CELL_WRITTEN};
    uint64_t offset;
    if (!ptog_lane_index(draw->run.idx, (uint64_t)block->offset_at, PTOG_U32, false, &offset) ||
        !ptog_plane_find(&draw->planes[PTOG_TGATHERB_OFFSET], (uint64_t)block->offset_at, &lane.by_r, &lane.by_c))
        return;
    for (int64_t i = 0; i < block->bytes / size; i++) {
        uint64_t to = (uint64_t)(block->to / size + i), from = offset / (uint64_t)size + (uint64_t)i;
        if (ptog_plane_find(&draw->planes[PTOG_TGATHERB_DST], to, &lane.r, &lane.c) &&
            ptog_plane_find(&draw->planes[PTOG_TGATHERB_SRC], from, &lane.from_r, &lane.from_c))
            ptog_draw_lane(draw, &lane);
    }
}

/* Tells the drawing where the blocks of tgatherb come from. */
void ptog_draw_tgatherb(struct ptog_draw *draw)
{
    for (int64_t i = 0; i < ptog_tgatherb_count(draw->known); i++) {
        struct ptog_block_lane block;
        ptog_tgatherb_lane(draw->known, i, &block);
        block_arrows(draw, &block);
    }
}
