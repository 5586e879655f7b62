/* interp: the loop over the records of a function. A record reads slots of the frame and sets others, or moves the
 * counter. Lines that a trial adds (interp/added.h) are executed before the first and after the last record of
 * their operation. */
#include "interp/interp.h"

#include <limits.h>
#include <stdlib.h>

#include "base/arith.h"
#include "diag/where.h"
#include "interp/judge.h"
#include "interp/limits.h"
#include "interp/machine.h"
#include "interp/run_comm.h"
#include "interp/run_fifo.h"
#include "interp/run_insn.h"
#include "interp/run_made.h"
#include "interp/run_memory.h"
#include "interp/run_scalars.h"
#include "interp/slots.h"
#include "lower/ops/flow.h"
#include "lower/ops/made.h"
#include "lower/ops/ops.h"
#include "lower/place.h"
#include "lower/scope.h"

/* ---- what records read and set */

/* Values of slots above `scope` are forgotten. */
static void leave_scope(struct ptog_eval *e, uint32_t scope)
{
    ptog_scope_leave(e, e->frame + scope);
}

/* What a region handed out are the results of the operation around it. */
static void define_results(struct ptog_eval *e, const struct ptog_op *op, uint32_t count)
{
    for (uint32_t i = 0; i < count && i < ptog_yield_count(e) && !e->no_memory; i++) {
        struct ptog_value value = *ptog_yielded(e, i);
        ptog_define_result(e, op, i, &value);
    }
    e->yields.used = 0;
}

/* The arguments of a region, from number `from` on, are what was handed out last. */
static void define_yielded_args(struct ptog_eval *e, const struct ptog_region *region, uint32_t from)
{
    static const struct ptog_value any;
    for (uint32_t i = from; i < region->arg_count && !e->no_memory; i++)
        ptog_define_arg(e, &region->args[i], i - from < ptog_yield_count(e) ? ptog_yielded(e, i - from) : &any);
    e->yields.used = 0;
}

/* Hands out the values of a record's arguments, from number `from` on. */
static void yield_args(struct ptog_eval *e, const struct ptog_code *code, uint32_t from)
{
    e->yields.used = 0;
    for (uint32_t i = from; i < code->arg_count; i++)
        ptog_yield(e, code->args[i].slot ? ptog_slot_value(e, &code->args[i]) : NULL);
}

/* ---- loops */

/* Tells the caller how far the run is, and when to tell again; 0 from the caller ends the run. */
static void report_progress(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_line_text text;
    struct ptog_where where = ptog_where_of(&e->program->source, op->name_span, &text);
    uint64_t more = e->progress->at(e->progress->user, e->steps, e->max_steps, where.line);
    e->progress_at = more < UINT64_MAX - e->steps ? e->steps + more : UINT64_MAX;
    if (more == 0)
        e->max_steps = e->steps;
}

/* One more turn of a loop; false when the run has had too many operations. */
static bool count_turn(struct ptog_eval *e, const struct ptog_op *op)
{
    if (e->progress && e->progress->at && e->steps >= e->progress_at)
        report_progress(e, op);
    return ptog_limit_steps(e, op->name_span);
}

/* The counter's slot is the first of the loop. */
static struct ptog_counter *counter_of(const struct ptog_eval *e, const struct ptog_code *code)
{
    return &ptog_value_at(e, e->frame + code->scope + 1)->counter;
}

/* Defines the slot of a loop's counter. False when out of memory. */
static bool define_counter(struct ptog_eval *e, const struct ptog_op *op, struct ptog_counter counter)
{
    struct ptog_value *value = ptog_define(e, 0, op->name_span);
    if (value)
        value->counter = counter;
    return value != NULL;
}

/* The loop ends: whoever watches is told how many turns it had, unless the run was stopped before the next one. */
static void end_loop(struct ptog_eval *e, const struct ptog_code *code)
{
    if (!ptog_eval_over(e))
        ptog_tell_flow(e, code->op, PTOG_FLOW_LOOP, counter_of(e, code)->turns, 0);
    leave_scope(e, code->scope);
}

/* Starts a turn if there is one more: defines the counter and the carried values, which were handed out. False: the
 * loop is over. */
static bool start_turn(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_counter *counter = counter_of(e, code);
    if (counter->at >= counter->to || !count_turn(e, code->op))
        return false;
    counter->turns++;
    const struct ptog_arg *arg = &code->flow.region->args[0];
    struct ptog_value *value = ptog_define(e, arg->name, arg->span);
    if (value) {
        value->kind = PTOG_VALUE_NUMBER;
        value->width = 64;
        value->type = code->flow.type;
        value->number = (struct ptog_number){counter->at, true};
    }
    define_yielded_args(e, code->flow.region, 1);
    return true;
}

/* Reports a step that is not positive, and stops the run. */
static void say_step(struct ptog_eval *e, const struct ptog_op *op, int64_t step)
{
    const struct ptog_part *bounds = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    ptog_diag_emit(e->diags, "text-loop-step", bounds->items[2].span, "the step of a loop must be positive, not %lld",
                   (long long)step);
    e->stopped = true;
}

/* Returns the record that comes next, as all functions below that may jump do. */
static uint32_t run_for(struct ptog_eval *e, const struct ptog_code *code, uint32_t next)
{
    struct ptog_number from, to, step;
    if (!ptog_read_number(e, &code->args[0], &from) || !ptog_read_number(e, &code->args[1], &to) ||
        !ptog_read_number(e, &code->args[2], &step))
        return next;
    struct ptog_counter counter = {.at = from.value, .to = to.value, .step = step.value};
    if (counter.step <= 0) {
        say_step(e, code->op, counter.step);
        return next;
    }
    yield_args(e, code, 3);
    if (!define_counter(e, code->op, counter))
        return next;
    return start_turn(e, code) ? next : code->target;
}

/* The next turn of a loop, or its end: returns the record that comes next. */
static uint32_t run_for_next(struct ptog_eval *e, const struct ptog_code *code, uint32_t next)
{
    leave_scope(e, code->scope + 1);
    struct ptog_counter *counter = counter_of(e, code);
    if (!ptog_add_i64(counter->at, counter->step, &counter->at))
        return next;
    return start_turn(e, code) ? code->target : next;
}

/* Ends a loop: its scope is left, and what was handed out last are its results. */
static void run_for_end(struct ptog_eval *e, const struct ptog_code *code)
{
    end_loop(e, code);
    define_results(e, code->op, UINT32_MAX);
}

/* ---- branches */

/* Reads the condition, and returns the first record of the branch that is taken. */
static uint32_t run_if(struct ptog_eval *e, const struct ptog_code *code, uint32_t next)
{
    struct ptog_number condition;
    e->yields.used = 0;
    if (!ptog_read_number(e, &code->args[0], &condition))
        return next;
    ptog_tell_flow(e, code->op, PTOG_FLOW_BRANCH, condition.value != 0, 0);
    return condition.value != 0 ? next : code->target;
}

/* Ends a condition: its scope is left, and what the branch handed out are its results. */
static void run_if_end(struct ptog_eval *e, const struct ptog_code *code)
{
    leave_scope(e, code->scope);
    define_results(e, code->op, code->flow.results);
}

/* ---- scf.while */

/* Starts the test of a while loop with what was handed out, unless the run has had too many operations. */
static void start_test(struct ptog_eval *e, const struct ptog_code *code)
{
    if (count_turn(e, code->op))
        define_yielded_args(e, code->flow.region, 0);
}

/* Returns the first record of the body, whose arguments are defined, or of the end. */
static uint32_t run_while_test(struct ptog_eval *e, const struct ptog_code *code, uint32_t next)
{
    leave_scope(e, code->scope + 1);
    if (e->condition.value == 0)
        return code->target;
    counter_of(e, code)->turns++;
    if (code->flow.region)
        define_yielded_args(e, code->flow.region, 0);
    e->yields.used = 0;
    return next;
}

/* Keeps the condition of a while loop, and hands out its other arguments. */
static void run_condition(struct ptog_eval *e, const struct ptog_code *code)
{
    ptog_read_number(e, &code->args[0], &e->condition);
    yield_args(e, code, 1);
}

/* ---- calls */

/* A function that is being run, and the call of it. */
struct activation {
    const struct ptog_function *function;
    uint32_t at, next;            /* the record that it is at; the one that comes next */
    const struct ptog_code *call; /* of the caller; NULL: none */
    uint32_t *numbers;            /* of the values that it was called with */
    struct ptog_caller caller;
};

/* The function that is running now. */
static struct activation *innermost(const struct ptog_eval *e)
{
    return (struct activation *)(void *)(e->activations.data + e->activations.used) - 1;
}

/* Enters a function: its activation becomes the innermost one. Sets `no_memory` when it cannot. */
static void push_activation(struct ptog_eval *e, const struct activation *activation)
{
    if (!ptog_stack_push(&e->activations, activation, sizeof *activation))
        e->no_memory = true;
}

/* Enters the function that is called with the values of the arguments. */
static void run_call(struct ptog_eval *e, const struct ptog_code *code)
{
    const struct ptog_function *callee = &e->program->functions[code->callee];
    struct activation entered = {.function = callee, .call = code};
    if (e->calls >= PTOG_MAX_CALLS) {
        ptog_say_nested_calls(e, code->op, callee);
        e->stopped = true;
        return;
    }
    entered.numbers = calloc((size_t)code->arg_count + 1, sizeof *entered.numbers);
    e->no_memory = e->no_memory || !entered.numbers;
    for (uint32_t i = 0; entered.numbers && i < code->arg_count; i++) {
        if (code->args[i].slot == 0)
            continue;
        entered.numbers[i] = e->frame + code->args[i].slot;
        if (ptog_slot_value(e, &code->args[i])->kind == PTOG_VALUE_TILE)
            ptog_place_use(e, ptog_slot_value(e, &code->args[i])); /* the callee reads or writes it */
    }
    if (!entered.numbers || !ptog_stack_reserve(&e->activations, sizeof entered)) {
        free(entered.numbers);
        e->no_memory = true;
        return;
    }
    ptog_call_enter(e, callee, entered.numbers, &entered.caller);
    push_activation(e, &entered);
}

/* Leaves a function that was called: what it returned are the results of the call. */
static void leave_call(struct ptog_eval *e, const struct activation *left)
{
    ptog_call_leave(e, left->function, left->numbers, &left->caller);
    free(left->numbers);
    if (!ptog_eval_over(e))
        define_results(e, left->call->op, UINT32_MAX);
}

/* ---- flags and barriers */

/* Sets *id to the id of a flag or the number of a counter, from the record or a value. False after a report, when the
 * run stops: a computed one is out of range. Where there is a machine, it judges a flag's id itself. */
static bool read_event_id(struct ptog_eval *e, const struct ptog_code *code, int *id)
{
    struct ptog_number number;
    *id = code->sync.id;
    if (!code->sync.computed)
        return true;
    if (!ptog_read_number(e, &code->args[0], &number))
        return false;
    *id = number.value < INT_MIN || number.value > INT_MAX ? -1 : (int)number.value;
    bool is_counter = code->sync.kind >= PTOG_SYNC_CROSS_SET;
    int most = code->sync.kind == PTOG_SYNC_INTRA_SET || code->sync.kind == PTOG_SYNC_INTRA_WAIT ? 31 : 15;
    if (is_counter && number.value >= 0 && number.value <= most)
        return true;
    if (!is_counter && ((number.value >= 0 && number.value <= 7) || e->machine.pipes))
        return true;
    if (is_counter)
        ptog_diag_emit(e->diags, "text-pipe", code->sync.at, "expected a counter from 0 to %d", most);
    else
        ptog_diag_emit(e->diags, "text-pipe", code->sync.at, "expected %s", PTOG_EVENT_NUMBER);
    e->stopped = true;
    return false;
}

/* Executes dcci, or a barrier on all pipes followed by dsb, on the machine. dcci of an unknown address does nothing. */
static void run_cache(struct ptog_eval *e, const struct ptog_code *code)
{
    const struct ptog_value *line = code->arg_count > 0 ? ptog_slot_value(e, &code->args[0]) : NULL;
    const struct ptog_base *base = NULL;
    if (line && line->kind == PTOG_VALUE_POINTER)
        base = &line->pointer.base;
    else if (line && line->kind == PTOG_VALUE_VIEW)
        base = &line->view.base;
    if (code->sync.kind == PTOG_SYNC_BARRIER_AND_DSB)
        ptog_judge_step(e, code->op, ptog_machine_fence(e, code->op));
    else if (!line || (base && base->memory > 0 && base->at.known))
        ptog_judge_step(e, code->op, ptog_machine_dcci(e, code->op, base));
}

/* A counter between cores. Where the core stands still, the record is executed again later. */
static void run_cross(struct ptog_eval *e, const struct ptog_code *code)
{
    int id;
    if (!read_event_id(e, code, &id))
        return;
    enum ptog_status status = ptog_machine_cross(e, code->op, &code->sync, id);
    e->blocked = status == PTOG_BLOCKED;
    if (!e->blocked)
        ptog_judge_step(e, code->op, status);
}

/* Hands a flag or a barrier to the core; without pipes nothing is to be done. */
static void run_sync(struct ptog_eval *e, const struct ptog_code *code)
{
    const struct ptog_sync_code *sync = &code->sync;
    int id;
    if (sync->kind >= PTOG_SYNC_CROSS_SET) {
        run_cross(e, code);
        e->issued += !e->blocked;
        return;
    }
    e->issued += sync->kind != PTOG_SYNC_DCCI; /* which does nothing by itself */
    if (sync->kind == PTOG_SYNC_NOTHING || (!e->machine.pipes && !sync->computed))
        return;
    if (sync->kind == PTOG_SYNC_DCCI || sync->kind == PTOG_SYNC_BARRIER_AND_DSB) {
        run_cache(e, code);
        return;
    }
    if (sync->kind == PTOG_SYNC_BARRIER) {
        ptog_judge_step(e, code->op, ptog_machine_barrier(e, code->op, (enum ptog_pipe)sync->from));
        return;
    }
    if (!read_event_id(e, code, &id))
        return;
    ptog_note_event_id(e, sync, id);
    if (e->machine.pipes)
        ptog_judge_step(e, code->op,
                        ptog_machine_flag(e, code->op, (enum ptog_pipe)sync->from, (enum ptog_pipe)sync->to, id,
                                          sync->kind == PTOG_SYNC_WAIT_FLAG));
}

/* ---- the loop */

/* Comes to an operation that the check has found wrong, in a branch that it thought is never taken. */
static void stop_at(struct ptog_eval *e, const struct ptog_op *op)
{
    ptog_diag_emit(e->diags, "run-stopped", op->name_span, "the run came to an operation that cannot be run");
    e->stopped = true;
}

/* Does one record, and returns the number of the next one. */
static uint32_t run_record(struct ptog_eval *e, const struct ptog_code *code, uint32_t next)
{
    switch ((enum ptog_code_kind)code->kind) {
    case PTOG_CODE_NOTHING: break;
    case PTOG_CODE_ANY: ptog_define_any(e, code->op); break;
    case PTOG_CODE_FREE: ptog_define_free(e, code->free_value); break;
    case PTOG_CODE_ENTER: break;
    case PTOG_CODE_LEAVE: leave_scope(e, code->scope); break;
    case PTOG_CODE_FOR: return run_for(e, code, next);
    case PTOG_CODE_FOR_NEXT: return run_for_next(e, code, next);
    case PTOG_CODE_FOR_END: run_for_end(e, code); break;
    case PTOG_CODE_IF: return run_if(e, code, next);
    case PTOG_CODE_ELSE: return code->target;
    case PTOG_CODE_IF_END: run_if_end(e, code); break;
    case PTOG_CODE_WHILE:
        yield_args(e, code, 0);
        if (define_counter(e, code->op, (struct ptog_counter){.turns = 0}))
            start_test(e, code);
        break;
    case PTOG_CODE_WHILE_TEST: return run_while_test(e, code, next);
    case PTOG_CODE_WHILE_NEXT:
        leave_scope(e, code->scope + 1);
        start_test(e, code);
        return code->target;
    case PTOG_CODE_WHILE_END:
        end_loop(e, code);
        define_results(e, code->op, UINT32_MAX);
        break;
    case PTOG_CODE_YIELD: yield_args(e, code, 0); break;
    case PTOG_CODE_RETURN:
        yield_args(e, code, 0);
        e->returned = true;
        break;
    case PTOG_CODE_CONDITION: run_condition(e, code); break;
    case PTOG_CODE_CALL: break; /* step() */
    case PTOG_CODE_SYNC: run_sync(e, code); break;
    case PTOG_CODE_INSN: ptog_run_insn(e, code->insn); break;
    case PTOG_CODE_LOAD: ptog_run_load(e, code); break;
    case PTOG_CODE_STORE: ptog_run_store(e, code); break;
    case PTOG_CODE_GET_VALUE: ptog_run_get_value(e, code); break;
    case PTOG_CODE_CONSTANT:
    case PTOG_CODE_BLOCK_NUMBER:
    case PTOG_CODE_INTEGERS:
    case PTOG_CODE_COMPARE:
    case PTOG_CODE_REALS:
    case PTOG_CODE_COMPARE_REALS:
    case PTOG_CODE_SELECT:
    case PTOG_CODE_RESIZE:
    case PTOG_CODE_TO_INTEGER:
    case PTOG_CODE_TO_REAL:
    case PTOG_CODE_BITCAST: ptog_run_scalar(e, code); break;
    case PTOG_CODE_LABEL: ptog_define_block_args(e, code->op); break;
    case PTOG_CODE_AFFINE:
    case PTOG_CODE_VIEW:
    case PTOG_CODE_PARTITION:
    case PTOG_CODE_POINTER:
    case PTOG_CODE_VIEW_EXTENT:
    case PTOG_CODE_VALID_SHAPE:
    case PTOG_CODE_TILE:
    case PTOG_CODE_TILES:
    case PTOG_CODE_TILE_OF:
    case PTOG_CODE_SET_VALID:
    case PTOG_CODE_ASSIGN:
    case PTOG_CODE_ADDRESS:
    case PTOG_CODE_SUBVIEW:
    case PTOG_CODE_RESHAPE:
    case PTOG_CODE_ARRAY:
    case PTOG_CODE_GET_ELEMENT:
    case PTOG_CODE_SET_ELEMENT:
    case PTOG_CODE_TO_ADDRESS:
    case PTOG_CODE_FROM_ADDRESS:
    case PTOG_CODE_PRINT: ptog_run_made(e, code); break;
    case PTOG_CODE_SIGNAL: ptog_run_signal(e, code); break;
    case PTOG_CODE_COPY: ptog_run_copy(e, code); break;
    case PTOG_CODE_SUM: ptog_run_sum(e, code); break;
    case PTOG_CODE_FIFO: ptog_run_fifo(e, code); break;
    case PTOG_CODE_STOP: stop_at(e, code->op); break;
    }
    return next;
}

/* Before the first record of an operation: counts it, and executes what a trial puts before it. False: the run is
 * over. */
static bool begin_op(struct ptog_eval *e, const struct ptog_op *op)
{
    if (!ptog_limit_steps(e, op->name_span))
        return false;
    e->at = op;
    ptog_tell_flow(e, op, PTOG_FLOW_OP, 0, 0);
    if (e->machine.trial)
        return ptog_judge_step(e, op, ptog_machine_before(e, op));
    return true;
}

/* After the last one: what a trial puts after it. */
static void end_op(struct ptog_eval *e, const struct ptog_op *op)
{
    if (e->machine.trial && !ptog_eval_over(e))
        ptog_judge_step(e, op, ptog_machine_after(e, op));
}

/* The run was over at record `at`: the loops around it end there, the innermost one first. */
static void end_open_loops(struct ptog_eval *e, const struct ptog_code_list *list, uint32_t at)
{
    for (uint32_t i = at; i < list->count; i++) {
        const struct ptog_code *code = &list->of[i];
        bool is_loop = code->kind == PTOG_CODE_FOR_NEXT || code->kind == PTOG_CODE_WHILE_NEXT;
        if (is_loop && code->target <= at + 1 && e->value_count > e->frame + code->scope)
            end_loop(e, code);
    }
}

/* A record of the other core: passed over. Its results are values that nothing of this core uses. Returns the next
 * record. */
static uint32_t pass_over(struct ptog_eval *e, const struct ptog_code *code, uint32_t next)
{
    if (code->kind == PTOG_CODE_ENTER)
        return code->target;
    if (code->kind == PTOG_CODE_GET_VALUE) {
        ptog_say_not_modelled(e, code->op->name_span,
                              "'%s' gives its value to one core only: outside of sections this is not supported yet",
                              ptog_op_info(code->op->name)->name);
        e->stopped = true;
    }
    ptog_define_any(e, code->op);
    return next;
}

/* Executes one record, with what a trial puts before and after its operation. False: the run is over. */
static bool step(struct ptog_eval *e, const struct ptog_code *code, struct activation *a)
{
    if (e->on && code->on && !(code->on & e->on)) {
        a->next = pass_over(e, code, a->at + 1);
        return true;
    }
    bool again = e->blocked;
    e->blocked = false;
    if (code->begins && !again && !begin_op(e, code->op))
        return false;
    if (code->kind == PTOG_CODE_CALL) {
        a->next = a->at + 1; /* before it moves */
        run_call(e, code);
        return true;
    }
    a->next = run_record(e, code, a->at + 1);
    if (e->blocked)
        a->next = a->at;
    else if (code->ends)
        end_op(e, code->op);
    return true;
}

/* Runs the records of the innermost function until it returns, calls another one, or stands still. */
static void run_activation(struct ptog_eval *e)
{
    const struct ptog_code_list *list = &e->code_of[innermost(e)->function - e->program->functions];
    size_t depth = e->activations.used;
    while (e->activations.used == depth && innermost(e)->next < list->count && !ptog_eval_over(e)) {
        struct activation *a = innermost(e);
        a->at = a->next;
        if (!step(e, &list->of[a->at], a) || e->blocked)
            return;
    }
}

/* Leaves the innermost function: takes it off the stack, ends loops that were left open, and hands its results to the
 * call, if one called it. */
static void end_activation(struct ptog_eval *e)
{
    struct activation left = *innermost(e);
    if (ptog_eval_over(e) && !e->returned)
        end_open_loops(e, &e->code_of[left.function - e->program->functions], left.at);
    e->activations.used -= sizeof left;
    if (!left.call)
        return;
    leave_call(e, &left);
    if (left.call->ends)
        end_op(e, left.call->op);
}

/* Runs functions until the outermost one is over; false: the core stands still before that. */
static bool run_activations(struct ptog_eval *e)
{
    while (e->activations.used > 0) {
        size_t depth = e->activations.used;
        run_activation(e);
        if (e->blocked && !ptog_eval_over(e))
            return false;
        if (e->activations.used == depth)
            end_activation(e);
    }
    return true;
}

bool ptog_interp_start(struct ptog_eval *e, const struct ptog_function *function)
{
    const struct activation first = {.function = function};
    e->function = function->op;
    e->bare = function->op == NULL;
    e->scope = function->scope;
    e->returned = e->blocked = false;
    e->frame = e->value_count;
    ptog_define_outside(e, function->region);
    push_activation(e, &first);
    return ptog_interp_resume(e);
}

bool ptog_interp_resume(struct ptog_eval *e)
{
    if (!run_activations(e))
        return false;
    ptog_scope_leave(e, e->frame);
    e->yields.used = 0;
    return true;
}

void ptog_interp_drop(struct ptog_eval *e)
{
    for (; e->activations.used > 0; e->activations.used -= sizeof(struct activation))
        free(innermost(e)->numbers);
    ptog_stack_free(&e->activations);
}
