/* lint: the rules for operations that are parsed but not simulated, and the functions that they are written with. Each
 * rule is a row of one of the tables src/spec/lint_*.def, with a wrong and a right example:
 *
 *     LINT(addrelu_element, TADDRELU, A2A3, "text-element", HERE, ELEMENT(IN(0), LINT_INT16 " f16 f32"),
 *         "supports i16, f16 and f32", wrong, right)
 *
 * Whatever is not written, or not known before a run, holds: a row refuses only what every value would make wrong. */
#ifndef PTOG_LINT_RULES_H
#define PTOG_LINT_RULES_H

#include "asm/op_parts.h"
#include "lint/lint.h"

/* A table is one function: it says which of its rows do not hold for the operation. */
typedef void ptog_lint_rules(const struct ptog_lint_ctx *ctx);

/* A row beside its examples, for the tests; the linker leaves them out of the library. */
struct ptog_lint_example {
    const char *id, *message; /* a row of spec/text_rules.def; what follows the name of the operation */
    const char *wrong, *right;
};

/* The tables: ptog_lint_rules_cube, and ptog_lint_rules_cube_examples, which ends with a row of NULL. */
#define PTOG_LINT_TABLES(X) X(comm) X(cube) X(fifo) X(micro) X(products) X(quant) X(store) X(values) X(vector)
#define PTOG_LINT_DECLARE(name)                                                                                        \
    ptog_lint_rules ptog_lint_rules_##name;                                                                            \
    extern const struct ptog_lint_example ptog_lint_rules_##name##_examples[];
PTOG_LINT_TABLES(PTOG_LINT_DECLARE)

/* The row does not hold: "'pto.x' message". */
void ptog_lint_say(const struct ptog_lint_ctx *ctx, const char *id, struct ptog_span at, const char *message);

/* The value of a name at the operation; NULL when it is not defined. */
static inline const struct ptog_value *ptog_lint_named(const struct ptog_lint_ctx *ctx, ptog_symbol name)
{
    return ctx->value_named(ctx->scope, name);
}

/* ---- the words of the tables; each is short for the function of the same name */

/* Operands: of ins(...), of outs(...), of the operation's own list, and the types of its results. */
enum ptog_lint_list { PTOG_LINT_INS, PTOG_LINT_OUTS, PTOG_LINT_ARGS, PTOG_LINT_RESULTS };
struct ptog_lint_operand {
    enum ptog_lint_list list;
    uint32_t n;
};

/* Its type: that of its definition, else the one that is written with it; NULL when nothing is known of it. */
const struct ptog_type *ptog_lint_type(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand);

/* How many operands a list of the operation has. */
uint32_t ptog_lint_count(const struct ptog_lint_ctx *ctx, enum ptog_lint_list list);

/* A part of its type, if it is a tile; PTOG_DYN when that is not known. Valid extents that are not written are those
 * of the tile. */
int64_t ptog_lint_field(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand, enum ptog_tile_field field);

/* Its place is one of those in a list of words like "vec acc"; holds when it is no tile. */
bool ptog_lint_loc(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand, const char *words);

/* Its elements are one of a list of types like "f16 bf16 i8", spelled as ptog_dtype_name does, or as written. */
bool ptog_lint_element(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand, const char *words);

/* Both have elements of one type. */
bool ptog_lint_same_element(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand x, struct ptog_lint_operand y);

/* The value of an attribute, wherever the operation has it: in its dictionary, or as `key = value`; NULL: none. */
const struct ptog_item *ptog_lint_key(const struct ptog_lint_ctx *ctx, const char *key);

/* The attribute is not there, or a number from `least` to `most`, or a name like #x, whose value is not known. */
bool ptog_lint_number(const struct ptog_lint_ctx *ctx, const char *key, int64_t least, int64_t most);

/* The number of an attribute; PTOG_DYN when it is not there or no number that is not negative. */
int64_t ptog_lint_value(const struct ptog_lint_ctx *ctx, const char *key);

/* The number that an item, which may be NULL, is known to stand for before a run; false when it is not known. */
bool ptog_lint_known_number(const struct ptog_lint_ctx *ctx, const struct ptog_item *item, int64_t *number);

/* The attribute is there, and is this word: WORD, "WORD", #pto<x WORD>. */
bool ptog_lint_word(const struct ptog_lint_ctx *ctx, const char *key, const char *word);

struct ptog_span ptog_lint_key_span(const struct ptog_lint_ctx *ctx, const char *key);
struct ptog_span ptog_lint_span(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand);

/* One of two numbers is not known, or they are the same; the first is at least the second. */
static inline bool ptog_lint_equal(int64_t x, int64_t y)
{
    return x == y || x == PTOG_DYN || y == PTOG_DYN;
}

static inline bool ptog_lint_covers(int64_t x, int64_t y)
{
    return x >= y || x == PTOG_DYN || y == PTOG_DYN;
}

#endif
