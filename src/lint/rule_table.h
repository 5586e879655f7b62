/* lint: a table of rules as C. Define LINT_TABLE as the name of the table's file and LINT_NAME as the name that it has
 * in PTOG_LINT_TABLES, and include this once, after the predicates that only this table uses. */
#include "lint/rules.h"
#include "model/target.h"

/* Targets. */
#define A2A3 PTOG_ON_A2A3
#define A5 PTOG_ON_A5
#define MACHINES (A2A3 | A5)
#define ANYWHERE PTOG_ON_ALL

/* Where: the name of the operation, the value of an attribute, an operand. */
#define HERE ctx->op->name_span
#define KEY(key) ptog_lint_key_span(ctx, key)
#define OF(operand) ptog_lint_span(ctx, operand)

/* Operands, and what is known of them. */
#define IN(n) ((struct ptog_lint_operand){PTOG_LINT_INS, n})
#define OUT(n) ((struct ptog_lint_operand){PTOG_LINT_OUTS, n})
#define ARG(n) ((struct ptog_lint_operand){PTOG_LINT_ARGS, n})
#define RESULT(n) ((struct ptog_lint_operand){PTOG_LINT_RESULTS, n})
#define INS ptog_lint_count(ctx, PTOG_LINT_INS)
#define OUTS ptog_lint_count(ctx, PTOG_LINT_OUTS)
#define ARGS ptog_lint_count(ctx, PTOG_LINT_ARGS)
#define ROWS(operand) ptog_lint_field(ctx, operand, PTOG_FIELD_ROWS)
#define COLS(operand) ptog_lint_field(ctx, operand, PTOG_FIELD_COLS)
#define VALID_ROWS(operand) ptog_lint_field(ctx, operand, PTOG_FIELD_V_ROW)
#define VALID_COLS(operand) ptog_lint_field(ctx, operand, PTOG_FIELD_V_COL)
#define FIELD(operand, part) ptog_lint_field(ctx, operand, PTOG_FIELD_##part)
#define LOC(operand, words) ptog_lint_loc(ctx, operand, words)
#define ELEMENT(operand, words) ptog_lint_element(ctx, operand, words)
#define SAME_ELEMENT(x, y) ptog_lint_same_element(ctx, x, y)
#define SAME_VALID(x, y)                                                                                               \
    (ptog_lint_equal(VALID_ROWS(x), VALID_ROWS(y)) && ptog_lint_equal(VALID_COLS(x), VALID_COLS(y)))
#define SAME_SHAPE(x, y) (ptog_lint_equal(ROWS(x), ROWS(y)) && ptog_lint_equal(COLS(x), COLS(y)))
#define EQUAL(x, y) ptog_lint_equal(x, y)
#define COVERS(x, y) ptog_lint_covers(x, y)

/* Attributes. */
#define HAS(key) (ptog_lint_key(ctx, key) != NULL)
#define NUMBER(key, least, most) ptog_lint_number(ctx, key, least, most)
#define VALUE(key) ptog_lint_value(ctx, key)
#define WORD(key, word) ptog_lint_word(ctx, key, word)

#define NEVER false /* the operation does not exist on these targets */

#define LINT_JOINED(a, b) a##b
#define LINT_JOIN(a, b) LINT_JOINED(a, b)

void LINT_JOIN(ptog_lint_rules_, LINT_NAME)(const struct ptog_lint_ctx *ctx)
{
#define LINT(row, OP, targets, id, at, holds, message, wrong, right)                                                   \
    if (ctx->op->name == PTOG_OP_NAME_##OP && ((targets)&ctx->target->as) && !(holds))                                 \
        ptog_lint_say(ctx, id, at, message);
#include LINT_TABLE
#undef LINT
}

const struct ptog_lint_example LINT_JOIN(LINT_JOIN(ptog_lint_rules_, LINT_NAME), _examples)[] = {
#define LINT(row, OP, targets, id, at, holds, message, wrong, right) {id, message, wrong, right},
#include LINT_TABLE
#undef LINT
    {NULL, NULL, NULL, NULL},
};
