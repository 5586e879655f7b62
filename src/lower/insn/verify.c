/* lower: what the verifier says of an instruction, at its places in the text. An instruction that was found legal is
 * not verified again. */
#include <ptog/verify.h>

#include "base/diag.h"
#include "diag/kind.h"
#include "lower/insn/text_insn.h"
#include "model/fault.h"
#include "verify/verify.h"

/* A run reports this one itself, with lanes and counts. */
static bool comes_later(struct ptog_eval *e, const struct ptog_diag *diag)
{
    return diag->kind == (unsigned)PTOG_DIAG_LANE + PTOG_FAULT_PITCH_MISMATCH && ptog_is_bound(e);
}

void ptog_insn_say_diags(struct ptog_eval *e, const struct ptog_text_insn *insn, const ptog_diags *diags)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++) {
        if (comes_later(e, diag))
            continue;
        e->said[insn->op->number] = true;
        const struct ptog_text_operand *operand = ptog_insn_operand(insn, diag->operand);
        struct ptog_span span = operand ? operand->item->span : insn->op->name_span;
        struct ptog_diag_entry *found = ptog_diag_emit_copy(e->diags, diag, span);
        const struct ptog_value *value = operand ? operand->value : NULL;
        if (value && value->span.length > 0 && found && value->span.at != found->span.at)
            ptog_diag_relate(found, value->span, "defined here");
    }
}

/* Element by element, an extent that the run alone knows is not judged as one that the text knows. */
static enum ptog_status verify(struct ptog_eval *e, const struct ptog_text_insn *insn, ptog_diags *diags)
{
    struct ptog_late_insn late;
    if (ptog_insn_family(&insn->insn) != PTOG_FAMILY_ELEMENTWISE || !ptog_insn_is_late(e, insn, &late))
        return ptog_verify(e->target, &insn->insn, diags);
    const struct ptog_run *extents = late.known ? &late.extents : NULL;
    return ptog_verify_run(e->target, &late.insn, extents, diags);
}

void ptog_judge_insn(struct ptog_eval *e, const struct ptog_text_insn *insn)
{
    uint32_t number = insn->op->number;
    struct ptog_legality *kept;
    if (ptog_legality_find(&e->legality, number, &insn->insn) || (e->running && e->said[number]))
        return;
    ptog_diags *diags = ptog_diags_new();
    enum ptog_status status = diags ? verify(e, insn, diags) : PTOG_NO_MEMORY;
    if (status == PTOG_NO_MEMORY)
        e->no_memory = true;
    else if (ptog_diags_count(diags) > 0)
        ptog_insn_say_diags(e, insn, diags);
    else if (!ptog_legality_keep(&e->legality, number, &insn->insn, &kept))
        e->no_memory = true;
    ptog_diags_free(diags);
}
