/* model: instructions on masks, spec/masks.def. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/masks.h"

#include <math.h>

#include "base/pick.h"
#include "model/dtype.h"
#include "model/target.h"
#include "model/tile.h"

enum mask_quirk { PADDING, INVERTS, AS_EQ, AS_HALF, CLEARS, TOLERANT, BYTES, RUNS_ON };

/* Whether spec/masks.def lists a quirk for the instruction, its element type and the target. */
static bool has_quirk(enum mask_quirk quirk, const struct ptog_target *target, const struct ptog_insn *insn)
{
    static const struct {
        enum mask_quirk quirk;
        enum ptog_opcode opcode;
        uint32_t targets, types;
    } quirks[] = {
#define ON(QUIRK, OPCODE, targets, types) {QUIRK, PTOG_##OPCODE, targets, types},
#include "spec/masks.def"
    };
    for (size_t i = 0; i < sizeof quirks / sizeof quirks[0]; i++)
        if (quirks[i].quirk == quirk && quirks[i].opcode == insn->opcode && (quirks[i].targets & target->as) &&
            quirks[i].types >> insn->of[1].tile.dtype & 1)
            return true;
    return false;
}

enum ptog_form ptog_masks_form(const struct ptog_target *target, const struct ptog_insn *insn)
{
    (void)target;
    switch (insn->opcode) {
    case PTOG_TCMP: return PTOG_FORM_TO_MASK;
    case PTOG_TCMPS: return PTOG_FORM_TO_MASK_BY_SCALAR;
    case PTOG_TSELS: return PTOG_FORM_SELECT_SCALAR;
    default: return PTOG_FORM_SELECT;
    }
}

/* ---- comparisons */

bool ptog_compare_is_eq_only(const struct ptog_target *target, const struct ptog_insn *insn)
{
    return has_quirk(AS_EQ, target, insn);
}

/* Bytes of mask that a comparison of `cols` elements writes, in whole steps of the target. */
static int64_t mask_row_bytes(const struct ptog_target *target, enum ptog_dtype dtype, int64_t cols)
{
#define STEP(targets, sizes, columns, bytes)                                                                           \
    if ((target->as & (targets)) && (ptog_dtype_size(dtype) & (sizes)))                                                \
        return (cols + (columns)-1) / (columns) * (bytes);
#include "spec/masks.def"
    return (cols + 7) / 8;
}

/* The CPU simulator writes whole words of the mask, as many as dst has valid columns, or one byte per element. */
static void follow_cpu(struct ptog_compare *c, const struct ptog_target *target, const struct ptog_insn *insn)
{
    const struct ptog_tile *dst = &insn->of[0].tile, *a = &insn->of[1].tile;
    int64_t size = (int64_t)ptog_dtype_size(dst->dtype), words = (c->bytes + size - 1) / size;
    c->clears = has_quirk(CLEARS, target, insn);
    if (has_quirk(BYTES, target, insn)) {
        c->rows = a->rows;
        c->bytes = a->cols / 8;
        c->spread = dst->valid_col;
        c->spread_rows = dst->valid_row;
        c->element = size;
    } else if (c->clears) {
        c->bytes = ptog_min(words, dst->valid_col) * size;
    }
}

/* At most so many columns, of those that both sources have. */
static int64_t padded_bits(const struct ptog_insn *insn, int64_t bits)
{
    for (int i = 1; i <= 2; i++)
        if (insn->of[i].kind == PTOG_IS_TILE && insn->of[i].tile.cols < bits)
            bits = insn->of[i].tile.cols;
    return bits;
}

/* Fills *c with what all bytes of a comparison share, and with what the target does differently. */
void ptog_compare_start(struct ptog_compare *c, const struct ptog_known_insn *known)
{
    const struct ptog_insn *insn = &known->insn;
    const struct ptog_target *target = known->target;
    const struct ptog_tile *dst = &insn->of[0].tile, *a = &insn->of[1].tile;
    *c = (struct ptog_compare){.cmp = (enum ptog_cmp)insn->attr[PTOG_TCMP_MODE],
                               .dtype = a->dtype,
                               .rows = a->valid_row,
                               .cols = a->valid_col,
                               .bytes = mask_row_bytes(target, a->dtype, a->valid_col),
                               .bits = a->valid_col,
                               .pitch = dst->cols * (int64_t)ptog_dtype_size(dst->dtype)};
    c->tolerant = has_quirk(TOLERANT, target, insn);
    if (has_quirk(AS_HALF, target, insn))
        c->dtype = PTOG_F16;
    if (has_quirk(PADDING, target, insn))
        c->bits = padded_bits(insn, c->bytes * 8);
    if (has_quirk(INVERTS, target, insn) && c->cmp == PTOG_CMP_NE) {
        c->cmp = PTOG_CMP_EQ;
        c->inverted = c->rows * c->pitch;
    }
    if (has_quirk(AS_EQ, target, insn))
        c->cmp = PTOG_CMP_EQ;
    follow_cpu(c, target, insn);
}

/* Whether a comparison is true of two numbers, of which the first is less, equal, or neither. */
static bool compare_holds(enum ptog_cmp cmp, bool less, bool equal)
{
    switch (cmp) {
    case PTOG_CMP_NE: return !equal;
    case PTOG_CMP_LT: return less;
    case PTOG_CMP_LE: return less || equal;
    case PTOG_CMP_GT: return !less && !equal;
    case PTOG_CMP_GE: return !less;
    default: return equal;
    }
}

bool ptog_compare_bit(const struct ptog_compare *c, uint64_t a, uint64_t b)
{
    unsigned drop = 64u - 8u * (unsigned)ptog_dtype_size(c->dtype);
    if (ptog_dtype_is_float(c->dtype)) {
        double x = ptog_dtype_to_float(c->dtype, a), y = ptog_dtype_to_float(c->dtype, b);
        bool equal = c->tolerant ? fabs(x - y) < 1e-9 : x == y;
        if (isnan(x) || isnan(y))
            return c->cmp == PTOG_CMP_NE;
        if (c->tolerant && (c->cmp == PTOG_CMP_EQ || c->cmp == PTOG_CMP_NE)) /* inf - inf is neither */
            return c->cmp == PTOG_CMP_EQ ? equal : fabs(x - y) > 1e-9;
        return compare_holds(c->cmp, x < y, x == y);
    }
    if (ptog_dtype_is_signed(c->dtype)) {
        int64_t x = (int64_t)(a << drop) >> drop, y = (int64_t)(b << drop) >> drop;
        return compare_holds(c->cmp, x < y, x == y);
    }
    return compare_holds(c->cmp, a << drop < b << drop, a << drop == b << drop);
}

int64_t ptog_compare_place(const struct ptog_compare *c, const struct ptog_tile *dst, int64_t r, int64_t k)
{
    if (c->spread == 0)
        return r * c->pitch + k;
    int64_t n = r * c->bytes + k, row = n / c->spread;
    if (row < c->spread_rows)
        return ptog_tile_offset(dst, row, n % c->spread) * c->element;
    return -1;
}

/* ---- selections */

int ptog_select_other(const struct ptog_insn *insn)
{
    return insn->opcode == PTOG_TSELS ? 4 : 3; /* tsels has its tmp in between */
}

/* Where in the mask tile the bit for element (r, c) of a selection lies, as the target reads it. */
struct ptog_mask_bit ptog_select_bit(const struct ptog_known_insn *known, int64_t r, int64_t c)
{
    const struct ptog_tile *mask = &known->insn.of[PTOG_SELECT_MASK].tile;
    int64_t size = (int64_t)ptog_dtype_size(mask->dtype);
    if (!has_quirk(RUNS_ON, known->target, &known->insn))
        return (struct ptog_mask_bit){r * mask->cols * size + c / 8, (unsigned)(c % 8)};
    int64_t n = r * known->insn.of[0].tile.valid_col + c, element = n / 8; /* the low byte of each element */
    int64_t offset = ptog_tile_offset(mask, element / mask->valid_col, element % mask->valid_col);
    return (struct ptog_mask_bit){offset * size, (unsigned)(n % 8)};
}
