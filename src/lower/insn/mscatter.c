/* lower: what the text forms say of mscatter: its mode, policy, atomic operation and what happens with equal indices.
 */
#include "model/mscatter.h"

#include "lower/insn/text_insn.h"
#include "lower/parts.h"
#include "model/target.h"

static const char *coalesce_name(int i)
{
    return ptog_coalesce_name((enum ptog_coalesce)i);
}

static const char *oob_name(int i)
{
    return ptog_scatter_oob_name((enum ptog_scatter_oob)i);
}

static const char *atomic_name(int i)
{
    return ptog_scatter_atomic_name((enum ptog_scatter_atomic)i);
}

static const char *conflict_name(int i)
{
    return ptog_scatter_conflict_name((enum ptog_scatter_conflict)i);
}

/* One attribute by its word; `otherwise` when the text does not have it, -1 after an error. */
static int read_attr_word(struct ptog_eval *e, const struct ptog_item *item, const char *(*name)(int), int last,
                          int otherwise)
{
    if (!item)
        return otherwise;
    return ptog_attr_enum(e, item, name, 0, last);
}

/* Whether an attribute for lanes is written without the mode that it needs, which is reported before a run. */
static bool is_said_alone(struct ptog_eval *e, const struct ptog_text_insn *insn, const struct ptog_item *said)
{
    if (!said || ptog_op_attr(insn->op, PTOG_WORD_coalesce))
        return false;
    if (!e->running)
        ptog_diag_add_fix(e->diags,
                          ptog_diag_emit(e->diags, "text-oob-alone", said->span,
                                         "'pto.mscatter' has an attribute that requires coalesce, which is missing"),
                          "add coalesce = #pto<coalesce row> or elem");
    return true;
}

/* The rule for equal indices that a target has when the text gives none. A2/A3 has no such attribute: what stands there
 * is given to the verifier as the one that it refuses. */
static int settle_conflict(const struct ptog_eval *e, const struct ptog_item *item, int given)
{
    bool is_cpu = e->target->machine == PTOG_NO_MACHINE && !(e->target->as & PTOG_ON_HOST);
    if (item)
        return e->target->machine == PTOG_MACHINE_DMA ? PTOG_CONFLICT_DEFAULT : given;
    return is_cpu ? PTOG_CONFLICT_DEFAULT : PTOG_CONFLICT_LAST;
}

/* Reads mode, policy, atomic operation and conflict policy into the instruction. False after an error. */
static bool read_mscatter_attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    const struct ptog_item *coalesce = ptog_op_attr(insn->op, PTOG_WORD_coalesce);
    const struct ptog_item *oob = ptog_op_attr(insn->op, PTOG_WORD_scatterOob);
    const struct ptog_item *atomic = ptog_op_attr(insn->op, PTOG_WORD_scatterAtomicOp);
    const struct ptog_item *conflict = ptog_op_attr(insn->op, PTOG_WORD_scatterConflict);
    const struct ptog_item *alone = atomic;
    int32_t *attr = insn->insn.attr;
    if (oob)
        alone = oob;
    else if (!atomic)
        alone = conflict;
    attr[PTOG_MSCATTER_COALESCE] = read_attr_word(e, coalesce, coalesce_name, PTOG_ELEM, PTOG_ROW);
    attr[PTOG_MSCATTER_OOB] = read_attr_word(e, oob, oob_name, PTOG_SCATTER_OOB_WRAP, PTOG_SCATTER_OOB_UNDEFINED);
    attr[PTOG_MSCATTER_ATOMIC] = read_attr_word(e, atomic, atomic_name, PTOG_SCATTER_MIN, PTOG_SCATTER_NONE);
    int rule = read_attr_word(e, conflict, conflict_name, PTOG_CONFLICT_DEFAULT, PTOG_CONFLICT_LAST);
    insn->skip = rule < 0 || is_said_alone(e, insn, alone);
    for (int i = 0; i < PTOG_MSCATTER_CONFLICT; i++)
        insn->skip = insn->skip || attr[i] < 0;
    attr[PTOG_MSCATTER_CONFLICT] = settle_conflict(e, conflict, rule);
    insn->mode_open = !coalesce;
    insn->form = attr[PTOG_MSCATTER_COALESCE] == PTOG_ELEM ? PTOG_FORM_SCATTER_ELEM : PTOG_FORM_SCATTER_ROW;
    return true;
}

const struct ptog_text_family ptog_text_mscatter = {read_mscatter_attrs, ptog_infer_table_insn, ptog_settle_mode};
