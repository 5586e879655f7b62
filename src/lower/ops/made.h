/* lower: views, pointers, tiles and arrays as an operation makes or changes them. The check calls these functions with
 * what it knows, where numbers may be unknown, and a run with the values of the record's arguments, so that both agree.
 * `n` are the numbers of the record in the order of lower/code.h. False after an error, which a run stops at. */
#ifndef PTOG_LOWER_OPS_MADE_H
#define PTOG_LOWER_OPS_MADE_H

#include "lower/eval.h"

#define PTOG_MAX_DIMS 5u
#define PTOG_MAX_NAMES 16u /* of an affine map */
#define PTOG_MAX_MADE_ARGS (PTOG_MAX_NAMES + 1)

/* view.c: the result of make_tensor_view. `pointer` is NULL where nothing is known of it: then the numbers alone are
 * checked. */
bool ptog_make_view(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                    const struct ptog_value *pointer, const struct ptog_number *n, struct ptog_value *value);

/* partition.c: a part of a view. */
bool ptog_make_part(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                    const struct ptog_value *from, const struct ptog_number *n, struct ptog_value *value);

/* memory.c: a pointer so many elements further. */
bool ptog_make_pointer(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                       const struct ptog_value *from, struct ptog_number offset, struct ptog_value *value);

/* address.c: a pointer as an integer, and back. */
struct ptog_number ptog_address_of(const struct ptog_base *base);
bool ptog_base_of_address(struct ptog_eval *e, const struct ptog_op *op, struct ptog_number address,
                          struct ptog_base *base);

/* affine.c: the number that a map gives for its names. */
bool ptog_make_affine(struct ptog_eval *e, const struct ptog_made_code *made, const struct ptog_number *n,
                      struct ptog_number *number);

/* shapes.c: defines the valid extents of a tile, or one extent or stride of a view, as results of the operation. NULL:
 * nothing is known of the tile or view. */
void ptog_define_valid_shape(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_value *tile);
void ptog_define_view_extent(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                             const struct ptog_value *view, struct ptog_number dimension);

/* tile.c: a tile of alloc_tile at its place. Numbers are by clause. */
bool ptog_make_tile(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                    const struct ptog_number n[PTOG_TILE_CLAUSES], struct ptog_value *value);

/* tile.c: changes the valid extents of a tile, or its address. The second gives the tile that it becomes. */
void ptog_change_valid(struct ptog_eval *e, const struct ptog_made_code *made, struct ptog_number row,
                       struct ptog_number col, struct ptog_value *tile);
bool ptog_change_address(struct ptog_eval *e, const struct ptog_made_code *made, const struct ptog_value *from,
                         struct ptog_number addr, struct ptog_value *value);

/* multi_tile.c: several tiles of alloc_multi_tile, and one of them. */
bool ptog_make_tiles(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                     const struct ptog_number n[PTOG_TILE_CLAUSES], struct ptog_value *value);
bool ptog_make_tile_of(struct ptog_eval *e, const struct ptog_made_code *made, struct ptog_value *all,
                       struct ptog_number number, struct ptog_value *value);

/* subview.c: a part of a tile; uses the tile. */
bool ptog_make_subview(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                       struct ptog_value *from, const struct ptog_number *n, struct ptog_value *value);

/* reshape.c: another tile over the bytes of `from`; uses the tile. */
bool ptog_make_reshaped(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                        struct ptog_value *from, struct ptog_value *value);

/* struct_fields.c: how many numbers a struct has (more than `most` is not counted on), and which of them the path of
 * %s[1, 0] leads to; false when it leads to none. */
uint32_t ptog_struct_numbers(const struct ptog_type *type, uint32_t most);
bool ptog_struct_find(const struct ptog_type *type, const struct ptog_item *item, uint32_t most, uint32_t *number);

/* local_array.c, in a run: the elements of an array that an operation declares, none of them set (NULL when out of
 * memory); an element of it, to be set or read. `n` are the indices. */
struct ptog_local_array *ptog_declare_array(struct ptog_eval *e, const struct ptog_op *op, uint32_t count);
void ptog_set_element(struct ptog_eval *e, const struct ptog_made_code *made, const struct ptog_value *array,
                      const struct ptog_number *n, const struct ptog_value *value);
void ptog_get_element(struct ptog_eval *e, const struct ptog_made_code *made, const struct ptog_value *array,
                      const struct ptog_number *n, struct ptog_value *value);

/* print.c, in a run: notes what a tile holds. */
void ptog_print_tile(struct ptog_eval *e, const struct ptog_made_code *made, struct ptog_value *tile);

/* unknown.c: defines the arguments of a block from their types. */
void ptog_define_block_args(struct ptog_eval *e, const struct ptog_op *label);

#endif
