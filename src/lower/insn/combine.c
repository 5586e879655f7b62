/* lower: what the text forms say of instructions that combine elements of several tiles: which of their operands have
 * one type, and which types are fixed. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "lower/insn/text_insn.h"
#include "lower/parts.h"

static void set_dtype(const struct ptog_text_insn *insn, enum ptog_operand_name name, enum ptog_dtype dtype)
{
    struct ptog_value *value = ptog_insn_value(insn, name);
    if (value && value->kind == PTOG_VALUE_TILE)
        ptog_infer_dtype(value, dtype);
}

/* The operands of a list, which ends with PTOG_AT_SELF, have one type. */
static void share_dtype(const struct ptog_text_insn *insn, const enum ptog_operand_name *names)
{
    for (const enum ptog_operand_name *from = names; *from != PTOG_AT_SELF; from++) {
        const struct ptog_value *value = ptog_insn_value(insn, *from);
        for (const enum ptog_operand_name *to = names; value && value->kind == PTOG_VALUE_TILE && *to != PTOG_AT_SELF;
             to++)
            set_dtype(insn, *to, ptog_value_dtype(value));
    }
}

/* Fills in element types that are left out, by the operands that share one or that have a fixed one. */
static void infer_combine(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    static const enum ptog_operand_name all[] = {PTOG_AT_DST,  PTOG_AT_DST1, PTOG_AT_SRC, PTOG_AT_SRC0,
                                                 PTOG_AT_SRC1, PTOG_AT_SRC2, PTOG_AT_SELF},
                                        values[] = {PTOG_AT_DST, PTOG_AT_SRC0, PTOG_AT_SRC1, PTOG_AT_SELF},
                                        indices[] = {PTOG_AT_DST1, PTOG_AT_IDX, PTOG_AT_IDX1, PTOG_AT_SELF},
                                        sources[] = {PTOG_AT_SRC0, PTOG_AT_SRC1, PTOG_AT_SELF};
    (void)e;
    switch (insn->insn.opcode) {
    case PTOG_TADDRELUCONV:
    case PTOG_TSUBRELUCONV: share_dtype(insn, sources); break;
    case PTOG_TADDDEQRELU:
        set_dtype(insn, PTOG_AT_DST, PTOG_F16);
        set_dtype(insn, PTOG_AT_SRC0, PTOG_I32);
        set_dtype(insn, PTOG_AT_SRC1, PTOG_I32);
        set_dtype(insn, PTOG_AT_TMP, PTOG_I32);
        break;
    case PTOG_TDEQUANT:
        set_dtype(insn, PTOG_AT_DST, PTOG_F32);
        set_dtype(insn, PTOG_AT_QUANT, PTOG_F32);
        set_dtype(insn, PTOG_AT_OFFSET, PTOG_F32);
        break;
    case PTOG_TQUANT:
        set_dtype(insn, PTOG_AT_SRC, PTOG_F32);
        set_dtype(insn, PTOG_AT_QUANT, PTOG_F32);
        set_dtype(insn, PTOG_AT_OFFSET, PTOG_F32);
        set_dtype(insn, PTOG_AT_TMP, PTOG_F32);
        break;
    case PTOG_TPARTARGMAX:
    case PTOG_TPARTARGMIN:
    case PTOG_TCONCATCOUNTS:
        share_dtype(insn, values);
        share_dtype(insn, indices);
        break;
    default: share_dtype(insn, all); break;
    }
}

/* What compilers require of tquant beyond the verifier's rules comes first. */
static bool combine_attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    return (insn->insn.opcode != PTOG_TQUANT || ptog_eval_lint(e, insn->op)) && ptog_insn_attrs(e, insn);
}

const struct ptog_text_family ptog_text_combine = {combine_attrs, infer_combine, NULL};
