/* lower: names and what they stand for. A name is a symbol, a small number, so that looking one up is reading an
 * array. Regions open scopes: leaving one forgets the values that were defined since. */
#ifndef PTOG_LOWER_SCOPE_H
#define PTOG_LOWER_SCOPE_H

#include "lower/eval.h"

/* A value by its number, from 1. */
static inline struct ptog_value *ptog_value_at(const struct ptog_eval *e, uint32_t number)
{
    number--;
    return &e->chunks[number / PTOG_CHUNK][number % PTOG_CHUNK];
}

/* The value of a name, or that an item names; NULL when it is not defined yet, or the item is no value. */
struct ptog_value *ptog_value_named(const struct ptog_eval *e, ptog_symbol name);
struct ptog_value *ptog_value_of(const struct ptog_eval *e, const struct ptog_item *item);

/* A name as the program writes it, "%idx", which lives as long as `e`; NULL for 0 and when out of memory. */
const char *ptog_written_name(struct ptog_eval *e, ptog_symbol name);

/* A new value under a name; an error when the name is taken. NULL when out of memory. `name` may be 0. */
struct ptog_value *ptog_define(struct ptog_eval *e, ptog_symbol name, struct ptog_span span);

/* A new value for what comes from outside under a free name: ptog_eval.slots, by number from 1. NULL when out of
 * memory. */
struct ptog_value *ptog_define_free(struct ptog_eval *e, uint32_t number);

/* The content of a value is new: it gets a version of its own. Whoever copies a value as it is copies its version. */
static inline void ptog_value_changed(struct ptog_eval *e, struct ptog_value *value)
{
    value->version = ++e->versions;
}

/* Defines result i of an operation, a copy of `value`. */
void ptog_define_result(struct ptog_eval *e, const struct ptog_op *op, uint32_t i, const struct ptog_value *value);

/* All results of an operation as values that fit everywhere, as far as their types do not say more. */
void ptog_define_any(struct ptog_eval *e, const struct ptog_op *op);

/* Where a run keeps the tile that a name stood for last; all of them are made at the first call. NULL, and no_memory,
 * when out of memory. */
struct ptog_tile_value *ptog_last_tile(struct ptog_eval *e, ptog_symbol name);

/* Forgets the values from number `from` (exclusive) on. */
void ptog_scope_leave(struct ptog_eval *e, uint32_t from);

/* The value of an operand; NULL after an error. `use` is its type where it is used, and may be NULL; it is compared
 * with the definition's. A free name of bare statements becomes a slot of the kind wanted. */
struct ptog_value *ptog_use(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use,
                            enum ptog_value_kind want);

/* Uses a value as ptog_use does, and reports one of another kind; NULL then, and when nothing can be said about it
 * (PTOG_VALUE_ANY). */
struct ptog_value *ptog_use_as(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use,
                               enum ptog_value_kind want);

/* The values of all operands of a part; the first `most` of them go to `values`, NULL where there is none. */
void ptog_use_all(struct ptog_eval *e, const struct ptog_part *part, struct ptog_value *values[], uint32_t most);

/* A number, from a value or a literal. False after an error, or when nothing is known about it. */
bool ptog_use_number(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use,
                     struct ptog_number *number);

#endif
