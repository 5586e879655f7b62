/* verify: advice, the placeholders of spec/rules.def whose words depend on the case. */
#include "verify/advice.h"

#include <inttypes.h>
#include <string.h>

#include "base/pick.h"
#include "model/habits.h"
#include "model/mgather.h"
#include "model/reduction_tmp.h"
#include "model/tgather.h"
#include "verify/predicates.h"

/* What the target takes as a list of row indices. */
static void row_index(struct ptog_text *text, const struct ptog_check *c)
{
    static const char *const takes[] = {
        [PTOG_ROW_INDEX_1R] = "[1, R] row_major",
        [PTOG_ROW_INDEX_LINEAR] = "[1, R] row_major or [R, 1] col_major",
        [PTOG_ROW_INDEX_ANY] = "[1, R] or [R, 1]",
        [PTOG_ROW_INDEX_R1] = "[R, 1] row_major",
        [PTOG_ROW_INDEX_PACKED] = "[1, R] row_major, [R, 1] col_major or [R, 1] row_major of one column",
    };
    ptog_text_add(text, takes[c->target->row_index]);
}

static void row_index_fix(struct ptog_text *text, const struct ptog_check *c)
{
    const struct ptog_tile *idx = ptog_check_at(c, PTOG_AT_IDX), *dst = ptog_check_at(c, PTOG_AT_DST);
    if (idx->valid_row == dst->valid_row && idx->valid_col == dst->valid_col)
        ptog_text_add(text, "use coalesce elem (Coalesce::Elem) for one index per element, or ");
    if (dst->valid_row == PTOG_DYN)
        ptog_text_add(text, "use a [1, R] row_major index tile");
    else
        ptog_text_addf(text, "use a [1, %" PRId64 "] row_major index tile", dst->valid_row);
}

/* Where the target reads instead. */
static void walk(struct ptog_text *text, const struct ptog_check *c)
{
    if (c->form == PTOG_FORM_ELEM)
        ptog_text_add(text, "element i at base + i");
    else
        ptog_text_addf(text, "row i at base + i*%" PRId64, ptog_mgather_pitch(c->target, c->insn));
}

/* Packing helps where a target reads packed rows. */
static void pitch_fix(struct ptog_text *text, const struct ptog_check *c)
{
    if (c->form == PTOG_FORM_ROW && ptog_check_tensor(c)->layout == PTOG_DN)
        ptog_text_add(text, "fold the outer dimensions into dimension 3");
    else
        ptog_text_add(text, "pack the table");
}

static void inner_stride_fix(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, "use stride 1 in dimension 4");
    bool table = ptog_check_is(c, PTOG_FAMILY_MGATHER);
    if (!table || c->target->table_layouts >> PTOG_DN & 1)
        ptog_text_addf(text, ", or layout DN for a column-major %s", table ? "table" : "view");
}

static void dst_layout_fix(struct ptog_text *text, const struct ptog_check *c)
{
    bool nz = ptog_check_tensor(c)->layout == PTOG_NZ && c->target->dst_orders >> PTOG_ORDER_NZ & 1;
    ptog_text_add(text, nz ? "use an NZ destination tile (col_major, row_major boxes, fractal 512)"
                           : "use a row_major destination tile");
}

static void row_width_fix(struct ptog_text *text, const struct ptog_check *c)
{
    int64_t width = ptog_check_tensor(c)->shape[4];
    ptog_text_addf(text, "use a table of width %" PRId64, ptog_check_at(c, PTOG_AT_DST)->valid_col);
    if (width <= ptog_check_at(c, PTOG_AT_DST)->cols)
        ptog_text_addf(text, ", or make %" PRId64 " columns of the destination tile valid", width);
}

static void index_width_fix(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_addf(text, "use %s indices",
                   ptog_dtype_size(ptog_check_at(c, PTOG_AT_DST)->dtype) == 1 ? "16-bit (u16)" : "32-bit (u32)");
}

/* Where data and index widths go in pairs, a type of the right one. */
static void index_dtype_fix(struct ptog_text *text, const struct ptog_check *c)
{
    bool pairs = ptog_rule_find("library-differs-index-width")->targets & c->target->as;
    bool narrow = pairs && ptog_dtype_size(ptog_check_at(c, PTOG_AT_DST)->dtype) == 1;
    ptog_text_addf(text, "convert the indices to %s", narrow ? "u16" : "i32");
}

/* Rows and columns of a dst that has room for what a mask keeps. */
static void room_for(const struct ptog_check *c, int64_t *rows, int64_t *cols)
{
    const struct ptog_tile *src = ptog_check_at(c, PTOG_AT_SRC);
    struct ptog_kept kept = {0, 1};
    ptog_pattern_kept(ptog_tgather_pattern(c->insn), &kept);
    bool along_col = ptog_tgather_axis(c->insn) == PTOG_AXIS_COL;
    *rows = along_col ? ptog_kept_count(kept, src->valid_row) : src->valid_row;
    *cols = along_col ? src->valid_col : ptog_kept_count(kept, src->valid_col);
    if (!along_col && ptog_mask_rows_are_apart(c->target, c->insn))
        *cols *= kept.step; /* rows of dst.cols/factor elements */
}

/* What a mask keeps: elements one after another, whole rows, or elements with gaps from row to row. */
static void keeps(struct ptog_text *text, const struct ptog_check *c)
{
    int64_t rows, cols, need = 0;
    room_for(c, &rows, &cols);
    ptog_mask_need(c->target, c->insn, &need);
    if (ptog_tgather_axis(c->insn) == PTOG_AXIS_COL)
        ptog_text_addf(text, "keeps %" PRId64 " rows of %" PRId64 " elements", rows, cols);
    else if (!ptog_mask_rows_are_apart(c->target, c->insn))
        ptog_text_addf(text, "keeps %" PRId64 " elements", need);
    else
        ptog_text_addf(text, "needs %" PRId64 " elements, %" PRId64 " for each row", need,
                       ptog_mask_row_start(c->target, c->insn, 1));
}

static void room_fix(struct ptog_text *text, const struct ptog_check *c)
{
    int64_t rows, cols;
    room_for(c, &rows, &cols);
    ptog_text_addf(text, "use a destination tile of %" PRId64 "x%" PRId64, ptog_max(rows, 1), cols);
}

static void mask_shape_fix(struct ptog_text *text, const struct ptog_check *c)
{
    struct ptog_kept kept = {0, 1};
    ptog_pattern_kept(ptog_tgather_pattern(c->insn), &kept);
    if (ptog_tgather_axis(c->insn) == PTOG_AXIS_COL)
        ptog_text_addf(text, "make the valid rows of the source tile %" PRId64 " times those of the destination tile",
                       kept.step);
    else
        ptog_text_addf(text,
                       "make the valid columns of the source tile %" PRId64 " times those of the destination tile",
                       kept.step);
}

/* What does not fit into the dst of a mask along axis row. */
static void overrun_of_mask(struct ptog_text *text, const struct ptog_check *c)
{
    const struct ptog_tile *src = ptog_check_at(c, PTOG_AT_SRC), *dst = ptog_check_at(c, PTOG_AT_DST);
    int64_t need = 0, room = dst->rows * dst->cols;
    ptog_mask_need(c->target, c->insn, &need);
    ptog_text_addf(text, "%s ", ptog_pattern_name(ptog_tgather_pattern(c->insn)));
    keeps(text, c);
    ptog_text_addf(text,
                   " of %.40s (%" PRId64 "x%" PRId64 "), but %.40s (%" PRId64 "x%" PRId64 ") has room for %" PRId64
                   ": the other %" PRId64 " would be written past its end",
                   ptog_insn_operand_words(c->insn, PTOG_AT_SRC), src->valid_row, src->valid_col,
                   ptog_insn_operand_words(c->insn, PTOG_AT_DST), dst->rows, dst->cols, room, need - room);
}

static void overrun(struct ptog_text *text, const struct ptog_check *c)
{
    int64_t need = 0;
    if (c->form == PTOG_FORM_MASK) {
        overrun_of_mask(text, c);
        return;
    }
    ptog_tmp_need(c->insn, &need);
    ptog_text_addf(text, "the tmp tile has %" PRId64 " elements, but with 2-byte data %s uses %" PRId64,
                   ptog_check_at(c, PTOG_AT_TMP)->rows * ptog_check_at(c, PTOG_AT_TMP)->cols, c->target->name, need);
}

static void overrun_fix(struct ptog_text *text, const struct ptog_check *c)
{
    if (c->form == PTOG_FORM_MASK)
        room_fix(text, c);
    else
        ptog_text_addf(text, "use a tmp tile of %" PRId64 "x%" PRId64, ptog_check_at(c, PTOG_AT_DST)->valid_row,
                       ptog_check_at(c, PTOG_AT_DST)->cols);
}

/* What is computed where a source has another valid region than dst. */
static void late_region(struct ptog_text *text, const struct ptog_check *c)
{
    bool idle = ptog_habit_is_idle(c->target, c->insn);
    ptog_text_add(text, idle ? "nothing is computed" : "the destination region is computed");
}

/* What the library of the target wants of a tmp. */
static void tmp_need(struct ptog_text *text, const struct ptog_check *c)
{
    struct ptog_tmp_use use;
    if (!ptog_habit_tmp(c->target, c->insn, &use))
        return;
    ptog_text_addf(text, "%" PRId64 " bytes", use.need);
    if (use.dtype != PTOG_DTYPE_NONE)
        ptog_text_addf(text, " of %s", ptog_dtype_name(use.dtype));
}

/* ---- reductions */

/* What a reduction's library wants of a tmp: rows of a length, or so many elements. */
static void reduction_tmp(struct ptog_text *text, const struct ptog_check *c)
{
    struct ptog_reduction_tmp use;
    if (!ptog_reduction_tmp(c->target, c->insn, ptog_insn_is_open(c->written), &use))
        return;
    const char *dtype = ptog_dtype_name(ptog_check_at(c, PTOG_AT_SRC)->dtype);
    if (use.rows == 1)
        ptog_text_addf(text, "%" PRId64 " elements of %s", use.cols, dtype);
    else
        ptog_text_addf(text, "%" PRId64 " rows of %" PRId64 " %s", use.rows, use.cols, dtype);
}

static void given_tmp(struct ptog_text *text, const struct ptog_check *c)
{
    const struct ptog_tile *tmp = ptog_check_tile(c, PTOG_AT_TMP);
    if (!tmp)
        ptog_text_add(text, "there is none");
    else
        ptog_text_addf(text, "it is %" PRId64 "x%" PRId64 " of %s", tmp->rows, tmp->cols, ptog_dtype_name(tmp->dtype));
}

static void reduced_layout(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, "tiles are row_major");
    if (c->form != PTOG_FORM_COL_REDUCE && c->form != PTOG_FORM_COL_ARG)
        ptog_text_add(text, ", or the destination is one col_major column");
}

static void reduced_type(struct ptog_text *text, const struct ptog_check *c)
{
    const char *words = "the destination is i32 or u32";
    if (c->form == PTOG_FORM_ROW_REDUCE || c->form == PTOG_FORM_COL_REDUCE)
        words = "the destination has the type of the source";
    if (c->form == PTOG_FORM_ROW_ARG_VALUE)
        words = "the destination is i32 or u32, and val has the type of the source";
    ptog_text_add(text, words);
}

static void reduced_valid(struct ptog_text *text, const struct ptog_check *c)
{
    const struct ptog_tile *src = ptog_check_at(c, PTOG_AT_SRC);
    if (c->form == PTOG_FORM_COL_REDUCE)
        ptog_text_addf(text, "%" PRId64 " valid columns", src->valid_col);
    else if (c->form == PTOG_FORM_COL_ARG)
        ptog_text_addf(text, "the valid shape 1x%" PRId64, src->valid_col);
    else
        ptog_text_addf(text, "the valid shape %" PRId64 "x1", src->valid_row);
}

/* ---- attributes, and what follows from them */

static void mode(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, ptog_coalesce_name(c->form == PTOG_FORM_ROW ? PTOG_ROW : PTOG_ELEM));
}

static void coalesce(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, ptog_coalesce_name(ptog_mgather_coalesce(c->insn)));
}

static void oob(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, ptog_oob_name(ptog_mgather_oob(c->insn)));
}

static void pattern(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, ptog_pattern_name(ptog_tgather_pattern(c->insn)));
}

static void axis(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, ptog_axis_name(ptog_tgather_axis(c->insn)));
}

static void cmp(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, ptog_cmp_name(ptog_tgather_cmp(c->insn)));
}

static void room(struct ptog_text *text, const struct ptog_check *c)
{
    const struct ptog_tile *dst = ptog_tgather_dst(c->insn);
    if (ptog_tgather_axis(c->insn) == PTOG_AXIS_COL)
        ptog_text_addf(text, "%" PRId64 " rows of %" PRId64, dst->rows, dst->cols);
    else
        ptog_text_addf(text, "%" PRId64, dst->rows * dst->cols);
}

bool ptog_advice(struct ptog_text *text, const char *name, const struct ptog_check *c)
{
    enum { MGATHER = PTOG_FAMILY_MGATHER, TGATHER = PTOG_FAMILY_TGATHER, ANY = PTOG_FAMILIES };
    static const struct {
        const char *name;
        int family;
        void (*add)(struct ptog_text *text, const struct ptog_check *c);
    } all[] = {
        {"mode", MGATHER, mode},
        {"coalesce", MGATHER, coalesce},
        {"oob", MGATHER, oob},
        {"row_index", MGATHER, row_index},
        {"row_index_fix", MGATHER, row_index_fix},
        {"walk", MGATHER, walk},
        {"pitch_fix", MGATHER, pitch_fix},
        {"inner_stride_fix", ANY, inner_stride_fix},
        {"dst_layout_fix", MGATHER, dst_layout_fix},
        {"row_width_fix", MGATHER, row_width_fix},
        {"pattern", TGATHER, pattern},
        {"axis", TGATHER, axis},
        {"cmp", TGATHER, cmp},
        {"room", TGATHER, room},
        {"index_width_fix", TGATHER, index_width_fix},
        {"index_dtype_fix", TGATHER, index_dtype_fix},
        {"keeps", TGATHER, keeps},
        {"room_fix", TGATHER, room_fix},
        {"mask_shape_fix", TGATHER, mask_shape_fix},
        {"overrun", TGATHER, overrun},
        {"overrun_fix", TGATHER, overrun_fix},
        {"late_region", PTOG_FAMILY_ELEMENTWISE, late_region},
        {"tmp_need", ANY, tmp_need},
        {"expand_whole", PTOG_FAMILY_ELEMENTWISE, ptog_advise_expand_whole},
        {"expand_wants", PTOG_FAMILY_ELEMENTWISE, ptog_advise_expand_wants},
        {"expand_tmp", PTOG_FAMILY_ELEMENTWISE, ptog_advise_expand_tmp},
        {"expand_tmp_fix", PTOG_FAMILY_ELEMENTWISE, ptog_advise_expand_tmp_fix},
        {"reduction_tmp", ANY, reduction_tmp},
        {"given_tmp", ANY, given_tmp},
        {"reduced_layout", ANY, reduced_layout},
        {"reduced_type", ANY, reduced_type},
        {"reduced_valid", ANY, reduced_valid},
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        if ((all[i].family == ANY || all[i].family == (int)c->row->family) && strcmp(all[i].name, name) == 0) {
            all[i].add(text, c);
            return true;
        }
    return false;
}
