/* inputs: what an execution of the program shows about its arguments: how far its views reach, which types they have,
 * which memory single elements are read from, and where indices come from. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <string.h>

#include "inputs/inputs.h"
#include "inputs/observe.h"
#include "model/buffers.h"
#include "model/mgather.h"
#include "model/target.h"

#define FIRST_MARK 0x4000 /* it fits in 16 bits, and small tables have no such index */

/* The generated argument whose memory an address is in; NULL: none. */
static struct ptog_generated *find_generated(const struct ptog_inputs *inputs, const void *data)
{
    for (size_t i = 0; i < inputs->count; i++) {
        uintptr_t base = (uintptr_t)inputs->of[i].space, at = (uintptr_t)data;
        if (base && at >= base && at - base < MAX_INPUT_BYTES)
            return &inputs->of[i];
    }
    return NULL;
}

/* Notes how far an access reaches into an argument. */
static void note_reach(struct ptog_generated *generated, const void *data, uint64_t bytes)
{
    uint64_t end = (uint64_t)((uintptr_t)data - (uintptr_t)generated->space) + bytes;
    if (end <= MAX_INPUT_BYTES && end > generated->need)
        generated->need = (size_t)end;
}

/* The bytes from the first to the last element of a view. */
static uint64_t span_of(const struct ptog_tensor *view)
{
    int64_t last = 1;
    for (int d = 0; d < 5; d++)
        last += (view->shape[d] - 1) * view->stride[d];
    return (uint64_t)last * ptog_dtype_size(view->dtype);
}

/* Makes an argument a signal, all of which gets the value that satisfies the last wait for it; of several, the
 * largest. */
static void note_wait(struct ptog_generated *generated, int64_t value)
{
    if (generated->recipe || (generated->signal && generated->value >= value))
        return;
    generated->signal = generated->loaded = true;
    generated->kind = PTOG_INPUT_SAME;
    generated->value = value;
    generated->dtype = PTOG_I32;
}

/* Notes how far a scalar access reaches into a generated argument, and that its contents matter. */
static void note_scalar(struct ptog_inputs *inputs, const struct ptog_access_seen *seen)
{
    struct ptog_generated *generated = find_generated(inputs, seen->data);
    if (!generated)
        return;
    note_reach(generated, seen->data, seen->bytes);
    if (seen->waits_for)
        note_wait(generated, *seen->waits_for);
    else if (!seen->stores)
        generated->scalar = generated->loaded = true;
}

/* The extents of a view from the first that is not 1 on; at least one. */
static void note_shape(struct ptog_generated *generated, const struct ptog_tensor *view)
{
    int first = 0;
    while (first < 4 && view->shape[first] == 1)
        first++;
    generated->rank = 5 - first;
    memcpy(generated->shape, view->shape + first, (size_t)generated->rank * sizeof view->shape[0]);
}

/* Notes what a view over a generated argument says about it: how much is needed, its type, and that it is written. */
static void note_view(struct ptog_inputs *inputs, const struct ptog_tensor *view, const void *data, bool stores)
{
    struct ptog_generated *generated = data ? find_generated(inputs, data) : NULL;
    if (!generated)
        return;
    if (data == generated->space && span_of(view) >= generated->need)
        note_shape(generated, view);
    note_reach(generated, data, span_of(view));
    if (view->dtype != PTOG_DTYPE_NONE)
        generated->dtype = view->dtype;
    generated->loaded = generated->loaded || !stores;
}

uint64_t ptog_gather_capacity(const struct ptog_gather_seen *seen)
{
    uint64_t capacity = 1;
    if (!seen->mgather)
        return (uint64_t)(seen->tgather->src.rows * seen->tgather->src.cols);
    bool row = ptog_mgather_mode(ptog_target_default(), seen->mgather) == PTOG_ROW;
    for (int d = row ? 3 : 0; d < (row ? 4 : 5); d++)
        capacity *= (uint64_t)seen->mgather->table.shape[d];
    return capacity;
}

/* An index tile whose first number is a mark was loaded from the argument of that mark. */
static void note_indices(const struct ptog_trial_run *trial, const struct ptog_gather_seen *seen)
{
    const struct ptog_inputs *inputs = trial->inputs;
    const struct ptog_tile *idx = seen->mgather ? &seen->mgather->idx : &seen->tgather->idx;
    size_t size = ptog_dtype_size(idx->dtype);
    uint64_t number = 0;
    if (!trial->marked || size == 0 || !seen->run->idx.data || seen->run->idx.bytes < size)
        return;
    memcpy(&number, seen->run->idx.data, size);
    if (number < FIRST_MARK || number - FIRST_MARK >= inputs->count)
        return;
    struct ptog_generated *generated = &inputs->of[number - FIRST_MARK];
    uint64_t capacity = ptog_gather_capacity(seen);
    if (generated->capacity == 0 || capacity < generated->capacity)
        generated->capacity = capacity;
}

/* The indices of a gather into L1 lie in memory themselves. */
static void note_index_view(const struct ptog_inputs *inputs, const struct ptog_access_seen *seen)
{
    struct ptog_generated *generated = seen->run->idx.data ? find_generated(inputs, seen->run->idx.data) : NULL;
    uint64_t capacity = ptog_mgather_capacity(ptog_target_default(), seen->insn);
    if (generated && (generated->capacity == 0 || capacity < generated->capacity))
        generated->capacity = capacity;
}

/* One access of a trial: notes what it says about the arguments, and how much work it was. */
static void see_access(void *user, const struct ptog_access_seen *seen)
{
    struct ptog_trial_run *trial = user;
    trial->accesses++;
    if (!seen->insn) {
        note_scalar(trial->inputs, seen);
        trial->work += seen->bytes;
        return;
    }
    bool scatters = seen->insn->opcode == PTOG_MSCATTER;
    const struct ptog_insn_row *row = ptog_insn_row(seen->insn->opcode);
    trial->instructions++;
    for (int i = 0; i < seen->insn->count; i++) {
        const struct ptog_operand *operand = &seen->insn->of[i];
        bool stores = row->of[i].role == PTOG_ROLE_OUT || row->of[i].role == PTOG_ROLE_SCRATCH;
        if (operand->kind == PTOG_IS_VIEW)
            note_view(trial->inputs, &operand->view, ptog_run_buffer(seen->run, &row->of[i]).data, stores);
        else if (operand->kind == PTOG_IS_TILE)
            trial->work += (uint64_t)(operand->tile.rows * operand->tile.cols) * ptog_dtype_size(operand->tile.dtype);
    }
    if (ptog_mgather_is_l1(seen->insn))
        note_index_view(trial->inputs, seen);
    if (scatters) {
        struct ptog_mgather scatter = ptog_mgather_of(seen->insn);
        note_indices(trial, &(struct ptog_gather_seen){.mgather = &scatter, .run = seen->run});
    }
}

static void see_gather(void *user, const struct ptog_gather_seen *seen)
{
    note_indices(user, seen);
}

struct ptog_gather_watch ptog_inputs_watch(struct ptog_trial_run *trial)
{
    return (struct ptog_gather_watch){.gathers = see_gather, .user = trial, .accesses = see_access};
}

void ptog_inputs_mark(struct ptog_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        struct ptog_generated *generated = &inputs->of[i];
        if (ptog_may_be_indices(generated) && ptog_dtype_size(generated->dtype) > 1) {
            ptog_fill_mark(generated, FIRST_MARK + i);
            generated->held = (struct ptog_fill){0};
        }
    }
}
