/* lower: the types of a text (tile_buf, tensor_view, memref, i32, ...) as the types of the model: what a value of the
 * type is, as far as the type says it. Placeholders, `?` and names, stay open until something else decides them. */
#ifndef PTOG_LOWER_TYPES_H
#define PTOG_LOWER_TYPES_H

#include "asm/types.h"
#include "lower/eval.h"

struct ptog_scalar {
    uint8_t width; /* 0: not an integer */
    bool real;
    enum ptog_dtype dtype; /* NONE for index, i1, f64, ... */
};
struct ptog_scalar ptog_scalar_of(const struct ptog_tree *tree, const struct ptog_type *type);

/* Fill `value` as its type says; false after an error. Placeholders stay open. */
bool ptog_tile_from_type(struct ptog_eval *e, const struct ptog_type_use *use, struct ptog_value *value);
bool ptog_view_from_type(struct ptog_eval *e, const struct ptog_type_use *use, struct ptog_value *value);
bool ptog_memref_layout(struct ptog_eval *e, const struct ptog_type_use *use,
                        struct ptog_view_value *view); /* memref.c */

/* Any type; PTOG_VALUE_ANY when it is unknown. False after an error. */
bool ptog_value_from_type(struct ptog_eval *e, const struct ptog_type_use *use, struct ptog_value *value);

const char *ptog_value_kind_name(enum ptog_value_kind kind);

#endif
