/* verify: predicates of rules.def on sorts. */
#include "model/dtype.h"
#include "model/families/merges.h"
#include "model/target.h"
#include "model/tile.h"
#include "verify/predicates.h"

static const struct ptog_tile *sorted_tile(const struct ptog_check *c)
{
    return ptog_check_at(c, PTOG_AT_SRC);
}

static bool has_tail(const struct ptog_tile *src)
{
    return src->valid_col % PTOG_SORT_GROUP != 0;
}

/* Columns of whole groups. */
static int64_t padded_cols(const struct ptog_tile *src)
{
    return (src->valid_col + PTOG_SORT_GROUP - 1) / PTOG_SORT_GROUP * PTOG_SORT_GROUP;
}

bool ptog_sorted_dtype_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_dtype dtype = ptog_check_at(c, o)->dtype, src = sorted_tile(c)->dtype;
    if (o == PTOG_AT_SRC)
        return ptog_dtype_accepted(c, o);
    return dtype == PTOG_DTYPE_NONE || src == PTOG_DTYPE_NONE || dtype == src;
}

/* dst has room for the pairs of whole groups, and idx, which is read as far, for their indices. The CPU simulator fills up
 * no group. */
bool ptog_sort_has_room(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_at(c, o), *src = sorted_tile(c);
    if (!ptog_tile_is_sound(tile) || !ptog_tile_is_sound(src) || ptog_dtype_size(src->dtype) == 0)
        return true;
    int64_t cols = c->target->cpu_threads ? src->valid_col : padded_cols(src);
    if (o == PTOG_AT_IDX)
        return tile->cols >= cols;
    return tile->cols * (int64_t)ptog_dtype_size(src->dtype) >= cols * PTOG_PAIR_BYTES;
}

/* The tile has a row for each row that is sorted, or, as a source of indices, one for all. */
bool ptog_sort_rows_fit(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_at(c, o), *src = sorted_tile(c), *dst = ptog_check_at(c, PTOG_AT_DST);
    if (!ptog_tile_is_sound(tile) || !ptog_tile_is_sound(src) || !ptog_tile_is_sound(dst))
        return true;
    if (o == PTOG_AT_SRC)
        return tile->valid_row == dst->valid_row;
    return (tile->valid_row == 1 || tile->valid_row >= dst->valid_row) && tile->valid_col >= src->valid_col;
}

bool ptog_sort_shapes_agree(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_at(c, o), *src = sorted_tile(c);
    return !ptog_tile_is_sound(tile) || !ptog_tile_is_sound(src) ||
           (tile->valid_row == src->valid_row && tile->valid_col == src->valid_col);
}

bool ptog_sort_tail_has_tmp(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *src = ptog_check_at(c, o);
    return !ptog_tile_is_sound(src) || !has_tail(src) || ptog_check_tile(c, PTOG_AT_TMP) != NULL;
}

bool ptog_sort_tmp_has_room(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tmp = ptog_check_at(c, o), *src = sorted_tile(c);
    if (!ptog_tile_is_sound(tmp) || !ptog_tile_is_sound(src))
        return true;
    return ptog_tile_bytes(tmp) >=
           ptog_sort32_tmp(c->target, src->dtype, src->valid_col) * (int64_t)ptog_dtype_size(src->dtype);
}

bool ptog_sort_keeps_groups(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *src = ptog_check_at(c, o);
    return !ptog_tile_is_sound(src) || !ptog_sort32_loses_groups(c->target, src->dtype, src->valid_col);
}

/* ---- TMRGSORT */

bool ptog_merged_dtype_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_dtype dtype = ptog_check_at(c, o)->dtype, dst = ptog_check_at(c, PTOG_AT_DST)->dtype;
    if (o == PTOG_AT_DST)
        return ptog_dtype_accepted(c, o);
    return dtype == PTOG_DTYPE_NONE || dst == PTOG_DTYPE_NONE || dtype == dst;
}

bool ptog_is_one_row(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_at(c, o);
    return !ptog_tile_is_sound(tile) || tile->rows == 1;
}

bool ptog_merge_block_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    int64_t block = ptog_merge_block(c->insn);
    (void)o;
    return block > 0 && block % 64 == 0;
}

bool ptog_merge_is_whole(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *src = ptog_check_at(c, o);
    int64_t block = ptog_merge_block(c->insn);
    if (!ptog_tile_is_sound(src) || !ptog_merge_block_fits(c, o) || ptog_merge_groups(c->insn) == 0)
        return true;
    return src->valid_col % (PTOG_MERGE_WAYS * block) == 0;
}

bool ptog_merge_repeats_fit(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *src = ptog_check_at(c, o);
    if (!ptog_tile_is_sound(src) || !ptog_merge_block_fits(c, o))
        return true;
    int64_t groups = ptog_merge_groups(c->insn);
    return groups >= 1 && groups <= PTOG_MAX_MERGES;
}

static int64_t most_elements(const struct ptog_check *c)
{
    size_t size = ptog_dtype_size(ptog_check_at(c, PTOG_AT_DST)->dtype);
    return size == 0 ? INT64_MAX : PTOG_MAX_LIST_PAIRS * (PTOG_PAIR_BYTES / (int64_t)size);
}

bool ptog_merge_list_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *list = ptog_check_at(c, o);
    if (o == PTOG_AT_SRC)
        return ptog_merge_block(c->insn) <= most_elements(c);
    return !ptog_tile_is_sound(list) || list->valid_col <= most_elements(c);
}

bool ptog_merge_has_room(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, o), *src = sorted_tile(c);
    return !ptog_tile_is_sound(dst) || !ptog_tile_is_sound(src) || dst->cols >= src->valid_col;
}

/* The lists together, and as many elements as dst has: these are copied from it. The devices' libraries have no other
 * way. */
bool ptog_merge_tmp_has_room(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tmp = ptog_check_tile(c, PTOG_AT_TMP), *dst = ptog_check_at(c, PTOG_AT_DST);
    (void)o;
    if (!tmp || !ptog_tile_is_sound(dst) || ptog_dtype_size(dst->dtype) == 0)
        return c->target->machine == PTOG_NO_MACHINE || tmp;
    for (int i = PTOG_MERGE_LIST; i < PTOG_MERGE_TMP; i++)
        if (c->insn->of[i].kind == PTOG_IS_TILE && !ptog_tile_is_sound(&c->insn->of[i].tile))
            return true;
    return !ptog_tile_is_sound(tmp) ||
           (tmp->cols >= ptog_merge_elements(c->insn) && tmp->cols >= dst->valid_col);
}
