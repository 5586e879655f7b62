/* verify: the rule table, spec/rules.def with its predicates. */
#ifndef PTOG_VERIFY_RULES_H
#define PTOG_VERIFY_RULES_H

#include <ptog/rule.h>

#include "verify/predicates.h"

struct ptog_rule_row {
    struct ptog_rule rule;
    uint32_t operands; /* bit (1 << name) */
    ptog_predicate *holds;
    const char *message, *fix; /* with {placeholders}; fix may be NULL */
};

/* The rows for an instruction, from top to bottom: the one after `row`, the first after NULL; NULL at the end. */
const struct ptog_rule_row *ptog_rule_next(const struct ptog_rule_row *row, enum ptog_opcode opcode,
                                           enum ptog_form form);

#endif
