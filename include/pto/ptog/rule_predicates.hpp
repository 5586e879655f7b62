/* pto: the predicates of the verifier's rules that the types of a call decide, by the names that the table of rules uses.
 * Each holds where something is not known before the run. */
#ifndef PTO_PTOG_RULE_PREDICATES_HPP
#define PTO_PTOG_RULE_PREDICATES_HPP

#include <pto/ptog/rule_call.hpp>

namespace ptog
{

namespace rules
{

/* any tile */
constexpr bool has_shape(const rule_check &c, operand o)
{
    return tile_of(c, o).rows >= 1 && tile_of(c, o).cols >= 1;
}
constexpr bool is_vec(const rule_check &c, operand o)
{
    return tile_of(c, o).loc == PTOG_VEC;
}
constexpr bool is_known_order(const rule_check &c, operand o)
{
    return order_of(tile_of(c, o)) != PTOG_ORDER_OTHER;
}
constexpr bool is_row_major(const rule_check &c, operand o)
{
    return order_of(tile_of(c, o)) == PTOG_ORDER_ROW || order_of(tile_of(c, o)) == PTOG_ORDER_OTHER;
}
constexpr bool nz_cols_are_blocks(const rule_check &c, operand o)
{
    return order_of(tile_of(c, o)) != PTOG_ORDER_NZ || tile_of(c, o).cols % block_of(tile_of(c, o).dtype) == 0;
}
constexpr bool nz_rows_are_blocks(const rule_check &c, operand o)
{
    return order_of(tile_of(c, o)) != PTOG_ORDER_NZ || tile_of(c, o).rows % 16 == 0;
}
constexpr bool dtype_accepted(const rule_check &c, operand o)
{
    return types_on(compiled_for, c.opcode, c.form, o) & bit(tile_of(c, o).dtype);
}
constexpr bool dtype_is_dst(const rule_check &c, operand o)
{
    return (is_view(o) ? c.view.dtype : tile_of(c, o).dtype) == tile_of(c, operand::at_DST).dtype;
}
constexpr bool size_is_dst(const rule_check &c, operand o)
{
    return bytes_of(tile_of(c, o).dtype) == bytes_of(tile_of(c, operand::at_DST).dtype);
}
constexpr bool run_is_32_bytes(const rule_check &c, operand o)
{
    const ptog_tile &tile = tile_of(c, o);
    enum ptog_tile_order order = order_of(tile);
    if (order == PTOG_ORDER_NZ || order == PTOG_ORDER_OTHER)
        return true;
    return (order == PTOG_ORDER_COL ? tile.rows : tile.cols) * bytes_of(tile.dtype) % 32 == 0;
}
constexpr bool no_padding_columns(const rule_check &c, operand o)
{
    const ptog_tile &tile = tile_of(c, o);
    bool one_run = c.form == PTOG_FORM_MASK && tile.valid_row == 1; /* cpu refuses it when it runs */
    return !is_sound(tile) || tile.valid_col == tile.cols || one_run;
}

/* tables and views */
constexpr bool has_capacity(const rule_check &c, operand)
{
    for (int d = 0; d < 5; d++)
        if (c.view.shape[d] == 0)
            return false;
    return true;
}
constexpr bool nd_inner_stride_is_1(const rule_check &c, operand o)
{
    bool one = o == operand::at_VIEW && c.view.shape[4] == 1;
    return c.view.layout != PTOG_ND || c.view.stride[4] < 0 || c.view.stride[4] == 1 || one;
}
constexpr bool table_layout_known(const rule_check &c, operand)
{
    return target_of(c).table_layouts >> c.view.layout & 1;
}
constexpr bool outer_dims_are_1(const rule_check &c, operand)
{
    return c.view.shape[0] <= 1 && c.view.shape[1] <= 1 && c.view.shape[2] <= 1;
}
constexpr bool nz_shape3_is_16(const rule_check &c, operand o)
{
    return c.view.layout != PTOG_NZ || !table_layout_known(c, o) || c.view.shape[3] == 16;
}
constexpr bool nz_shape4_is_c0(const rule_check &c, operand o)
{
    return c.view.layout != PTOG_NZ || !table_layout_known(c, o) || c.view.shape[4] == block_of(c.view.dtype);
}

/* MGATHER and MSCATTER */
constexpr bool dtype_is_src(const rule_check &c, operand)
{
    return c.view.dtype == moved_tile(c).dtype;
}
constexpr bool order_accepted(const rule_check &c, operand o)
{
    enum ptog_tile_order order = order_of(tile_of(c, o));
    unsigned taken = o == operand::at_IDX ? target_of(c).index_orders : target_of(c).dst_orders;
    return order == PTOG_ORDER_OTHER || (taken >> order & 1);
}
constexpr bool layouts_pair(const rule_check &c, operand o)
{
    if (!order_accepted(c, o) || !table_layout_known(c, o) || !is_known_order(c, o))
        return true;
    return (c.view.layout == PTOG_NZ) == (order_of(moved_tile(c)) == PTOG_ORDER_NZ);
}
constexpr bool row_index_fits(const rule_check &c, operand o)
{
    const ptog_tile &idx = tile_of(c, o), &moved = moved_tile(c);
    bool row = may_equal(idx.valid_row, 1) && may_equal(idx.valid_col, moved.valid_row);
    bool column = may_equal(idx.valid_col, 1) && may_equal(idx.valid_row, moved.valid_row);
    switch (target_of(c).row_index) {
    case PTOG_ROW_INDEX_1R: return row;
    case PTOG_ROW_INDEX_PACKED: return (idx.cols == 1 && column) || (order_of(idx) == PTOG_ORDER_COL ? column : row);
    case PTOG_ROW_INDEX_LINEAR: return order_of(idx) == PTOG_ORDER_COL ? column : row;
    default: return row || column;
    }
}
constexpr bool index_is_dst_shape(const rule_check &c, operand o)
{
    return may_equal(tile_of(c, o).valid_row, moved_tile(c).valid_row) &&
           may_equal(tile_of(c, o).valid_col, moved_tile(c).valid_col);
}
constexpr bool index_columns_fit(const rule_check &c, operand o)
{
    return tile_of(c, o).cols == 1 || tile_of(c, o).cols == moved_tile(c).cols;
}
constexpr bool index_rows_match(const rule_check &c, operand o)
{
    return tile_of(c, o).rows == moved_tile(c).rows;
}
constexpr bool width_is_dst(const rule_check &c, operand)
{
    return c.view.shape[4] <= 0 || moved_tile(c).valid_col == 0 ||
           may_equal(c.view.shape[4], moved_tile(c).valid_col);
}
constexpr bool width_covers_dst(const rule_check &c, operand)
{
    return c.view.layout == PTOG_NZ || c.view.shape[4] <= 0 || moved_tile(c).valid_col <= c.view.shape[4];
}

/* TGATHER */
constexpr bool index_covers_dst(const rule_check &c, operand o)
{
    const ptog_tile &idx = tile_of(c, o), &dst = tile_of(c, operand::at_DST);
    return !is_sound(idx) || !is_sound(dst) || (idx.valid_row >= dst.valid_row && idx.valid_col >= dst.valid_col);
}
constexpr bool tmp_is_index_dtype(const rule_check &c, operand o)
{
    return tile_of(c, o).dtype == tile_of(c, operand::at_IDX).dtype;
}

/* element by element */
constexpr int numbers_of(ptog_dtype dtype)
{
    return dtype >= PTOG_F4E2M1X2 && dtype <= PTOG_I4X2 ? 2 : 1;
}
/* So many columns of one number for so many elements: a pair holds two, and the last one may be half empty. */
constexpr bool fits_pairs(std::int64_t cols, std::int64_t elements, int numbers)
{
    return cols <= elements * numbers && cols > (elements - 1) * numbers;
}
constexpr bool valid_is_dst(const rule_check &c, operand o)
{
    const ptog_tile &src = tile_of(c, o), &dst = tile_of(c, operand::at_DST);
    int packs = numbers_of(dst.dtype), unpacks = numbers_of(src.dtype);
    bool cols = src.valid_col == dst.valid_col;
    if (packs > unpacks)
        cols = fits_pairs(src.valid_col, dst.valid_col, packs);
    if (packs < unpacks)
        cols = fits_pairs(dst.valid_col, src.valid_col, unpacks);
    return is_late(src) || is_late(dst) || (src.valid_row == dst.valid_row && cols);
}
constexpr bool elementwise_layout_fits(const rule_check &c, operand o)
{
    return is_row_major(c, o) || (c.form == PTOG_FORM_FILL && order_of(tile_of(c, o)) == PTOG_ORDER_COL);
}
constexpr bool source_dtype_is_dst(const rule_check &c, operand o)
{
    ptog_dtype src = tile_of(c, o).dtype, dst = tile_of(c, operand::at_DST).dtype;
    return src == dst || (c.opcode == PTOG_TAXPY && dst == PTOG_F32 && src == PTOG_F16);
}
constexpr bool parts_make_dst(const rule_check &c, operand)
{
    const ptog_tile &dst = tile_of(c, operand::at_DST), &a = tile_of(c, operand::at_SRC0), &b = tile_of(c, operand::at_SRC1);
    if (!is_sound(dst) || !is_sound(a) || !is_sound(b))
        return true;
    if (a.valid_row > dst.valid_row || a.valid_col > dst.valid_col || b.valid_row > dst.valid_row ||
        b.valid_col > dst.valid_col)
        return false;
    return valid_is_dst(c, operand::at_SRC0) || valid_is_dst(c, operand::at_SRC1);
}
/* Of the sources, the run knows which one is small. */
constexpr bool broadcast_layout_fits(const rule_check &c, operand o)
{
    return o != operand::at_DST || order_of(tile_of(c, o)) == PTOG_ORDER_ROW;
}
/* The row that is walked is dst's in a broadcast, and src's in a reduction. */
constexpr bool wide_fits_step(const rule_check &c, operand o)
{
    bool reduces = c.form == PTOG_FORM_ROW_REDUCE || c.form == PTOG_FORM_COL_REDUCE || c.form == PTOG_FORM_ROW_ARG ||
                   c.form == PTOG_FORM_ROW_ARG_VALUE || c.form == PTOG_FORM_COL_ARG || c.form == PTOG_FORM_COL_ARG_VALUE;
    return reduces != (o == operand::at_SRC) || bytes_of(tile_of(c, o).dtype) != 8 || tile_of(c, o).valid_col <= 64;
}
constexpr bool is_not_hif8(const rule_check &c, operand o)
{
    return tile_of(c, o).dtype != PTOG_HIF8;
}
constexpr bool is_no_exponent(const rule_check &c, operand o)
{
    return tile_of(c, o).dtype != PTOG_F8E8M0;
}
constexpr bool types_convert(const rule_check &c, operand)
{
    ptog_dtype from = tile_of(c, operand::at_SRC).dtype, to = tile_of(c, operand::at_DST).dtype;
    return from == PTOG_F8E8M0 || to == PTOG_F8E8M0 || converts(from, to);
}
/* Valid extents that only a run knows are checked by the run. */
constexpr bool pairs_are_whole(const rule_check &c, operand o)
{
    const ptog_tile &tile = tile_of(c, o);
    if (numbers_of(tile_of(c, operand::at_SRC).dtype) == numbers_of(tile_of(c, operand::at_DST).dtype))
        return true;
    if (order_of(tile) != PTOG_ORDER_ROW || bytes_of(tile.dtype) > 4)
        return false;
    return numbers_of(tile.dtype) > 1 || tile.cols % 2 == 0;
}

/* masks */
constexpr bool compares(const rule_check &c)
{
    return c.form == PTOG_FORM_TO_MASK || c.form == PTOG_FORM_TO_MASK_BY_SCALAR;
}
constexpr const ptog_tile &data_of(const rule_check &c)
{
    return tile_of(c, compares(c) ? operand::at_SRC0 : operand::at_DST);
}
constexpr bool is_data_dtype(const rule_check &c, operand o)
{
    return tile_of(c, o).dtype == data_of(c).dtype;
}
constexpr bool is_data_shape(const rule_check &c, operand o)
{
    const ptog_tile &tile = tile_of(c, o), &data = data_of(c);
    return !is_sound(tile) || !is_sound(data) ||
           (tile.valid_row == data.valid_row && tile.valid_col == data.valid_col);
}
constexpr bool mask_has_bits(const rule_check &c, operand o)
{
    const ptog_tile &mask = tile_of(c, o), &data = data_of(c);
    return !is_sound(mask) || !is_sound(data) ||
           (mask.rows >= data.valid_row && mask.cols * bytes_of(mask.dtype) >= (data.valid_col + 7) / 8);
}
constexpr bool word_rows_match(const rule_check &c, operand)
{
    const ptog_tile &a = tile_of(c, operand::at_SRC0), &b = tile_of(c, operand::at_SRC1);
    return bytes_of(a.dtype) != 4 || a.cols == b.cols;
}
constexpr bool bytes_fit_mask_step(const rule_check &c, operand o)
{
    return bytes_of(tile_of(c, o).dtype) != 1 || tile_of(c, o).valid_col <= 256;
}

/* copies between tiles */
constexpr bool both_sound(const rule_check &c, operand o)
{
    return is_sound(tile_of(c, operand::at_DST)) && is_sound(tile_of(c, o));
}
constexpr bool order_is_moved(const rule_check &c, operand o)
{
    bool accepts_nz = c.form == PTOG_FORM_COPY || c.form == PTOG_FORM_WINDOW;
    switch (order_of(tile_of(c, o))) {
    case PTOG_ORDER_COL: return c.form == PTOG_FORM_COPY && tile_of(c, o).cols == 1;
    case PTOG_ORDER_NZ: return accepts_nz;
    default: return true;
    }
}
constexpr bool copy_shape_fits(const rule_check &c, operand)
{
    const ptog_tile &dst = tile_of(c, operand::at_DST), &src = tile_of(c, operand::at_SRC);
    if (!both_sound(c, operand::at_SRC))
        return true;
    if (compiled_for.like == PTOG_TARGET_CPU)
        return dst.valid_row == src.valid_row && dst.valid_col == src.valid_col;
    return dst.rows == src.rows && dst.cols == src.cols;
}
constexpr bool copy_makes_nz(const rule_check &c, operand)
{
    const ptog_tile &dst = tile_of(c, operand::at_DST), &src = tile_of(c, operand::at_SRC);
    if (!both_sound(c, operand::at_SRC) || (order_of(dst) != PTOG_ORDER_NZ && order_of(src) != PTOG_ORDER_NZ))
        return true;
    std::int64_t rows = dst.valid_row < src.valid_row ? dst.valid_row : src.valid_row;
    return compiled_for.like != PTOG_TARGET_A2A3 && order_of(src) == PTOG_ORDER_ROW &&
           dst.rows == (rows + 15) / 16 * 16;
}
constexpr bool copy_orders_match(const rule_check &c, operand)
{
    enum ptog_tile_order dst = order_of(tile_of(c, operand::at_DST));
    return dst == PTOG_ORDER_NZ || dst == order_of(tile_of(c, operand::at_SRC));
}
constexpr bool window_orders_match(const rule_check &c, operand)
{
    return (order_of(tile_of(c, operand::at_DST)) == PTOG_ORDER_NZ) ==
           (order_of(tile_of(c, operand::at_SRC)) == PTOG_ORDER_NZ);
}
constexpr bool has_pad(const rule_check &c, operand o)
{
    return tile_of(c, o).pad != PTOG_PAD_NULL;
}
constexpr bool padded_shape_fits(const rule_check &c, operand)
{
    const ptog_tile &dst = tile_of(c, operand::at_DST), &src = tile_of(c, operand::at_SRC);
    if (c.opcode == PTOG_TFILLPAD_EXPAND)
        return dst.rows >= src.rows && dst.cols >= src.cols;
    return dst.rows == src.rows && dst.cols == src.cols;
}
constexpr bool padded_rows_cover(const rule_check &c, operand)
{
    return !both_sound(c, operand::at_SRC) ||
           tile_of(c, operand::at_SRC).valid_row <= tile_of(c, operand::at_DST).valid_row;
}
constexpr bool transposed_fits(const rule_check &c, operand)
{
    const ptog_tile &dst = tile_of(c, operand::at_DST), &src = tile_of(c, operand::at_SRC);
    return !both_sound(c, operand::at_SRC) || (dst.rows >= src.valid_col && dst.cols >= src.valid_row);
}
constexpr bool rows_are_dst(const rule_check &c, operand o)
{
    return !both_sound(c, o) || tile_of(c, o).valid_row == tile_of(c, operand::at_DST).valid_row;
}

/* A2/A3 takes what has room. */
constexpr bool joined_columns_fit(const rule_check &c, operand)
{
    const ptog_tile &dst = tile_of(c, operand::at_DST);
    if (!both_sound(c, operand::at_SRC0) || !both_sound(c, operand::at_SRC1))
        return true;
    std::int64_t cols = tile_of(c, operand::at_SRC0).valid_col + tile_of(c, operand::at_SRC1).valid_col;
    return compiled_for.like == PTOG_TARGET_A2A3 ? cols <= dst.cols : cols == dst.valid_col;
}

/* reductions */
constexpr bool is_by_row(const rule_check &c)
{
    return c.form != PTOG_FORM_COL_REDUCE && c.form != PTOG_FORM_COL_ARG && c.form != PTOG_FORM_COL_ARG_VALUE;
}
/* Beside elements of 2 bytes positions may have 2, and of columns they must: nothing is asserted where there is no machine. */
constexpr bool position_fits(const rule_check &c)
{
    std::int64_t size = bytes_of(tile_of(c, operand::at_DST).dtype), element = bytes_of(tile_of(c, operand::at_SRC).dtype);
    if (c.form == PTOG_FORM_COL_ARG_VALUE)
        return size == element;
    return c.form != PTOG_FORM_ROW_ARG_VALUE || size == 4 || element == 2;
}
constexpr bool reduced_dtype_fits(const rule_check &c, operand o)
{
    bool finds = c.form != PTOG_FORM_ROW_REDUCE && c.form != PTOG_FORM_COL_REDUCE;
    if (o == operand::at_SRC || (o == operand::at_DST && finds))
        return dtype_accepted(c, o) && (o == operand::at_SRC || position_fits(c));
    return tile_of(c, o).dtype == tile_of(c, operand::at_SRC).dtype;
}
constexpr bool reduced_layout_fits(const rule_check &c, operand o)
{
    const ptog_tile &tile = tile_of(c, o);
    bool column = is_by_row(c) && o != operand::at_SRC && tile.cols == 1 && order_of(tile) == PTOG_ORDER_COL;
    return column || is_row_major(c, o);
}
constexpr bool reduced_has_room(const rule_check &c, operand o)
{
    const ptog_tile &tile = tile_of(c, o), &src = tile_of(c, operand::at_SRC);
    if (!is_sound(tile) || !is_sound(src))
        return true;
    return is_by_row(c) ? src.valid_row <= tile.rows : src.valid_col <= tile.cols;
}

/* sorts */
constexpr bool sorted_dtype_fits(const rule_check &c, operand o)
{
    if (o == operand::at_SRC)
        return dtype_accepted(c, o);
    return tile_of(c, o).dtype == tile_of(c, operand::at_SRC).dtype;
}
constexpr bool merged_dtype_fits(const rule_check &c, operand o)
{
    return o == operand::at_DST ? dtype_accepted(c, o) : dtype_is_dst(c, o);
}
constexpr bool is_one_row(const rule_check &c, operand o)
{
    return !is_sound(tile_of(c, o)) || tile_of(c, o).rows == 1;
}
constexpr bool sort_has_room(const rule_check &c, operand o)
{
    const ptog_tile &tile = tile_of(c, o), &src = tile_of(c, operand::at_SRC);
    std::int64_t cols = (src.valid_col + 31) / 32 * 32; /* of whole groups */
    if (!is_sound(tile) || !is_sound(src))
        return true;
    return o == operand::at_IDX ? tile.cols >= cols : tile.cols * bytes_of(src.dtype) >= cols * 8;
}
constexpr bool sort_rows_fit(const rule_check &c, operand o)
{
    const ptog_tile &tile = tile_of(c, o), &src = tile_of(c, operand::at_SRC), &dst = tile_of(c, operand::at_DST);
    if (!is_sound(tile) || !is_sound(src) || !is_sound(dst))
        return true;
    if (o == operand::at_SRC)
        return tile.valid_row == dst.valid_row;
    return (tile.valid_row == 1 || tile.valid_row >= dst.valid_row) && tile.valid_col >= src.valid_col;
}

/* scatters and gathers between tiles */
constexpr bool scatter_widths_pair(const rule_check &c, operand o)
{
    return !dtype_accepted(c, o) ||
           bytes_of(tile_of(c, o).dtype) == (bytes_of(tile_of(c, operand::at_DST).dtype) <= 2 ? 2 : 4);
}
constexpr bool offset_covers_dst(const rule_check &c, operand o)
{
    const ptog_tile &offset = tile_of(c, o), &dst = tile_of(c, operand::at_DST);
    return !is_sound(offset) || !is_sound(dst) ||
           (offset.rows >= dst.valid_row && offset.cols >= (dst.valid_col * bytes_of(dst.dtype) + 31) / 32);
}

} // namespace rules

} // namespace ptog

#endif
