/* verify: the rule table, spec/rules.def with its predicates. */
#ifndef PTOG_VERIFY_RULES_H
#define PTOG_VERIFY_RULES_H

#include <ptog/rule.h>

#include "verify/predicates.h"

struct ptog_rule_row {
    struct ptog_rule rule;
    ptog_form_set forms; /* or the number of one opcode, above the forms */
    uint32_t operands;   /* bit (1 << name) */
    ptog_predicate *holds;
    const char *message, *fix; /* with {placeholders}; fix may be NULL */
};

/* All of them, *count many. */
const struct ptog_rule_row *ptog_rule_rows(size_t *count);

/* The instruction is one of those that the row is for. */
static inline bool ptog_rule_row_applies(const struct ptog_rule_row *row, enum ptog_opcode opcode, enum ptog_form form)
{
    ptog_form_set only = row->forms >> PTOG_FORMS;
    return only ? only == (ptog_form_set)opcode : (row->forms & PTOG_FORM_BIT(form)) != 0;
}

#endif
