/* lower: regions that may run or not, or several times: loops, branches, what they hand out with yield. While
 * checking, a region is walked once, and numbers that it may change are unknown afterwards. */
#ifndef PTOG_LOWER_FLOW_H
#define PTOG_LOWER_FLOW_H

#include "lower/eval.h"

/* Checks a region that may be executed or not. */
void ptog_check_body(struct ptog_eval *e, const struct ptog_region *region);

/* eval_flow.c: hands a value out; NULL stands for one that has an error. A tile is lent. */
void ptog_yield(struct ptog_eval *e, struct ptog_value *value);

/* What the last region handed out: how many values, which, whether they are so many; and an argument of a
 * region, with the value it has there. */
uint32_t ptog_yield_count(const struct ptog_eval *e);
const struct ptog_value *ptog_yielded(const struct ptog_eval *e, uint32_t i);
bool ptog_check_yields(struct ptog_eval *e, const struct ptog_op *op, uint32_t count);

/* Defines the results of an operation, copies of `values` (struct ptog_value) whose numbers are not known. */
void ptog_define_forgotten(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_stack *values);

void ptog_define_arg(struct ptog_eval *e, const struct ptog_arg *arg, const struct ptog_value *from);

/* What may differ from one way through the program to another is not known. */
void ptog_forget_numbers(struct ptog_value *value);

/* Tells whoever wants to know (ptog_progress.flow) of a step of a run. A check tells nothing. */
void ptog_tell_flow(struct ptog_eval *e, const struct ptog_op *op, enum ptog_flow_kind kind, int64_t value,
                    int64_t other);

/* call.c: enters a function with the values of those numbers (0: none) as its arguments; and leaves it: then what it made
 * of its tiles holds for the caller, whose state `caller` has kept. What it returned is in `yields`. */
struct ptog_caller {
    uint32_t frame, depth;
    const struct ptog_op *function;
    bool bare;
};
#define PTOG_MAX_CALLS 32u /* calls inside calls: there is no recursion on the device */
void ptog_call_enter(struct ptog_eval *e, const struct ptog_function *callee, const uint32_t *numbers,
                     struct ptog_caller *caller);
void ptog_call_leave(struct ptog_eval *e, const struct ptog_function *callee, const uint32_t *numbers,
                     const struct ptog_caller *caller);
void ptog_say_nested_calls(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_function *callee);

/* Errors unless it is an i1. */
void ptog_check_condition(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item);

#endif
