/* api: what has to be bound before a function can run: found by the walk that checks it. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/pick.h"
#include "lower/bind.h"
#include "lower/lowered.h"

/* Strides that the type leaves out (0) are packed; one that it leaves open is that of the data, whose rows may be
 * longer. */
static bool is_packed(const struct ptog_view_value *view)
{
    const struct ptog_tensor *tensor = &view->tensor;
    int64_t packed = 1;
    if (view->rank == 0 || tensor->layout != PTOG_ND || !view->base.at.known || view->base.at.value != 0)
        return false;
    for (int d = 4; d >= 5 - (int)view->rank; d--) {
        bool is_given = tensor->stride[d] != 0 && tensor->shape[d] != 1;
        if (is_given && tensor->stride[d] != packed)
            return false;
        if (packed == PTOG_DYN || tensor->shape[d] == PTOG_DYN || !ptog_mul_i64(packed, tensor->shape[d], &packed))
            packed = PTOG_DYN; /* where the next row should be is not known */
    }
    return true;
}

/* Fills element type and extents of a slot from what is known of its value. */
static void fill_shape(struct ptog_slot *slot, const struct ptog_value *value)
{
    if (value->kind == PTOG_VALUE_TILE) {
        const struct ptog_tile *tile = &value->tile.tile;
        slot->dtype = tile->dtype;
        if (tile->rows > 0 || tile->cols > 0)
            slot->rank = 2;
        slot->shape[0] = ptog_given(tile->valid_row, tile->rows);
        slot->shape[1] = ptog_given(tile->valid_col, tile->cols);
        slot->packed = slot->rank > 0;
    } else if (value->kind == PTOG_VALUE_VIEW) {
        slot->dtype = value->view.tensor.dtype;
        slot->rank = (int)value->view.rank;
        for (int i = 0; i < slot->rank; i++)
            slot->shape[i] = value->view.tensor.shape[5 - slot->rank + i];
        slot->packed = is_packed(&value->view);
    } else if (value->kind == PTOG_VALUE_POINTER) {
        slot->dtype = value->pointer.dtype;
    } else if (value->kind == PTOG_VALUE_REAL) {
        slot->dtype = value->real.dtype;
    }
}

/* A slot as callers see it. */
static struct ptog_slot slot_of(const struct ptog_program *program, const struct ptog_slot_state *state,
                                struct ptog_place place)
{
    struct ptog_slot slot = {.name = ptog_tree_text(&program->tree, state->name),
                             .kind = state->kind,
                             .written = state->written,
                             .line = place.line,
                             .column = place.column,
                             .width = state->value.kind == PTOG_VALUE_NUMBER ? state->value.width : 0};
    fill_shape(&slot, &state->value);
    return slot;
}

void ptog_slot_table_free(struct ptog_slot_table *table)
{
    if (table)
        free(table->number_of);
    free(table);
}

/* The table of the slots that a walk found; NULL when out of memory. */
static struct ptog_slot_table *copy_slots(const struct ptog_eval *e)
{
    struct ptog_slot_table *table = malloc(sizeof *table + (size_t)e->slot_count * sizeof table->of[0]);
    if (!table)
        return NULL;
    table->count = e->slot_count;
    table->number_of = calloc((size_t)e->tree->symbols.count + 2, sizeof *table->number_of);
    struct ptog_place place = {0};
    struct ptog_span last = {0};
    for (uint32_t i = 0; table->number_of && i < e->slot_count; i++) {
        place = ptog_source_place_after(&e->program->source, e->slots[i].span, last, place);
        last = e->slots[i].span;
        table->of[i] = slot_of(e->program, &e->slots[i], place);
        table->number_of[e->slots[i].name] = i + 1;
    }
    if (table->number_of)
        return table;
    ptog_slot_table_free(table);
    return NULL;
}

/* Whether the text says all of a slot's type: then no target infers another one. */
static bool has_whole_type(const struct ptog_slot_state *slot)
{
    const struct ptog_type *type = slot->value.type;
    if (!type || type->elided || type->element.placeholder)
        return false;
    for (uint32_t i = 0; i < type->rank; i++)
        if (type->dims[i].name != 0)
            return false;
    for (int i = 0; i < PTOG_FIELD_COUNT; i++)
        if (type->field[i].name != 0)
            return false;
    return true;
}

/* Whether the slots of a lowering are those of every target: all types are written, and nothing was refused. */
static bool is_same_everywhere(const struct ptog_lowered *lowered)
{
    for (uint32_t i = 0; i < lowered->e.slot_count; i++)
        if (!has_whole_type(&lowered->e.slots[i]))
            return false;
    return lowered->walk_refusals == 0;
}

/* The slots of a function whose types are written are the same on every target that takes it: they are those of
 * `target` then, else those of its own. NULL when out of memory. */
static struct ptog_slot_table *find_slots(const ptog_program *program, const struct ptog_function *function,
                                          const struct ptog_target *target)
{
    struct ptog_lowered *lowered = ptog_lowered_get(program, function, target, NULL, NULL);
    if (lowered && target != ptog_function_target(function) && !is_same_everywhere(lowered)) {
        ptog_lowered_release(lowered);
        lowered = ptog_lowered_get(program, function, ptog_function_target(function), NULL, NULL);
    }
    struct ptog_slot_table *table = lowered ? copy_slots(&lowered->e) : NULL;
    ptog_lowered_release(lowered);
    return table;
}

/* The slots of a function; NULL when there is no such function, or memory runs out. The walk, for `target` or, if that
 * is NULL, for the function's own, is done once for each function: whoever is first keeps the table, for every thread.
 */
static const struct ptog_slot_table *slots_on(const ptog_program *program, const char *name,
                                              const struct ptog_target *target)
{
    if (!program)
        return NULL;
    const struct ptog_function *function = ptog_function_find(program, name);
    if (!function)
        return NULL;
    _Atomic(struct ptog_slot_table *) *kept = &program->slots[function - program->functions];
    struct ptog_slot_table *table = atomic_load(kept), *none = NULL;
    if (!target)
        target = ptog_function_target(function);
    if (!table && (table = find_slots(program, function, target)) != NULL &&
        !atomic_compare_exchange_strong(kept, &none, table)) {
        ptog_slot_table_free(table);
        table = none;
    }
    return table;
}

/* The slots of a function on its own target, unless they are kept already; NULL as in slots_on. */
static const struct ptog_slot_table *slots_of(const ptog_program *program, const char *name)
{
    const struct ptog_function *function = program ? ptog_function_find(program, name) : NULL;
    const struct ptog_slot_table *kept = function ? atomic_load(&program->slots[function - program->functions]) : NULL;
    if (kept)
        return kept;
    return slots_on(program, name, NULL);
}

enum ptog_status ptog_program_slots_on(const ptog_program *program, const char *function,
                                       const struct ptog_target *target)
{
    if (!program || !ptog_function_find(program, function))
        return PTOG_BAD_ARGUMENT;
    return slots_on(program, function, target) ? PTOG_OK : PTOG_NO_MEMORY;
}

enum ptog_status ptog_program_slots(const ptog_program *program, const char *function)
{
    return ptog_program_slots_on(program, function, NULL);
}

bool ptog_program_slot_at(const ptog_program *program, const char *function, size_t i, struct ptog_slot *slot)
{
    if (!slot)
        return false;
    const struct ptog_slot_table *slots = slots_of(program, function);
    if (!slots || i >= slots->count)
        return false;
    *slot = slots->of[i];
    return true;
}

bool ptog_program_slot_find(const ptog_program *program, const char *function, const char *name, struct ptog_slot *slot)
{
    if (!slot || !name)
        return false;
    const struct ptog_slot_table *slots = slots_of(program, function);
    if (!slots)
        return false;
    ptog_symbol symbol = ptog_symbol_find(&program->tree.symbols, name, strlen(name));
    if (symbol == 0 || slots->number_of[symbol] == 0)
        return false;
    *slot = slots->of[slots->number_of[symbol] - 1];
    return true;
}
