/* lint: a table of asks as C. Define ASKS as the name of the table's file and ASKS_NAME as the name that it has in
 * PTOG_ASKS_TABLES, and include this once, after the predicates that only this table uses. */
#include "model/target.h"
#include "lint/rules.h"

/* Targets. */
#define A2A3 PTOG_ON_A2A3
#define A5 PTOG_ON_A5
#define MACHINES (A2A3 | A5)
#define ANYWHERE PTOG_ON_ALL

/* Where: the name of the operation, the value of an attribute, an operand. */
#define HERE a->op->name_span
#define KEY(key) ptog_asked_key_span(a, key)
#define OF(operand) ptog_asked_span(a, operand)

/* Operands, and what is known of them. */
#define IN(n) ((struct ptog_asked_operand){PTOG_ASKED_INS, n})
#define OUT(n) ((struct ptog_asked_operand){PTOG_ASKED_OUTS, n})
#define ARG(n) ((struct ptog_asked_operand){PTOG_ASKED_ARGS, n})
#define RESULT(n) ((struct ptog_asked_operand){PTOG_ASKED_RESULTS, n})
#define INS ptog_asked_count(a, PTOG_ASKED_INS)
#define OUTS ptog_asked_count(a, PTOG_ASKED_OUTS)
#define ARGS ptog_asked_count(a, PTOG_ASKED_ARGS)
#define ROWS(operand) ptog_asked_field(a, operand, PTOG_FIELD_ROWS)
#define COLS(operand) ptog_asked_field(a, operand, PTOG_FIELD_COLS)
#define VALID_ROWS(operand) ptog_asked_field(a, operand, PTOG_FIELD_V_ROW)
#define VALID_COLS(operand) ptog_asked_field(a, operand, PTOG_FIELD_V_COL)
#define FIELD(operand, part) ptog_asked_field(a, operand, PTOG_FIELD_##part)
#define LOC(operand, words) ptog_asked_loc(a, operand, words)
#define ELEMENT(operand, words) ptog_asked_element(a, operand, words)
#define SAME_ELEMENT(x, y) ptog_asked_same_element(a, x, y)
#define SAME_VALID(x, y)                                                                                               \
    (ptog_asked_equal(VALID_ROWS(x), VALID_ROWS(y)) && ptog_asked_equal(VALID_COLS(x), VALID_COLS(y)))
#define SAME_SHAPE(x, y) (ptog_asked_equal(ROWS(x), ROWS(y)) && ptog_asked_equal(COLS(x), COLS(y)))
#define EQUAL(x, y) ptog_asked_equal(x, y)
#define COVERS(x, y) ptog_asked_covers(x, y)

/* Attributes. */
#define HAS(key) (ptog_asked_key(a, key) != NULL)
#define NUMBER(key, least, most) ptog_asked_number(a, key, least, most)
#define VALUE(key) ptog_asked_value(a, key)
#define WORD(key, word) ptog_asked_word(a, key, word)

#define NEVER false /* the operation does not exist on these targets */

#define ASKS_JOINED(a, b) a##b
#define ASKS_JOIN(a, b) ASKS_JOINED(a, b)

void ASKS_JOIN(ptog_asks_, ASKS_NAME)(const struct ptog_asked *a)
{
#define ASK(row, OP, targets, id, at, holds, message, wrong, right)                                                    \
    if (a->op->name == PTOG_OP_NAME_##OP && ((targets)&a->e->target->as) && !(holds))                                  \
        ptog_asked_say(a, id, at, message);
#include ASKS
#undef ASK
}

const struct ptog_ask_example ASKS_JOIN(ASKS_JOIN(ptog_asks_, ASKS_NAME), _examples)[] = {
#define ASK(row, OP, targets, id, at, holds, message, wrong, right) {id, message, wrong, right},
#include ASKS
#undef ASK
    {NULL, NULL, NULL, NULL},
};
