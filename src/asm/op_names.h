/* asm: names of operations: which dialect one is of, and what a misspelled one was meant to be. */
#ifndef PTOG_ASM_OP_NAMES_H
#define PTOG_ASM_OP_NAMES_H

#include "asm/tree.h"

enum ptog_op_origin {
    PTOG_ORIGIN_KNOWN,   /* of ops.def, names.def, micro.def, or a DIALECT_OP */
    PTOG_ORIGIN_FOREIGN, /* of another dialect of MLIR */
    PTOG_ORIGIN_UNKNOWN, /* of no table: a misspelling, or no program at all */
};
enum ptog_op_origin ptog_op_origin(const struct ptog_tree *tree, const struct ptog_op *op);

/* The known name that an unknown one is close to: dialect, nearest and rest, one after the other. `nearest` is NULL
 * when there is none. Compares with all known names, which takes some 100,000 steps. */
struct ptog_name_guess {
    const char *dialect, *nearest, *rest;
};
struct ptog_name_guess ptog_guess_op_name(const struct ptog_tree *tree, const struct ptog_op *op);

/* Whether an unknown name is one of PTO with a suffix of PTO-AS: "pto.mgather.row". */
bool ptog_op_name_has_suffix(const struct ptog_tree *tree, const struct ptog_op *op);

#endif
