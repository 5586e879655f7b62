/* ref: copies between tiles.   every piece of dst, element by element: dst[row + r, col + c] = src[from_row + r,
 * from_col + c]
 */
#include "model/moves.h"

#include "model/buffers.h"
#include "model/cube/product.h"
#include "model/fault.h"
#include "model/tile.h"
#include "ref/fixpipe.h"
#include "ref/lane.h"
#include "ref/ref.h"

static struct ptog_cbuf ref_move_buffer(const struct ptog_known_insn *known, const struct ptog_run *run, int i)
{
    struct ptog_buf buffer = ptog_run_buffer(run, &ptog_insn_row(known->insn.opcode)->of[i]);
    return (struct ptog_cbuf){buffer.data, buffer.bytes};
}

/* Element (r, c) of a piece: a copy, a constant, or bytes that nobody may rely on. What is missing is noted in
 * *fault. */
static void do_element(const struct ptog_known_insn *known, const struct ptog_run *run, const struct ptog_piece *piece,
                       int64_t r, int64_t c, struct ptog_fault *fault)
{
    const struct ptog_tile *dst = &known->insn.of[PTOG_MOVE_DST].tile;
    size_t size = ptog_dtype_size(dst->dtype);
    uint64_t bits = piece->bits;
    bool read = true;
    if (piece->kind == PTOG_PIECE_LOST)
        memset(&bits, PTOG_NO_DATA, sizeof bits);
    if (piece->kind == PTOG_PIECE_COPIED)
        read = ptog_lane_read(ref_move_buffer(known, run, piece->from),
                              (uint64_t)ptog_piece_origin(piece, &known->insn, r, c), size, &bits);
    if (!read)
        memset(&bits, PTOG_NO_DATA, sizeof bits);
    if (!ptog_lane_write(run->dst, (uint64_t)ptog_piece_place(piece, &known->insn, r, c), size, &bits) || !read)
        ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, piece->row + r, piece->col + c, 0);
}

/* All elements of all pieces, in their order. */
static void do_pieces(const struct ptog_known_insn *known, const struct ptog_run *run, const struct ptog_pieces *move,
                      struct ptog_fault *fault)
{
    for (int i = 0; i < move->count; i++)
        for (int64_t r = 0; r < move->of[i].rows; r++)
            for (int64_t c = 0; c < move->of[i].cols; c++)
                do_element(known, run, &move->of[i], r, c, fault);
}

/* tconcatidx: row by row, as its counts say. */
static void do_counted(const struct ptog_known_insn *known, const struct ptog_run *run, struct ptog_fault *fault)
{
    struct ptog_pieces move;
    for (int64_t r = 0; r < known->insn.of[PTOG_MOVE_DST].tile.valid_row; r++) {
        uint64_t counts[2] = {0, 0};
        for (int i = 0; i < 2; i++) {
            const struct ptog_tile *idx = &known->insn.of[PTOG_MOVE_IDX + i].tile;
            if (!ptog_lane_index(ref_move_buffer(known, run, PTOG_MOVE_IDX + i), (uint64_t)ptog_tile_offset(idx, r, 0),
                                 idx->dtype, false, &counts[i]))
                ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, 0, 0);
        }
        if (!ptog_move_counted_row(&move, known, r, counts))
            ptog_fault_note(fault, PTOG_FAULT_COUNT_ZERO, 1, r, 0, 0);
        do_pieces(known, run, &move, fault);
    }
}

/* From L1 to L0: dst[r,c] = src[row+r, col+c], padding included. */
static void do_l0_copy(const struct ptog_known_insn *known, const struct ptog_run *run, struct ptog_fault *fault)
{
    const struct ptog_tile *dst = &known->insn.of[PTOG_MOVE_DST].tile, *src = &known->insn.of[PTOG_MOVE_SRC].tile;
    struct ptog_l0_copy copy = ptog_l0_copy_of(known);
    for (int64_t r = 0; r < copy.rows; r++)
        for (int64_t c = 0; c < copy.cols; c++) {
            uint64_t bits = 0;
            bool read = ptog_lane_read(ref_move_buffer(known, run, PTOG_MOVE_SRC),
                                       (uint64_t)ptog_tile_offset(src, copy.row + r, copy.col + c),
                                       ptog_dtype_size(src->dtype), &bits);
            bits = ptog_l0_element(known, bits);
            if (!read ||
                !ptog_lane_write(run->dst, (uint64_t)ptog_tile_offset(dst, r, c), ptog_dtype_size(dst->dtype), &bits))
                ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
        }
}

/* From L0C, or from UB to L1: dst[row+r, col+c] = src[r,c], or dst[r,c] = src[row+r, col+c], converted. */
static void do_acc_copy(const struct ptog_known_insn *known, const struct ptog_run *run, struct ptog_fault *fault)
{
    const struct ptog_tile *dst = &known->insn.of[PTOG_MOVE_DST].tile, *src = &known->insn.of[PTOG_MOVE_SRC].tile;
    struct ptog_acc_copy copy = ptog_acc_copy_of(known, known->insn.attr[PTOG_MOVE_PART]);
    struct ptog_fixpipe f = ptog_fixpipe_of(known);
    for (int64_t r = 0; r < copy.rows; r++)
        for (int64_t c = 0; c < copy.cols; c++) {
            uint64_t bits = 0;
            bool read = ptog_lane_read(ref_move_buffer(known, run, PTOG_MOVE_SRC),
                                       (uint64_t)ptog_tile_offset(src, copy.from_row + r, copy.from_col + c),
                                       ptog_dtype_size(src->dtype), &bits);
            bits = ptog_fixpipe_convert(&f, bits, ptog_ref_scale(known, run, &f, c, fault));
            if (!read || !ptog_lane_write(run->dst, (uint64_t)ptog_tile_offset(dst, copy.row + r, copy.col + c),
                                          ptog_dtype_size(dst->dtype), &bits))
                ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
        }
}

/* The meaning of an instruction that moves elements between tiles. */
enum ptog_status ptog_ref_moves(const struct ptog_known_insn *known, const struct ptog_run *run,
                                struct ptog_fault *fault)
{
    struct ptog_pieces move;
    ptog_move_start(&move, known);
    if (known->form == PTOG_FORM_FROM_ACC)
        do_acc_copy(known, run, fault);
    else if (known->form == PTOG_FORM_TO_L0 || known->form == PTOG_FORM_TO_SCALES)
        do_l0_copy(known, run, fault);
    else if (known->form == PTOG_FORM_JOIN_COUNTED)
        do_counted(known, run, fault);
    else
        do_pieces(known, run, &move, fault);
    return ptog_fault_sum(fault);
}
