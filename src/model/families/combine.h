/* model: instructions that combine elements of several tiles into those of one or two others.
 *
 *   TADDC, TSUBC, TADDSC, TSUBSC    dst = src0 + src1 + src2, src0 - src1 + src2, and with a scalar for src1
 *   TADDRELUCONV, TSUBRELUCONV      dst = max(src0 + src1, 0) or max(src0 - src1, 0), in a narrower type
 *   TADDDEQRELU                     dst = max((src0 + src1) * scale, 0), i32 to f16
 *   TDEQUANT                        dst = (src - offset) * scale, with a scale and an offset for each row
 *   TQUANT                          dst = src * scale + offset as an 8-bit integer, by rows; without offset it is signed
 *   TCONCATCOUNTS                   dst = so many columns of src0, then of src1, as idx and idx1 say; dst1 = their sum
 *   TPAIRREDUCESUM                  dst[r,c] = src[r,2c] + src[r,2c+1]
 *   TPARTARGMAX, TPARTARGMIN        dst, dst1 = the larger or smaller of src0 and src1, and its index of idx or idx1
 *   TINTERLEAVE                     dst, dst1 = src0 and src1 in turn, the first and the second half of the columns
 *   TDEINTERLEAVE                   dst = the even columns, dst1 = the odd ones, of src0 and then of src1
 *
 * A walk goes through the valid region of dst, row by row. */
#ifndef PTOG_MODEL_COMBINE_H
#define PTOG_MODEL_COMBINE_H

#include "model/families/tile_bytes.h"

enum ptog_form ptog_combine_form(const struct ptog_target *target, const struct ptog_insn *insn);

/* What an instruction accesses of an operand: rows x cols elements of `tile`, from its first one on. */
struct ptog_combine_part {
    struct ptog_tile tile;
    int64_t rows, cols;
};
struct ptog_combine_part ptog_combine_part_of(const struct ptog_known_insn *known, int operand);

/* Computes all elements, and writes those of the results that are in the set (1 << name). */
#define PTOG_ALL_RESULTS (1u << PTOG_AT_DST | 1u << PTOG_AT_DST1)
void ptog_combine_run(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes, unsigned results);

/* The operand with this name; -1: the instruction has none, or it was left out. */
int ptog_combine_find(const struct ptog_known_insn *known, enum ptog_operand_name name);

#endif
