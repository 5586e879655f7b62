/* interp: the values that records read, by slot of the frame. */
#ifndef PTOG_INTERP_SLOTS_H
#define PTOG_INTERP_SLOTS_H

#include "lower/scope.h"

static inline struct ptog_value *ptog_slot_value(const struct ptog_eval *e, const struct ptog_code_arg *arg)
{
    return ptog_value_at(e, e->frame + arg->slot);
}

/* A number; false, and the run stops, when the slot holds none. */
static inline bool ptog_read_number(struct ptog_eval *e, const struct ptog_code_arg *arg, struct ptog_number *number)
{
    *number = (struct ptog_number){arg->number, true};
    if (arg->slot == 0)
        return true;
    const struct ptog_value *value = ptog_slot_value(e, arg);
    *number = value->number;
    e->stopped = e->stopped || value->kind != PTOG_VALUE_NUMBER;
    return value->kind == PTOG_VALUE_NUMBER;
}

#endif
