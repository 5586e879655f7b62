/* verify: one instruction on one target, as the predicates see it. */
#ifndef PTOG_VERIFY_CHECK_H
#define PTOG_VERIFY_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ptog/plan.h>
#include <ptog/rule.h>

#include "model/insn.h"

struct ptog_check {
    const struct ptog_target *target;
    enum ptog_form form;
    uint32_t present;                             /* the operands that were given: bit (1 << name) */
    const struct ptog_operand *at[PTOG_AT_COUNT]; /* by name; NULL: the instruction has none of that name */
    const struct ptog_insn_row *row;
    const struct ptog_insn *insn;    /* resolved */
    const struct ptog_insn *written; /* as the caller wrote it */
    const struct ptog_run *run;      /* the run-time extents, when the plan is run */
};

/* Looks an instruction's operands up by name; the form and what is present follow from the target. */
void ptog_check_start(struct ptog_check *c, const struct ptog_target *target, const struct ptog_insn *insn);

/* Of an instruction that has such a tile, given or not. */
static inline const struct ptog_tile *ptog_check_at(const struct ptog_check *c, enum ptog_operand_name name)
{
    return &c->at[name]->tile;
}

/* NULL when the form has no such tile or it was left out. */
static inline const struct ptog_tile *ptog_check_tile(const struct ptog_check *c, enum ptog_operand_name name)
{
    if (c->present >> name & 1 && c->at[name] && c->at[name]->kind != PTOG_IS_VIEW)
        return &c->at[name]->tile;
    return NULL;
}

/* The table or view; NULL when the instruction has none. */
static inline const struct ptog_tensor *ptog_check_tensor(const struct ptog_check *c)
{
    const struct ptog_operand *table = c->at[PTOG_AT_TABLE], *view = c->at[PTOG_AT_VIEW];
    if (table)
        return &table->view;
    if (view)
        return &view->view;
    return NULL;
}

static inline bool ptog_check_is(const struct ptog_check *c, enum ptog_family family)
{
    return c->row->family == family;
}

/* The set of element types the target takes for this operand of this form. */
uint32_t ptog_check_dtypes(const struct ptog_check *c, enum ptog_operand_name name);

#endif
