/* lower: errors that all operations share: operands that are too few, too many, or of another kind. */
#ifndef PTOG_LOWER_PARTS_H
#define PTOG_LOWER_PARTS_H

#include "asm/op_parts.h"
#include "lower/eval.h"

/* Errors unless the operation has so many operands, or results. */
bool ptog_want_operands(struct ptog_eval *e, const struct ptog_op *op, uint32_t count, uint32_t least, uint32_t most);
bool ptog_want_results(struct ptog_eval *e, const struct ptog_op *op, uint32_t count);

/* eval_lint.c: the checks of lint/lint.h at this operation. False after an error. */
bool ptog_eval_lint(struct ptog_eval *e, const struct ptog_op *op);
bool ptog_eval_lint_clauses(struct ptog_eval *e, const struct ptog_op *op);
bool ptog_check_types(struct ptog_eval *e, const struct ptog_op *op);

/* An attribute of an operation of the text that is evaluated, by key; NULL when there is none. */
const struct ptog_item *ptog_attr_of(const struct ptog_eval *e, const struct ptog_op *op, const char *key);

/* An attribute of the operation by its key, which is a word of the language, without comparing texts; NULL: it has
 * none. */
const struct ptog_item *ptog_op_word_attr(const struct ptog_op *op, enum ptog_word key);

/* The number of an attribute's value in an enum, by name or number: -1 after an error. */
int ptog_attr_enum(struct ptog_eval *e, const struct ptog_item *item, const char *(*name)(int), int from, int to);

#endif
