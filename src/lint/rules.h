/* lint: what compilers ask of operations that are read here and not modelled: the matrix unit, the FIFO between the
 * two cores, structs, messages between devices. A run stops at them; a check still says what is wrong with them, where
 * the text alone tells. Each is a row of one of the tables src/spec/lint_*.def, with a wrong and a right example:
 *
 *     ASK(histogram_byte, THISTOGRAM, A5, "text-attribute", KEY("byte"), NUMBER("byte", 0, 3),
 *         "takes a byte from 0 to 3", wrong, right)
 *
 * Whatever is not written, or not known before a run, holds: a row refuses only what every value would make wrong. */
#ifndef PTOG_LINT_RULES_H
#define PTOG_LINT_RULES_H

#include "program/eval.h"

/* The operation that is asked. */
struct ptog_asked {
    struct ptog_eval *e;
    const struct ptog_op *op;
};

/* A table is one function: it says which of its rows do not hold for the operation. */
typedef void ptog_asks(const struct ptog_asked *a);

/* A row beside its examples, for the tests; the linker leaves them out of the library. */
struct ptog_ask_example {
    const char *id, *message; /* a row of spec/text_rules.def; what follows the name of the operation */
    const char *wrong, *right;
};

/* The tables: ptog_asks_cube, and ptog_asks_cube_examples, which ends with a row of NULL. */
#define PTOG_ASKS_TABLES(X) X(comm) X(cube) X(fifo) X(micro) X(products) X(quant) X(store) X(values) X(vector)
#define PTOG_ASKS_DECLARE(name)                                                                                        \
    ptog_asks ptog_asks_##name;                                                                                        \
    extern const struct ptog_ask_example ptog_asks_##name##_examples[];
PTOG_ASKS_TABLES(PTOG_ASKS_DECLARE)

/* Says which rows do not hold for an operation. True when all of them do. */
bool ptog_check_asks(struct ptog_eval *e, const struct ptog_op *op);

/* The row does not hold: "'pto.x' message". */
void ptog_asked_say(const struct ptog_asked *a, const char *id, struct ptog_span at, const char *message);

/* ---- the words of the tables; each is short for the function of the same name */

/* Operands: of ins(...), of outs(...), of the operation's own list, and the types of its results. */
enum ptog_asked_list { PTOG_ASKED_INS, PTOG_ASKED_OUTS, PTOG_ASKED_ARGS, PTOG_ASKED_RESULTS };
struct ptog_asked_operand {
    enum ptog_asked_list list;
    uint32_t n;
};

/* Its type: that of its definition, else the one that is written with it; NULL when nothing is known of it. */
const struct ptog_type *ptog_asked_type(const struct ptog_asked *a, struct ptog_asked_operand operand);
uint32_t ptog_asked_count(const struct ptog_asked *a, enum ptog_asked_list list);

/* A part of its type, if it is a tile; PTOG_DYN when that is not known. Valid extents that are not written are those
 * of the tile. */
int64_t ptog_asked_field(const struct ptog_asked *a, struct ptog_asked_operand operand, enum ptog_tile_field field);

/* Its place is one of those in a list of words like "vec acc"; holds when it is no tile. */
bool ptog_asked_loc(const struct ptog_asked *a, struct ptog_asked_operand operand, const char *words);

/* Its elements are one of a list of types like "f16 bf16 i8", spelled as ptog_dtype_name does, or as written. */
bool ptog_asked_element(const struct ptog_asked *a, struct ptog_asked_operand operand, const char *words);

/* Both have elements of one type. */
bool ptog_asked_same_element(const struct ptog_asked *a, struct ptog_asked_operand x, struct ptog_asked_operand y);

/* The value of an attribute, wherever the operation has it: in its dictionary, or as `key = value`; NULL: none. */
const struct ptog_item *ptog_asked_key(const struct ptog_asked *a, const char *key);

/* The attribute is not there, or a number from `least` to `most`. */
bool ptog_asked_number(const struct ptog_asked *a, const char *key, int64_t least, int64_t most);

/* The number of an attribute; PTOG_DYN when it is not there or no number that is not negative. */
int64_t ptog_asked_value(const struct ptog_asked *a, const char *key);

/* The number that an item, which may be NULL, is known to stand for before a run; false when it is not known. */
bool ptog_asked_known_number(const struct ptog_asked *a, const struct ptog_item *item, int64_t *number);

/* The attribute is there, and is this word: WORD, "WORD", #pto<x WORD>. */
bool ptog_asked_word(const struct ptog_asked *a, const char *key, const char *word);

struct ptog_span ptog_asked_key_span(const struct ptog_asked *a, const char *key);
struct ptog_span ptog_asked_span(const struct ptog_asked *a, struct ptog_asked_operand operand);

/* One of two numbers is not known, or they are the same; the first is at least the second. */
static inline bool ptog_asked_equal(int64_t x, int64_t y)
{
    return x == y || x == PTOG_DYN || y == PTOG_DYN;
}

static inline bool ptog_asked_covers(int64_t x, int64_t y)
{
    return x >= y || x == PTOG_DYN || y == PTOG_DYN;
}

#endif
