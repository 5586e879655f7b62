/* interp: signals: numbers in global memory that a core gives and another one waits for. */
#include "interp/run_comm.h"

#include <inttypes.h>

#include "core/signal.h"
#include "interp/judge.h"
#include "interp/machine.h"
#include "interp/slots.h"
#include "lower/bind.h"
#include "lower/scope.h"
#include "model/tensor.h"

/* Whether a comparison of a signal's value with the wanted one is true. */
static bool holds(enum ptog_cmp cmp, int64_t value, int64_t wanted)
{
    switch (cmp) {
    case PTOG_CMP_EQ: return value == wanted;
    case PTOG_CMP_NE: return value != wanted;
    case PTOG_CMP_LT: return value < wanted;
    case PTOG_CMP_LE: return value <= wanted;
    case PTOG_CMP_GT: return value > wanted;
    default: return value >= wanted;
    }
}

/* A value with which a wait goes on. */
static int64_t value_for(enum ptog_cmp cmp, int64_t wanted)
{
    if (cmp == PTOG_CMP_LT)
        return wanted - 1;
    return wanted + (cmp == PTOG_CMP_NE || cmp == PTOG_CMP_GT);
}

/* Reports a wait for a signal that nobody gives any more; the core stands still there for ever. */
static void say_never(struct ptog_eval *e, const struct ptog_code *code, int64_t wanted, int64_t value)
{
    static const char *const words[] = {"", "another value than ", "less than ", "at most ", "more than ", "at least "};
    struct ptog_diag_entry *found =
        ptog_diag_emit(e->diags, "comm-never-notified", code->op->name_span,
                       "%%%.60s is %" PRId64 ", and nothing that is left to run makes it %s%" PRId64,
                       ptog_tree_text(e->tree, code->comm->names[0]->name), value, words[code->comm->how], wanted);
    ptog_diag_add_fix(e->diags, found, "notify it before, or bind a value that another kernel leaves there");
    e->hung = true;
}

/* How many elements a view has, and where element n of it lies, in elements. */
static int64_t count_elements(const struct ptog_tensor *view)
{
    int64_t count = 1;
    for (int d = 0; d < 5; d++)
        count *= view->shape[d];
    return count;
}

/* How many elements after the start of a view its element number n lies. */
static int64_t element_place(const struct ptog_tensor *view, int64_t n)
{
    int64_t place = 0;
    for (int d = 4; d >= 0; d--) {
        place += n % view->shape[d] * view->stride[d];
        n /= view->shape[d];
    }
    return place;
}

/* A signal at hand: its buffer, where it starts there, its elements. */
struct signal_view {
    const struct ptog_bound_memory *memory;
    uint64_t offset;
    struct ptog_tensor view;
};

/* The view of a record's first argument; false, and the run stops, when it starts nowhere. */
static bool find_signal(struct ptog_eval *e, const struct ptog_code *code, struct signal_view *signal)
{
    const struct ptog_value *value = ptog_slot_value(e, &code->args[0]);
    const struct ptog_base *base = &value->view.base;
    if (value->kind != PTOG_VALUE_VIEW || base->memory == 0 || !base->at.known || base->at.value < 0) {
        ptog_diag_emit(e->diags, "run-stopped", code->op->name_span,
                       "the view starts before its buffer, or its buffer is unknown");
        e->stopped = true;
        return false;
    }
    signal->memory = &e->memories[base->memory - 1];
    signal->offset = (uint64_t)base->at.value;
    signal->view = value->view.tensor;
    ptog_tensor_fill_defaults(&signal->view);
    return true;
}

static uint64_t offset_of(const struct signal_view *signal, int64_t n)
{
    return signal->offset + (uint64_t)(element_place(&signal->view, n) * (int64_t)sizeof(int32_t));
}

/* Tells whoever watches which value the wait needs, and the run goes on as if it was there. */
static void tell_wanted(struct ptog_eval *e, const struct signal_view *signal, const struct ptog_code *code,
                        int64_t wanted)
{
    int64_t value = value_for((enum ptog_cmp)code->comm->how, wanted);
    for (int64_t n = 0; e->watch->accesses && n < count_elements(&signal->view); n++)
        e->watch->accesses(e->watch->user,
                           &(struct ptog_access_seen){.data = signal->memory->data + offset_of(signal, n),
                                                      .bytes = sizeof(int32_t),
                                                      .waits_for = &value});
}

/* Gives the signal; each element of its view gets the number, as libraries do with the first. */
static void notify(struct ptog_eval *e, const struct ptog_code *code, const struct signal_view *signal, int32_t number)
{
    uint64_t at = offset_of(signal, 0);
    if (e->watch && e->watch->accesses)
        e->watch->accesses(
            e->watch->user,
            &(struct ptog_access_seen){.data = signal->memory->data + at, .bytes = sizeof number, .stores = true});
    ptog_judge_step(e, code->op, ptog_machine_notify(e, code->op, signal->memory->handle, at, number, code->comm->how));
}

/* Whether all elements of a signal are as the wait wants them; else *value is the first that is not. Stops the run
 * when one cannot be read. */
static bool is_given(struct ptog_eval *e, const struct ptog_code *code, const struct signal_view *signal,
                     int64_t wanted, int32_t *value)
{
    for (int64_t n = 0; n < count_elements(&signal->view); n++) {
        if (!ptog_core_signal(e->machine.core, signal->memory->handle, offset_of(signal, n), value)) {
            e->stopped = true;
            return false;
        }
        if (!holds((enum ptog_cmp)code->comm->how, *value, wanted))
            return false;
    }
    return true;
}

/* S has seen all elements. */
static void hear(struct ptog_eval *e, const struct signal_view *signal)
{
    for (int64_t n = 0; e->machine.pipes && n < count_elements(&signal->view); n++)
        ptog_core_heard_signal(e->machine.core, signal->memory->handle, offset_of(signal, n));
}

/* Tests a signal, or waits for it: a core that has to wait blocks, and where nobody could give the signal that is
 * reported. Returns whether it is there; always true for whoever only watches. */
static bool look(struct ptog_eval *e, const struct ptog_code *code, const struct signal_view *signal, int64_t wanted)
{
    int32_t value;
    bool waits = code->comm->kind == PTOG_COMM_WAIT;
    if (e->watch) {
        tell_wanted(e, signal, code, wanted);
        return true;
    }
    if (!ptog_judge_step(e, code->op, ptog_machine_look(e, code->op)))
        return false;
    bool given = is_given(e, code, signal, wanted, &value);
    if (given)
        hear(e, signal);
    else if (waits && !e->stopped && e->machine.linked && !e->nobody_moves)
        e->blocked = true;
    else if (waits && !e->stopped)
        say_never(e, code, wanted, value);
    return given;
}

void ptog_run_signal(struct ptog_eval *e, const struct ptog_code *code)
{
    struct signal_view signal;
    struct ptog_number number;
    bool given = false;
    if (find_signal(e, code, &signal) && ptog_read_number(e, &code->args[1], &number)) {
        if (code->comm->kind == PTOG_COMM_NOTIFY)
            notify(e, code, &signal, (int32_t)number.value);
        else
            given = look(e, code, &signal, number.value);
        e->issued += !e->blocked;
    }
    if (code->comm->kind == PTOG_COMM_TEST)
        ptog_define_result(
            e, code->op, 0,
            &(struct ptog_value){.kind = PTOG_VALUE_NUMBER, .width = 1, .number = {given ? -1 : 0, true}});
}
