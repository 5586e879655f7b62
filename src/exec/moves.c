/* exec: copies between tiles. Pieces of row-major tiles go row by row; other orders, transposition, counts that are
 * data and buffers that are too short go by the reference loop. */
#include <string.h>

#include "exec/plan.h"
#include "model/buffers.h"
#include "model/cube/product.h"
#include "model/dtype.h"
#include "model/moves.h"
#include "model/tile.h"
#include "ref/ref.h"

/* The buffer of an operand. */
static struct ptog_buf move_buffer(const struct ptog_exec *x, const struct ptog_run *run, int i)
{
    return ptog_run_buffer(run, &ptog_insn_row(x->known->insn.opcode)->of[i]);
}

/* All of a row-major tile is there. */
static bool is_whole(const struct ptog_exec *x, const struct ptog_run *run, int i)
{
    const struct ptog_tile *tile = &x->known->insn.of[i].tile;
    struct ptog_buf buffer = move_buffer(x, run, i);
    int64_t bytes = ptog_tile_bytes(tile);
    return buffer.data && ptog_tile_order(tile) == PTOG_ORDER_ROW && bytes > 0 && buffer.bytes >= (uint64_t)bytes;
}

/* A source may be dst itself where nothing is left to copy; the careful way knows of other overlaps. */
static bool is_apart(const struct ptog_exec *x, const struct ptog_run *run, int i)
{
    struct ptog_buf dst = run->dst, src = move_buffer(x, run, i);
    bool in_place = x->known->form == PTOG_FORM_COPY || x->known->form == PTOG_FORM_PAD;
    uint64_t to = (uint64_t)ptog_tile_bytes(&x->known->insn.of[PTOG_MOVE_DST].tile);
    uint64_t from = (uint64_t)ptog_tile_bytes(&x->known->insn.of[i].tile);
    if (!ptog_bytes_overlap((struct ptog_bytes){dst.data, to}, (struct ptog_bytes){src.data, from}))
        return true;
    return in_place && dst.data == src.data && to == from &&
           x->known->insn.of[i].tile.cols == x->known->insn.of[PTOG_MOVE_DST].tile.cols;
}

/* Writes an element `count` times. */
static void fill_elements(char *to, size_t size, uint64_t bits, int64_t count)
{
    for (int64_t c = 0; c < count; c++)
        memcpy(to + (size_t)c * size, &bits, size);
}

/* Copies or fills row r of a piece. */
static void do_row(const struct ptog_exec *x, const struct ptog_run *run, const struct ptog_piece *piece, int64_t r)
{
    const struct ptog_insn *insn = &x->known->insn;
    size_t size = ptog_dtype_size(insn->of[PTOG_MOVE_DST].tile.dtype), bytes = (size_t)piece->cols * size;
    char *to = (char *)run->dst.data + (size_t)ptog_piece_place(piece, insn, r, 0) * size;
    switch (piece->kind) {
    case PTOG_PIECE_COPIED:
        memmove(to,
                (const char *)move_buffer(x, run, piece->from).data +
                    (size_t)ptog_piece_origin(piece, insn, r, 0) * size,
                bytes);
        break;
    case PTOG_PIECE_FILLED: fill_elements(to, size, piece->bits, piece->cols); break;
    case PTOG_PIECE_LOST: memset(to, 0xAA, bytes); break;
    }
}

/* Copies from L1 to L0 in blocks of 32 bytes. False, and nothing is done: both sides are not made of the same whole
 * boxes. */
static bool copy_to_l0(const struct ptog_exec *x, const struct ptog_run *run)
{
    const struct ptog_tile *dst = &x->known->insn.of[PTOG_MOVE_DST].tile, *src = &x->known->insn.of[PTOG_MOVE_SRC].tile;
    struct ptog_l0_copy copy = ptog_l0_copy_of(x->known);
    struct ptog_buf from = move_buffer(x, run, PTOG_MOVE_SRC);
    int64_t c0 = ptog_c0(dst->dtype), rows, cols;
    size_t size = ptog_dtype_size(dst->dtype);
    bool down = dst->slayout == PTOG_BOX_COL_MAJOR;
    ptog_tile_box(dst, &rows, &cols);
    if (dst->dtype != src->dtype || dst->slayout != src->slayout || dst->slayout == PTOG_NONE_BOX ||
        copy.rows % rows != 0 || copy.cols % cols != 0 || copy.row % rows != 0 || copy.col % cols != 0 ||
        copy.row < 0 || copy.col < 0 || run->dst.bytes < (uint64_t)ptog_tile_bytes(dst) ||
        from.bytes < (uint64_t)ptog_tile_bytes(src))
        return false;
    for (int64_t at = 0; at < (down ? copy.rows : copy.cols); at += c0)
        for (int64_t i = 0; i < (down ? copy.cols : copy.rows); i++) {
            int64_t r = down ? at : i, c = down ? i : at;
            memcpy((char *)run->dst.data + (size_t)ptog_tile_offset(dst, r, c) * size,
                   (const char *)from.data + (size_t)ptog_tile_offset(src, copy.row + r, copy.col + c) * size, 32);
        }
    return true;
}

/* Moves row by row; false, and nothing is done, where buffers do not fit or the move is a special one. */
static bool moves_fast(const struct ptog_exec *x, const struct ptog_run *run)
{
    struct ptog_pieces move;
    if (x->known->form == PTOG_FORM_TO_L0)
        return copy_to_l0(x, run);
    if (x->known->form == PTOG_FORM_FROM_ACC || x->known->form == PTOG_FORM_TO_SCALES)
        return false;
    if (x->known->form == PTOG_FORM_JOIN_COUNTED || x->known->form == PTOG_FORM_TRANSPOSE ||
        !is_whole(x, run, PTOG_MOVE_DST))
        return false;
    ptog_move_start(&move, x->known);
    for (int i = 0; i < move.count; i++)
        if (move.of[i].kind == PTOG_PIECE_COPIED &&
            (!is_whole(x, run, move.of[i].from) || !is_apart(x, run, move.of[i].from)))
            return false;
    for (int i = 0; i < move.count; i++)
        for (int64_t r = 0; r < move.of[i].rows; r++)
            do_row(x, run, &move.of[i], r);
    return true;
}

/* Runs the reference loop. */
static enum ptog_status moves_checked(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault)
{
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_moves = {ptog_exec_no_kernel, ptog_exec_nothing_ready, moves_fast,
                                                 moves_checked};
