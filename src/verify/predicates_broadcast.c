/* verify: predicates on broadcasts, where one source is a column or a row that stands for all of dst's. */
#include "model/broadcast.h"
#include "model/dtype.h"
#include "model/target_quirks.h"
#include "model/tile.h"
#include "verify/predicates.h"

/* Every tile but tmp is known well enough to be judged. */
static bool are_sound(const struct ptog_check *c)
{
    const struct ptog_insn_row *row = c->row;
    for (int i = 0; i < row->count; i++)
        if (row->of[i].role != PTOG_ROLE_SCRATCH && !ptog_tile_is_sound(&c->insn->of[i].tile))
            return false;
    return true;
}

static struct ptog_broadcast broadcast_of(const struct ptog_check *c)
{
    return ptog_broadcast_of(c->target, c->insn);
}

static bool has_two_sources(const struct ptog_check *c)
{
    return c->form == PTOG_FORM_BY_COLUMN || c->form == PTOG_FORM_BY_ROW;
}

bool ptog_one_has_dst_region(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    return !are_sound(c) || broadcast_of(c).whole != 0;
}

/* ---- layouts */

static bool accepts_any(const struct ptog_check *c)
{
    return ptog_quirk_accepts_layouts(c->target, c->insn);
}

static bool is_row_major(const struct ptog_tile *tile)
{
    return ptog_tile_order(tile) == PTOG_ORDER_ROW;
}

/* [R, 1], column-major. */
static bool is_upright(const struct ptog_tile *tile)
{
    return ptog_tile_order(tile) == PTOG_ORDER_COL && tile->cols == 1;
}

static bool has_open_extent(const struct ptog_tile *written)
{
    return written->valid_row == PTOG_DYN || written->valid_col == PTOG_DYN;
}

/* The run alone knows the extents of dst, or of the column or row. */
static bool is_late(const struct ptog_check *c)
{
    const struct ptog_operand *of = c->written->of;
    return has_open_extent(&of[0].tile) || has_open_extent(&of[broadcast_of(c).small].tile);
}

/* The column or row as far as it is asked to reach: what is valid of it, or, where the run alone knows that, all of
 * it. */
static struct ptog_tile reach_of(const struct ptog_check *c, const struct ptog_tile *small)
{
    struct ptog_tile reach = *small;
    if (is_late(c)) {
        reach.valid_row = small->rows;
        reach.valid_col = small->cols;
    }
    return reach;
}

/* A column of one element per row, or one of a block per row that is nothing else. */
static bool column_fits(const struct ptog_check *c, const struct ptog_tile *small, const struct ptog_tile *dst)
{
    bool one = small->valid_col == 1 && (accepts_any(c) || is_upright(small));
    bool block = is_row_major(small) && small->cols == ptog_c0(dst->dtype) && small->valid_col == small->cols;
    return reach_of(c, small).valid_row >= dst->valid_row && (one || block);
}

/* Whether src can give trowexpand its first column: it has at least the valid rows of dst, a layout that the target
 * reads, and on A5 no other column, unless its valid columns are not known. */
static bool first_column_fits(const struct ptog_check *c, const struct ptog_tile *src, const struct ptog_tile *dst)
{
    const struct ptog_tile *written = &c->written->of[1].tile;
    bool one = written->valid_col == 1 || written->valid_col == PTOG_DYN || (written->valid_col == 0 && src->cols == 1);
    if (reach_of(c, src).valid_row < dst->valid_row)
        return false;
    if (!accepts_any(c) && !is_row_major(src) && !is_upright(src))
        return false;
    return one || !ptog_quirk_wants_one_column(c->target, c->insn);
}

/* A row has what dst has of columns; of tcolexpand, dst alone says how many, but on A5 both do, as far as both are
 * known before the run. */
static bool row_fits(const struct ptog_check *c, const struct ptog_tile *small, const struct ptog_tile *dst)
{
    if (!accepts_any(c) && !is_row_major(small))
        return false;
    if (c->form == PTOG_FORM_BY_ROW)
        return reach_of(c, small).valid_col >= dst->valid_col;
    if (ptog_quirk_wants_same_cols(c->target, c->insn) && !is_late(c))
        return small->valid_col == dst->valid_col;
    return small->cols >= dst->valid_col;
}

static bool small_fits(const struct ptog_check *c, const struct ptog_tile *small, const struct ptog_tile *dst)
{
    switch (c->form) {
    case PTOG_FORM_BY_COLUMN: return column_fits(c, small, dst);
    case PTOG_FORM_FROM_COLUMN: return first_column_fits(c, small, dst);
    default: return row_fits(c, small, dst);
    }
}

/* The layout of a source is one that the target broadcasts from, and that of other tiles is by rows. */
bool ptog_broadcast_layout_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_tile(c, o), *dst = ptog_check_at(c, PTOG_AT_DST);
    struct ptog_broadcast b = broadcast_of(c);
    if (!are_sound(c) || (has_two_sources(c) && b.whole == 0))
        return true; /* a rule of its own */
    if (tile == &c->insn->of[b.small].tile)
        return small_fits(c, tile, dst);
    return accepts_any(c) || is_row_major(tile);
}

bool ptog_small_rows_are_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    struct ptog_broadcast b = broadcast_of(c);
    return !are_sound(c) || b.spread == PTOG_SPREAD_ROW ||
           c->insn->of[b.small].tile.valid_row <= ptog_check_at(c, PTOG_AT_DST)->valid_row;
}

/* Where extents are known only in the run: the row or column that is broadcast has an element for each column or row
 * of dst. */
bool ptog_late_small_covers_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    struct ptog_broadcast b = broadcast_of(c);
    const struct ptog_tile *small = &c->insn->of[b.small].tile, *dst = ptog_check_at(c, PTOG_AT_DST);
    if (!are_sound(c) || !is_late(c))
        return true;
    if (b.spread == PTOG_SPREAD_ROW)
        return small->valid_col >= dst->valid_col;
    return small->valid_row >= dst->valid_row;
}

/* ---- tmp, and limits of libraries */

bool ptog_broadcast_tmp_is_used(const struct ptog_check *c, enum ptog_operand_name o)
{
    struct ptog_tmp_use use;
    if (!are_sound(c) || !ptog_tile_is_sound(ptog_check_tile(c, o)) || broadcast_of(c).whole == 0)
        return true;
    return ptog_quirk_tmp(c->target, c->insn, &use);
}

bool ptog_broadcast_tmp_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    struct ptog_tmp_use use;
    const struct ptog_tile *tmp = ptog_check_tile(c, o);
    if (!are_sound(c) || !ptog_tile_is_sound(tmp) || broadcast_of(c).whole == 0)
        return true;
    return !ptog_quirk_tmp(c->target, c->insn, &use) || ptog_tile_bytes(tmp) >= use.need;
}

/* All columns are valid, and the text knows it. */
static bool all_columns(const struct ptog_check *c)
{
    const struct ptog_tile *dst = &c->written->of[0].tile;
    return dst->valid_col == 0 || dst->valid_col == dst->cols;
}

/* The whole source has dst's distance from row to row, where the library takes one for both. */
bool ptog_pitches_match(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST);
    struct ptog_broadcast b = broadcast_of(c);
    if (!are_sound(c) || b.whole == 0 || !all_columns(c) || dst->valid_row == 1)
        return true;
    return dst->cols >= 256 / (int64_t)ptog_dtype_size(dst->dtype) || c->insn->of[b.whole].tile.cols == dst->cols;
}

/* Rows and their distance fit into the repeats of one vector instruction, where the library issues one. */
bool ptog_rows_fit_repeats(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST);
    struct ptog_broadcast b = broadcast_of(c);
    if (!are_sound(c) || b.whole == 0 || !all_columns(c) || dst->valid_row == 1)
        return true;
    int64_t most = 255 * ptog_c0(dst->dtype);
    return dst->valid_row <= 255 && dst->cols <= most && c->insn->of[b.whole].tile.cols <= most;
}

/* The row that is walked is dst's in a broadcast, and src's in a reduction. */
bool ptog_wide_fits_step(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_tile(c, o);
    if (ptog_check_is(c, PTOG_FAMILY_REDUCE) != (o == PTOG_AT_SRC))
        return true;
    return ptog_dtype_size(tile->dtype) != 8 || tile->valid_col <= 64;
}
