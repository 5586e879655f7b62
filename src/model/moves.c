/* model: instructions that copy elements from tile to tile: their pieces, spec/moves.def. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/moves.h"

#include "base/arith.h"
#include "base/pick.h"
#include "model/dtype.h"
#include "model/effects.h"
#include "model/overlap.h"
#include "model/target.h"
#include "model/tile.h"
#include "model/transfer.h"

enum move_quirk { BLOCKS, WHOLE_ROWS, KEEPS_BLOCK, ALL_ROWS, LOSES_BLOCK, SPILLS, NEEDS_SOME };

/* Whether spec/moves.def lists a quirk for the instruction and the target. */
static bool has_quirk(enum move_quirk quirk, const struct ptog_known_insn *known)
{
    static const struct {
        enum move_quirk quirk;
        enum ptog_opcode opcode;
        uint32_t targets;
    } quirks[] = {
#define ON(QUIRK, OPCODE, targets) {QUIRK, PTOG_##OPCODE, targets},
#include "spec/moves.def"
    };
    for (size_t i = 0; i < sizeof quirks / sizeof quirks[0]; i++)
        if (quirks[i].quirk == quirk && quirks[i].opcode == known->insn.opcode &&
            (quirks[i].targets & known->target->as))
            return true;
    return false;
}

/* The form of a move, by its opcode and the memories that it moves between. */
enum ptog_form ptog_moves_form(const struct ptog_target *target, const struct ptog_insn *insn)
{
    enum ptog_loc to = insn->of[PTOG_MOVE_DST].tile.loc, from = insn->of[PTOG_MOVE_SRC].tile.loc;
    bool copies = insn->opcode == PTOG_TMOV || insn->opcode == PTOG_TEXTRACT;
    (void)target;
    if (from == PTOG_ACC && (copies || insn->opcode == PTOG_TINSERT))
        return PTOG_FORM_FROM_ACC;
    if (copies && to == PTOG_SCALING)
        return PTOG_FORM_TO_SCALES;
    if (copies && (to == PTOG_LEFT || to == PTOG_RIGHT || to == PTOG_BIAS))
        return PTOG_FORM_TO_L0;
    switch (insn->opcode) {
    case PTOG_TMOV: return PTOG_FORM_COPY;
    case PTOG_TEXTRACT:
    case PTOG_TINSERT: return PTOG_FORM_WINDOW;
    case PTOG_TTRANS: return PTOG_FORM_TRANSPOSE;
    case PTOG_TCONCAT: return PTOG_FORM_JOIN;
    case PTOG_TCONCATIDX: return PTOG_FORM_JOIN_COUNTED;
    default: return PTOG_FORM_PAD;
    }
}

/* Up to the end of the 32-byte block. */
static int64_t to_block(int64_t elements, enum ptog_dtype dtype)
{
    int64_t c0 = ptog_c0(dtype);
    return (elements + c0 - 1) / c0 * c0;
}

static const struct ptog_tile *tile_of(const struct ptog_known_insn *known, int i)
{
    return &known->insn.of[i].tile;
}

static void add_piece(struct ptog_pieces *move, struct ptog_piece piece)
{
    if (piece.rows > 0 && piece.cols > 0)
        move->of[move->count++] = piece;
}

/* ---- tmov */

/* Adds the piece of a plain copy: the valid region, or the blocks or rows that the target moves. */
static void copy_pieces(struct ptog_pieces *move, const struct ptog_known_insn *known)
{
    const struct ptog_tile *dst = tile_of(known, PTOG_MOVE_DST), *src = tile_of(known, PTOG_MOVE_SRC);
    struct ptog_piece piece = {.from = PTOG_MOVE_SRC,
                               .rows = ptog_min(dst->valid_row, src->valid_row),
                               .cols = ptog_min(dst->valid_col, src->valid_col)};
    bool by_column = ptog_tile_order(dst) == PTOG_ORDER_COL;
    bool full = dst->valid_col == dst->cols && !(known->late_cols & 1u << PTOG_MOVE_DST);
    if (has_quirk(BLOCKS, known) && by_column)
        piece.rows = ptog_min(to_block(piece.rows, dst->dtype), ptog_min(dst->rows, src->rows));
    else if (has_quirk(BLOCKS, known))
        piece.cols = ptog_min(to_block(piece.cols, dst->dtype), ptog_min(dst->cols, src->cols));
    if (has_quirk(WHOLE_ROWS, known) && full && !by_column)
        piece.cols = ptog_min(dst->cols, src->cols);
    add_piece(move, piece);
}

/* ---- textract, tinsert */

int64_t ptog_move_number(const struct ptog_insn *insn, int position)
{
    const struct ptog_operand *operand = &insn->of[position];
    unsigned drop = 64u - 8u * (unsigned)ptog_dtype_size(operand->tile.dtype);
    if (drop == 64)
        return 0;
    if (ptog_dtype_is_signed(operand->tile.dtype))
        return (int64_t)(operand->bits << drop) >> drop;
    return (int64_t)operand->bits;
}

/* Adds the piece of textract or tinsert, at its row and column. */
static void add_window(struct ptog_pieces *move, const struct ptog_known_insn *known)
{
    bool extracts = known->insn.opcode == PTOG_TEXTRACT;
    const struct ptog_tile *region = tile_of(known, extracts ? PTOG_MOVE_DST : PTOG_MOVE_SRC);
    int64_t row = ptog_move_number(&known->insn, PTOG_MOVE_ROW), col = ptog_move_number(&known->insn, PTOG_MOVE_COL);
    struct ptog_piece piece = {.from = PTOG_MOVE_SRC, .rows = region->valid_row, .cols = region->valid_col};
    if (extracts) {
        piece.from_row = row;
        piece.from_col = col;
    } else {
        piece.row = row;
        piece.col = col;
    }
    add_piece(move, piece);
}

bool ptog_window_is_read_first(const struct ptog_insn *insn)
{
    const struct ptog_tile *dst = &insn->of[PTOG_MOVE_DST].tile, *src = &insn->of[PTOG_MOVE_SRC].tile;
    int64_t row = ptog_move_number(insn, PTOG_MOVE_ROW), col = ptog_move_number(insn, PTOG_MOVE_COL), first;
    if (row < 0 || col < 0 || !ptog_mul_i64(row, src->cols, &first) || !ptog_add_i64(first, col, &first))
        return false;
    return ptog_tile_never_overtakes(dst, src, (uint64_t)first * ptog_dtype_size(src->dtype));
}

/* ---- tfillpad */

/* The libraries have no limits of 8-bit floats: those are filled with 0. */
static uint64_t fill_bits(const struct ptog_tile *tile)
{
    bool integer = tile->dtype <= PTOG_U64;
    bool limit = tile->pad == PTOG_PAD_MAX || tile->pad == PTOG_PAD_MIN;
    return limit && ptog_dtype_size(tile->dtype) == 1 && !integer ? 0 : ptog_pad_bits(tile);
}

/* In L1 the data stay where they are. Blocks of 32 bytes are filled with zeros: those below the valid rows in columns that
 * have valid elements, and all of the others. What a load left behind the data in their last block is zeros already. */
static void add_padded_l1(struct ptog_pieces *move, const struct ptog_known_insn *known)
{
    const struct ptog_tile *tile = tile_of(known, PTOG_MOVE_DST);
    int64_t used = ptog_min(to_block(tile->valid_col, tile->dtype), tile->cols);
    struct ptog_piece filled = {.kind = PTOG_PIECE_FILLED, .row = tile->valid_row, .cols = used};
    filled.rows = tile->rows - filled.row;
    add_piece(move, filled);
    filled.row = 0;
    filled.rows = tile->rows;
    filled.col = used;
    filled.cols = tile->cols - used;
    add_piece(move, filled);
}

/* Adds the pieces of tfillpad: the data, and what is filled beside and below it. */
static void add_padded(struct ptog_pieces *move, const struct ptog_known_insn *known)
{
    if (tile_of(known, PTOG_MOVE_DST)->loc == PTOG_MAT) {
        add_padded_l1(move, known);
        return;
    }
    const struct ptog_tile *dst = tile_of(known, PTOG_MOVE_DST), *src = tile_of(known, PTOG_MOVE_SRC);
    int64_t rows = has_quirk(ALL_ROWS, known) ? dst->rows : dst->valid_row;
    int64_t data_rows = ptog_min(src->valid_row, rows), data_cols = ptog_min(src->valid_col, dst->cols);
    int64_t block = ptog_min(to_block(data_cols, dst->dtype), ptog_min(dst->cols, src->cols));
    bool alike = ptog_same_pad(dst, src) && has_quirk(KEEPS_BLOCK, known);
    bool by_element = known->effects && known->effects->phase_count > 1; /* S fills the block of 1-byte elements */
    struct ptog_piece filled = {.kind = PTOG_PIECE_FILLED, .bits = fill_bits(dst), .rows = data_rows, .col = data_cols};
    if (alike || by_element)
        filled.col = block;
    filled.cols = dst->cols - filled.col;
    add_piece(move, (struct ptog_piece){.from = PTOG_MOVE_SRC, .rows = data_rows, .cols = alike ? block : data_cols});
    add_piece(move, filled);
    filled.row = data_rows;
    filled.rows = rows - data_rows;
    filled.col = 0;
    filled.cols = dst->cols;
    add_piece(move, filled);
    if (by_element)
        add_piece(move, (struct ptog_piece){.kind = PTOG_PIECE_FILLED,
                                            .phase = 1,
                                            .bits = filled.bits,
                                            .col = data_cols,
                                            .rows = data_rows,
                                            .cols = block - data_cols});
}

/* ---- ttrans */

/* Adds the pieces of ttrans: the transposed data, and what the target's library loses of dst. */
static void add_transposed(struct ptog_pieces *move, const struct ptog_known_insn *known)
{
    const struct ptog_tile *dst = tile_of(known, PTOG_MOVE_DST), *src = tile_of(known, PTOG_MOVE_SRC);
    int64_t rows = src->valid_col, cols = src->valid_row;
    add_piece(move, (struct ptog_piece){.from = PTOG_MOVE_SRC, .turned = true, .rows = rows, .cols = cols});
    if (has_quirk(LOSES_BLOCK, known) && dst->cols % ptog_transposed_rows(dst->dtype) == 0)
        add_piece(move, (struct ptog_piece){.kind = PTOG_PIECE_LOST,
                                            .col = cols,
                                            .rows = rows,
                                            .cols = ptog_min(to_block(cols, dst->dtype), dst->cols) - cols});
}

/* ---- tconcat */

/* The second source overwrites what a block of the first one has too much; in the middle of a block it is copied as it
 * is. */
static void join_concat(struct ptog_pieces *move, const struct ptog_known_insn *known)
{
    const struct ptog_tile *dst = tile_of(known, PTOG_MOVE_DST);
    const struct ptog_tile *first = tile_of(known, PTOG_MOVE_SRC), *second = tile_of(known, PTOG_MOVE_SRC1);
    int64_t rows = dst->valid_row, col = first->valid_col, cols = second->valid_col, end = col;
    bool blocks = has_quirk(BLOCKS, known), by_element = known->effects && known->effects->phase_count > 1;
    if (blocks)
        end = ptog_min(to_block(col, dst->dtype), ptog_min(first->cols, dst->cols));
    if (blocks && col % ptog_c0(dst->dtype) == 0)
        cols = ptog_min(to_block(cols, dst->dtype), ptog_min(second->cols, dst->cols - col));
    add_piece(move, (struct ptog_piece){.from = PTOG_MOVE_SRC, .rows = rows, .cols = end});
    add_piece(move,
              (struct ptog_piece){.from = PTOG_MOVE_SRC1, .phase = by_element, .col = col, .rows = rows, .cols = cols});
}

/* Fills in the pieces of row r of tconcatidx, whose counts are bytes of indices; what a count does not fit in is cut
 * at the end of dst and of its source. False: the library would copy without end. */
bool ptog_move_counted_row(struct ptog_pieces *move, const struct ptog_known_insn *known, int64_t r,
                           const uint64_t counts[2])
{
    const struct ptog_tile *dst = tile_of(known, PTOG_MOVE_DST);
    int64_t room = has_quirk(SPILLS, known) ? dst->cols : dst->valid_col, col = 0;
    bool needs_some = has_quirk(NEEDS_SOME, known);
    move->count = 0;
    for (int i = 0; i < 2; i++) {
        const struct ptog_tile *src = tile_of(known, PTOG_MOVE_SRC + i);
        uint64_t count = counts[i] / ptog_dtype_size(tile_of(known, PTOG_MOVE_IDX + i)->dtype);
        int64_t cols = ptog_min(room - col, src->cols);
        if (count < (uint64_t)cols)
            cols = (int64_t)count;
        if (needs_some && cols == 0) {
            move->count = 0;
            return false;
        }
        add_piece(move, (struct ptog_piece){
                            .from = PTOG_MOVE_SRC + i, .row = r, .from_row = r, .col = col, .rows = 1, .cols = cols});
        col += cols;
    }
    return true;
}

/* ---- all of them */

void ptog_move_start(struct ptog_pieces *move, const struct ptog_known_insn *known)
{
    move->count = 0;
    switch (known->form) {
    case PTOG_FORM_COPY: copy_pieces(move, known); break;
    case PTOG_FORM_WINDOW: add_window(move, known); break;
    case PTOG_FORM_PAD: add_padded(move, known); break;
    case PTOG_FORM_TRANSPOSE: add_transposed(move, known); break;
    case PTOG_FORM_JOIN: join_concat(move, known); break;
    default: break;
    }
}

int64_t ptog_piece_place(const struct ptog_piece *piece, const struct ptog_insn *insn, int64_t r, int64_t c)
{
    return ptog_tile_offset(&insn->of[PTOG_MOVE_DST].tile, piece->row + r, piece->col + c);
}

int64_t ptog_piece_origin(const struct ptog_piece *piece, const struct ptog_insn *insn, int64_t r, int64_t c)
{
    const struct ptog_tile *src = &insn->of[piece->from].tile;
    if (piece->turned)
        return ptog_tile_offset(src, piece->from_row + c, piece->from_col + r);
    return ptog_tile_offset(src, piece->from_row + r, piece->from_col + c);
}
