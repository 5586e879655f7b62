/* model: instructions that combine elements of several tiles: their regions, and one element of each. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/families/combine.h"

#include "base/pick.h"
#include "model/convert.h"
#include "model/dtype.h"
#include "model/target.h"
#include "model/tile.h"

enum ptog_form ptog_combine_form(const struct ptog_target *target, const struct ptog_insn *insn)
{
    (void)target, (void)insn;
    return PTOG_FORM_COMBINE;
}

int ptog_combine_find(const struct ptog_known_insn *known, enum ptog_operand_name name)
{
    int at = ptog_insn_find(&known->insn, name);
    return at >= 0 && ptog_insn_has(&known->insn, known->form, at) ? at : -1;
}

/* A walk, and where it is. */
struct combining {
    const struct ptog_known_insn *known;
    const struct ptog_tile_bytes *bytes;
    const struct ptog_tile *dst;
    unsigned results; /* those that are written */
    int64_t r, c;
};

/* ---- elements */

static const struct ptog_tile *combined_tile(const struct combining *walk, enum ptog_operand_name name)
{
    return &walk->known->insn.of[ptog_insn_find(&walk->known->insn, name)].tile;
}

/* The bits of an element of an operand, or of the scalar. */
static uint64_t take_element(const struct combining *walk, enum ptog_operand_name name, int64_t r, int64_t c)
{
    int at = ptog_insn_find(&walk->known->insn, name);
    const struct ptog_operand *operand = &walk->known->insn.of[at];
    size_t size = ptog_dtype_size(operand->tile.dtype);
    uint64_t bits = operand->bits;
    if (operand->kind == PTOG_IS_TILE &&
        !walk->bytes->get(walk->bytes->where, at, ptog_tile_offset(&operand->tile, r, c) * (int64_t)size, size, &bits))
        ptog_bytes_note(walk->bytes, PTOG_FAULT_SHORT_BUFFER, walk->r, walk->c, 0);
    return bits;
}

/* The same as a number. */
static double take_real(const struct combining *walk, enum ptog_operand_name name, int64_t r, int64_t c)
{
    return ptog_dtype_to_float(combined_tile(walk, name)->dtype, take_element(walk, name, r, c));
}

/* An integer, with its sign. */
static int64_t take_whole(const struct combining *walk, enum ptog_operand_name name)
{
    enum ptog_dtype dtype = combined_tile(walk, name)->dtype;
    unsigned drop = 64u - 8u * (unsigned)ptog_dtype_size(dtype);
    uint64_t bits = take_element(walk, name, walk->r, walk->c) << drop;
    return ptog_dtype_is_signed(dtype) ? (int64_t)bits >> drop : (int64_t)(bits >> drop);
}

/* The element at the place of the walk as a number, exactly. */
static double take_number(const struct combining *walk, enum ptog_operand_name name)
{
    if (ptog_dtype_is_float(combined_tile(walk, name)->dtype))
        return take_real(walk, name, walk->r, walk->c);
    return (double)take_whole(walk, name);
}

static void put_at(const struct combining *walk, enum ptog_operand_name name, int64_t place, uint64_t bits)
{
    size_t size = ptog_dtype_size(combined_tile(walk, name)->dtype);
    int at = ptog_insn_find(&walk->known->insn, name);
    if (walk->results >> name & 1 &&
        !walk->bytes->put(walk->bytes->where, at, place * (int64_t)size, size, bits))
        ptog_bytes_note(walk->bytes, PTOG_FAULT_SHORT_BUFFER, walk->r, walk->c, 0);
}

static void put_element(const struct combining *walk, enum ptog_operand_name name, int64_t c, uint64_t bits)
{
    put_at(walk, name, ptog_tile_offset(combined_tile(walk, name), walk->r, c), bits);
}

static void put_combined(const struct combining *walk, uint64_t bits)
{
    put_element(walk, PTOG_AT_DST, walk->c, bits);
}

/* A number as one of a type: the nearest, ties to even. */
static double rounded_to(enum ptog_dtype dtype, double value)
{
    return ptog_dtype_to_float(dtype, ptog_dtype_from_real(dtype, value));
}

static double positive_part(double value)
{
    return value > 0 || value != value ? value : 0;
}

/* ---- sums of three, and fused conversions */

static bool subtracts(enum ptog_opcode opcode)
{
    return opcode == PTOG_TSUBC || opcode == PTOG_TSUBSC || opcode == PTOG_TSUBRELUCONV;
}

/* The sum of two numbers, or their difference. */
static double sum_of(const struct combining *walk, double a, double b)
{
    if (subtracts(walk->known->insn.opcode))
        return a - b;
    return a + b;
}

/* Integers wrap around. A sum of floats is rounded to f32 after each step, and then to the type. */
static void add_three(const struct combining *walk)
{
    enum ptog_opcode opcode = walk->known->insn.opcode;
    bool scalar = opcode == PTOG_TADDSC || opcode == PTOG_TSUBSC;
    enum ptog_operand_name second = scalar ? PTOG_AT_VALUE : PTOG_AT_SRC1, third = scalar ? PTOG_AT_SRC1 : PTOG_AT_SRC2;
    enum ptog_dtype dtype = walk->dst->dtype;
    if (ptog_dtype_is_float(dtype)) {
        double b = take_real(walk, second, walk->r, walk->c), a = take_real(walk, PTOG_AT_SRC0, walk->r, walk->c);
        double sum = rounded_to(PTOG_F32, sum_of(walk, a, b));
        put_combined(walk,
                     ptog_dtype_from_real(dtype, rounded_to(PTOG_F32, sum + take_real(walk, third, walk->r, walk->c))));
        return;
    }
    uint64_t a = take_element(walk, PTOG_AT_SRC0, walk->r, walk->c), b = take_element(walk, second, walk->r, walk->c);
    put_combined(walk, (subtracts(opcode) ? a - b : a + b) + take_element(walk, third, walk->r, walk->c));
}

/* i16 to i8. A5 computes in i16, and a sum that does not fit there wraps around. */
static uint64_t narrow_whole(const struct combining *walk)
{
    int64_t a = take_whole(walk, PTOG_AT_SRC0), b = take_whole(walk, PTOG_AT_SRC1);
    int64_t sum = subtracts(walk->known->insn.opcode) ? a - b : a + b;
    if (walk->known->target->machine == PTOG_MACHINE_SIMT)
        sum = (int16_t)(uint16_t)(uint64_t)sum;
    return (uint64_t)ptog_min(ptog_max(sum, (int64_t)0), (int64_t)INT8_MAX);
}

/* The sum is rounded to the type of the sources, and then to that of dst, which saturates. */
static void narrow_positive(const struct combining *walk)
{
    enum ptog_dtype from = combined_tile(walk, PTOG_AT_SRC0)->dtype;
    const struct ptog_conversion conversion = {
        .from = from, .to = walk->dst->dtype, .round = PTOG_ROUND_RINT, .saturates = true};
    if (!ptog_dtype_is_float(from)) {
        put_combined(walk, narrow_whole(walk));
        return;
    }
    double a = take_real(walk, PTOG_AT_SRC0, walk->r, walk->c), b = take_real(walk, PTOG_AT_SRC1, walk->r, walk->c);
    double sum = rounded_to(from, sum_of(walk, a, b));
    put_combined(walk, ptog_convert(&conversion, ptog_dtype_from_real(from, positive_part(sum))));
}

/* The sum wraps around in i32. Scaling by 2^-17 first and by 2^17 at the end is what the vector units do. */
static void scale_sum(const struct combining *walk)
{
    uint32_t sum = (uint32_t)take_element(walk, PTOG_AT_SRC0, walk->r, walk->c) +
                   (uint32_t)take_element(walk, PTOG_AT_SRC1, walk->r, walk->c);
    float value = (float)(int32_t)sum, scale = (float)take_real(walk, PTOG_AT_VALUE, 0, 0);
    const bool casts = walk->known->target->casts;
    const struct ptog_conversion conversion = {
        .from = PTOG_F32, .to = walk->dst->dtype, .round = PTOG_ROUND_RINT, .saturates = !casts};
    float small = value * (1.0f / 131072.0f), scaled = small * scale;
    value = casts ? value * scale : scaled * 131072.0f;
    put_combined(walk, ptog_convert(&conversion, ptog_dtype_from_real(PTOG_F32, positive_part(value))));
}

/* cpu takes a scale for each column, where there is one; else the last. */
static int64_t column_of_scale(const struct combining *walk)
{
    int64_t cols = combined_tile(walk, PTOG_AT_QUANT)->valid_col;
    return walk->known->target->casts ? ptog_min(walk->c, cols - 1) : 0;
}

static void dequantize(const struct combining *walk)
{
    int64_t column = column_of_scale(walk);
    double value = take_number(walk, PTOG_AT_SRC);
    double moved = rounded_to(PTOG_F32, value - take_real(walk, PTOG_AT_OFFSET, walk->r, column));
    put_combined(walk, ptog_dtype_from_real(PTOG_F32, moved * take_real(walk, PTOG_AT_QUANT, walk->r, column)));
}

/* The scale of a row; cpu takes the last one for the rows behind it. */
static double row_number(const struct combining *walk, enum ptog_operand_name name)
{
    int64_t row = walk->r;
    if (walk->known->target->casts)
        row = ptog_min(row, combined_tile(walk, name)->valid_row - 1);
    return take_real(walk, name, row, 0);
}

/* Each step is rounded to f32; the result is the nearest integer that the type has, and 0 for NaN. */
static void quantize(const struct combining *walk)
{
    const struct ptog_conversion conversion = {
        .from = PTOG_F32, .to = walk->dst->dtype, .round = PTOG_ROUND_RINT, .saturates = true};
    double value = take_real(walk, PTOG_AT_SRC, walk->r, walk->c) * row_number(walk, PTOG_AT_QUANT);
    value = rounded_to(PTOG_F32, value);
    if (ptog_combine_find(walk->known, PTOG_AT_OFFSET) >= 0)
        value += row_number(walk, PTOG_AT_OFFSET);
    put_combined(walk, ptog_convert(&conversion, ptog_dtype_from_real(PTOG_F32, value)));
}

/* ---- columns as counts say */

/* What idx or idx1 says of a row, in bytes of its own type. */
static uint64_t count_at(const struct combining *walk, enum ptog_operand_name name)
{
    return take_element(walk, name, walk->r, 0);
}

/* How many columns dst takes at most: cpu goes on behind its valid ones. */
static uint64_t columns_left(const struct combining *walk, uint64_t used)
{
    if (walk->known->target->casts)
        return UINT64_MAX;
    return ptog_left((uint64_t)walk->dst->valid_col, used);
}

/* One row: so many columns of src0, then of src1, and the number of both. On cpu rows that are too long go on in the
 * next one. */
static void join_row(struct combining *walk)
{
    const struct ptog_tile *idx = combined_tile(walk, PTOG_AT_IDX);
    size_t size = ptog_dtype_size(idx->dtype);
    uint64_t bytes0 = count_at(walk, PTOG_AT_IDX), bytes1 = count_at(walk, PTOG_AT_IDX1);
    uint64_t most = columns_left(walk, 0), count0 = ptog_min(bytes0 / size, most);
    uint64_t count1 = ptog_min(bytes1 / size, columns_left(walk, count0));
    uint64_t sum = ptog_min(bytes0 / size + bytes1 / size, most) * size;
    int64_t room = ptog_tile_bytes(walk->dst) / (int64_t)ptog_dtype_size(walk->dst->dtype);
    if (walk->known->target->casts)
        sum = bytes0 + bytes1;
    put_element(walk, PTOG_AT_DST1, 0, sum);
    if ((count0 == 0 || count1 == 0) && walk->known->target->machine == PTOG_MACHINE_DMA)
        ptog_bytes_note(walk->bytes, PTOG_FAULT_COUNT_ZERO, walk->r, 0, 0);
    for (uint64_t c = 0; c < count0 + count1; c++) {
        enum ptog_operand_name source = PTOG_AT_SRC0;
        int64_t place = walk->r * walk->dst->cols + (int64_t)c, from = (int64_t)c;
        if (c >= count0) {
            source = PTOG_AT_SRC1;
            from -= (int64_t)count0;
        }
        if (place >= room)
            break;
        walk->c = (int64_t)c;
        ptog_bytes_forget(walk->bytes);
        put_at(walk, PTOG_AT_DST, place, take_element(walk, source, walk->r, from));
    }
}

/* ---- selection with an index */

static bool is_valid_in(const struct combining *walk, enum ptog_operand_name name)
{
    const struct ptog_tile *tile = combined_tile(walk, name);
    return walk->r < tile->valid_row && walk->c < tile->valid_col;
}

/* Which source wins where both are valid. Of equal numbers it is src0, on cpu src1; a NaN loses on host, makes src1 win
 * on cpu and A2/A3, and src0 on A5. */
static bool first_wins(const struct combining *walk)
{
    double a = take_number(walk, PTOG_AT_SRC0), b = take_number(walk, PTOG_AT_SRC1);
    const struct ptog_target *target = walk->known->target;
    double high = a, low = b;
    if (walk->known->insn.opcode != PTOG_TPARTARGMAX) {
        high = b;
        low = a;
    }
    if (target->casts)
        return high > low;
    if (target->machine == PTOG_MACHINE_DMA)
        return high >= low;
    if (target->machine == PTOG_MACHINE_SIMT)
        return !(low > high);
    return high >= low || b != b;
}

/* TPARTARGMAX and TPARTARGMIN of one element: the value of the source that wins, and its index; where one source is
 * not valid, the other one wins. */
static void select_part(const struct combining *walk)
{
    bool first = is_valid_in(walk, PTOG_AT_SRC0), second = is_valid_in(walk, PTOG_AT_SRC1);
    if (first && second)
        first = first_wins(walk);
    enum ptog_operand_name value = PTOG_AT_SRC0, index = PTOG_AT_IDX;
    if (!first) {
        value = PTOG_AT_SRC1;
        index = PTOG_AT_IDX1;
    }
    put_combined(walk, take_element(walk, value, walk->r, walk->c));
    put_element(walk, PTOG_AT_DST1, walk->c, take_element(walk, index, walk->r, walk->c));
}

/* ---- columns in another order */

#define STEP_BYTES 256 /* of the vector unit of A5 */

/* How many columns of dst are written. Where their number is odd, which only A5 takes: the last one comes from one
 * half alone, and is left out where that half is whole steps; two sources that are taken apart fill two halves. */
static int64_t reordered_columns(const struct ptog_known_insn *known)
{
    const struct ptog_tile *dst = &known->insn.of[0].tile;
    int64_t even = dst->valid_col - dst->valid_col % 2, step = STEP_BYTES / (int64_t)ptog_dtype_size(dst->dtype);
    if (known->insn.opcode == PTOG_TINTERLEAVE)
        return even / 2 % step == 0 ? even : dst->valid_col;
    return ptog_combine_find(known, PTOG_AT_SRC1) >= 0 ? even : dst->valid_col;
}

static void interleave(const struct combining *walk)
{
    int64_t half = walk->dst->valid_col / 2;
    enum ptog_operand_name from = walk->c % 2 == 0 ? PTOG_AT_SRC0 : PTOG_AT_SRC1;
    put_combined(walk, take_element(walk, from, walk->r, walk->c / 2));
    ptog_bytes_forget(walk->bytes);
    put_element(walk, PTOG_AT_DST1, walk->c, take_element(walk, from, walk->r, half + walk->c / 2));
}

/* TDEINTERLEAVE of one column: an even column of the sources to dst, the odd one behind it to dst1. */
static void deinterleave(const struct combining *walk)
{
    int64_t half = walk->dst->valid_col / 2, c = walk->c;
    bool second = ptog_combine_find(walk->known, PTOG_AT_SRC1) >= 0 && c >= half;
    enum ptog_operand_name from = second ? PTOG_AT_SRC1 : PTOG_AT_SRC0;
    if (second)
        c -= half;
    put_combined(walk, take_element(walk, from, walk->r, 2 * c));
    ptog_bytes_forget(walk->bytes);
    put_element(walk, PTOG_AT_DST1, walk->c, take_element(walk, from, walk->r, 2 * c + 1));
}

/* ---- sums of pairs */

/* A5 takes tiles whose columns are all valid, by their types, as one row. */
static bool packs_pairs(const struct ptog_known_insn *known)
{
    const struct ptog_tile *dst = &known->insn.of[0].tile, *src = &known->insn.of[1].tile;
    return known->target->machine == PTOG_MACHINE_SIMT && !known->open && dst->valid_col == dst->cols &&
           src->valid_col == src->cols;
}

/* How many columns of dst have a sum; cpu adds 0 to a last element without a partner. */
static int64_t pairs_of(const struct ptog_known_insn *known)
{
    int64_t cols = known->insn.of[0].tile.valid_col;
    return known->target->casts ? (cols + 1) / 2 : cols / 2;
}

/* TPAIRREDUCESUM of one element: the sum of two neighbours; the last one may have no neighbour. */
static void add_pair(const struct combining *walk)
{
    enum ptog_dtype dtype = walk->dst->dtype;
    int64_t from = 2 * walk->c;
    bool pair = from + 1 < walk->dst->valid_col;
    uint64_t bits = take_element(walk, PTOG_AT_SRC, walk->r, from);
    if (pair && ptog_dtype_is_float(dtype))
        bits = ptog_dtype_from_real(dtype, ptog_dtype_to_float(dtype, bits) +
                                               (double)take_real(walk, PTOG_AT_SRC, walk->r, from + 1));
    else if (pair)
        bits += take_element(walk, PTOG_AT_SRC, walk->r, from + 1);
    if (packs_pairs(walk->known))
        put_at(walk, PTOG_AT_DST, walk->r * (walk->dst->valid_col / 2) + walk->c, bits);
    else
        put_combined(walk, bits);
}

/* cpu: all of dst becomes 0 first. */
static void clear_dst(struct combining *walk)
{
    for (walk->r = 0; walk->r < walk->dst->rows; walk->r++)
        for (walk->c = 0; walk->c < walk->dst->cols; walk->c++) {
            ptog_bytes_forget(walk->bytes);
            put_combined(walk, 0);
        }
}

/* ---- all of them */

/* The function that computes one element of an instruction that combines tiles. */
static void (*element_of(enum ptog_opcode opcode))(const struct combining *walk)
{
    switch (opcode) {
    case PTOG_TADDRELUCONV:
    case PTOG_TSUBRELUCONV: return narrow_positive;
    case PTOG_TADDDEQRELU: return scale_sum;
    case PTOG_TDEQUANT: return dequantize;
    case PTOG_TQUANT: return quantize;
    case PTOG_TPAIRREDUCESUM: return add_pair;
    case PTOG_TPARTARGMAX:
    case PTOG_TPARTARGMIN: return select_part;
    case PTOG_TINTERLEAVE: return interleave;
    case PTOG_TDEINTERLEAVE: return deinterleave;
    default: return add_three;
    }
}

/* How many columns of dst are computed. */
static int64_t columns_of(const struct ptog_known_insn *known)
{
    switch (known->insn.opcode) {
    case PTOG_TPAIRREDUCESUM: return pairs_of(known);
    case PTOG_TINTERLEAVE:
    case PTOG_TDEINTERLEAVE: return reordered_columns(known);
    default: return known->insn.of[0].tile.valid_col;
    }
}

/* Computes all results of an instruction that combines tiles, of which `results` says which are written, and notes
 * faults in the bytes. */
void ptog_combine_run(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes, unsigned results)
{
    struct combining walk = {known, bytes, &known->insn.of[0].tile, results, 0, 0};
    void (*element)(const struct combining *) = element_of(known->insn.opcode);
    bool pairs = known->insn.opcode == PTOG_TPAIRREDUCESUM;
    int64_t cols = columns_of(known);
    if (pairs && known->target->casts)
        clear_dst(&walk);
    for (walk.r = 0; known->insn.opcode == PTOG_TCONCATCOUNTS && walk.r < walk.dst->valid_row; walk.r++)
        join_row(&walk);
    for (walk.r = 0; known->insn.opcode != PTOG_TCONCATCOUNTS && walk.r < walk.dst->valid_row; walk.r++)
        for (walk.c = 0; walk.c < cols; walk.c++) {
            ptog_bytes_forget(bytes);
            element(&walk);
        }
}

/* ---- regions */

/* The part of an operand of TPAIRREDUCESUM that is accessed, as the target has it. */
static struct ptog_combine_part part_of_pairs(const struct ptog_known_insn *known, bool is_dst,
                                              struct ptog_combine_part part)
{
    if (is_dst && known->target->casts) {
        part.rows = part.tile.rows;
        part.cols = part.tile.cols;
    } else if (is_dst && packs_pairs(known)) {
        part.cols = part.rows * pairs_of(known);
        part.rows = 1;
        part.tile.rows = 1;
        part.tile.cols = part.cols;
    } else if (is_dst) {
        part.cols = pairs_of(known);
    } else if (!known->target->casts) {
        part.cols = 2 * pairs_of(known);
    }
    return part;
}

/* The part of an operand that an instruction which combines tiles accesses, as rows and columns of its tile. */
struct ptog_combine_part ptog_combine_part_of(const struct ptog_known_insn *known, int operand)
{
    const struct ptog_tile *dst = &known->insn.of[0].tile, *tile = &known->insn.of[operand].tile;
    struct ptog_combine_part part = {*tile, dst->valid_row, dst->valid_col};
    switch (known->insn.opcode) {
    case PTOG_TPAIRREDUCESUM: return part_of_pairs(known, operand == 0, part);
    case PTOG_TPARTARGMAX:
    case PTOG_TPARTARGMIN:
        part.rows = ptog_min(part.rows, tile->valid_row);
        part.cols = ptog_min(part.cols, tile->valid_col);
        break;
    case PTOG_TINTERLEAVE:
    case PTOG_TDEINTERLEAVE:
        part.cols = columns_of(known);
        if (operand >= 2 && ptog_combine_find(known, PTOG_AT_SRC1) < 0)
            part.cols *= 2;
        break;
    case PTOG_TQUANT:
        if (operand == 2 || operand == ptog_insn_find(&known->insn, PTOG_AT_OFFSET))
            part.cols = 1;
        break;
    case PTOG_TCONCATCOUNTS:
        if (operand == 1 || operand >= 4)
            part.cols = 1;
        else if (operand > 0)
            part.cols = ptog_min(tile->cols, dst->valid_col);
        break;
    case PTOG_TDEQUANT:
        if (operand >= 2)
            part.cols = known->target->casts ? ptog_min(part.cols, tile->valid_col) : 1;
        break;
    default: break;
    }
    return part;
}
