/* lower: what the text forms say of sorts: all numbers have one type, the indices of tsort32 are u32, and the operands
 * of tmrgsort say whether it merges the runs of a list or lists. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "base/pick.h"
#include "lower/insn/text_insn.h"
#include "lower/parts.h"
#include "model/dtype.h"
#include "model/families/merges.h"

#define MIN_BLOCK INT64_C(64) /* elements of the shortest run */

/* Sets form and attributes by the operands: ins(%src, %n) outs(%dst), or ins(%a, %b[, %c[, %d]], %tmp) outs(%dst,
 * %counts). False after a report. */
static bool read_sort_attrs(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    static const enum ptog_form forms[] = {PTOG_FORM_MERGE_2, PTOG_FORM_MERGE_3, PTOG_FORM_MERGE_4};
    uint32_t count = insn->op->ins ? insn->op->ins->count : 0;
    if (!ptog_insn_attrs(e, insn))
        return false;
    if (insn->insn.opcode != PTOG_TMRGSORT)
        return true;
    insn->form = PTOG_FORM_MERGE_RUNS;
    if (!insn->op->outs || insn->op->outs->count < 2)
        return true;
    if (count < 3 || count > 5) {
        ptog_diag_emit(e->diags, "text-operands", insn->op->name_span,
                       "'pto.tmrgsort' merges two to four lists, with a tmp tile or no_tmp after them");
        return false;
    }
    insn->form = forms[count - 3];
    return true;
}

/* Completes the types of a sort or merge: sources, tmp and dst have one element type, and indices are u32. */
static void infer_sorts(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    static const enum ptog_operand_name sources[] = {PTOG_AT_SRC,  PTOG_AT_SRC0, PTOG_AT_SRC1,
                                                     PTOG_AT_SRC2, PTOG_AT_SRC3, PTOG_AT_TMP};
    struct ptog_value *dst = ptog_insn_value(insn, PTOG_AT_DST), *idx = ptog_insn_value(insn, PTOG_AT_IDX);
    (void)e;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        struct ptog_value *src = ptog_insn_value(insn, sources[i]);
        if (!dst || !src || dst->kind != PTOG_VALUE_TILE || src->kind != PTOG_VALUE_TILE)
            continue;
        ptog_infer_dtype(dst, ptog_value_dtype(src));
        ptog_infer_dtype(src, ptog_value_dtype(dst));
        ptog_infer_extent(&dst->tile.tile.rows, src->tile.tile.rows);
        if (insn->form == PTOG_FORM_MERGE_RUNS)
            ptog_infer_extent(&dst->tile.tile.cols, src->tile.tile.cols);
    }
    if (idx && idx->kind == PTOG_VALUE_TILE)
        ptog_infer_dtype(idx, PTOG_U32);
}

/* With no_tmp, compilers add a tmp with room for all lists and for dst. */
static void add_merge_tmp(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    const struct ptog_tile *dst = &insn->insn.of[PTOG_MERGE_DST].tile;
    struct ptog_insn known;
    if (insn->form < PTOG_FORM_MERGE_2 || insn->form > PTOG_FORM_MERGE_4 ||
        insn->insn.of[PTOG_MERGE_TMP].kind != PTOG_IS_ABSENT || ptog_dtype_size(dst->dtype) == 0)
        return;
    ptog_insn_resolve(&known, &insn->insn, NULL);
    int64_t cols = ptog_max(ptog_merge_elements(&known), dst->cols);
    if (cols > 0)
        ptog_insn_set_tmp(e, insn, PTOG_MERGE_TMP, ptog_tile_vec(dst->dtype, 1, cols));
}

/* A block length that only a run knows: a check takes the longest that fits. */
static void assume_merge_block(struct ptog_text_insn *insn)
{
    const struct ptog_value *block = ptog_insn_value(insn, PTOG_AT_BLOCK);
    int64_t most = insn->insn.of[PTOG_MERGE_SRC].tile.valid_col / PTOG_MERGE_WAYS;
    if (insn->form == PTOG_FORM_MERGE_RUNS && block && block->kind == PTOG_VALUE_NUMBER && !block->number.known)
        insn->insn.of[PTOG_MERGE_BLOCK].bits = (uint64_t)ptog_max(most - most % MIN_BLOCK, MIN_BLOCK);
}

static void settle_sorts(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    assume_merge_block(insn);
    add_merge_tmp(e, insn);
}

const struct ptog_text_family ptog_text_sorts = {read_sort_attrs, infer_sorts, settle_sorts};
