/* model: broadcasts: which source is the whole one, and which part of the other one stands for the rest. */
#include "model/broadcast.h"

#include "base/pick.h"
#include "model/dtype.h"
#include "model/target_quirks.h"
#include "model/tile.h"

/* Whether a source has dst's valid region. */
static bool has_region_of_dst(const struct ptog_insn *insn, int i)
{
    const struct ptog_tile *dst = &insn->of[0].tile, *source = &insn->of[i].tile;
    return source->valid_row == dst->valid_row && source->valid_col == dst->valid_col;
}

static bool has_tmp(const struct ptog_insn *insn)
{
    int at = ptog_insn_find(insn, PTOG_AT_TMP);
    return at >= 0 && insn->of[at].tile.dtype != PTOG_DTYPE_NONE;
}

/* Elements from row to row. */
static int64_t row_step(const struct ptog_tile *tile)
{
    return ptog_tile_order(tile) == PTOG_ORDER_COL ? 1 : tile->cols;
}

/* Which source of a broadcast is as large as dst; 0: none is known to be. */
static int whole_of(const struct ptog_target *target, const struct ptog_insn *insn)
{
    bool first = has_region_of_dst(insn, 1), second = has_region_of_dst(insn, 2);
    if (target && ptog_quirk_first_is_whole(target, insn))
        return first ? 1 : 0;
    if (first && second && target && ptog_quirk_goes_by_pitch(target, insn) && !has_tmp(insn))
        return row_step(&insn->of[1].tile) >= row_step(&insn->of[2].tile) ? 1 : 2;
    if (first)
        return 1;
    return second ? 2 : 0;
}

struct ptog_broadcast ptog_broadcast_of(const struct ptog_target *target, const struct ptog_insn *insn)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    struct ptog_broadcast b = {.spread = row->of[1].spread, .small = 1, .period = 1};
    if (b.spread == PTOG_SPREAD_NONE || row->of[2].spread == PTOG_SPREAD_NONE)
        return b;
    b.whole = whole_of(target, insn);
    b.small = b.whole == 2 ? 1 : 2;
    if (b.spread == PTOG_SPREAD_COLUMN && insn->of[b.small].tile.valid_col > 1)
        b.period = insn->of[b.small].tile.valid_col;
    return b;
}

int64_t ptog_broadcast_block(const struct ptog_broadcast *b, const struct ptog_tile *dst)
{
    if (b->spread != PTOG_SPREAD_COLUMN)
        return 1;
    return ptog_min(b->period, dst->valid_col);
}

bool ptog_broadcast_is_upright(const struct ptog_target *target, const struct ptog_insn *insn)
{
    struct ptog_broadcast b = ptog_broadcast_of(target, insn);
    return b.spread == PTOG_SPREAD_COLUMN && ptog_tile_order(&insn->of[b.small].tile) == PTOG_ORDER_COL;
}

bool ptog_broadcast_fills_blocks(const struct ptog_insn *written)
{
    struct ptog_tile dst = written->of[0].tile, src = written->of[1].tile;
    size_t size = ptog_dtype_size(dst.dtype);
    ptog_tile_fill_defaults(&dst);
    ptog_tile_fill_defaults(&src);
    return (size == 2 || size == 4) && ptog_tile_order(&src) == PTOG_ORDER_COL && src.cols == 1 &&
           src.rows == dst.rows && dst.cols == ptog_c0(dst.dtype) && src.valid_row == src.rows && src.valid_col == 1 &&
           dst.valid_row == dst.rows && dst.valid_col == dst.cols;
}
