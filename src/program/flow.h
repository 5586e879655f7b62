/* program: regions that may run or not, or several times: loops, branches, what they hand out with yield. While
 * checking, a region is walked once, and numbers that it may change are unknown afterwards. */
#ifndef PTOG_PROGRAM_FLOW_H
#define PTOG_PROGRAM_FLOW_H

#include "program/eval.h"

/* Checks a region that may be executed or not. */
void ptog_check_body(struct ptog_eval *e, const struct ptog_region *region);

/* eval_flow.c: hands a value out; NULL stands for one that has an error. A tile is lent. */
void ptog_yield(struct ptog_eval *e, struct ptog_value *value);

/* What the last region handed out: how many values, which, whether they are so many; and an argument of a
 * region, with the value it has there. */
uint32_t ptog_yield_count(const struct ptog_eval *e);
const struct ptog_value *ptog_yielded(const struct ptog_eval *e, uint32_t i);
bool ptog_check_yields(struct ptog_eval *e, const struct ptog_op *op, uint32_t count);
void ptog_define_yields(struct ptog_eval *e, const struct ptog_op *op, bool known); /* as the results of an operation */
void ptog_define_arg(struct ptog_eval *e, const struct ptog_arg *arg, const struct ptog_value *from);

/* What may differ from one way through the program to another is not known. */
void ptog_forget_numbers(struct ptog_value *value);

/* One more turn of a loop; false when a run has had too many. */
bool ptog_count_iteration(struct ptog_eval *e, const struct ptog_op *op);

/* Errors unless it is an i1. */
void ptog_check_condition(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item);

#endif
