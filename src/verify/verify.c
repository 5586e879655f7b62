/* verify: goes through the rule table and reports every row that does not hold. */
#include "verify/verify.h"
#include "base/reserved.h"

#include "base/diag.h"
#include "base/text.h"
#include "diag/kind.h"
#include "verify/message.h"
#include "verify/rules.h"

#define MAX_MESSAGE 512

static enum ptog_operand_name first_operand(uint32_t operands)
{
    return (enum ptog_operand_name)__builtin_ctz(operands);
}

/* The operands for which the row does not hold. */
static uint32_t broken_by(const struct ptog_rule_row *row, const struct ptog_check *c)
{
    uint32_t broken = 0;
    if (!(row->rule.targets & (row->rule.exact ? c->target->bit : c->target->as)))
        return 0;
    for (uint32_t left = row->operands & c->present; left; left &= left - 1)
        if (!row->holds(c, first_operand(left)))
            broken |= left & -left;
    return broken;
}

/* Whether breaking the rule stops the instruction on this target. */
static bool row_refuses(const struct ptog_rule_row *row, const struct ptog_check *c)
{
    return row->rule.refuses && !(row->rule.warns & c->target->as);
}

/* Whether any rule of the list refuses the instruction. */
static bool is_refused(const struct ptog_check *c, const struct ptog_rule_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct ptog_rule_row *row = ptog_rule_row(list->of[i]);
        if (row_refuses(row, c) && broken_by(row, c))
            return true;
    }
    return false;
}

/* The other targets that take the same operands. On some of them the instruction may have another form. */
static uint32_t accepting(const struct ptog_check *c, const struct ptog_rule_list *list)
{
    const struct ptog_target *target;
    struct ptog_rule_list others = {.form = c->form};
    uint32_t accepted = 0;
    for (size_t i = 0; (target = ptog_target_at(i)) != NULL; i++) {
        struct ptog_check other;
        if (target->bit == c->target->bit)
            continue;
        ptog_check_start(&other, target, c->insn);
        other.written = c->written;
        other.run = c->run;
        if (other.form != c->form && other.form != others.form)
            ptog_rules_for(&others, c->insn->opcode, other.form);
        const struct ptog_rule_list *rows = &others;
        if (other.form == c->form)
            rows = list;
        if (!is_refused(&other, rows))
            accepted |= target->bit;
    }
    return accepted;
}

/* The kind of a rule's diagnostic: that of a fault of the same id, which only rules that do not refuse have, or its row's. */
static uint16_t kind_of_row(const struct ptog_rule_row *row)
{
    enum ptog_diag_kind fault = row->rule.refuses ? PTOG_DIAG_OTHER : ptog_fault_kind_of(row->rule.id);
    if (fault != PTOG_DIAG_OTHER)
        return (uint16_t)fault;
    return (uint16_t)(PTOG_DIAG_RULE + (row - ptog_rule_row(0)));
}

/* Adds the diagnostic of a rule that operand `o` breaks, with its message and fix; false when out of memory. */
static bool report_rule(const struct ptog_rule_row *row, const struct ptog_check *c, enum ptog_operand_name o,
                        uint32_t accepted, ptog_diags *diags)
{
    char message[MAX_MESSAGE], fix[MAX_MESSAGE] = "";
    struct ptog_text text;
    struct ptog_fix step = ptog_fix_of_words(fix);
    bool refuses = row_refuses(row, c), lenient = row->rule.refuses && !refuses;
    struct ptog_diag diag = {
        .id = row->rule.id,
        .kind = kind_of_row(row),
        .severity = lenient ? PTOG_WARNING : row->rule.severity,
        .refuses = refuses,
        .operand = ptog_operand_name(o),
        .message = message,
        .fix = &step,
        .fix_count = row->fix != NULL,
        .documented = row->rule.documented,
        .accepted_by = refuses ? accepted : 0,
    };
    ptog_text_init(&text, message, sizeof message);
    ptog_message(&text, row->message, c, o);
    ptog_text_init(&text, fix, sizeof fix);
    if (row->fix)
        ptog_message(&text, row->fix, c, o);
    return ptog_diags_add(diags, &diag);
}

/* Adds a diagnostic for each broken rule and its first operand; false when out of memory. */
static bool report_all(const struct ptog_check *c, const struct ptog_rule_list *list, uint32_t accepted,
                       ptog_diags *diags)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct ptog_rule_row *row = ptog_rule_row(list->of[i]);
        for (uint32_t broken = broken_by(row, c); broken; broken &= broken - 1)
            if (!report_rule(row, c, first_operand(broken), accepted, diags))
                return false;
    }
    return true;
}

/* Most instructions are right: one pass finds out, and only what is wrong costs more. */
static enum ptog_status verify(const struct ptog_check *c, ptog_diags *diags)
{
    struct ptog_rule_list list;
    bool broken = false, refused = false;
    ptog_rules_for(&list, c->insn->opcode, c->form);
    for (uint32_t i = 0; i < list.count; i++) {
        const struct ptog_rule_row *row = ptog_rule_row(list.of[i]);
        if (broken_by(row, c)) {
            broken = true;
            refused = refused || row_refuses(row, c);
        }
    }
    if (diags && broken && !report_all(c, &list, refused ? accepting(c, &list) : 0, diags))
        return PTOG_NO_MEMORY;
    return refused ? PTOG_ILLEGAL : PTOG_OK;
}

enum ptog_status ptog_verify_run(const struct ptog_target *target, const struct ptog_insn *insn,
                                 const struct ptog_run *run, ptog_diags *diags)
{
    struct ptog_insn known;
    struct ptog_check check;
    const char *malformed = insn ? ptog_insn_malformed(insn) : "is NULL";
    if (!target)
        return ptog_bad_argument(diags, "ptog_verify", "target", "is NULL");
    if (malformed)
        return ptog_bad_argument(diags, "ptog_verify", "insn", malformed);
    if (run && !ptog_is_unreserved(run))
        return ptog_bad_argument(diags, "ptog_verify", "run", "has a reserved word that is not zero");
    ptog_insn_resolve(&known, insn, run);
    ptog_check_start(&check, target, &known);
    check.written = insn;
    check.run = run;
    return verify(&check, diags);
}

enum ptog_status ptog_verify(const struct ptog_target *target, const struct ptog_insn *insn, ptog_diags *diags)
{
    return ptog_verify_run(target, insn, NULL, diags);
}

enum ptog_status ptog_verify_mgather(const struct ptog_target *target, const struct ptog_mgather *op, ptog_diags *diags)
{
    struct ptog_insn insn;
    if (!op)
        return ptog_bad_argument(diags, "ptog_verify_mgather", "op", "is NULL");
    ptog_insn_mgather(&insn, op);
    return ptog_verify(target, &insn, diags);
}

enum ptog_status ptog_verify_tgather(const struct ptog_target *target, const struct ptog_tgather *op, ptog_diags *diags)
{
    struct ptog_insn insn;
    if (!op)
        return ptog_bad_argument(diags, "ptog_verify_tgather", "op", "is NULL");
    ptog_insn_tgather(&insn, op);
    return ptog_verify(target, &insn, diags);
}

enum ptog_status ptog_verify_transfer(const struct ptog_target *target, const struct ptog_transfer *op,
                                      ptog_diags *diags)
{
    struct ptog_insn insn;
    if (!op)
        return ptog_bad_argument(diags, "ptog_verify_transfer", "op", "is NULL");
    ptog_insn_transfer(&insn, op);
    return ptog_verify(target, &insn, diags);
}
