/* inputs: trials: the program is executed on the target, without its machine, with the arguments as they are now. */
#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "inputs/inputs.h"
#include "inputs/observe.h"
#include "interp/run.h"
#include "lower/program.h"

#define MIN_FILLED ((size_t)4096)
#define MAX_DOUBLED ((size_t)1 << 20)
#define COUNTED_STEPS UINT64_C(1000) /* operations of a trial are counted in these */

static size_t count_errors(const ptog_diags *diags)
{
    size_t errors = 0;
    for (size_t i = 0; i < ptog_diags_count(diags); i++)
        errors += ptog_diags_at(diags, i)->severity == PTOG_ERROR;
    return errors;
}

/* ---- targets ---- */

/* Whether the execution or the text says which target is meant. */
static bool names_target(const ptog_program *program, const struct ptog_execution *execution)
{
    const struct ptog_function *function = ptog_function_find(program, execution->function);
    return execution->target || (function && function->target);
}

/* Each target once. */
static void add_target(struct ptog_trial_run *trial, const struct ptog_target *target)
{
    size_t count = 0;
    while (count < PTOG_TARGETS && trial->targets[count] && trial->targets[count] != target)
        count++;
    if (count < PTOG_TARGETS)
        trial->targets[count] = target;
}

/* Lists the targets of the trials: those of the options, the one that execution or text names, or one of each kind. */
static void choose_targets(struct ptog_trial_run *trial, const struct ptog_inputs_options *options)
{
    static const enum ptog_target_number all[] = {PTOG_TARGET_HOST, PTOG_TARGET_A2A3, PTOG_TARGET_A5};
    for (size_t i = 0; i < options->target_count; i++)
        add_target(trial, options->targets[i]);
    if (options->target_count > 0)
        return;
    if (names_target(trial->program, &trial->execution))
        add_target(trial, ptog_run_target(trial->program, &trial->execution));
    else
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
            add_target(trial, ptog_target_at(all[i]));
}

/* ---- data that the caller has bound ---- */

/* Whether the program writes to an argument. */
static bool is_written(const struct ptog_trial_run *trial, const char *name)
{
    struct ptog_slot slot;
    return name && ptog_program_slot_find(trial->program, trial->execution.function, name, &slot) && slot.written;
}

/* Whether the arguments, as far as the program reached them, and the copies take more memory than they may. */
static bool is_too_large(const struct ptog_trial_run *trial)
{
    uint64_t bytes = trial->copied;
    for (size_t i = 0; i < trial->inputs->count; i++)
        bytes += trial->inputs->of[i].need;
    for (size_t i = 0; i < trial->inputs->given; i++)
        bytes += trial->given[i].allocated;
    return bytes > trial->max_memory;
}

/* Copies what the program may write of the given bindings, as far as there may be so many bytes: else no trial is
 * executed. False when out of memory. */
static bool copy_given(struct ptog_trial_run *trial)
{
    size_t given = trial->inputs->given;
    trial->copies = calloc(given + 1, sizeof *trial->copies);
    for (size_t i = 0; trial->copies && i < given; i++) {
        struct ptog_binding *binding = &trial->inputs->bindings[i];
        if (!binding->data.data || !is_written(trial, binding->name))
            continue;
        trial->copied += binding->data.bytes;
        if (is_too_large(trial))
            return true;
        trial->copies[i] = malloc(ptog_max(binding->data.bytes, (size_t)1));
        if (!trial->copies[i])
            return false;
        binding->data.data = trial->copies[i];
    }
    return trial->copies != NULL;
}

/* Gives the caller's data that trials write the bytes from before. */
static void restore_given(const struct ptog_trial_run *trial)
{
    for (size_t i = 0; i < trial->inputs->given; i++)
        if (trial->copies[i] && trial->given[i].data.bytes > 0)
            memcpy(trial->copies[i], trial->given[i].data.data, trial->given[i].data.bytes);
}

/* ---- one execution ---- */

bool ptog_has_open_extents(const struct ptog_slot *slot)
{
    bool is_typed = slot->kind == PTOG_SLOT_MEMORY && slot->dtype != PTOG_DTYPE_NONE;
    for (int d = 1; is_typed && d < slot->rank; d++)
        if (slot->shape[d] == PTOG_DYN)
            return true;
    return false;
}

void ptog_bind_extents(const struct ptog_generated *generated, struct ptog_binding *binding)
{
    const struct ptog_slot *slot = &generated->slot;
    int64_t extent = OPEN_EXTENT;
    if (slot->kind == PTOG_SLOT_MEMORY)
        extent = generated->number;
    if (slot->kind != PTOG_SLOT_TILE && !ptog_has_open_extents(slot))
        return;
    binding->dtype = slot->dtype;
    binding->rank = slot->rank;
    for (int d = 0; d < slot->rank; d++)
        binding->shape[d] = slot->shape[d] == PTOG_DYN ? extent : slot->shape[d];
}

/* Makes the binding of a generated argument with `bytes` of its memory. */
static void bind_generated(const struct ptog_generated *generated, struct ptog_binding *binding, size_t bytes)
{
    *binding = (struct ptog_binding){.name = generated->name, .data = {generated->space, bytes}};
    if (generated->slot.kind == PTOG_SLOT_TILE)
        binding->data.bytes = generated->need;
    ptog_bind_extents(generated, binding);
    if (generated->slot.kind == PTOG_SLOT_NUMBER) {
        binding->data = (struct ptog_buf){0};
        binding->is_number = true;
        binding->number = generated->number;
    }
}

/* More than the program has reached so far, so that what it reads next is what it will be. */
static size_t bytes_to_fill(const struct ptog_generated *generated)
{
    size_t bytes = MIN_FILLED;
    if (generated->need > MAX_DOUBLED || !generated->space)
        return generated->need;
    while (bytes < 2 * generated->need)
        bytes *= 2;
    return bytes;
}

/* What the program only reads is filled once with the same values. */
static void fill_generated(struct ptog_generated *generated)
{
    struct ptog_fill fill = ptog_fill_of(generated, bytes_to_fill(generated));
    generated->filled = fill.bytes;
    if (!generated->space || (fill.bytes > 0 && ptog_fill_is_same(&fill, &generated->held)))
        return;
    ptog_space_clear(generated->space);
    ptog_fill_values(generated, generated->space, generated->filled);
    generated->held = generated->slot.written ? (struct ptog_fill){0} : fill;
}

uint64_t ptog_trial_at(void *user, uint64_t done, uint64_t most, uint32_t line)
{
    struct ptog_trial_run *trial = user;
    const struct ptog_progress *callers = trial->progress;
    trial->steps = done;
    if (callers && callers->at) {
        uint64_t more = callers->at(callers->user, done, most, line);
        trial->ended = trial->ended || more == 0;
        return ptog_min(more, COUNTED_STEPS);
    }
    return COUNTED_STEPS;
}

/* Executes a trial on target `i`, and notes what it reports and needs. False when out of memory. */
static bool execute_on(struct ptog_trial_run *trial, size_t i)
{
    struct ptog_progress progress = {.at = ptog_trial_at, .user = trial};
    struct ptog_gather_watch watch = ptog_inputs_watch(trial);
    struct ptog_execution execution = trial->execution;
    ptog_diags *diags = ptog_diags_new();
    if (!diags)
        return false;
    execution.watch = &watch;
    execution.progress = &progress;
    execution.target = trial->targets[i];
    trial->steps = 0;
    enum ptog_status status = ptog_program_run(trial->program, &execution, diags, NULL);
    trial->work += trial->steps * MIN_STEP_WORK; /* long programs are tried less often */
    trial->stopped = trial->stopped || (status == PTOG_ILLEGAL && trial->expected[i] == 0);
    trial->errors += ptog_left(count_errors(diags), trial->expected[i]);
    ptog_diags_free(diags);
    return status != PTOG_NO_MEMORY;
}

bool ptog_trial_execute(struct ptog_trial_run *trial, uint64_t max_steps)
{
    struct ptog_inputs *inputs = trial->inputs;
    bool good = true;
    trial->errors = 0;
    trial->instructions = trial->accesses = 0;
    trial->grew = trial->stopped = false;
    trial->execution.max_steps = max_steps;
    trial->too_large = is_too_large(trial) || (trial->too_large && trial->marked);
    if (trial->too_large || trial->ended) {
        trial->stopped = true;
        for (size_t i = 0; i < inputs->count; i++)
            inputs->of[i].filled = inputs->of[i].need;
        return true;
    }
    for (size_t t = 0; good && t < PTOG_TARGETS && trial->targets[t]; t++) {
        restore_given(trial);
        for (size_t i = 0; i < inputs->count; i++) {
            fill_generated(&inputs->of[i]);
            bind_generated(&inputs->of[i], &inputs->bindings[inputs->given + i], MAX_INPUT_BYTES);
        }
        if (trial->marked)
            ptog_inputs_mark(inputs);
        good = execute_on(trial, t);
    }
    for (size_t i = 0; i < inputs->count; i++) {
        const struct ptog_generated *generated = &inputs->of[i];
        trial->grew = trial->grew || (generated->need > generated->filled && generated->kind != PTOG_INPUT_ZEROS);
    }
    return good;
}

void ptog_trial_bind_exactly(struct ptog_trial_run *trial)
{
    struct ptog_inputs *inputs = trial->inputs;
    restore_given(trial);
    for (size_t i = 0; i < inputs->count; i++) {
        fill_generated(&inputs->of[i]);
        bind_generated(&inputs->of[i], &inputs->bindings[inputs->given + i], inputs->of[i].need);
    }
}

/* ---- all of them ---- */

/* Counts the errors that a check finds on each target whatever the values are; false when out of memory. */
static bool count_expected(struct ptog_trial_run *trial)
{
    for (size_t t = 0; t < PTOG_TARGETS && trial->targets[t]; t++) {
        ptog_diags *diags = ptog_diags_new();
        if (!diags)
            return false;
        ptog_program_check(trial->program, trial->targets[t], diags);
        trial->expected[t] = count_errors(diags);
        ptog_diags_free(diags);
    }
    return true;
}

enum ptog_status ptog_trials_open(struct ptog_trial_run *trial, struct ptog_inputs *inputs, const ptog_program *program,
                                  const struct ptog_execution *execution, const struct ptog_inputs_options *options)
{
    *trial = (struct ptog_trial_run){.inputs = inputs,
                                     .program = program,
                                     .execution = *execution,
                                     .given = execution->bindings,
                                     .progress = execution->progress,
                                     .max_steps = execution->max_steps,
                                     .max_memory = execution->max_memory};
    if (trial->max_memory == 0)
        trial->max_memory = PTOG_DEFAULT_MAX_MEMORY;
    trial->execution.bindings = inputs->bindings;
    trial->execution.binding_count = inputs->binding_count;
    trial->execution.trace = NULL;
    choose_targets(trial, options);
    return copy_given(trial) && count_expected(trial) ? PTOG_OK : PTOG_NO_MEMORY;
}

void ptog_trials_close(struct ptog_trial_run *trial)
{
    for (size_t i = 0; trial->copies && i < trial->inputs->given; i++) {
        free(trial->copies[i]);
        trial->inputs->bindings[i].data = trial->given[i].data;
    }
    free(trial->copies);
}
