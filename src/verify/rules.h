/* verify: the rule table, spec/rules.def with its predicates. */
#ifndef PTOG_VERIFY_RULES_H
#define PTOG_VERIFY_RULES_H

#include <ptog/rule.h>

#include "verify/predicates.h"

struct ptog_rule_row {
    struct ptog_rule rule;
    uint32_t operands;
    ptog_predicate *holds;
    const char *message, *fix; /* with {placeholders}; fix may be NULL */
};

/* NULL past the end. */
const struct ptog_rule_row *ptog_rule_row_at(size_t i);

#endif
