/* lint: what kind of name an operation has, by the tables of src/spec, and what a misspelled one was meant to be. */
#ifndef PTOG_LINT_UNKNOWN_OP_H
#define PTOG_LINT_UNKNOWN_OP_H

#include "program/eval.h"

enum ptog_op_origin {
    PTOG_ORIGIN_KNOWN,   /* of ops.def, names.def, micro.def, or a DIALECT_OP */
    PTOG_ORIGIN_FOREIGN, /* of another dialect of MLIR */
    PTOG_ORIGIN_UNKNOWN, /* of no table: a misspelling, or no program at all */
};

enum ptog_op_origin ptog_op_origin(const struct ptog_tree *tree, const struct ptog_op *op);

/* Reports an operation of unknown origin, with the nearest known name. */
void ptog_say_unknown_op(struct ptog_eval *e, const struct ptog_op *op);

#endif
