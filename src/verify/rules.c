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

const struct ptog_rule_row ptog_rule_rows[] = {
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

/* Of each row the forms and the opcode that it is about, one byte for a row: eight rows are looked at together, because
 * most are about other instructions. Bit (form % 8) of byte_of_forms[form / 8][row] is set when the row is about a form. */
#define ROWS_TOGETHER 8
#define PADDED (COUNT + ROWS_TOGETHER)
static const uint8_t byte_of_forms[8][PADDED] = {
#define FORMS_BYTE(forms_, number) (uint8_t)(((forms_)&PTOG_ALL_FORMS) >> 8 * (number)),
    {
#define RULE(id, level, forms_, ...) FORMS_BYTE(forms_, 0)
#include "spec/rules.def"
#undef RULE
    },
    {
#define RULE(id, level, forms_, ...) FORMS_BYTE(forms_, 1)
#include "spec/rules.def"
#undef RULE
    },
    {
#define RULE(id, level, forms_, ...) FORMS_BYTE(forms_, 2)
#include "spec/rules.def"
#undef RULE
    },
    {
#define RULE(id, level, forms_, ...) FORMS_BYTE(forms_, 3)
#include "spec/rules.def"
#undef RULE
    },
    {
#define RULE(id, level, forms_, ...) FORMS_BYTE(forms_, 4)
#include "spec/rules.def"
#undef RULE
    },
    {
#define RULE(id, level, forms_, ...) FORMS_BYTE(forms_, 5)
#include "spec/rules.def"
#undef RULE
    },
    {
#define RULE(id, level, forms_, ...) FORMS_BYTE(forms_, 6)
#include "spec/rules.def"
#undef RULE
    },
    {
#define RULE(id, level, forms_, ...) FORMS_BYTE(forms_, 7)
#include "spec/rules.def"
#undef RULE
    },
};
static const uint8_t only_opcode[PADDED] = { /* 0: not about one alone */
#define RULE(id, level, forms_, ...) (uint8_t)((ptog_form_set)(forms_) >> PTOG_FORMS),
#include "spec/rules.def"
#undef RULE
};
_Static_assert(PTOG_OPCODES <= UINT8_MAX, "an opcode does not fit in a byte of only_opcode");

/* Whether a rule is about this form, or about this instruction alone. */
static bool row_applies(size_t row, enum ptog_opcode opcode, enum ptog_form form)
{
    bool alone = only_opcode[row] != 0 && only_opcode[row] == (unsigned)opcode;
    return alone || (byte_of_forms[form / 8][row] >> form % 8 & 1) != 0;
}

/* Eight bytes, the first of them the lowest of the word. */
static uint64_t load_bytes(const uint8_t *from)
{
    uint64_t word;
    memcpy(&word, from, sizeof word);
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (uint8_t)(byte))

/* The lowest bit of each byte of the result says whether that byte of `word` is 0. */
static uint64_t zero_bytes(uint64_t word)
{
    uint64_t low = EACH_BYTE(0x7f);
    return ~(((word & low) + low) | word | low) >> 7;
}

/* Lists the rows about one instruction in one form, from top to bottom. */
void ptog_rules_for(struct ptog_rule_list *list, enum ptog_opcode opcode, enum ptog_form form)
{
    const uint8_t *forms = byte_of_forms[form / 8];
    uint64_t alone = EACH_BYTE(opcode == PTOG_NO_INSN ? UINT8_MAX : (unsigned)opcode);
    uint32_t count = 0;
    for (uint32_t row = 0; row < COUNT; row += ROWS_TOGETHER) {
        uint64_t applies = load_bytes(&forms[row]) >> form % 8 & EACH_BYTE(1);
        applies |= zero_bytes(load_bytes(&only_opcode[row]) ^ alone);
        for (; applies; applies &= applies - 1)
            list->of[count++] = (uint16_t)(row + (unsigned)__builtin_ctzll(applies) / 8);
    }
    list->count = count;
    list->form = form;
}

const struct ptog_rule *ptog_rule_at(size_t i)
{
    if (i < COUNT)
        return &ptog_rule_rows[i].rule;
    return NULL;
}

const struct ptog_rule *ptog_rule_find(const char *id)
{
    for (size_t i = 0; id && i < COUNT; i++)
        if (strcmp(ptog_rule_rows[i].rule.id, id) == 0)
            return &ptog_rule_rows[i].rule;
    return NULL;
}

bool ptog_rule_applies(const struct ptog_rule *rule, enum ptog_opcode opcode, enum ptog_form form)
{
    if (!rule || (unsigned)form >= PTOG_FORMS || ptog_form_family(form) != ptog_insn_row(opcode)->family)
        return false;
    const struct ptog_rule_row *row = (const void *)((const char *)rule - offsetof(struct ptog_rule_row, rule));
    return row_applies((size_t)(row - ptog_rule_rows), opcode, form);
}
