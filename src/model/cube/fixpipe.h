/* model: what becomes of an accumulator on its way out of L0C, to global memory or to L1: the unit that stores it drops
 * negative elements, scales and converts.
 *
 *   without a scale   f32 to f16 or bf16, rounded to nearest even; else the bits as they are
 *   with a scale      a number, or one for each column: bits 31:0 are an f32 (of a tile 31:13, the rest counts as 0), 45:37 an
 *                     offset, 46: the result is signed, 35:32 a shift less one
 *                       to 8 bits   element * scale + offset, rounded to nearest even and clamped
 *                       to f16      element * scale, clamped to +-65504; to bf16, not clamped
 *                       i32 to i16  element >> shift, clamped */
#ifndef PTOG_MODEL_CUBE_FIXPIPE_H
#define PTOG_MODEL_CUBE_FIXPIPE_H

#include "model/insn.h"

struct ptog_fixpipe {
    enum ptog_dtype from, to;
    bool relu, relu_last; /* negative elements become 0, before or after they are converted */
    int scale;            /* the operand that says how elements are scaled; -1: they are not */
    bool per_column;      /* it is a tile */
};

/* Of a store, or a copy to L1, of an accumulator. */
struct ptog_fixpipe ptog_fixpipe_of(const struct ptog_known_insn *known);

/* The scale of a column lies so many bytes behind the start of its tile: the unit of a device reads 64 bits for each
 * column, whatever elements the tile has. */
static inline uint64_t ptog_scale_offset(int64_t col)
{
    return (uint64_t)col * 8;
}

/* An element as it leaves; `scale` is that of its column. */
uint64_t ptog_fixpipe_convert(const struct ptog_fixpipe *f, uint64_t element, uint64_t scale);

/* Whether the target converts so; `scaled`: with a scale. */
bool ptog_fixpipe_converts(const struct ptog_target *target, enum ptog_dtype from, enum ptog_dtype to, bool to_memory,
                           bool scaled);

/* What memory holds after an element was stored or added. */
uint64_t ptog_fixpipe_stored(const struct ptog_known_insn *known, uint64_t memory, uint64_t converted);

/* A copy to L1 or to UB, or from UB to L1: where its rectangle starts on both sides, how much is valid, and how much is
 * written. Boxes are written in whole 32-byte blocks of columns, and of an accumulator, with tmov and tinsert, with all
 * rows. */
struct ptog_acc_copy {
    int64_t from_row, from_col, row, col, rows, cols, written_rows, written_cols;
};

/* An accumulator may go to both vector cores, one half of it to either: as many copies as ptog_acc_parts says. */
int ptog_acc_parts(const struct ptog_insn *insn);
struct ptog_acc_copy ptog_acc_copy_of(const struct ptog_known_insn *known, int part);

/* The core that gets a part of what an instruction sends: enum ptog_peer. */
int ptog_acc_peer(const struct ptog_insn *insn, int part);

#endif
