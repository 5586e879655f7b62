/* model: what becomes of an accumulator on its way out of L0C. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/cube/fixpipe.h"

#include <math.h>
#include <string.h>

#include <ptog/target.h>

#include "base/pick.h"
#include "model/cube/product.h"
#include "model/dtype.h"
#include "model/events.h"
#include "model/lane.h"
#include "model/moves.h"
#include "model/target.h"
#include "model/tile.h"
#include "model/transfer.h"

#define MAX_F16 65504.0F

struct ptog_fixpipe ptog_fixpipe_of(const struct ptog_known_insn *known)
{
    const struct ptog_insn *insn = &known->insn;
    bool store = insn->opcode == PTOG_TSTORE;
    struct ptog_fixpipe f = {.scale = ptog_insn_find(insn, PTOG_AT_QUANT)};
    f.from = store ? ptog_transfer_tile(insn)->dtype : insn->of[PTOG_MOVE_SRC].tile.dtype;
    f.to = store ? ptog_transfer_view(insn)->dtype : insn->of[PTOG_MOVE_DST].tile.dtype;
    f.relu = insn->attr[store ? PTOG_TSTORE_RELU : PTOG_MOVE_RELU] != 0;
    if (f.scale >= 0 && insn->of[f.scale].kind == PTOG_IS_ABSENT)
        f.scale = -1;
    f.per_column = f.scale >= 0 && insn->of[f.scale].kind == PTOG_IS_TILE;
    f.relu_last = f.scale >= 0 && (known->target->as & PTOG_ON_CPU) != 0;
    return f;
}

static float scale_factor(const struct ptog_fixpipe *f, uint64_t scale)
{
    uint32_t bits = (uint32_t)scale & (f->per_column ? ~UINT32_C(0x1fff) : UINT32_MAX);
    float factor;
    memcpy(&factor, &bits, sizeof factor);
    return factor;
}

static float clamp_real(float value, float least, float most)
{
    if (value < least)
        return least;
    if (value > most)
        return most;
    return value;
}

static bool is_byte(enum ptog_dtype dtype)
{
    return dtype == PTOG_I8 || dtype == PTOG_U8;
}

/* A negative result of the conversion. */
static bool is_negative(enum ptog_dtype dtype, uint64_t bits)
{
    return dtype != PTOG_U8 && (bits & ptog_dtype_sign_bit(dtype)) != 0;
}

/* An accumulator shifted right by the scale's bits, with rounding, as 16 bits. */
static uint64_t shifted(uint64_t element, uint64_t scale)
{
    int32_t value = (int32_t)element >> ((scale >> 32 & 15) + 1);
    return (uint16_t)ptog_max(ptog_min(value, INT16_MAX), INT16_MIN);
}

/* An element of an accumulator times its scale, as the destination's type. */
static uint64_t scaled(const struct ptog_fixpipe *f, uint64_t element, uint64_t scale)
{
    if (f->to == PTOG_I16)
        return shifted(element, scale);
    float value = (float)ptog_product_number(f->from, element) * scale_factor(f, scale);
    if (is_byte(f->to)) {
        bool is_signed = scale >> 46 & 1;
        value = nearbyintf(value + (float)(scale >> 37 & 511));
        if (isnan(value))
            return 0;
        return (uint8_t)(int)(is_signed ? clamp_real(value, -128, 127) : clamp_real(value, 0, 255));
    }
    if (f->to == PTOG_F16 && (f->from == PTOG_I32 || isfinite(value)))
        value = clamp_real(value, -MAX_F16, MAX_F16);
    return ptog_dtype_from_real(f->to, (double)value);
}

uint64_t ptog_fixpipe_convert(const struct ptog_fixpipe *f, uint64_t element, uint64_t scale)
{
    if (f->relu && !f->relu_last && ptog_product_number(f->from, element) < 0)
        element = 0;
    if (f->scale >= 0)
        element = scaled(f, element, scale);
    else if (f->from != f->to && ptog_dtype_is_float(f->from) && ptog_dtype_is_float(f->to))
        element = ptog_dtype_from_real(f->to, (double)ptog_dtype_to_float(f->from, element));
    if (f->relu && f->relu_last && is_negative(f->to, element))
        element = 0;
    return element;
}

/* Whether the target converts from one type to the other on the way out of acc. Out of L1 nothing goes as it is on
 * A2/A3: f32 is converted there. */
bool ptog_fixpipe_converts(const struct ptog_target *target, enum ptog_dtype from, enum ptog_dtype to, bool to_memory,
                           bool scaled_too)
{
    bool narrow = to == PTOG_F16 || to == PTOG_BF16,
         as_is = to_memory || target->left_nz || target->machine == PTOG_NO_MACHINE;
    bool is_a5 = target->left_nz || target->machine == PTOG_NO_MACHINE;
    bool small_float = to == PTOG_F8E4M3 || to == PTOG_HIF8;
    if (scaled_too && from == PTOG_F32)
        return is_byte(to) || (narrow && (to_memory || target->left_nz)) || (small_float && is_a5);
    if (scaled_too)
        return from == PTOG_I32 &&
               (is_byte(to) || to == PTOG_F16 || to == PTOG_I16 || (to == PTOG_BF16 && is_a5));
    return (from == to && as_is) || (from == PTOG_F32 && narrow);
}

uint64_t ptog_fixpipe_stored(const struct ptog_known_insn *known, uint64_t memory, uint64_t converted)
{
    if (!ptog_transfer_adds(&known->insn))
        return converted;
    return ptog_lane_compute(known->target, PTOG_LANE_add, ptog_transfer_view(&known->insn)->dtype, memory, converted,
                             0);
}

static int64_t whole_blocks(int64_t cols, int64_t c0)
{
    return (cols + c0 - 1) / c0 * c0;
}

/* Whether each of two vector cores gets a half. */
static bool is_split(const struct ptog_insn *insn)
{
    return insn->attr[PTOG_MOVE_TO] == PTOG_SPLIT_ROWS || insn->attr[PTOG_MOVE_TO] == PTOG_SPLIT_COLS;
}

int ptog_acc_parts(const struct ptog_insn *insn)
{
    return 1 + is_split(insn);
}

int ptog_acc_peer(const struct ptog_insn *insn, int part)
{
    if (insn->of[PTOG_MOVE_DST].tile.loc != PTOG_VEC)
        return PTOG_PEER_CUBE;
    bool second = is_split(insn) ? part == 1 : insn->attr[PTOG_MOVE_TO] == PTOG_TO_VEC1;
    return PTOG_PEER_VEC0 + second;
}

/* Of a copy that is split, the half that a part is. */
static void take_half(struct ptog_acc_copy *copy, const struct ptog_insn *insn, int part)
{
    if (insn->attr[PTOG_MOVE_TO] == PTOG_SPLIT_ROWS) {
        copy->rows /= 2;
        copy->from_row += part * copy->rows;
    } else if (insn->attr[PTOG_MOVE_TO] == PTOG_SPLIT_COLS) {
        copy->cols /= 2;
        copy->from_col += part * copy->cols;
    }
}

/* Which rows and columns a copy from the accumulator reads, where it writes them, and how many rows it writes in all;
 * `part`: the half, of a copy that is split. */
struct ptog_acc_copy ptog_acc_copy_of(const struct ptog_known_insn *known, int part)
{
    const struct ptog_insn *insn = &known->insn;
    const struct ptog_tile *dst = &insn->of[PTOG_MOVE_DST].tile, *src = &insn->of[PTOG_MOVE_SRC].tile;
    bool out_of = insn->opcode == PTOG_TEXTRACT, into = insn->opcode == PTOG_TINSERT;
    bool boxes = dst->slayout != PTOG_NONE_BOX, whole_rows = src->loc == PTOG_ACC && !out_of && !is_split(insn);
    int64_t row = out_of || into ? ptog_move_number(insn, PTOG_MOVE_ROW) : 0;
    int64_t col = out_of || into ? ptog_move_number(insn, PTOG_MOVE_COL) : 0;
    const struct ptog_tile *moved = out_of && !is_split(insn) ? dst : src; /* whose valid region it is */
    struct ptog_acc_copy copy = {.rows = moved->valid_row, .cols = moved->valid_col};
    copy.from_row = out_of ? row : 0;
    copy.from_col = out_of ? col : 0;
    copy.row = into ? row : 0;
    copy.col = into ? col : 0;
    copy.rows = ptog_min(copy.rows, src->rows - copy.from_row);
    copy.cols = ptog_min(copy.cols, src->cols - copy.from_col);
    take_half(&copy, insn, part);
    copy.rows = ptog_min(copy.rows, dst->rows - copy.row);
    copy.cols = ptog_min(copy.cols, dst->cols - copy.col);
    copy.written_rows = boxes && whole_rows ? ptog_min(src->rows, dst->rows - copy.row) : copy.rows;
    copy.written_cols = copy.cols;
    if (boxes)
        copy.written_cols = ptog_min(whole_blocks(copy.cols, ptog_c0(dst->dtype)), dst->cols - copy.col);
    return copy;
}
