/* repair: witnesses. A race means that two latencies of its first instruction give two orders. The program is run
 * again, on copies: once with everything in order, and for each race with that instruction late; then their bytes are
 * compared. */
#include "repair/witness.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "base/text.h"
#include "lower/bind.h"
#include "model/dtype.h"
#include "repair/differ.h"
#include "repair/run.h"

#define MAX_BYTES ((uint64_t)256 << 20) /* of memory that is stored to; with more, no bytes are compared */
#define COPIES 3                        /* of it: before the run, and after two others */
#define MAX_MESSAGE 1024

/* ---- before the run */

/* Whether the program stores to a buffer that is bound. */
static bool is_stored_to(const struct ptog_eval *e, uint32_t memory)
{
    const struct ptog_bound_memory *m = &e->memories[memory];
    return m->slot && m->data && m->bytes > 0 && e->slots[m->slot - 1].written && e->slots[m->slot - 1].binding;
}

/* A copy that the caller frees; NULL when out of memory. */
static unsigned char *copy_buffer(const unsigned char *data, uint64_t bytes)
{
    unsigned char *copy = malloc((size_t)bytes);
    if (copy)
        return memcpy(copy, data, (size_t)bytes);
    return NULL;
}

void ptog_witness_keep(struct ptog_witness *witness, const struct ptog_eval *e)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < e->memory_count; i++)
        bytes += is_stored_to(e, i) ? e->memories[i].bytes : 0;
    if (bytes > ptog_min(MAX_BYTES, ptog_left(e->max_memory, e->copied) / COPIES))
        return;
    witness->bytes = bytes;
    witness->before = calloc((size_t)e->memory_count + 1, sizeof(unsigned char *));
    witness->lost = !witness->before;
    for (uint32_t i = 0; i < e->memory_count && !witness->lost; i++)
        if (is_stored_to(e, i) && !(witness->before[i] = copy_buffer(e->memories[i].data, e->memories[i].bytes)))
            witness->lost = true;
}

/* Frees the copies of the memories. */
void ptog_witness_close(struct ptog_witness *witness, const struct ptog_eval *e)
{
    for (uint32_t i = 0; witness->before && i < e->memory_count; i++)
        free(witness->before[i]);
    free(witness->before);
}

/* ---- running again */

struct trial {
    unsigned char **after; /* by memory; NULL: it is not stored to */
    ptog_result *result;
    bool good; /* it ran */
    bool lost; /* it did not, for lack of memory */
};

/* Frees a trial, and empties it. */
static void free_trial(const struct ptog_eval *e, struct trial *trial)
{
    for (uint32_t i = 0; trial->after && i < e->memory_count; i++)
        free(trial->after[i]);
    free(trial->after);
    ptog_result_free(trial->result);
    *trial = (struct trial){0};
}

/* Copies of what the run had; false when out of memory. */
static bool bind_copies(const struct ptog_witness *witness, const struct ptog_eval *e, struct trial *trial,
                        struct ptog_binding *bindings)
{
    for (uint32_t i = 0; i < e->memory_count; i++) {
        if (!witness->before[i])
            continue;
        trial->after[i] = copy_buffer(witness->before[i], e->memories[i].bytes);
        if (!trial->after[i])
            return false;
        bindings[e->slots[e->memories[i].slot - 1].binding - e->bindings].data.data = trial->after[i];
    }
    return true;
}

/* Runs the program on copies of its data with some instructions late, and counts the cost. Returns what it left; `lost`
 * when out of memory. */
static struct trial run_again(const struct ptog_witness *witness, const struct ptog_eval *e,
                              const struct ptog_execution *execution, struct ptog_budget *budget,
                              const struct ptog_latency *late, size_t count)
{
    struct ptog_execution again = *execution;
    budget->used += ptog_cost_of_run(e) + ptog_cost_of_copy(witness->bytes);
    struct trial trial = {.after = calloc((size_t)e->memory_count + 1, sizeof *trial.after), .lost = true};
    struct ptog_binding *bindings = calloc(e->binding_count + 1, sizeof *bindings);
    if (bindings && e->binding_count > 0)
        memcpy(bindings, e->bindings, e->binding_count * sizeof *bindings);
    if (trial.after && bindings && bind_copies(witness, e, &trial, bindings)) {
        again.bindings = bindings;
        again.schedule = PTOG_SCHEDULE_WITNESS;
        again.late = late;
        again.late_count = count;
        again.no_sanitize = true;
        again.trace = NULL;
        enum ptog_status status = ptog_run_within(budget, e->program, &again, NULL, &trial.result);
        trial.good = status == PTOG_OK || status == PTOG_FAULT;
        trial.lost = status == PTOG_NO_MEMORY;
    }
    free(bindings);
    return trial;
}

/* ---- comparing */

/* The element type of what is bound to a slot; PTOG_DTYPE_NONE: the program does not say it. */
static enum ptog_dtype dtype_of(const struct ptog_slot_state *slot)
{
    enum ptog_dtype dtype = PTOG_DTYPE_NONE;
    if (slot->value.kind == PTOG_VALUE_VIEW)
        dtype = slot->value.view.tensor.dtype;
    else if (slot->value.kind == PTOG_VALUE_POINTER)
        dtype = slot->value.pointer.dtype;
    if (dtype != PTOG_DTYPE_NONE)
        return dtype;
    return slot->binding->dtype;
}

/* Whether two runs stored different bytes, in global memory or else in a tile; *found is the first difference. */
static bool differ(const struct ptog_eval *e, const struct trial *a, const struct trial *b,
                   struct ptog_difference *found)
{
    for (uint32_t i = 0; i < e->memory_count; i++) {
        if (!a->after[i] || !b->after[i])
            continue;
        const struct ptog_slot_state *slot = &e->slots[e->memories[i].slot - 1];
        if (!ptog_bytes_differ(a->after[i], b->after[i], e->memories[i].bytes, dtype_of(slot), found))
            continue;
        found->name = ptog_tree_text(e->tree, slot->name);
        if (found->dtype != PTOG_DTYPE_NONE && found->dtype == slot->binding->dtype) {
            found->rank = slot->binding->rank;
            memcpy(found->shape, slot->binding->shape, sizeof found->shape);
        }
        return true;
    }
    return ptog_result_differs(a->result, b->result, found);
}

/* ---- saying so */

/* UB is 0xAA where nobody has written: such an element shows that better as its bytes. */
static bool is_fill(enum ptog_dtype dtype, uint64_t bits)
{
    size_t size = ptog_dtype_size(dtype);
    return size > 0 && bits == (UINT64_C(0xAAAAAAAAAAAAAAAA) >> (64 - 8 * size));
}

/* Appends an element to the text, as a number of its type. */
static void put_value(struct ptog_text *text, enum ptog_dtype dtype, uint64_t bits)
{
    unsigned shift = 64 - 8 * (unsigned)ptog_dtype_size(dtype);
    if (is_fill(dtype, bits))
        ptog_text_addf(text, "0x%" PRIx64, bits);
    else if (ptog_dtype_is_float(dtype))
        ptog_text_addf(text, "%.9g", (double)ptog_dtype_to_float(dtype, bits));
    else if (ptog_dtype_is_signed(dtype))
        ptog_text_addf(text, "%" PRId64, (int64_t)(bits << shift) >> shift);
    else if (dtype != PTOG_DTYPE_NONE && dtype != PTOG_HIF8)
        ptog_text_addf(text, "%" PRIu64, bits);
    else
        ptog_text_addf(text, "0x%02" PRIx64, bits);
}

/* Appends "out[3, 5] is ", by the shape where it is known. */
static void put_element(struct ptog_text *text, const struct ptog_difference *found)
{
    uint64_t index[5] = {found->element}, rest = found->element;
    int rank = found->rank > 1 && found->rank <= 5 ? found->rank : 1;
    for (int d = rank - 1; rank > 1 && d >= 0; d--) {
        uint64_t extent = found->shape[d] > 0 ? (uint64_t)found->shape[d] : 1;
        index[d] = d > 0 ? rest % extent : rest;
        rest /= extent;
    }
    ptog_text_addf(text, "%s%.200s[", ptog_when(found->dtype == PTOG_DTYPE_NONE, "byte "), found->name);
    for (int d = 0; d < rank; d++)
        ptog_text_addf(text, "%s%" PRIu64, ptog_when(d > 0, ", "), index[d]);
    ptog_text_add(text, "] is ");
}

/* Adds what the two runs showed; without one of them, that there was no memory for it. */
static void say(struct ptog_eval *e, struct ptog_diag_entry *race, const struct trial *in_order,
                const struct trial *late)
{
    char words[MAX_MESSAGE];
    struct ptog_text text;
    struct ptog_difference found;
    ptog_text_init(&text, words, sizeof words);
    ptog_text_add(&text, race->diag.witness);
    if (!in_order || !late) {
        ptog_text_add(&text, "; there was not enough memory to compare the bytes");
    } else if (differ(e, in_order, late, &found)) {
        ptog_text_add(&text, ", and ");
        put_element(&text, &found);
        put_value(&text, found.dtype, found.bits[1]);
        ptog_text_add(&text, " instead of ");
        put_value(&text, found.dtype, found.bits[0]);
    } else {
        ptog_text_add(&text, ", but the bytes are the same for this data");
    }
    const char *copy = ptog_arena_copy(&e->diags->arena, words, strlen(words));
    if (copy)
        race->diag.witness = copy;
    else
        e->no_memory = true;
}

void ptog_witness_show(const struct ptog_witness *witness, struct ptog_eval *e, const struct ptog_execution *execution,
                       struct ptog_budget *budget)
{
    struct trial in_order = {0};
    bool kept = witness->before || witness->lost;
    for (uint32_t i = 0; kept && i < e->diags->count && !e->stopped && !e->no_memory; i++) {
        struct ptog_diag_entry *race = &e->diags->list[i];
        const struct ptog_latency late = {
            .block = race->diag.late_block, .instruction = race->diag.late_instruction, .cycles = PTOG_LATE};
        if (race->diag.late_instruction == 0)
            continue;
        if (witness->lost) {
            say(e, race, NULL, NULL);
            continue;
        }
        if (budget->used + 2 * ptog_cost_of_run(e) > budget->most)
            break;
        if (!in_order.after)
            in_order = run_again(witness, e, execution, budget, NULL, 0);
        struct trial trial = run_again(witness, e, execution, budget, &late, 1);
        if (in_order.good && trial.good)
            say(e, race, &in_order, &trial);
        else if (in_order.lost || trial.lost)
            say(e, race, NULL, NULL);
        free_trial(e, &trial);
    }
    free_trial(e, &in_order);
}
