/* verify: predicates on comparisons into masks and selections by them. */
#include "model/dtype.h"
#include "model/masks.h"
#include "model/tile.h"
#include "verify/predicates.h"

/* Whether the instruction writes a mask. */
static bool is_comparison(const struct ptog_check *c)
{
    return c->form == PTOG_FORM_TO_MASK || c->form == PTOG_FORM_TO_MASK_BY_SCALAR;
}

/* What the others have to be like: the first source of a comparison, the destination of a selection. */
static const struct ptog_tile *data_of(const struct ptog_check *c)
{
    return ptog_check_at(c, is_comparison(c) ? PTOG_AT_SRC0 : PTOG_AT_DST);
}

static const struct ptog_tile *mask_of(const struct ptog_check *c)
{
    return ptog_check_at(c, is_comparison(c) ? PTOG_AT_DST : PTOG_AT_BITS);
}

bool ptog_is_a_scalar(const struct ptog_check *c, enum ptog_operand_name o)
{
    return c->at[o]->kind == PTOG_IS_SCALAR;
}

bool ptog_is_data_dtype(const struct ptog_check *c, enum ptog_operand_name o)
{
    enum ptog_dtype dtype = ptog_check_at(c, o)->dtype, data = data_of(c)->dtype;
    return dtype == PTOG_DTYPE_NONE || data == PTOG_DTYPE_NONE || dtype == data;
}

bool ptog_is_data_shape(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *tile = ptog_check_at(c, o), *data = data_of(c);
    return !ptog_tile_is_sound(tile) || !ptog_tile_is_sound(data) ||
           (tile->valid_row == data->valid_row && tile->valid_col == data->valid_col);
}

bool ptog_mask_has_bits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *mask = ptog_check_at(c, o), *data = data_of(c);
    if (!ptog_tile_is_sound(mask) || !ptog_tile_is_sound(data))
        return true;
    return mask->rows >= data->valid_row &&
           mask->cols * (int64_t)ptog_dtype_size(mask->dtype) >= (data->valid_col + 7) / 8;
}

bool ptog_mask_is_row_major(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    enum ptog_tile_order order = ptog_tile_order(mask_of(c));
    return order == PTOG_ORDER_ROW || order > PTOG_ORDER_NZ;
}

bool ptog_word_rows_match(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    const struct ptog_tile *a = ptog_check_at(c, PTOG_AT_SRC0), *b = ptog_check_at(c, PTOG_AT_SRC1);
    return ptog_dtype_size(a->dtype) != 4 || a->cols == b->cols;
}

bool ptog_order_is_known(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    return c->insn->attr[PTOG_TCMP_MODE] >= PTOG_CMP_EQ && c->insn->attr[PTOG_TCMP_MODE] <= PTOG_CMP_GE;
}

bool ptog_order_is_kept(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)o;
    int32_t mode = c->insn->attr[PTOG_TCMP_MODE];
    return mode == PTOG_CMP_EQ || mode == PTOG_CMP_NE || !ptog_compare_is_eq_only(c->target, c->insn);
}

bool ptog_bytes_fit_mask_step(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, o);
    return ptog_dtype_size(dst->dtype) != 1 || dst->valid_col <= 256;
}
