/* lower: slots, which are what a function takes from outside, and bindings, which are what the caller gave for them.
 * The check before a run walks the function, makes a slot for each argument and each free name of a snippet, and
 * compares. */
#ifndef PTOG_LOWER_BIND_H
#define PTOG_LOWER_BIND_H

#include "lower/eval.h"

/* A buffer of global memory. */
struct ptog_bound_memory {
    unsigned char *data;
    uint64_t bytes;
    uint32_t slot;
    int handle; /* of the machine */
};

/* What a function takes from outside: an argument, or a free operand of a snippet. */
struct ptog_slot_state {
    ptog_symbol name;
    enum ptog_slot_kind kind;
    struct ptog_value value; /* as it is when the function starts */
    const struct ptog_binding *binding;
    struct ptog_span span;
    bool written, read; /* a tile that is written before it is read needs no binding */
};

/* The slot of a free name or an argument, made when it is new; NULL after an error. */
struct ptog_slot_state *ptog_slot_of(struct ptog_eval *e, ptog_symbol name, struct ptog_span span,
                                     const struct ptog_type_use *use, enum ptog_value_kind want);

/* What is bound, before a walk that makes slots. False when out of memory. */
bool ptog_bind_names(struct ptog_eval *e, const struct ptog_binding *bindings, size_t count);

/* The type of what tmrgsort counts into; no text can read it. */
bool ptog_is_merge_counts(const struct ptog_eval *e, const struct ptog_type *type);

/* Reports the slots that have no binding, and bindings that have no slot. */
void ptog_bind_check(struct ptog_eval *e);

/* From now on numbers are known. */
void ptog_bind_numbers(struct ptog_eval *e);

/* What inference found out about a slot's type holds from the start. */
void ptog_slot_settle(struct ptog_eval *e, const struct ptog_value *value);

/* bind_shape.c: dtype and extents of a binding as those of the value; false after an error. */
bool ptog_bind_view(struct ptog_eval *e, const struct ptog_slot_state *slot, struct ptog_value *value);
bool ptog_bind_tile(struct ptog_eval *e, const struct ptog_slot_state *slot, struct ptog_value *value);
bool ptog_bind_dtype(struct ptog_eval *e, const struct ptog_slot_state *slot, enum ptog_dtype *dtype);
bool ptog_bind_carries(enum ptog_dtype data,
                       enum ptog_dtype dtype); /* whether data of one type may be bound to the other */

/* Whether the bound bytes are those of the tile's valid region, as far as its type is known; said if not. */
bool ptog_bind_tile_fits(struct ptog_eval *e, const struct ptog_slot_state *slot, const struct ptog_tile *tile);

/* Writes the bound tiles into UB. */
void ptog_bind_tiles(struct ptog_eval *e);

void ptog_mark_read(struct ptog_eval *e, const struct ptog_value *value);
void ptog_mark_written(struct ptog_eval *e, const struct ptog_value *value);

#endif
