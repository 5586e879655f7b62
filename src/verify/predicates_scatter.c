/* verify: predicates of rules.def on TSCATTER, TGATHERB and THISTOGRAM. */
#include "base/arith.h"
#include "model/dtype.h"
#include "model/families/histogram.h"
#include "model/families/tgatherb.h"
#include "model/families/tscatter.h"
#include "model/target.h"
#include "model/tile.h"
#include "verify/predicates.h"

#define UNUSED_OPERAND (void)o

bool ptog_is_nowhere(const struct ptog_check *c, enum ptog_operand_name o)
{
    (void)c;
    UNUSED_OPERAND;
    return false;
}

/* ---- TSCATTER */

bool ptog_scatter_form_known(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    return (unsigned)c->insn->attr[PTOG_TSCATTER_BY] <= PTOG_BY_MASK;
}

bool ptog_scatter_widths_pair(const struct ptog_check *c, enum ptog_operand_name o)
{
    size_t data = ptog_dtype_size(ptog_check_at(c, PTOG_AT_DST)->dtype);
    size_t wide = ptog_dtype_size(ptog_check_at(c, o)->dtype);
    if (data == 0 || !ptog_dtype_accepted(c, o))
        return true;
    return wide == (data <= 2 ? 2 : 4);
}

/* src has an element for each valid index. */
bool ptog_scatter_index_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *idx = ptog_check_at(c, o), *src = ptog_check_at(c, PTOG_AT_SRC);
    return !ptog_tile_is_sound(idx) || !ptog_tile_is_sound(src) ||
           (idx->valid_row <= src->valid_row && idx->valid_col <= src->valid_col);
}

static bool is_times(int64_t of_dst, int64_t of_src, int64_t times)
{
    int64_t product;
    return ptog_mul_i64(of_src, times, &product) && of_dst == product;
}

/* The valid region of dst is that of src, times the step of the pattern along its axis. */
bool ptog_scatter_mask_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, o), *src = ptog_check_at(c, PTOG_AT_SRC);
    struct ptog_kept kept;
    if (!ptog_tile_is_sound(dst) || !ptog_tile_is_sound(src) || !ptog_axis_known(c, o) ||
        !ptog_pattern_kept(ptog_tscatter_pattern(c->insn), &kept))
        return true;
    bool rows = ptog_tscatter_axis(c->insn) == PTOG_AXIS_COL;
    return is_times(dst->valid_row, src->valid_row, rows ? kept.step : 1) &&
           is_times(dst->valid_col, src->valid_col, rows ? 1 : kept.step);
}

/* A2/A3 copies rows as elements of 2 or 4 bytes. */
bool ptog_scatter_rows_copy(const struct ptog_check *c, enum ptog_operand_name o)
{
    bool rows = ptog_tscatter_axis(c->insn) == PTOG_AXIS_COL;
    return !rows || ptog_tscatter_pattern(c->insn) == PTOG_P1111 || ptog_dtype_size(ptog_check_at(c, o)->dtype) != 1;
}

bool ptog_scatter_long_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *idx = ptog_check_at(c, o);
    return ptog_dtype_size(ptog_check_at(c, PTOG_AT_DST)->dtype) != 8 || !ptog_tile_is_sound(idx) ||
           idx->valid_col <= 64;
}

/* ---- TGATHERB */

/* The offsets have a row for each row of dst, and one for each of its blocks of 32 bytes. */
bool ptog_offset_covers_dst(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *offset = ptog_check_at(c, o), *dst = ptog_check_at(c, PTOG_AT_DST);
    int64_t size = (int64_t)ptog_dtype_size(dst->dtype);
    if (!ptog_tile_is_sound(offset) || !ptog_tile_is_sound(dst) || size == 0)
        return true;
    return offset->rows >= dst->valid_row &&
           offset->cols >= (dst->valid_col * size + PTOG_BLOCK_BYTES - 1) / PTOG_BLOCK_BYTES;
}

/* ---- THISTOGRAM */

static int64_t element_bytes(const struct ptog_check *c)
{
    return (int64_t)ptog_dtype_size(ptog_check_at(c, PTOG_AT_SRC)->dtype);
}

bool ptog_histogram_byte_known(const struct ptog_check *c, enum ptog_operand_name o)
{
    UNUSED_OPERAND;
    int32_t byte = c->insn->attr[PTOG_THISTOGRAM_BYTE];
    return byte >= 0 && (byte < element_bytes(c) || !ptog_dtype_accepted(c, PTOG_AT_SRC));
}

/* u16: a column with the high byte of each row. u32: a row for each byte above the counted one; the library of A5 knows
 * these rows, as wide as src, and no others. */
bool ptog_histogram_filter_fits(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *idx = ptog_check_at(c, o), *src = ptog_check_at(c, PTOG_AT_SRC);
    if (!ptog_tile_is_sound(idx) || !ptog_tile_is_sound(src) || !ptog_dtype_accepted(c, PTOG_AT_SRC) ||
        !ptog_histogram_byte_known(c, o))
        return true;
    bool machine = c->target->machine != PTOG_NO_MACHINE;
    int64_t above = element_bytes(c) - 1 - c->insn->attr[PTOG_THISTOGRAM_BYTE];
    if (element_bytes(c) == 2)
        return idx->rows >= src->valid_row && idx->cols == 1 && ptog_tile_order(idx) == PTOG_ORDER_COL;
    if (above == 0)
        return true;
    if (machine)
        return idx->rows == above && idx->cols == src->cols && ptog_tile_order(idx) == PTOG_ORDER_ROW;
    return idx->rows >= above;
}

/* dst has a row for each row of the source, and all bins. */
bool ptog_histogram_has_bins(const struct ptog_check *c, enum ptog_operand_name o)
{
    const struct ptog_tile *dst = ptog_check_at(c, o), *src = ptog_check_at(c, PTOG_AT_SRC);
    if (!ptog_tile_is_sound(dst) || !ptog_tile_is_sound(src))
        return true;
    bool rows = dst->rows >= src->valid_row;
    return rows && (c->target->machine == PTOG_NO_MACHINE ? dst->cols >= PTOG_HISTOGRAM_BINS
                                                          : dst->cols == PTOG_HISTOGRAM_BINS);
}
