/* verify: the rule table, spec/rules.def with its predicates. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "verify/rules.h"

#include <stddef.h>
#include <string.h>

#include "model/target.h"

/* The words that the columns of spec/rules.def use. */
__extension__ enum { /* forms: more than an int has bits */
#define FORM(NAME, ...) NAME = PTOG_FORM_BIT(PTOG_FORM_##NAME),
#include <ptog/spec/forms.def>
                     MGATHER = ROW | ELEM,
                     MSCATTER = SCATTER_ROW | SCATTER_ELEM,
                     TABLES = MGATHER | MSCATTER,
                     LISTS = MERGE_2 | MERGE_3 | MERGE_4,
                     TSCATTERS = SCATTER_INDEX | SCATTER_MASK,
                     TRANSFER = LOAD | STORE,
                     GATHER = MGATHER | INDEX | MASK | COMPARE,
                     ONE_REGION = PAIRWISE | BY_SCALAR | UNARY | FILL | CONVERT |
                                  GENERATE, /* sources have the valid region of dst */
                     BY_ELEMENT = ONE_REGION | PARTIAL,
                     BROADCASTS = FROM_COLUMN | FROM_ROW | BY_COLUMN | BY_ROW, /* one source is a column or a row */
                     ONE_TYPE = (BY_ELEMENT & ~CONVERT) | BROADCASTS,
                     COMPARES = TO_MASK | TO_MASK_BY_SCALAR,
                     SELECTS = SELECT | SELECT_SCALAR,
                     USES_TMP = BY_ELEMENT | SELECTS,
                     JOINS = JOIN | JOIN_COUNTED,
                     MOVES = COPY | WINDOW | PAD | TRANSPOSE | JOINS,
                     ARGS = ROW_ARG | ROW_ARG_VALUE | COL_ARG | COL_ARG_VALUE,
                     CUBE = LOAD_L1 | GATHER_L1 | STORE_ACC | TO_L0 | TO_SCALES | FROM_ACC | PRODUCT,
                     REDUCES = ROW_REDUCE | COL_REDUCE | ARGS,
};
enum {
#define TARGET(NAME, ...) NAME = PTOG_ON_##NAME,
#include <ptog/spec/targets.def>
    ANY = PTOG_ON_ALL,
    EXACT = 1 << 30, /* the targets that are named, not those that are like them */

#define OPERAND(NAME, ...) NAME = 1 << PTOG_AT_##NAME,
#include <ptog/spec/forms.def>
    SELF = 1 << PTOG_AT_SELF,
    TILES = ~(TABLE | VIEW | INDICES | SCRATCH | SELF), /* those that an instruction has */
    SOURCES = SRC | SRC0 | SRC1,
    LIST_TILES = SRC0 | SRC1 | SRC2 | SRC3,
    SCALARS = VALUE | SRC0 | SRC1, /* those of them that are one */
};
#define ANY_FORM PTOG_ALL_FORMS
#define ONLY(OPCODE) ((ptog_form_set)PTOG_##OPCODE << PTOG_FORMS) /* one instruction of a family */

#define REFUSE PTOG_ERROR, .rule.refuses = true
#define FAULT PTOG_ERROR
#define WARN PTOG_WARNING
#define NOTE PTOG_NOTE
#define NEWEST PTOG_NOTE, .rule.strict = true
#define DIFFERS PTOG_WARNING, .rule.strict = true
#define REFUSE_EXCEPT(targets) PTOG_ERROR, .rule.refuses = true, .rule.strict = true, .rule.warns = (targets)

/* The statements of spec/bases.def as text. */
#define BASE(name, type, ...) static const char base_##name[] = #__VA_ARGS__;
#include "spec/bases.def"
#undef BASE

/* The targets' names, for the examples. */
#define TARGET(NAME, name, ...) __attribute__((unused)) static const char name_##NAME[] = name;
#include <ptog/spec/targets.def>

static const struct ptog_rule_row rows[] = {
#define RULE(id_, level, forms_, targets_, operands_, predicate, what_, message_, fix_, why_, seed_, from, target,     \
             wrong_, right_)                                                                                           \
    {.rule.id = (id_),                                                                                                 \
     .rule.severity = level,                                                                                           \
     .rule.targets = (targets_)&ANY,                                                                                   \
     .rule.what = (what_),                                                                                             \
     .rule.why = (why_),                                                                                               \
     .rule.documented = (seed_),                                                                                       \
     .rule.example_target = name_##target,                                                                             \
     .rule.base = base_##from,                                                                                         \
     .rule.wrong = #wrong_,                                                                                            \
     .rule.right = #right_,                                                                                            \
     .rule.exact = ((targets_)&EXACT) != 0,                                                                            \
     .operands = (uint32_t)(operands_),                                                                                \
     .holds = ptog_##predicate,                                                                                        \
     .message = (message_),                                                                                            \
     .fix = (fix_)},
#include "spec/rules.def"
#undef RULE
};
#define COUNT PTOG_RULES

/* Of each row the forms, or the number of one opcode above them. Side by side, because they are asked first: most rows
 * are about other instructions. */
static const ptog_form_set forms[] = {
#define RULE(id, level, forms_, ...) (forms_),
#include "spec/rules.def"
#undef RULE
};

/* Whether a rule is about this form, or about this instruction alone. */
static bool row_applies(size_t row, enum ptog_opcode opcode, enum ptog_form form)
{
    ptog_form_set only = forms[row] >> PTOG_FORMS;
    return (forms[row] & PTOG_FORM_BIT(form)) != 0 || (only != 0 && only == (ptog_form_set)opcode);
}

/* Every row is written down, and stays when it applies: no branch depends on the row. */
void ptog_rules_for(struct ptog_rule_list *list, enum ptog_opcode opcode, enum ptog_form form)
{
    uint32_t count = 0;
    for (uint16_t i = 0; i < COUNT; i++) {
        list->of[count] = i;
        count += row_applies(i, opcode, form);
    }
    list->count = count;
    list->form = form;
}

const struct ptog_rule_row *ptog_rule_row(uint16_t number)
{
    return &rows[number];
}

const struct ptog_rule *ptog_rule_at(size_t i)
{
    if (i < COUNT)
        return &rows[i].rule;
    return NULL;
}

const struct ptog_rule *ptog_rule_find(const char *id)
{
    for (size_t i = 0; id && i < COUNT; i++)
        if (strcmp(rows[i].rule.id, id) == 0)
            return &rows[i].rule;
    return NULL;
}

bool ptog_rule_applies(const struct ptog_rule *rule, enum ptog_opcode opcode, enum ptog_form form)
{
    if (!rule || (unsigned)form >= PTOG_FORMS || ptog_form_family(form) != ptog_insn_row(opcode)->family)
        return false;
    const struct ptog_rule_row *row = (const void *)((const char *)rule - offsetof(struct ptog_rule_row, rule));
    return row_applies((size_t)(row - rows), opcode, form);
}
