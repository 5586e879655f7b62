/* lower: functions that were lowered, and the few that a program keeps. */
#include "lint/lint.h"
#include "lower//lowered.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/pick.h"
#include "lower/bind.h"
#include "lower/ops/ops.h"
#include "lower/place.h"

/* ---- what a lowering depends on */

/* What lowering looks at in a binding: whether it is a number, its element type, shape and bytes. NULL: unbound. */
static struct ptog_binding_type type_of_binding(const struct ptog_binding *binding)
{
    struct ptog_binding_type type = {.is_bound = binding != NULL};
    if (!binding)
        return type;
    type.is_number = binding->is_number;
    type.dtype = binding->dtype;
    type.rank = binding->rank;
    type.bytes = binding->data.bytes;
    for (int i = 0; i < 5; i++)
        type.shape[i] = binding->shape[i];
    return type;
}

static bool is_same_type(const struct ptog_binding_type *a, const struct ptog_binding_type *b)
{
    return a->is_bound == b->is_bound && a->is_number == b->is_number && a->dtype == b->dtype && a->rank == b->rank &&
           a->bytes == b->bytes && memcmp(a->shape, b->shape, sizeof a->shape) == 0;
}

/* A pointer has the element type of the text, or else of the data. */
static bool is_same_pointer(const struct ptog_slot_state *slot, const struct ptog_binding_type *a,
                            const struct ptog_binding_type *b)
{
    const struct ptog_type *type = slot->value.type;
    enum ptog_dtype dtype = slot->value.pointer.dtype;
    if (a->is_number || b->is_number)
        return is_same_type(a, b);
    if (a->dtype == b->dtype)
        return true;
    bool is_written = type && type->element.dtype != PTOG_DTYPE_NONE && dtype == type->element.dtype;
    return is_written && (b->dtype == PTOG_DTYPE_NONE || ptog_bind_carries(b->dtype, dtype));
}

/* Whether another binding would have made the same slot. */
static bool is_same_slot(const struct ptog_slot_state *slot, const struct ptog_binding_type *a,
                         const struct ptog_binding_type *b)
{
    switch (slot->value.kind) {
    case PTOG_VALUE_NUMBER:
    case PTOG_VALUE_REAL: return true;
    case PTOG_VALUE_POINTER: return is_same_pointer(slot, a, b);
    default: return is_same_type(a, b);
    }
}

/* Whether a lowering serves another execution of its function; NULL: a check, which binds nothing. */
static bool is_lowered_for(const struct ptog_lowered *lowered, const struct ptog_target *target,
                           const struct ptog_eval *bound)
{
    const struct ptog_eval *e = &lowered->e;
    bool is_bound = bound != NULL;
    if (e->target != target || lowered->diags.strict != e->program->strict || (e->bound != is_bound && e->bound_counts))
        return false;
    if (!is_bound && e->bound)
        return false;
    for (uint32_t i = 0; i < e->slot_count; i++) {
        struct ptog_binding_type type = type_of_binding(is_bound ? bound->binding_of[e->slots[i].name] : NULL);
        if (!is_same_slot(&e->slots[i], &lowered->types[i], &type))
            return false;
    }
    return true;
}

/* ---- making one */

/* Replaces the bindings of the walk's slots by their types, which is all that another run has to match. False
 * when out of memory. */
static bool keep_types(struct ptog_lowered *lowered)
{
    struct ptog_eval *e = &lowered->e;
    lowered->types = calloc((size_t)e->slot_count + 1, sizeof *lowered->types);
    for (uint32_t i = 0; lowered->types && i < e->slot_count; i++) {
        lowered->types[i] = type_of_binding(e->slots[i].binding);
        e->slots[i].binding = NULL;
    }
    e->bindings = NULL;
    e->binding_count = 0;
    return lowered->types != NULL;
}

/* Walks the function with its partner, and gives its tiles places: before a run only where the walk refuses nothing,
 * as a check wants to know all. False when out of memory. */
static bool lower_function(struct ptog_lowered *lowered, const struct ptog_eval *bound)
{
    struct ptog_eval *e = &lowered->e;
    struct ptog_diag_list *diags = &lowered->diags;
    e->bound = bound != NULL;
    if (bound && !ptog_bind_names(e, bound->bindings, bound->binding_count))
        return false;
    ptog_eval_function(e, lowered->function);
    ptog_eval_partner(e, lowered->function);
    ptog_check_sides(e);
    ptog_say_misaligned(e);
    lowered->walk_count = diags->count;
    lowered->walk_errors = diags->errors;
    lowered->walk_refusals = diags->refusals;
    if (!bound || diags->refusals == 0)
        ptog_place_all(e);
    ptog_eval_drop_scratch(e);
    return keep_types(lowered) && !e->no_memory && !diags->no_memory;
}

/* Lowers a function; NULL when out of memory. */
static struct ptog_lowered *new_lowered(const struct ptog_program *program, const struct ptog_function *function,
                                        const struct ptog_target *target, const struct ptog_eval *bound)
{
    struct ptog_lowered *lowered = calloc(1, sizeof *lowered);
    if (!lowered)
        return NULL;
    lowered->function = function;
    lowered->diags.source = &program->source;
    lowered->fifo = program->tree.has_fifo ? ptog_fifo_read(program) : NULL;
    if (program->tree.has_fifo && !lowered->fifo) {
        free(lowered);
        return NULL;
    }
    if (ptog_eval_open(&lowered->e, program, target, &lowered->diags) == PTOG_OK) {
        lowered->e.fifo = lowered->fifo;
        if (lower_function(lowered, bound))
            return lowered;
    }
    ptog_lowered_release(lowered);
    return NULL;
}

/* ---- those that are kept */

/* Puts a lowering in front of those that the program keeps, unless they are many. */
static void keep_lowered(const struct ptog_program *program, struct ptog_lowered *lowered)
{
    _Atomic(struct ptog_lowered *) *first = &program->lowered[lowered->function - program->functions];
    struct ptog_lowered *next = atomic_load(first);
    uint32_t count = 0;
    for (const struct ptog_lowered *l = next; l; l = l->next)
        count++;
    if (count >= PTOG_MAX_LOWERED || program->function_count > PTOG_MAX_LOWERED_FUNCTIONS)
        return;
    lowered->is_kept = true;
    do
        lowered->next = next;
    while (!atomic_compare_exchange_weak(first, &next, lowered));
}

struct ptog_lowered *ptog_lowered_get(const struct ptog_program *program, const struct ptog_function *function,
                                      const struct ptog_target *target, const struct ptog_eval *bound,
                                      struct ptog_legality_cache *legality)
{
    struct ptog_lowered *lowered = atomic_load(&program->lowered[function - program->functions]);
    while (lowered && !is_lowered_for(lowered, target, bound))
        lowered = lowered->next;
    if (!lowered && (lowered = new_lowered(program, function, target, bound)) != NULL) {
        if (legality)
            *legality = lowered->e.legality;
        else
            ptog_legality_close(&lowered->e.legality);
        lowered->e.legality = (struct ptog_legality_cache){0};
        keep_lowered(program, lowered);
    }
    return lowered;
}

/* Frees a lowering with its code and diagnostics. */
static void free_lowered(struct ptog_lowered *lowered)
{
    ptog_eval_close(&lowered->e);
    ptog_diag_list_free(&lowered->diags);
    ptog_fifo_free(lowered->fifo);
    free(lowered->types);
    free(lowered);
}

struct ptog_lowered *ptog_lowered_share(struct ptog_lowered *lowered, const struct ptog_target *target,
                                        const struct ptog_eval *bound)
{
    if (!lowered || !is_lowered_for(lowered, target, bound))
        return NULL;
    lowered->sharers += !lowered->is_kept;
    return lowered;
}

/* One user of a lowering less; one that the program does not keep is freed with its last user. NULL may be given. */
void ptog_lowered_release(struct ptog_lowered *lowered)
{
    if (!lowered || lowered->is_kept)
        return;
    if (lowered->sharers > 0)
        lowered->sharers--;
    else
        free_lowered(lowered);
}

void ptog_lowered_free_all(struct ptog_program *program)
{
    for (size_t i = 0; program->lowered && i < program->function_count; i++)
        for (struct ptog_lowered *l = atomic_load(&program->lowered[i]), *next; l; l = next) {
            next = l->next;
            free_lowered(l);
        }
    free(program->lowered);
}

/* ---- what a run takes */

/* A copy of `count` elements, with room for one more; NULL when out of memory. */
static void *copy_array(const void *from, size_t count, size_t size)
{
    void *copy = count < SIZE_MAX / size ? malloc((count + 1) * size) : NULL;
    if (copy && count > 0)
        memcpy(copy, from, count * size);
    return copy;
}

/* Gives the copied slots and memories of a run the data that its own bindings have. */
static void bind_slots(struct ptog_eval *e)
{
    for (uint32_t i = 0; i < e->slot_count; i++) {
        e->slots[i].binding = e->binding_of[e->slots[i].name];
        e->slot_of[e->slots[i].name] = i + 1;
    }
    for (uint32_t i = 0; i < e->memory_count; i++) {
        struct ptog_bound_memory *memory = &e->memories[i];
        const struct ptog_binding *binding = memory->slot ? e->slots[memory->slot - 1].binding : NULL;
        memory->data = binding ? binding->data.data : NULL;
        memory->bytes = memory->data ? binding->data.bytes : 0;
    }
}

/* Copies what the walk found about flags and cores, which does not depend on data. */
static void take_flags(struct ptog_machine *to, const struct ptog_machine *from)
{
    to->has_sync = from->has_sync;
    to->uses_cube = from->uses_cube;
    to->uses_vector = from->uses_vector;
    to->sides = from->sides;
    to->crosses = from->crosses;
    to->has_signals = from->has_signals;
    to->partner = from->partner;
    to->whole_tiles = from->whole_tiles;
    to->split_tiles = from->split_tiles;
    to->gm_rings = from->gm_rings;
    memcpy(to->computes_ids, from->computes_ids, sizeof to->computes_ids);
    for (int src = 0; src < PTOG_PIPES; src++)
        for (int dst = 0; dst < PTOG_PIPES; dst++)
            to->used_ids[src][dst] |= from->used_ids[src][dst];
}

bool ptog_lowered_take(struct ptog_eval *e, struct ptog_lowered *lowered)
{
    const struct ptog_eval *from = &lowered->e;
    size_t ops = (size_t)e->tree->op_count + 1;
    e->lowered = lowered;
    free(e->code_of);
    e->code_of = from->code_of;
    memcpy(e->said, from->said, ops * sizeof *e->said);
    memcpy(e->place_of, from->place_of, ops * sizeof *e->place_of);
    e->slots = copy_array(from->slots, from->slot_count, sizeof *e->slots);
    e->memories = copy_array(from->memories, from->memory_count, sizeof *e->memories);
    e->places = copy_array(from->places, from->place_count, sizeof *e->places);
    e->modes = from->modes ? copy_array(from->modes, ops, sizeof *e->modes) : NULL;
    if (!e->slots || !e->memories || !e->places || (from->modes && !e->modes))
        return false;
    e->slot_count = from->slot_count;
    e->memory_count = from->memory_count;
    e->place_count = from->place_count;
    e->shared = from->shared;
    e->ub_need = from->ub_need;
    e->addr_unknown = from->addr_unknown;
    take_flags(&e->machine, &from->machine);
    bind_slots(e);
    return true;
}

/* ---- what was said */

/* Adds diagnostics `from` up to `to` of the walk to another list, numbered anew there. */
static void say_again(const struct ptog_lowered *lowered, uint32_t from, uint32_t to, struct ptog_diag_list *diags)
{
    for (uint32_t i = from; i < to && !diags->off && diags->count <= PTOG_MAX_DIAGS; i++) {
        if (!ptog_array_reserve(&diags->list, diags->count + 1, &diags->room)) {
            diags->no_memory = true;
            return;
        }
        diags->list[diags->count] = lowered->diags.list[i];
        diags->list[diags->count].number = diags->count;
        diags->count++;
    }
}

void ptog_lowered_say_walk(const struct ptog_lowered *lowered, struct ptog_diag_list *diags)
{
    say_again(lowered, 0, lowered->walk_count, diags);
    diags->errors += lowered->walk_errors;
    diags->refusals += lowered->walk_refusals;
}

void ptog_lowered_say_places(const struct ptog_lowered *lowered, struct ptog_diag_list *diags)
{
    say_again(lowered, lowered->walk_count, lowered->diags.count, diags);
    diags->errors += lowered->diags.errors - lowered->walk_errors;
    diags->refusals += lowered->diags.refusals - lowered->walk_refusals;
}
