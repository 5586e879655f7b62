/* pto: the words of rules that headers assert by themselves, and the ids of faults that they report. Generated from
 * rules.def, text_rules.def and machine_faults.def of src/spec by tests/meta/static_rules.py --update. */
#ifndef PTO_PTOG_RULE_WORDS_HPP
#define PTO_PTOG_RULE_WORDS_HPP

/* clang-format off */
#define PTOG_RULE_WORDS_mgather_index_dtype \
    "Indices are i32 or u32; host also supports 64-bit indices. [mgather-index-dtype]"
#define PTOG_RULE_WORDS_mgather_row_index_shape \
    "In Row mode, the index tile is a list of dst.ValidRow indices: [1, R] row-major; on A5 also [R, 1] column-major; on cpusim also [R, 1] without padding; on host either shape in any layout. [mgather-row-index-shape]"
#define PTOG_RULE_WORDS_mgather_same_dtype \
    "The table and dst have the same element type. [mgather-same-dtype]"
#define PTOG_RULE_WORDS_operand_dtype \
    "Every operand has an element type. [operand-dtype]"
#define PTOG_RULE_WORDS_text_tile_align \
    "The rows of a tile (col_major: columns) are a multiple of 32 bytes; a boxed tile is made of whole boxes. [text-tile-align]"
#define PTOG_RULE_WORDS_tile_shape \
    "A tile has at least one row and one column. [tile-shape]"
#define PTOG_RULE_WORDS_tile_valid \
    "Valid extents are between 1 and the padded extents. [tile-valid]"
#define PTOG_RULE_WORDS_treshape_boxed \
    "Both tiles of treshape and bitcast have a boxed layout, or neither has. [treshape-boxed]"
#define PTOG_RULE_WORDS_treshape_bytes \
    "treshape and bitcast give a tile another type of the same size, in the same memory. [treshape-bytes]"
#define PTOG_FAULT_ID_BAD_ARGUMENT "bad-argument"
#define PTOG_FAULT_ID_GATHER_L1_ROW "mgather-l1-row"
#define PTOG_FAULT_ID_GM_UNKNOWN_SIZE "gm-unknown-size"
#define PTOG_FAULT_ID_LAUNCH_BLOCKS "launch-blocks"
#define PTOG_FAULT_ID_LAUNCH_EMPTY "launch-empty"
#define PTOG_FAULT_ID_SIMT_CALLED "simt-called"

#endif
