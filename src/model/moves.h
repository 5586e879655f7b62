/* model: instructions that copy elements from tile to tile.
 *
 *   tmov         dst[r,c] = src[r,c]                  over what is valid in both
 *   textract     dst[r,c] = src[row+r, col+c]         over what is valid of dst
 *   tinsert      dst[row+r, col+c] = src[r,c]         over what is valid of src
 *   tfillpad     dst[r,c] = src[r,c], or dst's pad    over the valid rows of dst, and all its columns
 *   ttrans       dst[c,r] = src[r,c]                  over what is valid of src
 *   tconcat      dst[r] = src0[r], then src1[r]
 *   tconcatidx   the same with so many columns of each as idx[r,0] and idx1[r,0] say, in bytes of their own type
 *
 * Each is a few rectangles of dst, the pieces, which are copied one after the other:
 *
 *      dst  +---------+-----+        a tfillpad:  1  copied from src
 *           |    1    |  2  |                     2  filled, behind the valid columns of src
 *           +---------+-----+                     3  filled, below its valid rows
 *           |       3       |
 *           +---------------+
 *
 * Where a target's library copies more or less, spec/moves.def has a row. In L1 tfillpad leaves the data where they are, in
 * dst, and fills whole 32-byte blocks with zeros. */
#ifndef PTOG_MODEL_MOVES_H
#define PTOG_MODEL_MOVES_H

#include "model/insn.h"

enum ptog_piece_kind {
    PTOG_PIECE_COPIED, /* from an operand */
    PTOG_PIECE_FILLED, /* with `bits` */
    PTOG_PIECE_LOST,   /* with bytes that nobody specifies */
};

struct ptog_piece {
    enum ptog_piece_kind kind;
    int phase;                  /* of the instruction on its machine */
    int from;                   /* the operand that it is copied from */
    bool turned;                /* element (r, c) of the piece is element (c, r) there */
    int64_t row, col;           /* of dst, where it starts */
    int64_t rows, cols;         /* as they are in dst */
    int64_t from_row, from_col; /* of the source */
    uint64_t bits;              /* of each element that is filled */
};

#define PTOG_MAX_PIECES 4
struct ptog_pieces {
    struct ptog_piece of[PTOG_MAX_PIECES];
    int count;
};

/* The pieces of an instruction; those of tconcatidx depend on data, and so it has none here. */
void ptog_move_start(struct ptog_pieces *move, const struct ptog_known_insn *known);

/* tconcatidx: the pieces of row r, whose counts are the bits of idx[r,0] and idx1[r,0]. False when the library would
 * copy without end, since one of them is 0: then the row has no pieces. */
bool ptog_move_counted_row(struct ptog_pieces *move, const struct ptog_known_insn *known, int64_t r,
                           const uint64_t counts[2]);

/* Where element (r, c) of a piece lies in dst, and in its source, in elements of their storage. */
int64_t ptog_piece_place(const struct ptog_piece *piece, const struct ptog_insn *insn, int64_t r, int64_t c);
int64_t ptog_piece_origin(const struct ptog_piece *piece, const struct ptog_insn *insn, int64_t r, int64_t c);

/* The operands by their place in the rows: dst, then the sources; the first row and column of a window. */
enum { PTOG_MOVE_DST = 0, PTOG_MOVE_SRC = 1, PTOG_MOVE_SRC1 = 2, PTOG_MOVE_ROW = 2, PTOG_MOVE_COL = 3 };
enum { PTOG_MOVE_IDX = 3, PTOG_MOVE_IDX1 = 4 };

/* An attribute of a resolved copy, behind those of ptog/insn.h: where each of two vector cores gets a half of an
 * accumulator and instructions do what they mean, one half at a time, which half is copied. */
enum { PTOG_MOVE_PART = 2 };

/* A number of textract or tinsert with the sign of its type. */
int64_t ptog_move_number(const struct ptog_insn *insn, int position);

/* textract: dst lies at the window that it is copied from, or before it, so that no element is overwritten before it is
 * read. */
bool ptog_window_is_read_first(const struct ptog_insn *insn);

/* Elements that an instruction transposes in one step, on A2/A3: 16 rows, or 32 of 1-byte elements. */
static inline int64_t ptog_transposed_rows(enum ptog_dtype dtype)
{
    return ptog_dtype_size(dtype) == 1 ? 32 : 16;
}

enum ptog_form ptog_moves_form(const struct ptog_target *target, const struct ptog_insn *insn);

#endif
