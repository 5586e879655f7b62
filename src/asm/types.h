/* asm: what the tree alone says of a type. */
#ifndef PTOG_ASM_TYPES_H
#define PTOG_ASM_TYPES_H

#include "asm/tree.h"

bool ptog_type_is_view(const struct ptog_type *type);
bool ptog_type_is_tile(const struct ptog_type *type);

/* Two spellings of one element type; a placeholder fits everything. */
bool ptog_elements_agree(const struct ptog_element *a, const struct ptog_element *b);

/* A number of 8 or 4 bits with a format of its own: f8E4M3FN, !pto.hif8. */
bool ptog_element_is_low_precision(const struct ptog_tree *tree, const struct ptog_element *element);

/* Two spellings of one type; what is elided fits everything. */
bool ptog_types_agree(const struct ptog_type *a, const struct ptog_type *b);

#endif
