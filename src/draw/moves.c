/* draw: copies between tiles.   each element of a piece comes from one of its source, or is filled */
#include "model/moves.h"

#include "draw/draw.h"
#include "model/tile.h"
#include "ref/lane.h"

/* Tells the drawing where element (r, c) of a piece comes from. */
static void tell_lane(struct ptog_draw *draw, const struct ptog_piece *piece, int64_t r, int64_t c)
{
    struct ptog_origin lane = {.to = PTOG_MOVE_DST,
                               .r = piece->row + r,
                               .c = piece->col + c,
                               .from = -1,
                               .by = -1,
                               .state = PTOG_CELL_WRITTEN};
    if (piece->kind == PTOG_PIECE_COPIED) {
        uint64_t bits;
        lane.from = piece->from;
        lane.from_r = piece->from_row + (piece->turned ? c : r);
        lane.from_c = piece->from_col + (piece->turned ? r : c);
        if (!ptog_plane_bits(&draw->planes[piece->from], lane.from_r, lane.from_c, &bits))
            lane.state = PTOG_CELL_OUTSIDE;
    }
    ptog_draw_lane(draw, &lane);
}

/* Tells the drawing all elements of all pieces. */
static void tell_pieces(struct ptog_draw *draw, const struct ptog_pieces *move)
{
    for (int i = 0; i < move->count; i++)
        for (int64_t r = 0; r < move->of[i].rows; r++)
            for (int64_t c = 0; c < move->of[i].cols; c++)
                tell_lane(draw, &move->of[i], r, c);
}

/* Tells the drawing the pieces of tconcatidx, as its counts give them. */
static void tell_counted(struct ptog_draw *draw)
{
    const struct ptog_insn *insn = &draw->known->insn;
    const struct ptog_cbuf buffers[2] = {draw->run.idx, draw->run.k};
    struct ptog_pieces move;
    for (int64_t r = 0; r < insn->of[PTOG_MOVE_DST].tile.valid_row; r++) {
        uint64_t counts[2] = {0, 0};
        for (int i = 0; i < 2; i++) {
            const struct ptog_tile *idx = &insn->of[PTOG_MOVE_IDX + i].tile;
            ptog_lane_index(buffers[i], (uint64_t)ptog_tile_offset(idx, r, 0), idx->dtype, false, &counts[i]);
        }
        ptog_move_counted_row(&move, draw->known, r, counts);
        tell_pieces(draw, &move);
    }
}

/* Tells the drawing where each element of a move inside UB comes from. */
void ptog_draw_moves(struct ptog_draw *draw)
{
    struct ptog_pieces move;
    if (draw->known->form == PTOG_FORM_JOIN_COUNTED) {
        tell_counted(draw);
        return;
    }
    ptog_move_start(&move, draw->known);
    tell_pieces(draw, &move);
}
