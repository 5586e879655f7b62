/* program: what the text forms say of elementwise instructions: all tiles have one type and shape. */
#include "program/text_insn.h"

static bool read_attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    insn->form = ptog_insn_form(e->target, &insn->insn);
    return true;
}

static void infer_from(struct ptog_value *to, const struct ptog_value *from)
{
    if (to->kind != PTOG_VALUE_TILE || from->kind != PTOG_VALUE_TILE)
        return; /* a scalar has a type of its own */
    ptog_infer_dtype(to, ptog_value_dtype(from));
    ptog_infer_extent(&to->tile.tile.rows, from->tile.tile.rows);
    ptog_infer_extent(&to->tile.tile.cols, from->tile.tile.cols);
}

static void infer(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    (void)e;
    for (int to = 0; to < insn->count; to++)
        for (int from = 0; from < insn->count; from++)
            infer_from(insn->of[to].value, insn->of[from].value);
}

const struct ptog_text_family ptog_text_elementwise = {read_attrs, infer, NULL};
