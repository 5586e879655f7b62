/* model: elementwise instructions: their forms, the region that is computed, and one element of it. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/elementwise.h"

#include "base/pick.h"
#include "model/dtype.h"
#include "model/target_quirks.h"
#include "model/tile.h"

/* How many sources an instruction has. */
static int sources_of(const struct ptog_insn_row *row)
{
    int sources = 0;
    for (int i = 0; i < row->count; i++)
        sources += row->of[i].role == PTOG_ROLE_SAME || row->of[i].role == PTOG_ROLE_IN;
    return sources;
}

/* The form of an instruction that expands a row or a column. */
static enum ptog_form broadcast_form(const struct ptog_insn_row *row)
{
    bool column = row->of[1].spread == PTOG_SPREAD_COLUMN;
    if (sources_of(row) == 1)
        return column ? PTOG_FORM_FROM_COLUMN : PTOG_FORM_FROM_ROW;
    return column ? PTOG_FORM_BY_COLUMN : PTOG_FORM_BY_ROW;
}

/* The operands that a row has decide; one that is a tile or a scalar counts as a tile, so tdivs is told apart first. */
enum ptog_form ptog_elementwise_form(const struct ptog_target *target, const struct ptog_insn *op)
{
    const struct ptog_insn_row *row = ptog_insn_row(op->opcode);
    (void)target;
    if (op->opcode == PTOG_TCVT)
        return PTOG_FORM_CONVERT;
    if (op->opcode == PTOG_TCI || op->opcode == PTOG_TTRI)
        return PTOG_FORM_GENERATE;
    if (row->of[1].spread != PTOG_SPREAD_NONE)
        return broadcast_form(row);
    if (sources_of(row) == 1)
        return row->of[1].kind == PTOG_IS_SCALAR ? PTOG_FORM_FILL : PTOG_FORM_UNARY;
    if (row->of[1].is_part)
        return PTOG_FORM_PARTIAL;
    if (row->of[1].scalar || row->of[2].kind == PTOG_IS_SCALAR)
        return PTOG_FORM_BY_SCALAR;
    return PTOG_FORM_PAIRWISE;
}

/* ---- one instruction */

/* Whether a source is a scalar or has dst's valid region. */
static bool has_region_of_dst(const struct ptog_insn *insn, int i)
{
    const struct ptog_tile *dst = ptog_elementwise_dst(insn), *source = &insn->of[i].tile;
    return insn->of[i].kind != PTOG_IS_TILE ||
           (source->valid_row == dst->valid_row && source->valid_col == dst->valid_col);
}

/* Whether a source has another valid region than dst. */
static bool any_other_region(const struct ptog_insn *insn, int sources)
{
    for (int i = 1; i <= sources; i++)
        if (!has_region_of_dst(insn, i))
            return true;
    return false;
}

/* The rows that one source has alone are copied to the last column, if both tiles have the same number of them, else to
 * the end of a block. A source with fewer columns makes that all rows. */
static void copy_blocks(struct ptog_elementwise *e, const struct ptog_insn *insn)
{
    e->whole = has_region_of_dst(insn, 1) ? 1 : 2;
    const struct ptog_tile *dst = e->dst, *whole = &insn->of[e->whole].tile, *part = &insn->of[3 - e->whole].tile;
    int64_t block = ptog_c0(dst->dtype), cols = (dst->valid_col + block - 1) / block * block;
    if (dst->cols == whole->cols || cols > dst->cols || cols > whole->cols)
        cols = ptog_min(dst->cols, whole->cols);
    e->copied_cols = cols;
    e->copied_from = part->valid_col < dst->valid_col ? 0 : part->valid_row;
}

/* dst lies in columns, as a fill takes it. */
static bool is_upright(const struct ptog_elementwise *e)
{
    return ptog_tile_order(e->dst) == PTOG_ORDER_COL;
}

/* The columns of dst that so many columns of the source fill. */
static int64_t cols_for(const struct ptog_elementwise *e, int64_t cols)
{
    if (e->packs)
        return (cols + 1) / 2;
    return cols << e->unpacks;
}

/* What the library of the target does with a region of its own. */
static void follow_quirks(struct ptog_elementwise *e, const struct ptog_known_insn *known)
{
    const struct ptog_insn *insn = &known->insn;
    const struct ptog_tile *dst = e->dst;
    bool upright = is_upright(e), split = upright ? dst->valid_row < dst->rows : dst->valid_col < dst->cols;
    int64_t lines = upright ? dst->valid_col : dst->valid_row, *line = upright ? &e->rows : &e->cols;
    e->packed = ptog_quirk_is_packed(known->target, insn) && !known->open && split && lines > 1;
    bool even = ptog_quirk_is_even(known->target, insn) && ptog_dtype_size(dst->dtype) == 1;
    if (even && !e->packed && split)
        *line += *line % 2;
    e->copied_from = ptog_max_i64(e->copied_from, e->rows); /* an added row is computed, too */
    if (ptog_quirk_is_idle(known->target, insn) && any_other_region(insn, e->inputs))
        e->rows = 0;
    if (ptog_quirk_walks_source(known->target, insn)) {
        e->rows = ptog_min(insn->of[1].tile.valid_row, dst->rows);
        e->cols = ptog_min(cols_for(e, insn->of[1].tile.valid_col), dst->cols);
        e->copied_from = e->rows;
    }
    if (ptog_quirk_ends_blocks(known->target, insn)) {
        int64_t block = ptog_c0(dst->dtype), cols = (dst->valid_col + block - 1) / block * block;
        e->cols = ptog_min(cols, ptog_min(dst->cols, insn->of[1].tile.cols));
    }
    if (ptog_quirk_copies_blocks(known->target, insn) && e->partial)
        copy_blocks(e, insn);
}

void ptog_elementwise_start(struct ptog_elementwise *e, const struct ptog_known_insn *known, bool in_place)
{
    const struct ptog_insn *insn = &known->insn;
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    const struct ptog_tile *dst = ptog_elementwise_dst(insn);
    *e = (struct ptog_elementwise){.target = known->target,
                                   .insn = insn,
                                   .lane = ptog_quirk_lane(known, in_place),
                                   .dst = dst,
                                   .rows = dst->valid_row,
                                   .cols = dst->valid_col,
                                   .inputs = sources_of(row),
                                   .broadcast = ptog_broadcast_of(known->target, insn),
                                   .reads_dst = row->of[0].is_read,
                                   .copied_from = dst->valid_row};
    e->partial = row->of[1].is_part && any_other_region(insn, e->inputs);
    e->generates = known->form == PTOG_FORM_GENERATE;
    e->converts = known->form == PTOG_FORM_CONVERT;
    if (e->converts) {
        ptog_conversion_start(&e->conversion, known->target, insn);
        e->packs = ptog_conversion_packs(&e->conversion);
        e->unpacks = ptog_conversion_unpacks(&e->conversion);
    }
    follow_quirks(e, known);
}

int64_t ptog_elementwise_place(const struct ptog_elementwise *e, int64_t r, int64_t c)
{
    if (e->packed)
        return is_upright(e) ? c * e->rows + r : r * e->cols + c;
    return ptog_tile_offset(e->dst, r, c);
}

bool ptog_elementwise_has(const struct ptog_elementwise *e, int i, int64_t r, int64_t c)
{
    const struct ptog_tile *tile = &e->insn->of[i].tile;
    if (e->packs)
        return 2 * c + 1 < tile->valid_col;
    return !e->partial || (c >= e->cols && i == e->whole) || (r < tile->valid_row && c < tile->valid_col);
}

uint64_t ptog_elementwise_compute(const struct ptog_elementwise *e, const uint64_t in[PTOG_LANE_INPUTS], int64_t r,
                                  int64_t c)
{
    if (e->generates)
        return ptog_generate(e->target, e->insn, in[0], r, c);
    if (e->converts)
        return ptog_convert_element(&e->conversion, in[0], c);
    if (e->lane == PTOG_LANE_none)
        return in[0];
    if (!e->partial)
        return ptog_lane_compute(e->target, e->lane, e->dst->dtype, in[0], in[1], in[2]);
    bool first = ptog_elementwise_has(e, 1, r, c), second = ptog_elementwise_has(e, 2, r, c);
    if (first && second)
        return ptog_lane_compute(e->target, e->lane, e->dst->dtype, in[0], in[1], in[2]);
    if (!first && !second)
        return 0;
    if (first)
        return in[0];
    return in[1];
}

/* ---- sources of another type */

/* An integer of one type as the bits of another one. */
static uint64_t integer_as(enum ptog_dtype to, enum ptog_dtype from, uint64_t bits)
{
    unsigned drop = 64u - 8u * (unsigned)ptog_dtype_size(from), kept = 8u * (unsigned)ptog_dtype_size(to);
    bits = ptog_dtype_is_signed(from) ? (uint64_t)((int64_t)(bits << drop) >> drop) : bits << drop >> drop;
    if (kept == 64 || from == to)
        return bits;
    unsigned holds = kept - ptog_dtype_is_signed(to);
    return bits >> holds ? UINT64_MAX : bits; /* all ones: -1, or the largest */
}

/* The bits of a number of type `from` as those of type `to`. */
static uint64_t bits_as(enum ptog_dtype to, enum ptog_dtype from, uint64_t bits)
{
    if (to == from)
        return bits;
    if (ptog_dtype_is_float(to))
        return ptog_dtype_from_real(to, ptog_dtype_to_float(from, bits));
    return integer_as(to, from, bits);
}

enum ptog_dtype ptog_elementwise_data(const struct ptog_insn *insn)
{
    for (int i = 1; i < insn->count; i++)
        if (insn->of[i].kind == PTOG_IS_TILE && ptog_insn_row(insn->opcode)->of[i].role == PTOG_ROLE_SAME)
            return insn->of[i].tile.dtype;
    return ptog_elementwise_dst(insn)->dtype;
}

uint64_t ptog_elementwise_input(const struct ptog_insn *insn, int i, uint64_t bits)
{
    enum ptog_dtype from = insn->of[i].tile.dtype, data = ptog_elementwise_data(insn);
    if (insn->opcode == PTOG_TCVT || insn->opcode == PTOG_TTRI)
        return bits;
    if (insn->of[i].kind == PTOG_IS_SCALAR && from != data) {
        bits = bits_as(data, from, bits);
        from = data;
    }
    return bits_as(ptog_elementwise_dst(insn)->dtype, from, bits);
}
