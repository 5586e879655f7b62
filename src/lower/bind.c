/* lower: slots: what a function takes from outside, and the buffers and numbers bound to it. */
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/array.h"
#include "base/pick.h"
#include "lower/bind.h"
#include "lower/place.h"
#include "lower/types.h"
#include "model/dtype.h"
#include "model/tile.h"

/* Makes the table from names to bindings; of several with one name the first counts. False when out of memory. */
bool ptog_bind_names(struct ptog_eval *e, const struct ptog_binding *bindings, size_t count)
{
    e->bindings = bindings;
    e->binding_count = count;
    e->binding_of = calloc((size_t)e->tree->symbols.count + 2, sizeof *e->binding_of);
    for (size_t i = count; e->binding_of && i > 0; i--) {
        const char *name = ptog_or(bindings[i - 1].name, "");
        ptog_symbol symbol = ptog_symbol_find(&e->tree->symbols, name, strlen(name));
        if (symbol != 0)
            e->binding_of[symbol] = &bindings[i - 1];
    }
    return e->binding_of != NULL;
}

/* ---- making slots */

/* Makes *value what an instruction expects of a name of which nothing else is known: all of it open. */
static void value_wanted(struct ptog_value *value, enum ptog_value_kind want)
{
    *value = (struct ptog_value){.kind = (uint8_t)want, .open = want != PTOG_VALUE_NUMBER};
    if (want == PTOG_VALUE_NUMBER) {
        value->width = 64;
    } else if (want == PTOG_VALUE_TILE) {
        value->tile.tile.rows = value->tile.tile.cols = PTOG_DYN;
    } else if (want == PTOG_VALUE_VIEW) {
        value->view.base.at.known = true;
        for (int i = 0; i < 5; i++)
            value->view.tensor.shape[i] = 1;
    }
}

/* Adds the memory that slot `number` stands for, with the bytes of its binding, and returns its start. Sets `no_memory`
 * when there is none. */
static struct ptog_base new_memory(struct ptog_eval *e, const struct ptog_slot_state *slot, uint32_t number)
{
    if (!ptog_array_reserve(&e->memories, e->memory_count + 1, &e->memory_room)) {
        e->no_memory = true;
        return (struct ptog_base){0};
    }
    struct ptog_bound_memory *memory = &e->memories[e->memory_count++];
    *memory = (struct ptog_bound_memory){.slot = number};
    if (slot->binding) {
        memory->data = slot->binding->data.data;
        memory->bytes = memory->data ? slot->binding->data.bytes : 0;
    }
    return (struct ptog_base){e->memory_count, {0, true}};
}

/* Where a memref starts, which its type says in elements. */
static struct ptog_number in_bytes(struct ptog_number elements, const struct ptog_value *value)
{
    struct ptog_number bytes = {0, elements.known};
    int64_t size = (int64_t)ptog_dtype_size(value->view.tensor.dtype);
    if (elements.value != 0 && (size == 0 || !ptog_mul_i64(elements.value, size, &bytes.value)))
        bytes.known = false;
    return bytes;
}

/* Completes a new slot from its value's kind: memory gets a base, and types left open are those of the binding. False
 * after an error in that. */
static bool fill_slot(struct ptog_eval *e, struct ptog_slot_state *slot, uint32_t number)
{
    struct ptog_value *value = &slot->value;
    struct ptog_number start;
    switch (value->kind) {
    case PTOG_VALUE_POINTER:
        slot->kind = PTOG_SLOT_MEMORY;
        value->pointer.base = new_memory(e, slot, number);
        value->open = false;
        return !slot->binding || value->odd || ptog_bind_dtype(e, slot, &value->pointer.dtype);
    case PTOG_VALUE_VIEW:
        slot->kind = PTOG_SLOT_MEMORY;
        start = value->view.base.at;
        value->view.base = new_memory(e, slot, number);
        value->view.base.at = in_bytes(start, value);
        return !slot->binding || value->odd || ptog_bind_view(e, slot, value);
    case PTOG_VALUE_TILE:
        slot->kind = PTOG_SLOT_TILE;
        return !slot->binding || value->odd || ptog_bind_tile(e, slot, value);
    default: slot->kind = PTOG_SLOT_NUMBER; return true;
    }
}

/* Appends a slot for a free name, with what is bound to it; NULL, and `no_memory`, when out of memory. */
static struct ptog_slot_state *add_slot(struct ptog_eval *e, ptog_symbol name, struct ptog_span span)
{
    if (!ptog_array_reserve(&e->slots, e->slot_count + 1, &e->slot_room)) {
        e->no_memory = true;
        return NULL;
    }
    struct ptog_slot_state *slot = &e->slots[e->slot_count++];
    *slot = (struct ptog_slot_state){.name = name, .span = span};
    slot->binding = e->binding_of ? e->binding_of[name] : NULL;
    e->slot_of[name] = e->slot_count;
    return slot;
}

/* What a type is even when something is wrong with it, so that what is wrong is said, and not that it is no number. */
static enum ptog_slot_kind kind_of_type(const struct ptog_type *type)
{
    if (ptog_type_is_tile(type))
        return PTOG_SLOT_TILE;
    return type->kind == PTOG_TYPE_SCALAR ? PTOG_SLOT_NUMBER : PTOG_SLOT_MEMORY;
}

/* tensor<4xf32>, i128, and the types of other dialects: nothing that reads them can be judged. */
static void say_type(struct ptog_eval *e, const struct ptog_type_use *use)
{
    struct ptog_diag_entry *found =
        ptog_diag_emit(e->diags, "text-not-modelled", use->span, "values of this type are not simulated");
    if (ptog_is_bound(e))
        ptog_diag_set_severity(e->diags, found, PTOG_ERROR);
}

bool ptog_is_merge_counts(const struct ptog_eval *e, const struct ptog_type *type)
{
    return type->kind == PTOG_TYPE_RAW && ptog_tree_is(e->tree, type->text, "vector<4xi16>");
}

struct ptog_slot_state *ptog_slot_of(struct ptog_eval *e, ptog_symbol name, struct ptog_span span,
                                     const struct ptog_type_use *use, enum ptog_value_kind want)
{
    if (e->slot_of[name] != 0)
        return &e->slots[e->slot_of[name] - 1];
    struct ptog_slot_state *slot = add_slot(e, name, span);
    if (!slot)
        return NULL;
    uint32_t number = e->slot_count;
    if (!use || !use->type)
        value_wanted(&slot->value, want);
    else if (!ptog_value_from_type(e, use, &slot->value))
        slot->value = (struct ptog_value){0};
    else if (slot->value.kind == PTOG_VALUE_ANY && !ptog_is_merge_counts(e, use->type))
        say_type(e, use);
    slot->value.slot = number;
    slot->value.name = name;
    slot->value.span = span;
    if (!fill_slot(e, slot, number))
        slot->value.kind = PTOG_VALUE_ANY;
    if (use && use->type && slot->value.kind == PTOG_VALUE_ANY)
        slot->kind = kind_of_type(use->type);
    if (slot->value.kind == PTOG_VALUE_TILE) {
        struct ptog_value value = slot->value;
        ptog_place_new(e, NULL, 0, &value);
        e->slots[number - 1].value.tile.place = value.tile.place;
    }
    return &e->slots[number - 1];
}

void ptog_slot_settle(struct ptog_eval *e, const struct ptog_value *value)
{
    if (value->slot == 0 || e->running)
        return;
    struct ptog_value *slot = &e->slots[value->slot - 1].value;
    if (!slot->open || slot->kind != value->kind)
        return;
    slot->open = value->open;
    if (value->kind == PTOG_VALUE_VIEW) {
        slot->view.tensor = value->view.tensor;
        slot->view.rank = value->view.rank;
    } else if (value->kind == PTOG_VALUE_TILE) {
        uint32_t place = slot->tile.place;
        slot->tile = value->tile;
        slot->tile.place = place;
    }
}

/* ---- what the program does with them */

/* The slot whose memory a value lies in, from 1; 0: none. */
static uint32_t slot_behind(const struct ptog_eval *e, const struct ptog_value *value)
{
    uint32_t memory = 0;
    if (value->kind == PTOG_VALUE_VIEW)
        memory = value->view.base.memory;
    else if (value->kind == PTOG_VALUE_POINTER)
        memory = value->pointer.base.memory;
    if (memory)
        return e->memories[memory - 1].slot;
    return value->slot;
}

/* Notes that what is bound to a value's slot is read, unless it was written before. */
void ptog_mark_read(struct ptog_eval *e, const struct ptog_value *value)
{
    uint32_t slot = slot_behind(e, value);
    if (slot != 0 && !e->slots[slot - 1].written)
        e->slots[slot - 1].read = true;
}

/* Notes that what is bound to a value's slot is written. */
void ptog_mark_written(struct ptog_eval *e, const struct ptog_value *value)
{
    uint32_t slot = slot_behind(e, value);
    if (slot != 0)
        e->slots[slot - 1].written = true;
}

/* ---- before a run */

/* With a sign or without. */
static bool fits(int64_t number, unsigned width)
{
    if (number < 0)
        return width >= 64 || number >= -(INT64_C(1) << (width - 1));
    return width >= 63 || number < INT64_C(1) << width;
}

static const char *const wanted_by[] = {[PTOG_SLOT_MEMORY] = "a buffer of global memory",
                                        [PTOG_SLOT_TILE] = "the data of a tile",
                                        [PTOG_SLOT_NUMBER] = "a number"};

/* Reports a slot that nothing is bound to, or something that does not fit. */
static void check_slot(struct ptog_eval *e, const struct ptog_slot_state *slot)
{
    const char *name = ptog_tree_text(e->tree, slot->name);
    const struct ptog_binding *binding = slot->binding;
    bool number = slot->kind == PTOG_SLOT_NUMBER;
    if (!binding) {
        if (slot->kind == PTOG_SLOT_TILE && !slot->read)
            return;
        ptog_diag_emit(e->diags, "run-unbound", slot->span, "missing argument %%%.80s: the program needs %s", name,
                       wanted_by[slot->kind]);
        return;
    }
    if (binding->is_number != number)
        ptog_diag_emit(e->diags, "run-binding", slot->span, "%%%.80s must be %s", name,
                       number ? "a number, not a buffer" : "a buffer, not a number");
    else if (number && slot->value.kind == PTOG_VALUE_NUMBER && binding->real != 0)
        ptog_diag_emit(e->diags, "run-binding", slot->span, "%%%.80s must be a whole number", name);
    else if (number && slot->value.kind == PTOG_VALUE_NUMBER && !fits(binding->number, slot->value.width))
        ptog_diag_emit(e->diags, "run-binding", slot->span, "%%%.80s has %u bits, but %lld does not fit in them", name,
                       (unsigned)slot->value.width, (long long)binding->number);
    else if (slot->kind == PTOG_SLOT_MEMORY && binding->read_only && slot->written)
        ptog_diag_emit(e->diags, "run-binding", slot->span,
                       "the program stores to %%%.80s, but it is bound to read-only data", name);
    else if (slot->kind == PTOG_SLOT_TILE && !binding->data.data)
        ptog_diag_emit(e->diags, "run-binding", slot->span, "%%%.80s is bound to no data", name);
    else if (slot->kind == PTOG_SLOT_TILE) /* a later operation may have settled its type */
        ptog_bind_tile_fits(e, slot, &slot->value.tile.tile);
}

void ptog_bind_check(struct ptog_eval *e)
{
    for (uint32_t i = 0; i < e->slot_count; i++)
        check_slot(e, &e->slots[i]);
    for (size_t i = 0; i < e->binding_count; i++) {
        const char *name = ptog_or(e->bindings[i].name, "");
        ptog_symbol symbol = ptog_symbol_find(&e->tree->symbols, name, strlen(name));
        if (symbol != 0 && e->slot_of[symbol] != 0)
            continue;
        struct ptog_diag_entry *found =
            ptog_diag_emit(e->diags, "run-binding", (struct ptog_span){0},
                           "%%%.80s is bound, but the program has no argument of that name", name);
        if (found)
            found->nowhere = true;
    }
}

/* Gives the slots that are numbers their bound values, brought to the width or type of the slot. */
void ptog_bind_numbers(struct ptog_eval *e)
{
    for (uint32_t i = 0; i < e->slot_count; i++) {
        struct ptog_slot_state *slot = &e->slots[i];
        if (!slot->binding || slot->kind != PTOG_SLOT_NUMBER)
            continue;
        if (slot->value.kind == PTOG_VALUE_NUMBER) {
            unsigned drop = 64u - slot->value.width;
            uint64_t bits = (uint64_t)slot->binding->number << drop;
            slot->value.number = (struct ptog_number){(int64_t)bits >> drop, true};
        } else if (slot->value.kind == PTOG_VALUE_REAL) {
            double real = slot->binding->real != 0 ? slot->binding->real : (double)slot->binding->number;
            slot->value.real.bits = ptog_dtype_from_real(slot->value.real.dtype, real);
            slot->value.real.known = true;
        }
    }
}

void ptog_bind_tiles(struct ptog_eval *e)
{
    for (uint32_t i = 0; i < e->slot_count; i++) {
        const struct ptog_slot_state *slot = &e->slots[i];
        struct ptog_tile tile = slot->value.tile.tile;
        if (slot->value.kind != PTOG_VALUE_TILE || !slot->binding)
            continue;
        const struct ptog_tile_place *place = slot->value.tile.place ? &e->places[slot->value.tile.place - 1] : NULL;
        if (place && place->needed)
            tile = ptog_tile_static_at(tile, place->addr);
        if (tile.placed)
            ptog_core_preset(e->machine.core, &tile, slot->binding->data.data);
    }
}
