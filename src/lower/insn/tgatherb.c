/* lower: what the text forms say of tgatherb: dst and src have one type, and offsets are u32. */
#include "lower/insn/text_insn.h"

/* Completes the types of tgatherb: source and dst have one element type, and offsets are u32. */
static void infer_tgatherb(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_value *src = ptog_insn_value(insn, PTOG_AT_SRC), *dst = ptog_insn_value(insn, PTOG_AT_DST),
                      *offset = ptog_insn_value(insn, PTOG_AT_OFFSET);
    (void)e;
    if (src && dst && src->kind == PTOG_VALUE_TILE && dst->kind == PTOG_VALUE_TILE) {
        ptog_infer_dtype(dst, ptog_value_dtype(src));
        ptog_infer_dtype(src, ptog_value_dtype(dst));
    }
    if (offset && offset->kind == PTOG_VALUE_TILE)
        ptog_infer_dtype(offset, PTOG_U32);
}

const struct ptog_text_family ptog_text_tgatherb = {ptog_insn_attrs, infer_tgatherb, NULL};
