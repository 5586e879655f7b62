/* model: instructions whose elements follow from their places. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/generate.h"

#include "base/pick.h"
#include "model/dtype.h"
#include "model/target_quirks.h"

/* The integer that the bits of a type are. */
static int64_t integer_of(enum ptog_dtype dtype, uint64_t bits)
{
    unsigned drop = 64u - 8u * (unsigned)ptog_dtype_size(dtype);
    if (ptog_dtype_is_signed(dtype))
        return (int64_t)(bits << drop) >> drop;
    return (int64_t)(bits << drop >> drop);
}

static bool generator_has_tmp(const struct ptog_insn *insn)
{
    return insn->of[ptog_insn_find(insn, PTOG_AT_TMP)].tile.dtype != PTOG_DTYPE_NONE;
}

/* Element k of a row that counts from `start`, up or down, as the target computes it. */
static uint64_t count_from(const struct ptog_target *target, const struct ptog_insn *insn, uint64_t start, int64_t k)
{
    enum ptog_dtype dtype = insn->of[0].tile.dtype;
    bool down = insn->attr[PTOG_TCI_DESCENDING] != 0,
         negates = ptog_quirk_negates(target, insn) && generator_has_tmp(insn);
    if (ptog_dtype_is_float(dtype)) {
        double from = ptog_dtype_to_float(dtype, start), up = from + (double)k;
        double result = down ? from - (double)k : up;
        return ptog_dtype_from_real(dtype, down && negates ? -up : result);
    }
    if (down && negates)
        return 0 - (start + (uint64_t)k);
    if (down)
        return start - (uint64_t)k;
    return start + (uint64_t)k;
}

/* The diagonal that a scalar names. */
static int64_t diagonal_of(const struct ptog_insn *insn, uint64_t scalar)
{
    return integer_of(insn->of[1].tile.dtype, scalar);
}

uint64_t ptog_generate(const struct ptog_target *target, const struct ptog_insn *insn, uint64_t scalar, int64_t r,
                       int64_t c)
{
    enum ptog_dtype dtype = insn->of[0].tile.dtype;
    if (insn->opcode == PTOG_TCI)
        return count_from(target, insn, scalar, c);
    int64_t d = diagonal_of(insn, scalar);
    bool one = insn->attr[PTOG_TTRI_UPPER] ? c - r >= d : c - r <= d;
    if (ptog_dtype_is_float(dtype))
        return ptog_dtype_from_real(dtype, one);
    return one;
}

int64_t ptog_generate_cols(const struct ptog_target *target, const struct ptog_insn *insn, int64_t r, int64_t cols)
{
    const struct ptog_tile *dst = &insn->of[0].tile;
    if (insn->opcode != PTOG_TTRI || insn->attr[PTOG_TTRI_UPPER] || !ptog_quirk_overshoots(target, insn))
        return cols;
    int64_t chunk = 256 / (int64_t)ptog_dtype_size(dst->dtype), end = (cols + chunk - 1) / chunk * chunk;
    int64_t reach = r + diagonal_of(insn, insn->of[1].bits) + 1;
    end = ptog_min(end, dst->cols);
    end = ptog_min(reach, end);
    return ptog_max(end, cols);
}
