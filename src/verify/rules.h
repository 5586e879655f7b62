/* verify: the rule table, spec/rules.def with its predicates. */
#ifndef PTOG_VERIFY_RULES_H
#define PTOG_VERIFY_RULES_H

#include <ptog/rule.h>

#include "verify/predicates.h"

struct ptog_rule_row {
    uint32_t operands; /* bit (1 << name) */
    ptog_predicate *holds;
    const char *message, *fix; /* with {placeholders}; fix may be NULL */
    struct ptog_rule rule;
};

/* How many rows there are. */
enum {
    PTOG_RULES = 0
#define RULE(...) +1
#include "spec/rules.def"
#undef RULE
};

/* The rows about one instruction in one form, by number and from top to bottom. */
struct ptog_rule_list {
    enum ptog_form form;
    uint32_t count;
    uint16_t of[PTOG_RULES];
};
void ptog_rules_for(struct ptog_rule_list *list, enum ptog_opcode opcode, enum ptog_form form);

extern const struct ptog_rule_row ptog_rule_rows[];

static inline const struct ptog_rule_row *ptog_rule_row(uint16_t number)
{
    return &ptog_rule_rows[number];
}

#endif
