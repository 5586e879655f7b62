/* tool: how far apart two targets may be that fold a row or a column, each in an order of its own.
 *
 *     |a - b| <= D * u * sum of |x|       D: how many additions lie one behind the other, u: half a unit in the last
 *                                         place. Of a product: D * u * |product|.
 *
 * Both targets are right then: a sum of floats depends on its order, and none is asked for. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "compare_sums.h"

#include <math.h>

#include "compare_close.h"

static const struct fold {
    enum ptog_opcode opcode;
    bool rows, product;
} folds[] = {
    {PTOG_TROWSUM, true, false},
    {PTOG_TROWPROD, true, true},
    {PTOG_TCOLSUM, false, false},
    {PTOG_TCOLPROD, false, true},
};

static const struct fold *fold_of(enum ptog_opcode opcode)
{
    for (size_t i = 0; i < sizeof folds / sizeof folds[0]; i++)
        if (folds[i].opcode == opcode)
            return &folds[i];
    return NULL;
}

/* Half a unit in the last place of a type, relative to 1; 0 for integers, which wrap around in any order. */
static double half_unit(enum ptog_dtype dtype)
{
    switch (dtype) {
    case PTOG_F32: return 0x1p-24;
    case PTOG_F16: return 0x1p-11;
    case PTOG_BF16: return 0x1p-8;
    default: return 0; /* integers wrap around in any order */
    }
}

/* Devices fold the lanes of a row as a tree, after adding up what lies 256 bytes apart; everything else goes one after
 * the other, and host rounds once. */
static double depth(const struct ptog_target *target, const struct fold *fold, const struct ptog_tile *src)
{
    double lanes = 256.0 / (double)ptog_dtype_size(src->dtype), count = (double)src->valid_col;
    if (target->machine == PTOG_NO_MACHINE && !target->casts)
        return 1;
    if (!fold->rows)
        return fmax((double)src->valid_row - 1, 1);
    if (target->machine == PTOG_NO_MACHINE || fold->product)
        return fmax(count - 1, 1);
    return log2(lanes) + ceil(count / lanes);
}

double compare_sums_bound(const struct ptog_target *const of[2], const struct ptog_insn *insn,
                          const struct ptog_run *run, int64_t row, int64_t col, double value)
{
    const struct fold *fold = fold_of(insn->opcode);
    const struct ptog_tile *src = &insn->of[1].tile;
    double unit = fold ? half_unit(src->dtype) : 0, sum = 0;
    if (unit == 0)
        return 0;
    double most = fmax(depth(of[0], fold, src), depth(of[1], fold, src));
    if (fold->product)
        return most * unit * fabs(value);
    size_t size = ptog_dtype_size(src->dtype);
    int64_t count = fold->rows ? src->valid_col : src->valid_row;
    for (int64_t i = 0; i < count; i++) {
        int64_t at = fold->rows ? ptog_tile_offset(src, row, i) : ptog_tile_offset(src, i, col);
        size_t byte = (size_t)at * size;
        if (byte + size <= run->src.bytes)
            sum += fabs(compare_value(src->dtype, (const char *)run->src.data + byte));
    }
    return most * unit * sum;
}
