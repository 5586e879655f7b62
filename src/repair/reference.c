/* repair: what a program stores in the order of its text. */
#include "repair/reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "lower/eval.h"
#include "repair/inputs.h"

#define MAX_BYTES ((uint64_t)256 << 20)  /* of what is bound */
#define COPIES (2 * PTOG_REFERENCES + 1) /* of it: before and after each run, and what it works on */
#define SEED 20260501u
#define MAX_ROUNDS 64   /* each adds a line, of which an operation takes few */
#define MORE_STEPS 1000 /* random numbers may be bounds of loops: such a run is cut */

/* ---- memory */

/* Copies of the buffers in `from`, by number of the binding; NULL when out of memory. */
static unsigned char **copy_buffers(const struct ptog_reference *r, unsigned char *const *from)
{
    unsigned char **copies = calloc(r->count + 1, sizeof *copies);
    bool good = copies != NULL;
    for (size_t i = 0; good && i < r->count; i++) {
        uint64_t bytes = r->bindings[i].data.bytes;
        if (!from[i])
            continue;
        good = (copies[i] = malloc(ptog_max(bytes, 1))) != NULL;
        if (good)
            memcpy(copies[i], from[i], bytes);
    }
    if (good)
        return copies;
    for (size_t i = 0; copies && i < r->count; i++)
        free(copies[i]);
    free(copies);
    return NULL;
}

/* Frees such copies. NULL may be given. */
static void free_buffers(const struct ptog_reference *r, unsigned char **copies)
{
    for (size_t i = 0; copies && i < r->count; i++)
        free(copies[i]);
    free(copies);
}

/* The binding before this one that has the same memory; `i` itself: none. */
static size_t first_with(const struct ptog_binding *bindings, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (!bindings[k].is_number && bindings[k].data.data == bindings[i].data.data)
            return k;
    return i;
}

/* Copies of what the caller has bound; names that share memory share a copy. */
static bool copy_bindings(struct ptog_reference *r)
{
    const struct ptog_binding *given = r->tries->execution.bindings;
    unsigned char **from = calloc(r->count + 1, sizeof *from);
    for (size_t i = 0; from && i < r->count; i++)
        if (!given[i].is_number && given[i].data.data && first_with(given, i) == i)
            from[i] = given[i].data.data;
    r->before[0] = from ? copy_buffers(r, from) : NULL;
    r->memory = from ? copy_buffers(r, from) : NULL;
    for (size_t i = 0; r->memory && i < r->count; i++)
        if (!given[i].is_number && given[i].data.data)
            r->bindings[i].data.data = r->memory[first_with(given, i)];
    free(from);
    return r->before[0] && r->memory;
}

/* How many bytes are bound to the program, up to a limit. */
static uint64_t bytes_bound(const struct ptog_reference *r)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < r->count && bytes <= MAX_BYTES; i++)
        if (!r->bindings[i].is_number)
            bytes += ptog_min(r->bindings[i].data.bytes, MAX_BYTES + 1);
    return bytes;
}

/* Puts the bound buffers back to what data set n starts with, and counts the cost. */
static void restore_data(struct ptog_reference *r, int n)
{
    r->tries->budget->used += ptog_cost_of_copy(bytes_bound(r));
    for (size_t i = 0; i < r->count; i++)
        if (r->memory[i])
            memcpy(r->memory[i], r->before[n][i], r->bindings[i].data.bytes);
}

/* ---- runs in turn */

static size_t count_errors(const ptog_diags *report)
{
    size_t count = 0;
    for (size_t i = 0; i < ptog_diags_count(report); i++)
        count += ptog_diags_at(report, i)->severity == PTOG_ERROR;
    return count;
}

/* Runs the program on data n with each operation after the end of the one before. *errors counts what it reports;
 * *good: it came to its end. PTOG_OK, or PTOG_NO_MEMORY. */
static enum ptog_status run_in_turn(struct ptog_reference *r, int n, size_t *errors, bool *good)
{
    struct ptog_trial trial = {.in_turn = true, .flags = r->flags};
    ptog_diags *report = ptog_diags_new();
    size_t faults;
    restore_data(r, n);
    enum ptog_status status = report ? ptog_try_as(r->tries, &r->execution, &trial, report, &faults) : PTOG_NO_MEMORY;
    *errors = status == PTOG_OK ? count_errors(report) : 0;
    *good = status == PTOG_OK && !trial.refused;
    ptog_diags_free(report);
    return status;
}

/* Makes data set n from the caller's data: the same types, random values. */
static void randomise_data(struct ptog_reference *r, int n, enum ptog_integers integers)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->before[n][i]) {
            const struct ptog_binding *given = &r->tries->execution.bindings[i];
            uint64_t bytes = given->data.bytes;
            memcpy(r->before[n][i], r->before[0][i], bytes);
            ptog_randomise(r->before[n][i], bytes, ptog_binding_dtype(r->tries->e, given), integers,
                           SEED + 64 * (uint64_t)n + i);
        }
}

/* Random data that the program can be run on: with random integers, or, where those lead to errors that the caller's
 * do not, with the caller's in another order. */
static enum ptog_status open_random(struct ptog_reference *r, int n)
{
    enum ptog_status status = PTOG_OK;
    size_t errors = 0;
    bool good = false;
    r->before[n] = copy_buffers(r, r->before[0]);
    if (!r->before[n])
        return PTOG_NO_MEMORY;
    for (enum ptog_integers k = PTOG_INTEGERS_RANDOM; k <= PTOG_INTEGERS_SHUFFLED && !good && status == PTOG_OK; k++) {
        randomise_data(r, n, k);
        status = run_in_turn(r, n, &errors, &good);
        good &= errors <= r->errors;
    }
    if (status == PTOG_OK && !good) { /* not even those: then there are none */
        free_buffers(r, r->before[n]);
        r->before[n] = NULL;
    }
    return status;
}

/* ---- all of it */

/* Copies what is bound, unless that is too much: `too_large`. PTOG_OK, or PTOG_NO_MEMORY. */
static enum ptog_status open_memory(struct ptog_reference *r)
{
    const struct ptog_execution *given = &r->tries->execution;
    const struct ptog_eval *e = r->tries->e;
    r->bindings = calloc(r->count + 1, sizeof *r->bindings);
    r->flags = calloc((size_t)r->tries->added->op_count + 1, sizeof *r->flags);
    if (!r->bindings || !r->flags)
        return PTOG_NO_MEMORY;
    if (r->count > 0)
        memcpy(r->bindings, given->bindings, r->count * sizeof *r->bindings);
    r->too_large = bytes_bound(r) > ptog_min(MAX_BYTES, ptog_left(e->max_memory, e->copied) / COPIES);
    if (r->too_large)
        return PTOG_OK;
    r->execution.bindings = r->bindings;
    return copy_bindings(r) ? PTOG_OK : PTOG_NO_MEMORY;
}

enum ptog_status ptog_reference_open(struct ptog_reference *r, struct ptog_tries *tries)
{
    *r =
        (struct ptog_reference){.tries = tries, .execution = tries->execution, .count = tries->execution.binding_count};
    enum ptog_status status = open_memory(r);
    if (status != PTOG_OK || r->too_large)
        return status;
    uint64_t before = tries->budget->used;
    status = run_in_turn(r, 0, &r->errors, &r->runs);
    r->execution.max_steps = 2 * (tries->budget->used - before) + MORE_STEPS;
    for (int n = 0; n < PTOG_REFERENCES && r->runs && status == PTOG_OK; n++) {
        if (n > 0)
            status = open_random(r, n);
        if (status == PTOG_OK && r->before[n] && !(r->after[n] = copy_buffers(r, r->memory)))
            status = PTOG_NO_MEMORY;
    }
    return status;
}

void ptog_reference_close(struct ptog_reference *r)
{
    free_buffers(r, r->memory);
    for (int n = 0; n < PTOG_REFERENCES; n++) {
        free_buffers(r, r->before[n]);
        free_buffers(r, r->after[n]);
    }
    free(r->bindings);
    free(r->flags);
    *r = (struct ptog_reference){0};
}

/* Whether run `n` left the same bytes in all buffers. */
static bool is_same_store(const struct ptog_reference *r, int n)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->memory[i] && memcmp(r->after[n][i], r->memory[i], r->bindings[i].data.bytes) != 0)
            return false;
    return true;
}

/* Adds the lines that data n needs; *grew: there were some. */
static enum ptog_status discover(struct ptog_reference *r, int n, bool *grew)
{
    enum ptog_status status = PTOG_OK;
    struct ptog_trial trial = {.grew = true};
    for (int round = 0; round < MAX_ROUNDS && trial.grew && status == PTOG_OK && !ptog_tries_are_used_up(r->tries);
         round++) {
        size_t faults;
        trial = (struct ptog_trial){.discovers = true, .tolerated = SIZE_MAX};
        restore_data(r, n);
        status = ptog_try_as(r->tries, &r->execution, &trial, NULL, &faults);
        *grew |= trial.grew;
    }
    return status;
}

/* Runs on data n: *faults of order, and whether it stores what it should. */
static enum ptog_status compare_stores(struct ptog_reference *r, int n, size_t *faults, bool *same)
{
    struct ptog_trial trial = ptog_trial_below(r->tries, 1);
    const struct ptog_try_result *known = ptog_try_known(r->tries, &trial, PTOG_TRY_REFERENCE + (uint32_t)n);
    if (known) {
        *faults = known->faults;
        *same = known->same;
        return PTOG_OK;
    }
    restore_data(r, n);
    enum ptog_status status = ptog_try_as(r->tries, &r->execution, &trial, NULL, faults);
    *same = status == PTOG_OK && !trial.refused && *faults == 0 && is_same_store(r, n);
    if (status == PTOG_OK && !trial.cut)
        ptog_try_cache_keep(&r->tries->cache,
                            &(struct ptog_try_result){.faults = *faults, .found = trial.found, .same = *same}, NULL);
    return status;
}

enum ptog_status ptog_reference_look(struct ptog_reference *r, bool *same)
{
    enum ptog_status status = PTOG_OK;
    size_t faults;
    *same = true;
    for (int n = 1; n < PTOG_REFERENCES && status == PTOG_OK && *same; n++)
        if (r->after[n])
            status = compare_stores(r, n, &faults, same);
    return status;
}

enum ptog_status ptog_reference_compare(struct ptog_reference *r, bool *same)
{
    enum ptog_status status = PTOG_OK;
    int grown = 0;
    *same = r->runs;
    for (int n = 0; n < PTOG_REFERENCES && status == PTOG_OK && *same; n++) {
        size_t faults = 0;
        bool grew = false;
        if (!r->after[n])
            continue;
        status = compare_stores(r, n, &faults, same);
        if (status == PTOG_OK && faults > 0 && grown++ < PTOG_REFERENCES)
            status = discover(r, n, &grew);
        if (grew) { /* then all over again */
            *same = true;
            n = -1;
        }
    }
    return status;
}
