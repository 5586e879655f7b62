/* verify: goes through the rule table and reports every row that does not hold. */
#include "verify/verify.h"

#include "base/diag.h"
#include "base/text.h"
#include "model/extents.h"
#include "model/mgather.h"
#include "model/tgather.h"
#include "model/transfer.h"
#include "verify/message.h"
#include "verify/rules.h"

#define LONGEST_MESSAGE 512

enum ptog_form ptog_mgather_form(const struct ptog_target *target, const struct ptog_mgather *op)
{
    return ptog_mgather_mode(target, op) == PTOG_ELEM ? PTOG_FORM_ELEM : PTOG_FORM_ROW;
}

enum ptog_form ptog_tgather_form(const struct ptog_tgather *op)
{
    switch (op->form) {
    case PTOG_BY_MASK: return PTOG_FORM_MASK;
    case PTOG_BY_COMPARE: return PTOG_FORM_COMPARE;
    default: return PTOG_FORM_INDEX;
    }
}

static uint32_t present_in(const struct ptog_check *c)
{
    uint32_t optional, present = ptog_form_operands(c->form, &optional);
    for (uint32_t left = present & optional; left; left &= left - 1)
        if (!ptog_check_tile(c, (enum ptog_operand)(left & -left)))
            present &= ~(left & -left);
    return present;
}

/* The operands for which the row does not hold. */
static uint32_t broken_by(const struct ptog_rule_row *row, const struct ptog_check *c)
{
    uint32_t broken = 0;
    if (!(row->rule.targets & c->target->bit) || !(row->rule.forms & c->form))
        return 0;
    for (uint32_t left = row->operands & c->present; left; left &= left - 1)
        if (!row->holds(c, (enum ptog_operand)(left & -left)))
            broken |= left & -left;
    return broken;
}

static bool is_refused(const struct ptog_check *c)
{
    const struct ptog_rule_row *row;
    for (size_t i = 0; (row = ptog_rule_row_at(i)) != NULL; i++)
        if (row->rule.refuses && broken_by(row, c))
            return true;
    return false;
}

/* The targets that take the same operands. */
static uint32_t accepting(const struct ptog_check *c)
{
    const struct ptog_target *target;
    uint32_t accepted = 0;
    for (size_t i = 0; (target = ptog_target_at(i)) != NULL; i++) {
        struct ptog_check other = *c;
        other.target = target;
        other.form = c->m ? ptog_mgather_form(target, c->m) : c->form;
        if (!is_refused(&other))
            accepted |= target->bit;
    }
    return accepted;
}

static bool report(const struct ptog_rule_row *row, const struct ptog_check *c, enum ptog_operand o, uint32_t accepted,
                   ptog_diags *diags)
{
    char message[LONGEST_MESSAGE], fix[LONGEST_MESSAGE];
    struct ptog_text text;
    struct ptog_fix step = ptog_fix_of_words(fix);
    struct ptog_diag diag = {
        .id = row->rule.id,
        .severity = row->rule.severity,
        .refuses = row->rule.refuses,
        .operand = ptog_operand_name(o),
        .message = message,
        .fix = &step,
        .fix_count = row->fix ? 1 : 0,
        .seed = row->rule.seed,
        .accepted_by = row->rule.refuses ? accepted : 0,
    };
    ptog_text_init(&text, message, sizeof message);
    ptog_message(&text, row->message, c, o);
    ptog_text_init(&text, fix, sizeof fix);
    if (row->fix)
        ptog_message(&text, row->fix, c, o);
    return ptog_diags_add(diags, &diag);
}

static bool report_all(const struct ptog_check *c, uint32_t accepted, ptog_diags *diags)
{
    const struct ptog_rule_row *row;
    for (size_t i = 0; (row = ptog_rule_row_at(i)) != NULL; i++)
        for (uint32_t broken = broken_by(row, c); broken; broken &= broken - 1)
            if (!report(row, c, (enum ptog_operand)(broken & -broken), accepted, diags))
                return false;
    return true;
}

/* Most instructions are right: one pass finds out, and only what is wrong costs more. */
static enum ptog_status verify(struct ptog_check *c, ptog_diags *diags)
{
    const struct ptog_rule_row *row;
    bool broken = false, refused = false;
    c->present = present_in(c);
    for (size_t i = 0; (row = ptog_rule_row_at(i)) != NULL; i++)
        if (broken_by(row, c)) {
            broken = true;
            refused = refused || row->rule.refuses;
        }
    if (diags && broken && !report_all(c, refused ? accepting(c) : 0, diags))
        return PTOG_NO_MEMORY;
    return refused ? PTOG_ILLEGAL : PTOG_OK;
}

enum ptog_status ptog_verify_mgather_run(const struct ptog_target *target, const struct ptog_mgather *op,
                                         const struct ptog_run *run, ptog_diags *diags)
{
    struct ptog_mgather known = *op;
    if (run) {
        struct ptog_extents extents = ptog_mgather_extents(&known, run);
        ptog_extents_apply(&extents);
    }
    known = ptog_mgather_filled(&known);
    struct ptog_check check = {
        .target = target, .form = ptog_mgather_form(target, op), .m = &known, .run = run, .planned_m = op};
    return verify(&check, diags);
}

enum ptog_status ptog_verify_tgather_run(const struct ptog_target *target, const struct ptog_tgather *op,
                                         const struct ptog_run *run, ptog_diags *diags)
{
    struct ptog_tgather known = *op;
    if (run) {
        struct ptog_extents extents = ptog_tgather_extents(&known, run);
        ptog_extents_apply(&extents);
    }
    known = ptog_tgather_filled(&known);
    struct ptog_check check = {
        .target = target, .form = ptog_tgather_form(op), .t = &known, .run = run, .planned_t = op};
    return verify(&check, diags);
}

enum ptog_status ptog_verify_transfer(const struct ptog_target *target, const struct ptog_transfer *op,
                                      ptog_diags *diags)
{
    if (!target || !op)
        return PTOG_BAD_ARGUMENT;
    struct ptog_transfer known = ptog_transfer_filled(op);
    struct ptog_check check = {.target = target, .form = op->store ? PTOG_FORM_STORE : PTOG_FORM_LOAD, .x = &known};
    return verify(&check, diags);
}

enum ptog_status ptog_verify_mgather(const struct ptog_target *target, const struct ptog_mgather *op, ptog_diags *diags)
{
    return target && op ? ptog_verify_mgather_run(target, op, NULL, diags) : PTOG_BAD_ARGUMENT;
}

enum ptog_status ptog_verify_tgather(const struct ptog_target *target, const struct ptog_tgather *op, ptog_diags *diags)
{
    return target && op ? ptog_verify_tgather_run(target, op, NULL, diags) : PTOG_BAD_ARGUMENT;
}
