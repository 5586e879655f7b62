/* lower: what the text forms say of reductions: all tiles have one type, but for positions; dst has the rows, or the
 * columns, of src, and one of the other. */
#include "lower/insn/text_insn.h"
#include "lower/place.h"
#include "model/dtype.h"
#include "model/reduction_tmp.h"
#include "model/tile.h"

static struct ptog_value *tile_of(const struct ptog_text_insn *insn, enum ptog_operand_name name)
{
    struct ptog_value *value = ptog_insn_value(insn, name);
    return value && value->kind == PTOG_VALUE_TILE ? value : NULL;
}

/* Completes the types of a reduction: source and dst agree in the extent that is kept, and in the element type unless
 * dst holds positions. */
static void infer_reduce(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_value *dst = tile_of(insn, PTOG_AT_DST), *src = tile_of(insn, PTOG_AT_SRC);
    (void)e;
    if (!dst || !src)
        return;
    bool by_row = insn->form == PTOG_FORM_ROW_REDUCE || insn->form == PTOG_FORM_ROW_ARG;
    if (insn->form == PTOG_FORM_ROW_REDUCE || insn->form == PTOG_FORM_COL_REDUCE) {
        ptog_infer_dtype(dst, ptog_value_dtype(src));
        ptog_infer_dtype(src, ptog_value_dtype(dst));
    }
    int64_t *kept = by_row ? &dst->tile.tile.rows : &dst->tile.tile.cols;
    int64_t *from = by_row ? &src->tile.tile.rows : &src->tile.tile.cols;
    ptog_infer_extent(kept, *from);
    ptog_infer_extent(from, *kept);
    ptog_infer_extent(by_row ? &dst->tile.tile.cols : &dst->tile.tile.rows, 1);
}

/* A tmp that the target's library wants and the text leaves out is added, as the compiler does: as small as it may be,
 * with rows of whole 32-byte blocks. */
void ptog_reduction_add_tmp(struct ptog_eval *e, struct ptog_text_insn *insn)
{
    struct ptog_reduction_tmp use;
    struct ptog_insn known;
    int at = ptog_insn_find(&insn->insn, PTOG_AT_TMP);
    if (at < 0 || insn->insn.of[at].kind != PTOG_IS_ABSENT)
        return;
    ptog_insn_resolve(&known, &insn->insn, NULL);
    for (int i = 0; i < known.count; i++)
        ptog_tile_close(&known.of[i].tile); /* all of it, at most */
    if (!ptog_reduction_tmp(e->target, &known, ptog_insn_has_open_extent(insn), &use))
        return;
    enum ptog_dtype dtype = known.of[ptog_insn_find(&known, PTOG_AT_SRC)].tile.dtype;
    int64_t block = ptog_c0(dtype);
    ptog_insn_set_tmp(e, insn, at, ptog_tile_vec(dtype, use.rows, (use.cols + block - 1) / block * block));
}

const struct ptog_text_family ptog_text_reduce = {ptog_insn_attrs, infer_reduce, ptog_reduction_add_tmp};
