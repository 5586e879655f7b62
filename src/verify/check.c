/* verify: one instruction on one target, as the predicates see it. */
#include "verify/check.h"

#include "model/target.h"

static uint32_t present_in(const struct ptog_check *c)
{
    uint32_t present = UINT32_C(1) << PTOG_AT_SELF;
    for (int i = 0; i < c->row->count; i++)
        if (ptog_insn_has(c->insn, c->form, i))
            present |= UINT32_C(1) << c->row->of[i].name;
    return present;
}

void ptog_check_start(struct ptog_check *c, const struct ptog_target *target, const struct ptog_insn *insn)
{
    *c = (struct ptog_check){.target = target,
                             .form = ptog_insn_form(target, insn),
                             .row = ptog_insn_row(insn->opcode),
                             .insn = insn,
                             .written = insn};
    for (int i = 0; i < c->row->count; i++)
        c->at[c->row->of[i].name] = &insn->of[i];
    c->present = present_in(c);
}

uint32_t ptog_check_dtypes(const struct ptog_check *c, enum ptog_operand_name name)
{
    return ptog_accepted_types(c->target, c->insn->opcode, c->form, name);
}
