/* verify: the rule table, spec/rules.def with its predicates. */
#include "verify/rules.h"

#include <string.h>

#include "model/target.h"

/* The words that the columns of spec/rules.def use. */
enum {
    ROW = PTOG_FORM_ROW,
    ELEM = PTOG_FORM_ELEM,
    MGATHER = ROW | ELEM,
    INDEX = PTOG_FORM_INDEX,
    MASK = PTOG_FORM_MASK,
    COMPARE = PTOG_FORM_COMPARE,
    TRANSFER = PTOG_FORM_LOAD | PTOG_FORM_STORE,
    ANY_FORM = MGATHER | INDEX | MASK | COMPARE | TRANSFER,

    HOST = PTOG_ON_HOST,
    CPU = PTOG_ON_CPU,
    A2A3 = PTOG_ON_A2A3,
    A5 = PTOG_ON_A5,
    A5_CUSTOM = PTOG_ON_A5_CUSTOM,
    ANY = PTOG_ON_ALL,

    DST = PTOG_OP_DST,
    SRC = PTOG_OP_SRC,
    IDX = PTOG_OP_IDX,
    TMP = PTOG_OP_TMP,
    K = PTOG_OP_K,
    CDST = PTOG_OP_CDST,
    TABLE = PTOG_OP_TABLE,
    TILE = PTOG_OP_TILE,
    VIEW = PTOG_OP_VIEW,
    SELF = PTOG_OP_SELF,
    TILES = PTOG_OP_TILES,
};

#define REFUSE PTOG_ERROR, .rule.refuses = true
#define FAULT PTOG_ERROR
#define WARN PTOG_WARNING
#define NOTE PTOG_NOTE

/* The statements of spec/bases.def as text. */
#define BASE(name, type, ...) static const char base_##name[] = #__VA_ARGS__;
#include "spec/bases.def"
#undef BASE

/* The targets' names, for the examples. */
#define TARGET(on, name, ...) __attribute__((unused)) static const char name_##on[] = name;
#include "spec/targets.def"
#undef TARGET

static const struct ptog_rule_row rows[] = {
#define RULE(id_, level, forms_, targets_, operands_, predicate, what_, message_, fix_, why_, seed_, from, target,     \
             wrong_, right_)                                                                                           \
    {.rule.id = (id_),                                                                                                 \
     .rule.severity = level,                                                                                           \
     .rule.forms = (forms_),                                                                                           \
     .rule.targets = (targets_),                                                                                       \
     .rule.what = (what_),                                                                                             \
     .rule.why = (why_),                                                                                               \
     .rule.seed = (seed_),                                                                                             \
     .rule.example_target = name_##target,                                                                             \
     .rule.base = base_##from,                                                                                         \
     .rule.wrong = #wrong_,                                                                                            \
     .rule.right = #right_,                                                                                            \
     .operands = (operands_),                                                                                          \
     .holds = ptog_##predicate,                                                                                        \
     .message = (message_),                                                                                            \
     .fix = (fix_)},
#include "spec/rules.def"
#undef RULE
};
#define COUNT (sizeof rows / sizeof rows[0])

const struct ptog_rule_row *ptog_rule_row_at(size_t i)
{
    return i < COUNT ? &rows[i] : NULL;
}

size_t ptog_rule_count(void)
{
    return COUNT;
}

const struct ptog_rule *ptog_rule_at(size_t i)
{
    return i < COUNT ? &rows[i].rule : NULL;
}

const struct ptog_rule *ptog_rule_find(const char *id)
{
    for (size_t i = 0; id && i < COUNT; i++)
        if (strcmp(rows[i].rule.id, id) == 0)
            return &rows[i].rule;
    return NULL;
}
