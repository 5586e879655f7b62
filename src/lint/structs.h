/* lint: structs and local arrays, values that live on the stack of a kernel: what their types hold. */
#ifndef PTOG_LINT_STRUCTS_H
#define PTOG_LINT_STRUCTS_H

#include "asm/tree.h"

/* The fields of a struct, and those of the structs in it, are numbers that C++ has a name for. Holds when the type is
 * NULL or no struct. */
bool ptog_struct_is_storable(const struct ptog_type *type);

/* What lies where a path of numbers leads, or in an array. */
enum ptog_leaf_kind {
    PTOG_LEAF_UNKNOWN = 0,
    PTOG_LEAF_NONE, /* the path is empty, or leaves the struct, or goes into what is none */
    PTOG_LEAF_NUMBER,
    PTOG_LEAF_OTHER, /* a struct, a tile, an array */
};

struct ptog_leaf {
    enum ptog_leaf_kind kind;
    const struct ptog_element *element; /* of a number */
};

/* Follows the numbers of `item`, %s[0, 2], into the struct; the type may be NULL. */
struct ptog_leaf ptog_struct_follow(const struct ptog_type *type, const struct ptog_item *item);

/* The elements of a local array, and how many dimensions it has; the type may be NULL. */
struct ptog_leaf ptog_array_elements(const struct ptog_type *type, uint32_t *rank);

/* Whether a type, which may be NULL, is another one than the number's. */
bool ptog_leaf_differs(const struct ptog_leaf *leaf, const struct ptog_type *type);

#endif
