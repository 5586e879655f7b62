/* verify: predicates on reductions. */
#include "model/dtype.h"
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
    return c->form != PTOG_FORM_COL_REDUCE && c->form != PTOG_FORM_COL_ARG;
}

bool ptog_reduced_dtype_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_dtype dtype = ptog_check_at(c, o)->dtype, src = source_of(c)->dtype;
    if (o == PTOG_AT_SRC || (o == PTOG_AT_DST && finds(c)))
        return ptog_dtype_taken(c, o);
    return dtype == PTOG_DTYPE_NONE || src == PTOG_DTYPE_NONE || dtype == src;
}

bool ptog_reduced_layout_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_at(c, o);
    bool column = is_by_row(c) && o != PTOG_AT_SRC && tile->cols == 1 && ptog_tile_order(tile) == PTOG_ORDER_COL;
    return column || ptog_is_row_major(c, o);
}

/* A column of src's rows. */
static bool is_column_of(const struct ptog_tile *tile, const struct ptog_tile *src)
{
    return !ptog_tile_is_sound(tile) || (tile->valid_row == src->valid_row && tile->valid_col == 1);
}

bool ptog_reduced_valid_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, PTOG_AT_DST), *src = source_of(c);
    (void)o;
    if (!ptog_tile_is_sound(dst) || !ptog_tile_is_sound(src))
        return true;
    if (c->form == PTOG_FORM_ROW_ARG_VALUE && !is_column_of(ptog_check_at(c, PTOG_AT_VAL), src))
        return false;
    if (is_by_row(c))
        return is_column_of(dst, src);
    return dst->valid_col == src->valid_col && (dst->valid_row == 1 || !finds(c));
}

/* ---- tmp */

/* The run alone knows the extents of src, and the library returns at once: a rule of its own. */
static bool is_idle_late(const struct ptog_check *c)
{
    return ptog_insn_is_open(c->written) && c->present >> PTOG_AT_TMP & 1 &&
           ptog_check_at(c, PTOG_AT_TMP)->dtype == source_of(c)->dtype && ptog_reduction_is_idle(c->target, c->insn);
}

bool ptog_reduction_has_tmp(const struct ptog_check *c, enum ptog_operand_name o)
{
    struct ptog_reduction_tmp use;
    (void)o;
    if (!ptog_tile_is_sound(source_of(c)) ||
        !ptog_reduction_tmp(c->target, c->insn, ptog_insn_is_open(c->written), &use) || is_idle_late(c))
        return true;
    const struct ptog_tile *tmp = ptog_check_tile(c, PTOG_AT_TMP);
    return tmp && tmp->dtype == source_of(c)->dtype && ptog_tile_bytes(tmp) > 0 && ptog_reduction_tmp_fits(tmp, &use);
}

bool ptog_reduction_is_written(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    return !ptog_tile_is_sound(source_of(c)) || !is_idle_late(c);
}
