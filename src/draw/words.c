/* draw: the words of a drawing: what the instruction is, its formula, and what each operand is. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "draw/draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/pick.h"
#include "base/text.h"
#include "model/broadcast.h"
#include "model/cube/memories.h"
#include "model/lane.h"
#include "model/mgather.h"
#include "model/mscatter.h"
#include "model/tgather.h"

const char *ptog_draw_title(struct ptog_draw *draw)
{
    const char *name = ptog_opcode_name(draw->known->insn.opcode), *form = ptog_form_name(draw->known->form);
    if (strncmp(form, name, strlen(name)) == 0)
        return ptog_draw_words(draw, "%s", form);
    return ptog_draw_words(draw, "%s: %s", name, form);
}

/* ---- what the attributes say */

/* The line below the title of a drawing: "clamp, capacity 6, on a2a3". */
const char *ptog_draw_detail(struct ptog_draw *draw)
{
    const struct ptog_insn *op = &draw->known->insn;
    const struct ptog_target *target = draw->known->target;
    switch (draw->known->form) {
    case PTOG_FORM_ROW:
    case PTOG_FORM_ELEM:
    case PTOG_FORM_GATHER_L1:
        return ptog_draw_words(draw, "%s, capacity %" PRIu64 " %s, on %s",
                               target->policies ? ptog_oob_name(ptog_mgather_oob(op)) : "no policy",
                               ptog_mgather_capacity(target, op), ptog_mgather_is_row(target, op) ? "rows" : "elements",
                               target->name);
    case PTOG_FORM_SCATTER_ROW:
    case PTOG_FORM_SCATTER_ELEM:
        return ptog_draw_words(draw, "%s, atomic %s, capacity %" PRIu64 " %s, on %s",
                               ptog_scatter_oob_name((enum ptog_scatter_oob)op->attr[PTOG_MSCATTER_OOB]),
                               ptog_scatter_atomic_name(ptog_mscatter_atomic(op)), ptog_mgather_capacity(target, op),
                               ptog_mgather_is_row(target, op) ? "rows" : "elements", target->name);
    case PTOG_FORM_MASK:
        return ptog_draw_words(draw, "%s, axis %s, on %s", ptog_pattern_name(ptog_tgather_pattern(op)),
                               ptog_axis_name(ptog_tgather_axis(op)), target->name);
    case PTOG_FORM_COMPARE:
        return ptog_draw_words(draw, "%s, offset %" PRId32 ", on %s", ptog_cmp_name(ptog_tgather_cmp(op)),
                               ptog_tgather_offset(op), target->name);
    default: return ptog_draw_words(draw, "on %s", target->name);
    }
}

/* ---- formulas */

/* What mgather computes, as a formula with its policy and capacity. */
static const char *gather_formula(struct ptog_draw *draw)
{
    const struct ptog_insn *op = &draw->known->insn;
    const struct ptog_target *target = draw->known->target;
    const char *formula =
        ptog_mgather_is_row(target, op) ? "dst[r,j] = table[map(idx[r]), j]" : "dst[r,c] = flat(table)[map(idx[r,c])]";
    uint64_t capacity = ptog_mgather_capacity(target, op);
    switch (ptog_mgather_policy(target, op)) {
    case PTOG_OOB_CLAMP: return ptog_draw_words(draw, "%s, map(i) = min(i, %" PRIu64 ")", formula, capacity - 1);
    case PTOG_OOB_WRAP: return ptog_draw_words(draw, "%s, map(i) = i mod %" PRIu64, formula, capacity);
    case PTOG_OOB_ZERO: return ptog_draw_words(draw, "%s, zero where i >= %" PRIu64, formula, capacity);
    default: return ptog_draw_words(draw, "%s, map(i) = i", formula);
    }
}

/* Appends "[r,c]", or which part of an operand stands for all of dst; nothing for a scalar. */
static void add_part(struct ptog_text *text, const struct ptog_broadcast *b, const struct ptog_operand *operand, int i)
{
    bool small = b->spread != PTOG_SPREAD_NONE && i == b->small;
    if (operand->kind == PTOG_IS_SCALAR)
        return;
    if (!small)
        ptog_text_add(text, "[r,c]");
    else if (b->spread == PTOG_SPREAD_ROW)
        ptog_text_add(text, "[0,c]");
    else if (b->period == 1)
        ptog_text_add(text, "[r,0]");
    else
        ptog_text_addf(text, "[r,c mod %" PRId64 "]", b->period);
}

/* The formula of an elementwise instruction: "dst[r,c] = tadds(src0[r,c], value)". */
static const char *lane_formula(struct ptog_draw *draw)
{
    const struct ptog_insn *op = &draw->known->insn;
    char text[160];
    struct ptog_text formula;
    ptog_text_init(&formula, text, sizeof text);
    ptog_text_addf(&formula, "dst[r,c] = %s(", ptog_opcode_name(op->opcode));
    const char *separator = "";
    const struct ptog_broadcast broadcast = ptog_broadcast_of(draw->known->target, op);
    for (int i = 0; i < op->count; i++) {
        const struct ptog_plane *plane = &draw->planes[i];
        if (!plane->operand || plane->written)
            continue;
        ptog_text_addf(&formula, "%s%s", separator, ptog_operand_name(plane->name));
        add_part(&formula, &broadcast, plane->operand, i);
        separator = ", ";
    }
    ptog_text_add(&formula, ptog_insn_row(op->opcode)->of[0].is_read ? ", dst[r,c])" : ")");
    return ptog_draw_words(draw, "%s", text);
}

/* The formula of a move, which stands above its drawing. */
static const char *move_formula(const struct ptog_draw *draw)
{
    switch (draw->known->insn.opcode) {
    case PTOG_TMOV: return "dst[r,c] = src[r,c]";
    case PTOG_TEXTRACT: return "dst[r,c] = src[row+r, col+c]";
    case PTOG_TINSERT: return "dst[row+r, col+c] = src[r,c]";
    case PTOG_TTRANS: return "dst[c,r] = src[r,c]";
    case PTOG_TCONCAT: return "dst[r] = src0[r], then src1[r]";
    case PTOG_TCONCATIDX: return "dst[r] = idx[r] bytes / size columns of src0[r], then idx1[r] / size of src1[r]";
    default: return "dst[r,c] = src[r,c] where that is valid, else dst's pad";
    }
}

/* The formula of a matrix product, which stands above its drawing. */
static const char *product_formula(const struct ptog_draw *draw)
{
    switch (draw->known->insn.opcode) {
    case PTOG_TGEMV_ACC:
    case PTOG_TMATMUL_ACC: return "dst[i,j] = sum[i,j] + sum over k of src0[i,k] * src1[k,j]";
    case PTOG_TGEMV_BIAS:
    case PTOG_TMATMUL_BIAS: return "dst[i,j] = bias[0,j] + sum over k of src0[i,k] * src1[k,j]";
    default: return "dst[i,j] = sum over k of src0[i,k] * src1[k,j]";
    }
}

/* The formula of an instruction that combines tiles, which stands above its drawing. */
static const char *combine_formula(enum ptog_opcode opcode)
{
    switch (opcode) {
    case PTOG_TADDC: return "dst[r,c] = src0[r,c] + src1[r,c] + src2[r,c]";
    case PTOG_TSUBC: return "dst[r,c] = src0[r,c] - src1[r,c] + src2[r,c]";
    case PTOG_TADDSC: return "dst[r,c] = src0[r,c] + value + src1[r,c]";
    case PTOG_TSUBSC: return "dst[r,c] = src0[r,c] - value + src1[r,c]";
    case PTOG_TADDRELUCONV: return "dst[r,c] = max(src0[r,c] + src1[r,c], 0), narrowed";
    case PTOG_TSUBRELUCONV: return "dst[r,c] = max(src0[r,c] - src1[r,c], 0), narrowed";
    case PTOG_TADDDEQRELU: return "dst[r,c] = max((src0[r,c] + src1[r,c]) * value, 0)";
    case PTOG_TDEQUANT: return "dst[r,c] = (src[r,c] - offset[r,0]) * scale[r,0]";
    case PTOG_TQUANT: return "dst[r,c] = src[r,c] * scale[r,0] + offset[r,0], as an integer";
    case PTOG_TCONCATCOUNTS: return "dst[r] = idx[r] bytes / size columns of src0[r], then idx1[r] / size of src1[r]";
    case PTOG_TPAIRREDUCESUM: return "dst[r,c] = src[r,2c] + src[r,2c+1]";
    case PTOG_TINTERLEAVE: return "dst, dst1 = the columns of src0 and src1 in turn";
    case PTOG_TDEINTERLEAVE: return "dst = the even columns, dst1 = the odd ones";
    default: return "dst[r,c] = the larger or smaller of src0[r,c] and src1[r,c], dst1[r,c] = its index";
    }
}

static enum ptog_lane_id lane_of(const struct ptog_insn *op)
{
    return (enum ptog_lane_id)ptog_insn_row(op->opcode)->lane;
}

/* The formula of the instruction; NULL: none. */
const char *ptog_draw_formula(struct ptog_draw *draw)
{
    const struct ptog_insn *op = &draw->known->insn;
    switch (draw->known->form) {
    case PTOG_FORM_LOAD: return "tile[r,c] = view[r,c]";
    case PTOG_FORM_STORE: return "view[r,c] = tile[r,c]";
    case PTOG_FORM_PREFETCH: return "view is read ahead; tile is undefined";
    case PTOG_FORM_ROW:
    case PTOG_FORM_ELEM:
    case PTOG_FORM_GATHER_L1: return gather_formula(draw);
    case PTOG_FORM_SCATTER_INDEX: return "flat(dst)[idx[r,c]] = src[r,c], zero elsewhere";
    case PTOG_FORM_SCATTER_MASK: return "the elements, or rows, of dst that the pattern keeps = src, zero elsewhere";
    case PTOG_FORM_GATHER_BLOCKS: return "32 bytes of dst, block (r,b) = the 32 bytes of src at offset[r,b]";
    case PTOG_FORM_MERGE_RUNS: return "each 4 sorted runs of src, merged, descending";
    case PTOG_FORM_MERGE_2:
    case PTOG_FORM_MERGE_3:
    case PTOG_FORM_MERGE_4: return "the sorted lists, merged, descending";
    case PTOG_FORM_COMBINE: return combine_formula(op->opcode);
    case PTOG_FORM_HISTOGRAM: return "dst[r,b] = the number of elements of row r whose byte is at most b";
    case PTOG_FORM_SORT_32: return "dst[r, pairs of 32] = sorted (src[r,c], idx[r,c]), descending";
    case PTOG_FORM_SCATTER_ROW: return "table[map(idx[r]), j] = src[r,j]";
    case PTOG_FORM_SCATTER_ELEM: return "flat(table)[map(idx[r,c])] = src[r,c]";
    case PTOG_FORM_INDEX: return "dst[i,j] = flat(src)[idx[i,j]], flat counting what is stored";
    case PTOG_FORM_MASK:
        return ptog_draw_words(draw, "dst = the %s of src that %s keeps, one after another",
                               ptog_tgather_axis(op) == PTOG_AXIS_COL ? "rows" : "elements",
                               ptog_pattern_name(ptog_tgather_pattern(op)));
    case PTOG_FORM_COMPARE:
        return ptog_draw_words(draw, "dst[i] = where src[i,j] %s k[i], as positions; cdst[i] = how many",
                               ptog_cmp_name(ptog_tgather_cmp(op)));
    case PTOG_FORM_ROW_REDUCE:
        return ptog_draw_words(draw, "dst[i,0] = %s over j of src[i,j]", ptog_lane_name(lane_of(op)));
    case PTOG_FORM_ROW_ARG:
    case PTOG_FORM_ROW_ARG_VALUE:
        return ptog_draw_words(draw, "dst[i,0] = the first j with the %s src[i,j]", ptog_lane_name(lane_of(op)));
    case PTOG_FORM_COL_ARG:
    case PTOG_FORM_COL_ARG_VALUE:
        return ptog_draw_words(draw, "dst[0,j] = the first i with the %s src[i,j]", ptog_lane_name(lane_of(op)));
    case PTOG_FORM_COL_REDUCE:
        return ptog_draw_words(draw, "dst[0,j] = %s over i of src[i,j]", ptog_lane_name(lane_of(op)));
    case PTOG_FORM_PAIRWISE:
    case PTOG_FORM_BY_SCALAR:
    case PTOG_FORM_UNARY:
    case PTOG_FORM_FILL:
    case PTOG_FORM_PARTIAL:
    case PTOG_FORM_FROM_COLUMN:
    case PTOG_FORM_FROM_ROW:
    case PTOG_FORM_BY_COLUMN:
    case PTOG_FORM_BY_ROW:
    case PTOG_FORM_CONVERT: return lane_formula(draw);
    case PTOG_FORM_COPY:
    case PTOG_FORM_WINDOW:
    case PTOG_FORM_PAD:
    case PTOG_FORM_TRANSPOSE:
    case PTOG_FORM_JOIN:
    case PTOG_FORM_JOIN_COUNTED: return move_formula(draw);
    case PTOG_FORM_PRODUCT: return product_formula(draw);
    default: return NULL;
    }
}

/* ---- operands */

static void add_tile_extents(struct ptog_text *text, const struct ptog_plane *plane)
{
    if (plane->valid_rows != plane->rows || plane->valid_cols != plane->cols)
        ptog_text_addf(text, "%" PRId64 "x%" PRId64 " of ", plane->valid_rows, plane->valid_cols);
}

/* The title of an operand's grid: "1x4 of 1x8 i32, row_major in UB". */
const char *ptog_draw_grid_title(struct ptog_draw *draw, const struct ptog_plane *plane)
{
    const struct ptog_operand *operand = plane->operand;
    const char *type = ptog_dtype_name(plane->dtype), *order, *memory;
    char buffer[100];
    struct ptog_text text;
    if (operand->kind == PTOG_IS_SCALAR)
        return ptog_draw_words(draw, "%s, a scalar", type);
    ptog_text_init(&text, buffer, sizeof buffer);
    if (operand->kind == PTOG_IS_TILE) {
        add_tile_extents(&text, plane);
        order = ptog_tile_order_name(ptog_tile_order(&operand->tile));
        memory = ptog_memory_name(operand->tile.loc);
    } else {
        order = ptog_layout_name(operand->view.layout);
        memory = "GM";
    }
    return ptog_draw_words(draw, "%s%" PRId64 "x%" PRId64 " %s, %s in %s", buffer, plane->rows, plane->cols, type,
                           order, memory);
}
