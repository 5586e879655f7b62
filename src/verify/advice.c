/* verify: advice, the placeholders of spec/rules.def whose words depend on the case. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "verify/advice.h"

#include <inttypes.h>
#include <string.h>

#include "base/pick.h"
#include "model/dtype.h"
#include "model/mgather.h"
#include "model/mscatter.h"
#include "model/reduce.h"
#include "model/reduction_tmp.h"
#include "model/singles.h"
#include "model/target_quirks.h"
#include "model/tgather.h"
#include "verify/predicates.h"

/* An operand as the user calls it: "%idx", or "the index tile". */
static const char *words_of(const struct ptog_check *c, enum ptog_operand_name name)
{
    return ptog_insn_operand_words(c->insn, name);
}

/* The tile whose elements move: dst of MGATHER, the source of MSCATTER. */
static const char *moved_words(const struct ptog_check *c)
{
    return words_of(c, ptog_check_is(c, PTOG_FAMILY_MSCATTER) ? PTOG_AT_SRC : PTOG_AT_DST);
}

/* The shapes of a list of row indices that the target supports. */
static void row_index(struct ptog_text *text, const struct ptog_check *c)
{
    static const char *const shapes[] = {
        [PTOG_ROW_INDEX_1R] = "[1, R] row_major",
        [PTOG_ROW_INDEX_LINEAR] = "[1, R] row_major or [R, 1] col_major",
        [PTOG_ROW_INDEX_ANY] = "[1, R] or [R, 1]",
        [PTOG_ROW_INDEX_R1] = "[R, 1] row_major",
        [PTOG_ROW_INDEX_PACKED] = "[1, R] row_major, [R, 1] col_major or [R, 1] row_major of one column",
    };
    ptog_text_add(text, shapes[ptog_mgather_as(c->target, c->insn)->row_index]);
}

/* Appends how to change the index tile, or the mode, of a row gather. */
static void row_index_fix(struct ptog_text *text, const struct ptog_check *c)
{
    const struct ptog_tile *idx = ptog_check_at(c, PTOG_AT_IDX), *dst = ptog_mgather_dst(c->insn);
    if (idx->valid_row == dst->valid_row && idx->valid_col == dst->valid_col)
        ptog_text_add(text, "use coalesce elem (Coalesce::Elem) for one index per element, or ");
    if (dst->valid_row == PTOG_DYN)
        ptog_text_addf(text, "make %.80s [1, R] row_major", words_of(c, PTOG_AT_IDX));
    else
        ptog_text_addf(text, "make %.80s [1, %" PRId64 "] row_major", words_of(c, PTOG_AT_IDX), dst->valid_row);
}

/* Where the target reads instead. */
static void advise_walk(struct ptog_text *text, const struct ptog_check *c)
{
    if (!ptog_mgather_is_row(c->target, c->insn))
        ptog_text_add(text, "element i at base + i");
    else
        ptog_text_addf(text, "row i at base + i*%" PRId64, ptog_mgather_pitch(c->target, c->insn));
}

/* Packing helps where a target reads packed rows. */
static void pitch_fix(struct ptog_text *text, const struct ptog_check *c)
{
    if (ptog_mgather_is_row(c->target, c->insn) && ptog_check_tensor(c)->layout == PTOG_DN)
        ptog_text_add(text, "fold the outer dimensions into dimension 3");
    else
        ptog_text_addf(text, "pack %.80s", words_of(c, PTOG_AT_TABLE));
}

static void inner_stride_fix(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, "use stride 1 in dimension 4");
    bool table = !ptog_check_is(c, PTOG_FAMILY_TRANSFER);
    if (!table || ptog_mgather_as(c->target, c->insn)->table_layouts >> PTOG_DN & 1)
        ptog_text_addf(text, ", or layout DN for a column-major %s", table ? "table" : "view");
}

static void dst_layout_fix(struct ptog_text *text, const struct ptog_check *c)
{
    bool nz =
        ptog_check_tensor(c)->layout == PTOG_NZ && ptog_mgather_as(c->target, c->insn)->dst_orders >> PTOG_ORDER_NZ & 1;
    ptog_text_addf(text, "make %.80s %s", moved_words(c),
                   nz ? "an NZ tile (col_major, row_major boxes, fractal 512)" : "row_major");
}

/* Rows of the view must be as wide as the valid part of dst: one of them has to change. */
static void row_width_fix(struct ptog_text *text, const struct ptog_check *c)
{
    int64_t width = ptog_check_tensor(c)->shape[4];
    ptog_text_addf(text, "give %.80s rows of %" PRId64 " elements", words_of(c, PTOG_AT_TABLE),
                   ptog_mgather_dst(c->insn)->valid_col);
    if (width <= ptog_mgather_dst(c->insn)->cols)
        ptog_text_addf(text, ", or make %" PRId64 " columns of %.80s valid", width, moved_words(c));
}

static void index_width_fix(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_addf(text, "use %s indices",
                   ptog_dtype_size(ptog_check_at(c, PTOG_AT_DST)->dtype) == 1 ? "16-bit (u16)" : "32-bit (u32)");
}

/* An index type that the target supports for the width of the data. */
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
    ptog_text_addf(text, "make %.80s %" PRId64 "x%" PRId64, words_of(c, PTOG_AT_DST), ptog_max(rows, 1), cols);
}

static void mask_shape_fix(struct ptog_text *text, const struct ptog_check *c)
{
    struct ptog_kept kept = {0, 1};
    ptog_pattern_kept(ptog_tgather_pattern(c->insn), &kept);
    ptog_text_addf(text, "give %.80s %" PRId64 " times as many valid %s as %.80s", words_of(c, PTOG_AT_SRC), kept.step,
                   ptog_tgather_axis(c->insn) == PTOG_AXIS_COL ? "rows" : "columns", words_of(c, PTOG_AT_DST));
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
                   words_of(c, PTOG_AT_SRC), src->valid_row, src->valid_col, words_of(c, PTOG_AT_DST), dst->rows,
                   dst->cols, room, need - room);
}

/* Appends how many elements the instruction uses of a tile that has fewer. */
static void overrun(struct ptog_text *text, const struct ptog_check *c)
{
    int64_t need = 0;
    if (c->form == PTOG_FORM_MASK) {
        overrun_of_mask(text, c);
        return;
    }
    ptog_tmp_need(c->insn, &need);
    ptog_text_addf(text, "%.80s has %" PRId64 " elements, but with 2-byte data %s uses %" PRId64,
                   words_of(c, PTOG_AT_TMP), ptog_check_at(c, PTOG_AT_TMP)->rows * ptog_check_at(c, PTOG_AT_TMP)->cols,
                   c->target->name, need);
}

/* Appends how large to make that tile. */
static void overrun_fix(struct ptog_text *text, const struct ptog_check *c)
{
    if (c->form == PTOG_FORM_MASK)
        room_fix(text, c);
    else
        ptog_text_addf(text, "make %.80s %" PRId64 "x%" PRId64, words_of(c, PTOG_AT_TMP),
                       ptog_check_at(c, PTOG_AT_DST)->valid_row, ptog_check_at(c, PTOG_AT_DST)->cols);
}

/* What is computed where a source has another valid region than dst. */
static void late_region(struct ptog_text *text, const struct ptog_check *c)
{
    bool idle = ptog_quirk_is_idle(c->target, c->insn);
    if (idle)
        ptog_text_add(text, "nothing is computed");
    else
        ptog_text_addf(text, "the valid region of %.80s is computed", words_of(c, PTOG_AT_DST));
}

/* The tmp tile that the target's library needs. */
static void tmp_need(struct ptog_text *text, const struct ptog_check *c)
{
    struct ptog_tmp_use use;
    if (!ptog_quirk_tmp(c->target, c->insn, &use))
        return;
    ptog_text_addf(text, "%" PRId64 " bytes", use.need);
    if (use.dtype != PTOG_DTYPE_NONE)
        ptog_text_addf(text, " of %s", ptog_dtype_name(use.dtype));
}

/* ---- reductions */

/* The tmp tile that a reduction needs: rows of a length, or a number of elements. */
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

/* Appends what the scratch tile is. */
static void given_tmp(struct ptog_text *text, const struct ptog_check *c)
{
    const struct ptog_tile *tmp = ptog_check_tile(c, PTOG_AT_TMP);
    if (!tmp)
        ptog_text_add(text, "it has none");
    else
        ptog_text_addf(text, "%.80s is %" PRId64 "x%" PRId64 " of %s", words_of(c, PTOG_AT_TMP), tmp->rows, tmp->cols,
                       ptog_dtype_name(tmp->dtype));
}

static void reduced_layout(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, "tiles must be row_major");
    if (ptog_reduces_rows(c->form))
        ptog_text_addf(text, ", or %.80s one col_major column", words_of(c, PTOG_AT_DST));
}

/* What positions may be. */
static const char *position_types(const struct ptog_check *c)
{
    bool narrow = ptog_dtype_size(ptog_check_at(c, PTOG_AT_SRC)->dtype) == 2;
    if (!narrow || !ptog_reduce_gives_value(c->form) || c->target->max_compares)
        return "i32 or u32";
    if (c->form == PTOG_FORM_COL_ARG_VALUE && c->target->machine != PTOG_NO_MACHINE)
        return "i16 or u16";
    return "i16, u16, i32 or u32";
}

/* Appends which types the results of a reduction must have. */
static void reduced_type(struct ptog_text *text, const struct ptog_check *c)
{
    const char *dst = words_of(c, PTOG_AT_DST), *src = words_of(c, PTOG_AT_SRC);
    if (c->form == PTOG_FORM_ROW_REDUCE || c->form == PTOG_FORM_COL_REDUCE)
        ptog_text_addf(text, "%.80s must have the type of %.80s", dst, src);
    else
        ptog_text_addf(text, "%.80s must be %s", dst, position_types(c));
    if (ptog_reduce_gives_value(c->form))
        ptog_text_addf(text, ", and %.80s must have the type of %.80s", words_of(c, PTOG_AT_VAL), src);
}

/* Appends which valid extents the results of a reduction must have. */
static void reduced_valid(struct ptog_text *text, const struct ptog_check *c)
{
    const struct ptog_tile *src = ptog_check_at(c, PTOG_AT_SRC);
    if (c->form == PTOG_FORM_COL_REDUCE)
        ptog_text_addf(text, "%" PRId64 " valid columns", src->valid_col);
    else if (!ptog_reduces_rows(c->form))
        ptog_text_addf(text, "the valid shape 1x%" PRId64, src->valid_col);
    else
        ptog_text_addf(text, "the valid shape %" PRId64 "x1", src->valid_row);
}

/* ---- generated values, single elements */

/* The type of the number that tci or ttri starts with. */
static void start_type(struct ptog_text *text, const struct ptog_check *c)
{
    if (c->insn->opcode == PTOG_TTRI)
        ptog_text_add(text, "an integer");
    else
        ptog_text_addf(text, "%s, the element type of %.80s", ptog_dtype_name(ptog_check_at(c, PTOG_AT_DST)->dtype),
                       words_of(c, PTOG_AT_DST));
}

/* The tile of tgetval, which reads it, or of tsetval, which writes it. */
static void single_tile(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_addf(text, "%.80s", words_of(c, c->insn->opcode == PTOG_TGETVAL ? PTOG_AT_SRC : PTOG_AT_DST));
}

static void single_type(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, ptog_dtype_name(c->insn->of[PTOG_SINGLE_TILE].tile.dtype));
}

/* ---- attributes, and what follows from them */

/* Appends the name of the mode in which the instruction runs. */
static void mode(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, ptog_coalesce_name(ptog_mgather_is_row(c->target, c->insn) ? PTOG_ROW : PTOG_ELEM));
}

/* Appends the name of the given mode. */
static void coalesce(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, ptog_coalesce_name(ptog_mgather_coalesce(c->insn)));
}

/* Appends the name of the given policy. */
static void oob(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, ptog_oob_name(ptog_mgather_oob(c->insn)));
}

/* Appends the name of the given atomic operation. */
static void atomic(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, ptog_scatter_atomic_name(ptog_mscatter_atomic(c->insn)));
}

/* Appends the types that the atomic operation supports on the target. */
static void atomic_types(struct ptog_text *text, const struct ptog_check *c)
{
    uint32_t types =
        ptog_mscatter_atomic_types(c->target, ptog_mscatter_atomic(c->insn)) & ptog_check_dtypes(c, PTOG_AT_SRC);
    const char *separator = "";
    for (int d = 1; d < PTOG_DTYPE_COUNT; d++)
        if (types >> d & 1) {
            ptog_text_addf(text, "%s%s", separator, ptog_dtype_name((enum ptog_dtype)d));
            separator = ", ";
        }
    if (types == 0)
        ptog_text_add(text, "none");
}

/* Appends the name of the given pattern. */
static void pattern(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, ptog_pattern_name(ptog_tgather_pattern(c->insn)));
}

/* Appends the name of the given axis. */
static void axis(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, ptog_axis_name(ptog_tgather_axis(c->insn)));
}

/* Appends the name of the given comparison. */
static void cmp(struct ptog_text *text, const struct ptog_check *c)
{
    ptog_text_add(text, ptog_cmp_name(ptog_tgather_cmp(c->insn)));
}

/* Appends how much of dst there is for what a mask keeps. */
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
        {"atomic", PTOG_FAMILY_MSCATTER, atomic},
        {"atomic_types", PTOG_FAMILY_MSCATTER, atomic_types},
        {"mode", MGATHER, mode},
        {"coalesce", MGATHER, coalesce},
        {"oob", MGATHER, oob},
        {"row_index", MGATHER, row_index},
        {"row_index_fix", MGATHER, row_index_fix},
        {"walk", MGATHER, advise_walk},
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
        {"start_type", ANY, start_type},
        {"single_tile", ANY, single_tile},
        {"single_type", ANY, single_type},
        {"reduction_tmp", ANY, reduction_tmp},
        {"given_tmp", ANY, given_tmp},
        {"reduced_layout", ANY, reduced_layout},
        {"reduced_type", ANY, reduced_type},
        {"reduced_valid", ANY, reduced_valid},
    };
    int family = (int)c->row->family;
    if (family == PTOG_FAMILY_MSCATTER && strncmp(name, "atomic", 6) != 0) /* its words are those of its inverse */
        family = MGATHER;
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        if ((all[i].family == ANY || all[i].family == family) && strcmp(all[i].name, name) == 0) {
            all[i].add(text, c);
            return true;
        }
    return false;
}
