/* lower: names and what they stand for. Symbols are small numbers, so a name is found in one step. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/distance.h"
#include "base/pick.h"
#include "lower/bind.h"
#include "lower/emit.h"
#include "lower/forward_address.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "lower/scope.h"
#include "lower/types.h"

#define MAX_MISSPELLED ((size_t)40) /* a longer name is not compared with others */

struct ptog_value *ptog_value_named(const struct ptog_eval *e, ptog_symbol name)
{
    if (name == 0 || e->value_of[name] == 0)
        return NULL;
    return ptog_value_at(e, e->value_of[name]);
}

struct ptog_value *ptog_value_of(const struct ptog_eval *e, const struct ptog_item *item)
{
    if (item->kind != PTOG_ITEM_VALUE)
        return NULL;
    return ptog_value_named(e, item->name);
}

/* Makes room for one more value; false when out of memory. Values never move. */
static bool add_chunk(struct ptog_eval *e)
{
    if (e->value_count < e->chunk_count * PTOG_CHUNK)
        return true;
    if (!ptog_array_reserve(&e->chunks, e->chunk_count + 1, &e->chunk_room))
        return false;
    e->chunks[e->chunk_count] = malloc(PTOG_CHUNK * sizeof **e->chunks);
    if (!e->chunks[e->chunk_count])
        return false;
    e->chunk_count++;
    return true;
}

/* Adds a value, in scope under `name`, of which no other field is set. A name that is taken is reported. NULL, and
 * no_memory, when out of memory. */
static struct ptog_value *define(struct ptog_eval *e, ptog_symbol name, struct ptog_span span)
{
    if (name != 0 && e->value_of[name] != 0 && !ptog_forward_address_of(e, name)) {
        struct ptog_diag_entry *found =
            ptog_diag_emit(e->diags, "text-redefined", span, "%%%.80s is defined twice", ptog_tree_text(e->tree, name));
        ptog_diag_relate(found, ptog_value_at(e, e->value_of[name])->span, "first defined here");
        name = 0;
    }
    if (!add_chunk(e)) {
        e->no_memory = true;
        return NULL;
    }
    struct ptog_value *value = ptog_value_at(e, ++e->value_count);
    value->name = name;
    if (name != 0)
        e->value_of[name] = e->value_count;
    return value;
}

struct ptog_tile_value *ptog_last_tile(struct ptog_eval *e, ptog_symbol name)
{
    if (!e->last_tiles && !(e->last_tiles = calloc((size_t)e->tree->symbols.count + 2, sizeof *e->last_tiles))) {
        e->no_memory = true;
        return NULL;
    }
    return &e->last_tiles[name];
}

/* Keeps the tile that a name stands for, for the result of the run. Sets no_memory when it cannot. */
static void keep_last_tile(struct ptog_eval *e, ptog_symbol name, const struct ptog_tile_value *tile)
{
    struct ptog_tile_value *last = ptog_last_tile(e, name);
    if (last)
        *last = *tile;
}

const char *ptog_written_name(struct ptog_eval *e, ptog_symbol name)
{
    if (name == 0 || e->name_of[name])
        return e->name_of[name];
    uint32_t length = ptog_symbol_length(&e->tree->symbols, name);
    char *made = ptog_arena_alloc(&e->names, (size_t)length + 2);
    if (!made) {
        e->no_memory = true;
        return NULL;
    }
    made[0] = '%';
    memcpy(made + 1, ptog_tree_text(e->tree, name), length);
    return e->name_of[name] = made;
}

struct ptog_value *ptog_define(struct ptog_eval *e, ptog_symbol name, struct ptog_span span)
{
    struct ptog_value *value = define(e, name, span);
    if (value)
        *value = (struct ptog_value){.name = value->name, .span = span, .depth = e->depth, .version = ++e->versions};
    return value;
}

/* ---- results */

/* Result i of `%r:2 = ...` is called "r#i"; 0 when nothing uses it. */
static ptog_symbol numbered(const struct ptog_eval *e, ptog_symbol name, uint32_t i)
{
    char text[256];
    int n = snprintf(text, sizeof text, "%s#%u", ptog_tree_text(e->tree, name), (unsigned)i);
    if (n > 0 && (size_t)n < sizeof text)
        return ptog_symbol_find(&e->tree->symbols, text, (size_t)n);
    return 0;
}

/* The text's name for result `i`; *within is its number in a group such as %r:2, UINT32_MAX where it has its own name.
 * NULL: it has none. */
static const struct ptog_item *result_item(const struct ptog_op *op, uint32_t i, uint32_t *within)
{
    *within = UINT32_MAX;
    if (op->defines && op->outs) {
        if (i < op->outs->count)
            return &op->outs->items[i];
        return NULL;
    }
    for (uint32_t k = 0; k < op->result_count; k++) {
        uint64_t n = ptog_max(op->results[k].number, 1);
        if (i < n) {
            if (op->results[k].number)
                *within = i;
            return &op->results[k];
        }
        i -= (uint32_t)n;
    }
    return NULL;
}

void ptog_define_result(struct ptog_eval *e, const struct ptog_op *op, uint32_t i, const struct ptog_value *value)
{
    uint32_t within;
    const struct ptog_item *item = result_item(op, i, &within);
    if (!item)
        return;
    ptog_symbol name = within == UINT32_MAX ? item->name : numbered(e, item->name, within);
    if (within == 0 && name == 0)
        name = item->name;
    struct ptog_value *made = define(e, name, item->span);
    if (!made)
        return;
    ptog_symbol kept = made->name;
    *made = *value;
    made->name = kept;
    made->span = item->span;
    made->depth = e->depth;
    made->slot = 0;
    ptog_value_changed(e, made);
    if (e->running && made->kind == PTOG_VALUE_TILE && name != 0)
        keep_last_tile(e, name, &made->tile);
}

void ptog_define_any(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_part *arrow = ptog_op_part(op, PTOG_PART_ARROW, 0);
    uint32_t count = 0;
    if (op->defines && op->outs) {
        arrow = op->outs;
        count = arrow->count;
    }
    for (uint32_t i = 0; i < op->result_count; i++) {
        uint64_t n = ptog_max(op->results[i].number, 1);
        count += (uint32_t)ptog_min(n, 1000);
    }
    for (uint32_t i = 0; i < count && !e->no_memory; i++) {
        struct ptog_value value = {0};
        const struct ptog_type_use *use = ptog_part_type(arrow, i);
        if (use && ptog_type_is_tile(use->type))
            ptog_value_from_type(e, use, &value);
        ptog_define_result(e, op, i, &value);
    }
}

void ptog_scope_leave(struct ptog_eval *e, uint32_t from)
{
    while (e->value_count > from) {
        struct ptog_value *value = ptog_value_at(e, e->value_count);
        if (value->name != 0) {
            e->value_of[value->name] = 0;
            if (e->running && value->kind == PTOG_VALUE_TILE)
                keep_last_tile(e, value->name, &value->tile);
        }
        e->value_count--;
    }
}

/* ---- uses */

/* Reports a use with another type than the definition has. */
static void say_type(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use,
                     const struct ptog_value *value)
{
    struct ptog_diag_entry *found = ptog_diag_emit(e->diags, "text-type-mismatch", use->span,
                                                   "%%%.80s is used with a type that differs from its definition",
                                                   ptog_tree_text(e->tree, item->name));
    ptog_diag_relate(found, value->span, "defined here");
}

/* The name of a value in scope that was probably meant; 0: none is near. At most two of five letters differ. */
static ptog_symbol nearest_name(const struct ptog_eval *e, ptog_symbol name)
{
    const char *text = ptog_tree_text(e->tree, name);
    size_t length = ptog_symbol_length(&e->tree->symbols, name), least = length * 2 / 5 + 1;
    ptog_symbol nearest = 0;
    for (uint32_t i = 1; i <= e->value_count && length >= 2 && length <= MAX_MISSPELLED; i++) {
        ptog_symbol other = ptog_value_at(e, i)->name;
        size_t other_length = ptog_symbol_length(&e->tree->symbols, other);
        if (other == 0 || other_length < 2 || other_length > MAX_MISSPELLED)
            continue;
        size_t distance = ptog_distance(text, length, ptog_tree_text(e->tree, other), other_length);
        if (distance < least) {
            least = distance;
            nearest = other;
        }
    }
    return nearest;
}

/* Reports an undefined name, with the nearest one that is defined. */
static void say_undefined(struct ptog_eval *e, const struct ptog_item *item)
{
    ptog_symbol nearest = nearest_name(e, item->name);
    if (nearest)
        ptog_diag_emit(e->diags, "text-undefined", item->span, "%%%.80s is not defined; did you mean %%%.80s?",
                       ptog_tree_text(e->tree, item->name), ptog_tree_text(e->tree, nearest));
    else
        ptog_diag_emit(e->diags, "text-undefined", item->span, "%%%.80s is not defined",
                       ptog_tree_text(e->tree, item->name));
}

struct ptog_value *ptog_define_free(struct ptog_eval *e, uint32_t number)
{
    const struct ptog_slot_state *slot = &e->slots[number - 1];
    struct ptog_value *value = ptog_define(e, slot->name, slot->span);
    if (!value)
        return NULL;
    *value = slot->value;
    value->slot = number;
    value->name = slot->name;
    value->span = slot->span;
    ptog_value_changed(e, value);
    return value;
}

/* The run defines it there, too, before the operation. */
static void emit_free(struct ptog_eval *e, uint32_t number)
{
    bool emitted = e->emitted;
    ptog_emit(e, PTOG_CODE_FREE, e->at)->free_value = number;
    e->emitted = emitted;
}

/* The value of a name that is not defined: of bare statements a slot, which is added; else NULL, with a report. */
static struct ptog_value *use_free(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use,
                                   enum ptog_value_kind want)
{
    if (!e->bare) {
        say_undefined(e, item);
        return NULL;
    }
    const struct ptog_slot_state *slot = ptog_slot_of(e, item->name, item->span, use, want);
    if (!slot)
        return NULL;
    uint32_t number = (uint32_t)(slot - e->slots) + 1;
    emit_free(e, number);
    return ptog_define_free(e, number);
}

/* A tile from outside whose first use, a tassign, says no type: the first use that says one gives it. */
static bool accepts_type(const struct ptog_type_use *use, const struct ptog_value *value)
{
    return value->slot != 0 && value->kind == PTOG_VALUE_TILE && value->open && !value->type && use && use->type &&
           ptog_type_is_tile(use->type) && !use->type->elided;
}

/* The tile keeps its place. */
static void take_type(struct ptog_eval *e, const struct ptog_type_use *use, struct ptog_value *value)
{
    struct ptog_value typed = {0};
    if (!ptog_tile_from_type(e, use, &typed))
        return;
    if (value->tile.tile.placed)
        typed.tile.tile = ptog_tile_at(typed.tile.tile, value->tile.tile.addr);
    typed.tile.place = value->tile.place;
    value->tile = typed.tile;
    value->open = typed.open;
    value->odd = typed.odd;
    value->type = use->type;
    ptog_place_check(e, value, use->span);
    ptog_slot_settle(e, value);
}

struct ptog_value *ptog_use(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use,
                            enum ptog_value_kind want)
{
    if (item->kind != PTOG_ITEM_VALUE) {
        ptog_diag_emit(e->diags, "text-operand", item->span, "expected a value such as %%x");
        return NULL;
    }
    uint32_t number = e->value_of[item->name];
    if (number == 0)
        return use_free(e, item, use, want);
    struct ptog_value *value = ptog_value_at(e, number);
    if (accepts_type(use, value))
        take_type(e, use, value);
    if (use && value->type && use->type != value->type && value->kind != PTOG_VALUE_ANY &&
        !ptog_types_agree(use->type, value->type))
        say_type(e, item, use, value);
    return value;
}

/* Uses all operands of a part; the first `most` values go to `values`, NULL where there is none. */
void ptog_use_all(struct ptog_eval *e, const struct ptog_part *part, struct ptog_value *values[], uint32_t most)
{
    for (uint32_t i = 0; part && i < part->count; i++) {
        struct ptog_value *value = NULL;
        if (part->items[i].kind == PTOG_ITEM_VALUE)
            value = ptog_use(e, &part->items[i], ptog_part_type(part, i), PTOG_VALUE_ANY);
        if (i < most)
            values[i] = value;
    }
}

struct ptog_value *ptog_use_as(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use,
                               enum ptog_value_kind want)
{
    struct ptog_value *value = ptog_use(e, item, use, want);
    if (!value || value->kind == PTOG_VALUE_ANY)
        return NULL;
    if (value->kind == want)
        return value;
    struct ptog_diag_entry *found =
        ptog_diag_emit(e->diags, "text-operand", item->span, "%%%.80s is %s, but %s is expected here",
                       ptog_tree_text(e->tree, item->name), ptog_value_kind_name((enum ptog_value_kind)value->kind),
                       ptog_value_kind_name(want));
    ptog_diag_relate(found, value->span, "defined here");
    return NULL;
}

/* Sets *number to a value's or a literal's number. False after an error, or when nothing is known about it. */
bool ptog_use_number(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use,
                     struct ptog_number *number)
{
    *number = (struct ptog_number){0, false};
    if (item->kind == PTOG_ITEM_INT) {
        uint64_t bits = ptog_negated_if(item->negative, item->number);
        *number = (struct ptog_number){(int64_t)bits, true};
        if (!item->negative && item->number > INT64_MAX) {
            ptog_diag_emit(e->diags, "text-operand", item->span, "the number does not fit in 63 bits");
            return false;
        }
        return true;
    }
    struct ptog_value *value = ptog_use_as(e, item, use, PTOG_VALUE_NUMBER);
    if (!value)
        return false;
    *number = value->number;
    return true;
}
