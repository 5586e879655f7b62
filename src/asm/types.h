/* asm: what the tree alone says of a type. */
#ifndef PTOG_ASM_TYPES_H
#define PTOG_ASM_TYPES_H

#include "asm/tree.h"

bool ptog_type_is_view(const struct ptog_type *type);
bool ptog_type_is_tile(const struct ptog_type *type);

/* Two spellings of one type; what is elided fits everything. */
bool ptog_types_agree(const struct ptog_type *a, const struct ptog_type *b);

#endif
