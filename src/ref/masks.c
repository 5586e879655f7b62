/* ref: instructions on masks.   tcmp, tcmps: bit c of mask row r = a[r,c] cmp b;   tsel, tsels: dst[r,c] = bit ? a : b
 */
#include "model/masks.h"

#include "base/pick.h"
#include "model/buffers.h"
#include "model/fault.h"
#include "model/tile.h"
#include "ref/lane.h"
#include "ref/ref.h"

static struct ptog_cbuf mask_buffer(const struct ptog_known_insn *known, const struct ptog_run *run, int i)
{
    struct ptog_buf buffer = ptog_run_buffer(run, &ptog_insn_row(known->insn.opcode)->of[i]);
    return (struct ptog_cbuf){buffer.data, buffer.bytes};
}

/* The element of operand `i` for (r, c), a tile's or the scalar; false when its buffer ends before. */
static bool read_input(const struct ptog_known_insn *known, const struct ptog_run *run, int i, int64_t r, int64_t c,
                       uint64_t *bits)
{
    const struct ptog_operand *operand = &known->insn.of[i];
    struct ptog_cbuf buffer = mask_buffer(known, run, i);
    size_t size = ptog_dtype_size(operand->tile.dtype);
    *bits = 0;
    if (operand->kind == PTOG_IS_TILE)
        return ptog_lane_read(buffer, (uint64_t)ptog_tile_offset(&operand->tile, r, c), size, bits);
    *bits = operand->bits;
    if (buffer.data && buffer.bytes >= size) /* a run may have another scalar than the plan */
        memcpy(bits, buffer.data, size);
    return true;
}

/* ---- comparisons */

/* What element (r, c) is compared with: of a tile in the place of the scalar it is the first element. */
static bool read_other(const struct ptog_known_insn *known, const struct ptog_run *run, int64_t r, int64_t c,
                       uint64_t *bits)
{
    if (known->form == PTOG_FORM_TO_MASK_BY_SCALAR)
        return read_input(known, run, 2, 0, 0, bits);
    return read_input(known, run, 2, r, c, bits);
}

/* Byte k of row r of the mask; false when an element cannot be read. */
static bool compare_byte(const struct ptog_known_insn *known, const struct ptog_run *run, const struct ptog_compare *c,
                         int64_t r, int64_t k, uint8_t *byte)
{
    bool read = true;
    *byte = 0;
    for (int64_t col = 8 * k; col < 8 * k + 8 && col < c->bits && r < known->insn.of[1].tile.valid_row; col++) {
        uint64_t a, b;
        bool both = read_input(known, run, 1, r, col, &a) && read_other(known, run, r, col, &b);
        read = read && both;
        if (both && ptog_compare_bit(c, a, b))
            *byte |= (uint8_t)(1u << (col % 8));
    }
    return read;
}

/* The meaning of tcmp and tcmps: bits into dst, whole rows of bytes, inverted where the target does that. */
static void ref_compare(const struct ptog_known_insn *known, const struct ptog_run *run, struct ptog_fault *fault)
{
    const struct ptog_tile *dst = &known->insn.of[0].tile;
    struct ptog_compare c;
    ptog_compare_start(&c, known);
    uint64_t tile = (uint64_t)ptog_tile_bytes(dst), whole = ptog_min(tile, run->dst.bytes);
    uint8_t *bytes = run->dst.data;
    if (c.clears)
        memset(bytes, 0, whole);
    for (int64_t r = 0; r < c.rows; r++)
        for (int64_t k = 0; k < c.bytes; k++) {
            int64_t place = ptog_compare_place(&c, dst, r, k);
            uint8_t byte;
            bool read = compare_byte(known, run, &c, r, k, &byte), fits = place < (int64_t)tile;
            if (place < 0)
                continue;
            if (!fits)
                ptog_fault_note(fault, PTOG_FAULT_TILE_OVERRUN, 1, r, 8 * k, (uint64_t)place);
            else if (!read || !ptog_lane_write(run->dst, (uint64_t)place, 1, &byte))
                ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, 8 * k, 0);
        }
    for (uint64_t i = 0; i < (uint64_t)c.inverted && i < whole; i++)
        bytes[i] = (uint8_t)~bytes[i];
}

/* ---- selections */

/* Element (r, c) of tsel and tsels. */
static void select_element(const struct ptog_known_insn *known, const struct ptog_run *run, int64_t r, int64_t c,
                           struct ptog_fault *fault)
{
    const struct ptog_tile *dst = &known->insn.of[0].tile;
    struct ptog_mask_bit at = ptog_select_bit(known, r, c);
    uint8_t byte = 0;
    uint64_t bits = 0;
    bool read = ptog_lane_read(mask_buffer(known, run, PTOG_SELECT_MASK), (uint64_t)at.byte, 1, &byte);
    int from = byte >> at.bit & 1 ? PTOG_SELECT_A : ptog_select_other(&known->insn);
    read = read_input(known, run, from, r, c, &bits) && read;
    if (!read)
        memset(&bits, PTOG_NO_DATA, sizeof bits);
    if (!ptog_lane_write(run->dst, (uint64_t)ptog_tile_offset(dst, r, c), ptog_dtype_size(dst->dtype), &bits) || !read)
        ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
}

/* The meaning of an instruction that writes or reads a mask. */
enum ptog_status ptog_ref_masks(const struct ptog_known_insn *known, const struct ptog_run *run,
                                struct ptog_fault *fault)
{
    const struct ptog_tile *dst = &known->insn.of[0].tile;
    if (known->form == PTOG_FORM_TO_MASK || known->form == PTOG_FORM_TO_MASK_BY_SCALAR) {
        ref_compare(known, run, fault);
        return ptog_fault_sum(fault);
    }
    for (int64_t r = 0; r < dst->valid_row; r++)
        for (int64_t c = 0; c < dst->valid_col; c++)
            select_element(known, run, r, c, fault);
    return ptog_fault_sum(fault);
}
