/* lint: the clauses of operations that are parsed and not simulated: words, with or without items, that stand among or
 * after the operands:
 *
 *     pto.mte_l0c_l1 %s, %d, %m, %n, %a, %b, pre_relu(%r, mode = scalar_relu), nz2nd, sat : ...
 *     pto.comm.tput(%d, %s, buf(%t, %u) : ...)
 *
 * The types of all values are written together, in the order of the values: a clause knows how many stand before it. */
#ifndef PTOG_LINT_CLAUSES_H
#define PTOG_LINT_CLAUSES_H

#include "asm/op_parts.h"
#include "lint/rules.h"

struct ptog_clause {
    ptog_symbol word;              /* 0: there is no such clause */
    const struct ptog_item *items; /* of word(items) */
    uint32_t count;
    uint32_t before; /* values of the operation before it */
    struct ptog_span span;
    struct ptog_operands operands; /* of the operation, when it was looked for by its word */
};

/* How far a walk over the clauses has come; it starts at zero. */
struct ptog_clause_walk {
    uint32_t part, item, values;
};

/* The next clause of the operation; false when there is none. */
bool ptog_clause_next(const struct ptog_lint_ctx *ctx, struct ptog_clause_walk *walk, struct ptog_clause *clause);

/* The first clause with one of a list of words like "nz2nd nz2dn"; its word is 0, and it holds nothing, when there
 * is none. */
struct ptog_clause ptog_clause_of(const struct ptog_lint_ctx *ctx, const char *words);
bool ptog_clause_has(const struct ptog_lint_ctx *ctx, const char *words);

/* Its span; that of the operation's name when there is no such clause. */
struct ptog_span ptog_clause_span(const struct ptog_lint_ctx *ctx, const char *words);

/* The first item of a clause that no key leads, and the one that a key leads; NULL when there is none. */
const struct ptog_item *ptog_clause_plain(const struct ptog_clause *clause);
const struct ptog_item *ptog_clause_key(const struct ptog_lint_ctx *ctx, const struct ptog_clause *clause,
                                        const char *key);

/* The type of an item of a clause that was looked for; NULL when nothing is known of it, also when the item is NULL or
 * no value. The second: of item i of a clause that holds values alone, without counting those before it. */
const struct ptog_type *ptog_clause_type(const struct ptog_lint_ctx *ctx, const struct ptog_clause *clause,
                                         const struct ptog_item *item);
const struct ptog_type *ptog_clause_type_at(const struct ptog_lint_ctx *ctx, const struct ptog_clause *clause,
                                            uint32_t i);

/* An item is a value; it is one of a list of words. */
static inline bool ptog_item_is_value(const struct ptog_item *item)
{
    return item && item->kind == PTOG_ITEM_VALUE;
}

bool ptog_clause_is(const struct ptog_lint_ctx *ctx, const struct ptog_item *item, const char *words);

/* The number that an operand of the operation's own list is known to be before a run; false when it is not known. */
bool ptog_lint_known(const struct ptog_lint_ctx *ctx, uint32_t n, int64_t *number);

/* What a pointer or a memref of this type points at lies in one of a list of places, as tiles name them: "gm", "mat";
 * holds for types that say nothing of it. A pointer that names no place points into global memory. */
bool ptog_type_lies(const struct ptog_lint_ctx *ctx, const struct ptog_type *type, const char *places);

/* The elements of a type, or the scalar that it is, as ptog_dtype_name spells them, else as written; NULL when that is
 * not known. The second: two types, which may be NULL, have elements of one type, or those of one are not known. The
 * third: the elements are one of a list, or not known. */
const char *ptog_type_element_name(const struct ptog_lint_ctx *ctx, const struct ptog_type *type);
bool ptog_elements_match(const struct ptog_type *a, const struct ptog_type *b);
bool ptog_type_holds(const struct ptog_lint_ctx *ctx, const struct ptog_type *type, const char *elements);

#endif
