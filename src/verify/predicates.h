/* verify: the predicates that spec/rules.def names. Each is true when the rule holds, and also when it cannot be
 * judged: an extent is not known yet, or an operand is broken in a way that a rule of its own reports. */
#ifndef PTOG_VERIFY_PREDICATES_H
#define PTOG_VERIFY_PREDICATES_H

#include "verify/check.h"

typedef bool ptog_predicate(const struct ptog_check *c, enum ptog_operand_name o);

/* any tile */
ptog_predicate ptog_has_dtype, ptog_has_shape, ptog_has_size, ptog_has_valid, ptog_is_vec, ptog_is_known_order;
ptog_predicate ptog_nz_cols_are_blocks, ptog_nz_rows_are_blocks, ptog_apart, ptog_dtype_accepted, ptog_dtype_is_dst;
ptog_predicate ptog_size_is_dst, ptog_is_row_major, ptog_run_is_32_bytes, ptog_no_padding_columns;

/* run-time extents */
ptog_predicate ptog_run_has_extents, ptog_run_keeps_extents;

/* mgather */
ptog_predicate ptog_shape_not_negative, ptog_strides_positive, ptog_table_fits, ptog_nd_inner_stride_is_1;
ptog_predicate ptog_has_capacity, ptog_capacity_fits, ptog_table_layout_known, ptog_outer_dims_are_1;
ptog_predicate ptog_nz_shape3_is_16, ptog_nz_shape4_is_c0, ptog_pitch_fits, ptog_coalesce_known, ptog_oob_known;
ptog_predicate ptog_order_accepted, ptog_layouts_pair, ptog_row_index_fits, ptog_index_is_dst_shape;
ptog_predicate ptog_index_columns_fit, ptog_index_rows_match, ptog_width_is_dst, ptog_width_covers_dst;
ptog_predicate ptog_nz_width_covers_dst, ptog_nz_row_fits_dst, ptog_mode_is_elem, ptog_oob_is_undefined;
ptog_predicate ptog_mode_is_as_written, ptog_index_is_apart;

/* mgather into L1 */
ptog_predicate ptog_indices_are_in_memory, ptog_index_view_type_fits, ptog_has_all_indices, ptog_l1_is_nz, ptog_table_is_nd;
ptog_predicate ptog_elem_has_scratch, ptog_row_has_no_scratch, ptog_scratch_has_room;

/* mscatter */
ptog_predicate ptog_scatter_oob_known, ptog_atomic_accepted, ptog_conflict_accepted, ptog_conflict_is_free;
ptog_predicate ptog_dtype_is_src;

/* tgather */
ptog_predicate ptog_form_known, ptog_dtype_documented, ptog_rows_are_all_kept, ptog_index_width_pairs,
    ptog_index_covers_dst, ptog_tmp_is_index_dtype, ptog_has_tmp, ptog_has_tmp_for_2_bytes, ptog_compared_by_newest;
ptog_predicate ptog_pattern_known, ptog_axis_known, ptog_axis_for_8_bytes, ptog_mask_has_room, ptog_mask_shape_fits;
ptog_predicate ptog_cmp_is_gt_or_eq, ptog_k_is_src_dtype, ptog_i32_is_compared_equal, ptog_mask_rows_fit,
    ptog_u16_is_compared_equal, ptog_k_is_one_or_list, ptog_cdst_is_list;
ptog_predicate ptog_dst_has_src_rows, ptog_walk_stays_inside;

/* elementwise instructions */
ptog_predicate ptog_valid_is_dst, ptog_late_valid_is_dst, ptog_valid_covers_dst, ptog_source_dtype_is_dst;
ptog_predicate ptog_scalar_fits_dst, ptog_scalar_is_kept, ptog_one_is_scalar, ptog_i64_fits_step;
ptog_predicate ptog_tmp_has_room, ptog_tmp_is_given, ptog_tmp_dtype_fits, ptog_tmp_valid_fits, ptog_parts_make_dst;
ptog_predicate ptog_is_not_hif8, ptog_is_no_exponent, ptog_types_convert, ptog_pairs_are_whole, ptog_conversion_known;

/* broadcasts */
ptog_predicate ptog_one_has_dst_region, ptog_broadcast_layout_fits, ptog_small_rows_are_dst, ptog_broadcast_tmp_fits,
    ptog_broadcast_tmp_is_used;
ptog_predicate ptog_late_small_covers_dst;
ptog_predicate ptog_pitches_match, ptog_rows_fit_repeats, ptog_wide_fits_step;

/* numbers by their place */
ptog_predicate ptog_has_one_row, ptog_start_fits_dst, ptog_flag_is_known;

/* sorts */
ptog_predicate ptog_elementwise_layout_fits, ptog_sorted_dtype_fits, ptog_sort_has_room, ptog_sort_rows_fit, ptog_sort_shapes_agree;
ptog_predicate ptog_sort_tail_has_tmp, ptog_sort_tmp_has_room, ptog_sort_keeps_groups;

/* merges of sorted lists */
ptog_predicate ptog_merged_dtype_fits, ptog_is_one_row, ptog_merge_block_fits, ptog_merge_is_whole;
ptog_predicate ptog_merge_repeats_fit, ptog_merge_list_fits, ptog_merge_has_room, ptog_merge_tmp_has_room;

/* tscatter, tgatherb, thistogram */
ptog_predicate ptog_is_nowhere, ptog_scatter_form_known, ptog_scatter_widths_pair, ptog_scatter_index_fits;
ptog_predicate ptog_scatter_mask_fits, ptog_scatter_rows_copy, ptog_scatter_long_fits, ptog_offset_covers_dst;
ptog_predicate ptog_histogram_byte_known, ptog_histogram_filter_fits, ptog_histogram_has_bins;

/* elements of several tiles, combined */
ptog_predicate ptog_combined_types_fit, ptog_combined_valid_fits, ptog_combined_has_room;
ptog_predicate ptog_columns_are_even, ptog_sum_has_tmp, ptog_offset_is_for_unsigned, ptog_scales_are_columns;

/* masks */
ptog_predicate ptog_is_a_scalar, ptog_is_data_dtype, ptog_is_data_shape, ptog_mask_has_bits, ptog_mask_is_row_major, ptog_word_rows_match;
ptog_predicate ptog_order_is_known, ptog_order_is_kept, ptog_bytes_fit_mask_step;

/* copies between tiles */
ptog_predicate ptog_copy_shape_fits, ptog_copy_makes_nz, ptog_order_is_moved, ptog_copy_orders_match;
ptog_predicate ptog_window_is_inside, ptog_window_orders_match, ptog_window_is_aligned;
ptog_predicate ptog_has_pad, ptog_padded_shape_fits, ptog_padded_rows_cover, ptog_padded_in_place;
ptog_predicate ptog_padded_l1_fits;
ptog_predicate ptog_transposed_fits, ptog_transposing_tmp_fits, ptog_rows_are_dst, ptog_joined_columns_fit;

/* reductions */
ptog_predicate ptog_reduced_dtype_fits, ptog_reduced_layout_fits, ptog_reduced_valid_fits;
ptog_predicate ptog_reduction_has_tmp, ptog_reduction_tmp_has_room, ptog_reduced_has_room, ptog_reduction_is_written;
/* one element of a tile */
ptog_predicate ptog_element_is_inside, ptog_value_is_of_tile;

/* tload, tstore */
ptog_predicate ptog_view_is_tile_dtype, ptog_view_layout_known, ptog_pad_known, ptog_view_is_valid_region,
    ptog_view_fits_tile;
ptog_predicate ptog_view_lies_as_tile, ptog_dn_columns_are_contiguous, ptog_view_pairs, ptog_atomic_is_accepted;

/* the cube core */
ptog_predicate ptog_is_in_its_memory, ptog_is_in_its_order, ptog_has_whole_boxes, ptog_view_has_tile_size;
ptog_predicate ptog_is_scale, ptog_scale_has_room, ptog_scales_fit, ptog_acc_window_is_inside, ptog_acc_window_is_aligned;
ptog_predicate ptog_stays_on_its_core, ptog_sent_order_fits, ptog_acc_goes_there, ptog_acc_splits;
ptog_predicate ptog_acc_converts, ptog_view_is_cube_region, ptog_view_pairs_with_l1, ptog_l0_dtype_fits;
ptog_predicate ptog_l0_window_is_inside, ptog_l0_window_is_aligned, ptog_product_types_fit, ptog_product_shapes_fit;
ptog_predicate ptog_product_depths_agree, ptog_product_is_packed, ptog_sum_is_dst;

/* What the messages need of them. */

/* The first placed tile that overlaps operand o; PTOG_AT_SELF when there is none. */
enum ptog_operand_name ptog_overlapped_by(const struct ptog_check *c, enum ptog_operand_name o);

/* Bytes of the contiguous padded extent: a row, or a column of a column-major tile. */
int64_t ptog_run_bytes(const struct ptog_tile *tile);

/* The first dynamic extent without a value / static extent with another value; false when there is none. */
bool ptog_missing_extent(const struct ptog_check *c, struct ptog_open_extent *found);
bool ptog_changed_extent(const struct ptog_check *c, struct ptog_open_extent *found);

/* Both valid extents are known and within the padded ones, and the tile has a size. */
bool ptog_tile_is_sound(const struct ptog_tile *tile);

/* Every extent of the table is known and it has a size. */
bool ptog_table_is_sound(const struct ptog_check *c);

#endif
