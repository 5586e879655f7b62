/* lower: what the text forms say of thistogram: the byte that is counted, by its number or by the older isMSB. */
#include "base/pick.h"
#include "lower/insn/text_insn.h"
#include "lower/parts.h"

static const char *older_word(int value)
{
    return ptog_bool_name(value);
}

/* Sets the byte that is counted: without a number the high one of 16 bits, -1 where there is no such byte, which the
 * verifier refuses. False after a report. */
static bool read_histogram_attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    const struct ptog_item *byte = ptog_attr_of(e, insn->op, "byte"), *high = ptog_attr_of(e, insn->op, "isMSB");
    int older = high ? ptog_attr_enum(e, high, older_word, 0, 1) : 0;
    int32_t *number = &insn->insn.attr[PTOG_THISTOGRAM_BYTE];
    insn->form = PTOG_FORM_HISTOGRAM;
    *number = high ? older : 1;
    if (older < 0)
        return false;
    if (!byte)
        return true;
    if (byte->kind != PTOG_ITEM_INT) {
        ptog_diag_emit(e->diags, "text-attribute", byte->span, "the byte must be a number");
        return false;
    }
    *number =
        byte->negative || byte->number > 3 || (high && byte->number != (uint64_t)older) ? -1 : (int32_t)byte->number;
    return true;
}

/* Completes the types of a histogram: dst has 256 u32 bins for each row of the source. */
static void infer_histogram(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_value *dst = ptog_insn_value(insn, PTOG_AT_DST), *idx = ptog_insn_value(insn, PTOG_AT_IDX),
                      *src = ptog_insn_value(insn, PTOG_AT_SRC);
    (void)e;
    if (dst && dst->kind == PTOG_VALUE_TILE) {
        ptog_infer_dtype(dst, PTOG_U32);
        ptog_infer_extent(&dst->tile.tile.cols, 256);
        if (src && src->kind == PTOG_VALUE_TILE)
            ptog_infer_extent(&dst->tile.tile.rows, src->tile.tile.rows);
    }
    if (idx && idx->kind == PTOG_VALUE_TILE)
        ptog_infer_dtype(idx, PTOG_U8);
}

const struct ptog_text_family ptog_text_thistogram = {read_histogram_attrs, infer_histogram, NULL};
