/* verify: predicates of rules.def on reductions of rows and columns. */
#include "model/dtype.h"
#include "model/reduce.h"
#include "model/reduction_tmp.h"
#include "model/tile.h"
#include "verify/predicates.h"

static const struct ptog_tile *source_of(const struct ptog_check *c)
{
    return ptog_check_at(c, PTOG_AT_SRC);
}

static bool finds(const struct ptog_check *c)
{
    return c->form != PTOG_FORM_ROW_REDUCE && c->form != PTOG_FORM_COL_REDUCE;
}

static bool is_by_row(const struct ptog_check *c)
{
    return ptog_reduces_rows(c->form);
}

/* Positions have 4 bytes; beside elements of 2 bytes they may have 2, and of columns they must on a device. */
static bool position_fits(const struct ptog_check *c, enum ptog_dtype dtype, enum ptog_dtype src)
{
    size_t size = ptog_dtype_size(dtype), element = ptog_dtype_size(src);
    if (dtype == PTOG_DTYPE_NONE || src == PTOG_DTYPE_NONE || !ptog_reduce_gives_value(c->form))
        return true;
    if (c->form == PTOG_FORM_COL_ARG_VALUE && c->target->machine != PTOG_NO_MACHINE)
        return size == element;
    return size == 4 || element == 2;
}

bool ptog_reduced_dtype_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_dtype dtype = ptog_check_at(c, o)->dtype, src = source_of(c)->dtype;
    if (o == PTOG_AT_SRC || (o == PTOG_AT_DST && finds(c)))
        return ptog_dtype_accepted(c, o) && (o == PTOG_AT_SRC || position_fits(c, dtype, src));
    return dtype == PTOG_DTYPE_NONE || src == PTOG_DTYPE_NONE || dtype == src;
}

bool ptog_reduced_layout_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_at(c, o);
    bool column = is_by_row(c) && o != PTOG_AT_SRC && tile->cols == 1 && ptog_tile_order(tile) == PTOG_ORDER_COL;
    return column || ptog_is_row_major(c, o);
}

/* Valid is a column of src's rows, or a row of src's columns. */
static bool holds_results(const struct ptog_check *c, const struct ptog_tile *tile, const struct ptog_tile *src)
{
    if (!ptog_tile_is_sound(tile))
        return true;
    if (is_by_row(c))
        return tile->valid_row == src->valid_row && tile->valid_col == 1;
    return tile->valid_col == src->valid_col && (tile->valid_row == 1 || !finds(c));
}

/* Every result has a place in the tile, valid or not. */
bool ptog_reduced_has_room(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_at(c, o), *src = source_of(c);
    if (!ptog_tile_is_sound(tile) || !ptog_tile_is_sound(src))
        return true;
    return is_by_row(c) ? src->valid_row <= tile->rows : src->valid_col <= tile->cols;
}

/* The valid regions of the results hold one result for each line of the source. */
bool ptog_reduced_valid_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST), *src = source_of(c);
    (void)o;
    if (!ptog_tile_is_sound(dst) || !ptog_tile_is_sound(src) || !ptog_reduced_has_room(c, PTOG_AT_DST))
        return true;
    if (ptog_reduce_gives_value(c->form) && !holds_results(c, ptog_check_at(c, PTOG_AT_VAL), src))
        return false;
    return holds_results(c, dst, src);
}

/* ---- tmp */

/* The library returns at once: a rule of its own. */
static bool is_idle(const struct ptog_check *c)
{
    return c->present >> PTOG_AT_TMP & 1 &&
           ptog_check_at(c, PTOG_AT_TMP)->dtype == source_of(c)->dtype && ptog_reduction_is_idle(c->target, c->insn);
}

/* Whether the library uses a tmp for these operands, and which part of it. */
static bool wants_tmp(const struct ptog_check *c, struct ptog_reduction_tmp *use)
{
    return ptog_tile_is_sound(source_of(c)) &&
           ptog_reduction_tmp(c->target, c->insn, ptog_insn_is_open(c->written), use) && !is_idle(c);
}

/* There is a tmp, and it is one. */
static bool is_tmp_given(const struct ptog_check *c)
{
    const struct ptog_tile *tmp = ptog_check_tile(c, PTOG_AT_TMP);
    return tmp && tmp->dtype == source_of(c)->dtype && ptog_tile_bytes(tmp) > 0;
}

bool ptog_reduction_has_tmp(const struct ptog_check *c, enum ptog_operand_name o)
{
    struct ptog_reduction_tmp use;
    (void)o;
    return !wants_tmp(c, &use) || is_tmp_given(c);
}

bool ptog_reduction_tmp_has_room(const struct ptog_check *c, enum ptog_operand_name o)
{
    struct ptog_reduction_tmp use;
    (void)o;
    return !wants_tmp(c, &use) || !is_tmp_given(c) || ptog_reduction_tmp_fits(ptog_check_tile(c, PTOG_AT_TMP), &use);
}

bool ptog_reduction_is_written(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    return !ptog_tile_is_sound(source_of(c)) || !is_idle(c);
}
