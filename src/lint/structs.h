/* lint: types of values that live on the stack of a kernel, which the tree keeps as text: !pto.struct<f32, i8> and
 * !pto.local_array<4x8xf32>. What the text does not tell (a name for a type inside it, a comment) is not known. */
#ifndef PTOG_LINT_STRUCTS_H
#define PTOG_LINT_STRUCTS_H

#include "asm/tree.h"

bool ptog_type_is_struct(const struct ptog_tree *tree, const struct ptog_type *type);

/* Its fields, and those of the structs in it, are numbers that C++ has a name for. Holds when it is no struct. */
bool ptog_struct_is_storable(const struct ptog_tree *tree, const struct ptog_type *type);

/* What lies where a path of numbers leads, or in an array. */
enum ptog_leaf_kind {
    PTOG_LEAF_UNKNOWN = 0,
    PTOG_LEAF_NONE, /* the path is empty, or leaves the struct, or goes into what is none */
    PTOG_LEAF_NUMBER,
    PTOG_LEAF_OTHER, /* a struct, a tile, an array */
};

struct ptog_leaf {
    enum ptog_leaf_kind kind;
    const char *name; /* of a number's type, `length` bytes of the text */
    size_t length;
};

/* `item` is %s[0, 2]. */
struct ptog_leaf ptog_struct_follow(const struct ptog_tree *tree, const struct ptog_type *type,
                                    const struct ptog_item *item);

/* The elements of a local array, and how many dimensions it has. */
struct ptog_leaf ptog_array_elements(const struct ptog_tree *tree, const struct ptog_type *type, uint32_t *rank);

/* The type is not the number's. */
bool ptog_leaf_differs(const struct ptog_tree *tree, const struct ptog_leaf *leaf, const struct ptog_type *type);

#endif
