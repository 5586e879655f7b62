/* ref: MGATHER into L1.   Row: dst[r,j] = table[map(idx[r]), j]      Elem: dst[r,c] = flat(table)[map(idx[r,c])]
 * Rows end in whole blocks of 32 bytes. Under Zero, and in Elem mode, the rest of the tile is zero; Elem leaves the
 * whole tile, as it lies in L1, in the scratch memory, too. */
#include "model/fault.h"
#include "model/mgather.h"
#include "model/target.h"
#include "model/tile.h"
#include "ref/lane.h"
#include "ref/ref.h"

struct l1_gather {
    const struct ptog_known_insn *known;
    const struct ptog_run *run;
    struct ptog_fault *fault;
    uint64_t capacity;
};

/* The bits of lane (r, c). An index, or an element, that no buffer has is 0xAA. */
static uint64_t lane_bits(const struct l1_gather *g, int64_t r, int64_t c)
{
    const struct ptog_target *target = g->known->target;
    const struct ptog_insn *op = &g->known->insn;
    enum ptog_dtype dtype = ptog_mgather_index_dtype(op);
    enum ptog_oob oob = ptog_mgather_policy(target, op);
    bool row = ptog_mgather_is_row(target, op), zero;
    uint64_t index, place = ptog_mgather_l1_index_place(op, r, c), bits = 0;
    size_t size = ptog_dtype_size(ptog_mgather_dst(op)->dtype);
    bool first = !row || c == 0; /* what is wrong with the number itself is noted once */

    if (!ptog_lane_index(g->run->idx, place, dtype, target->signed_index, &index)) {
        index = UINT64_C(0xAAAAAAAAAAAAAAAA) >> (64 - 8 * ptog_dtype_size(dtype));
        if (first)
            ptog_fault_note(g->fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, place);
    }
    uint64_t mapped = ptog_mgather_map(target, op, index, g->capacity, &zero);
    bool negative = ptog_dtype_is_signed(dtype) && (index & ptog_dtype_sign_bit(dtype));
    if (first && negative && (oob == PTOG_OOB_CLAMP || oob == PTOG_OOB_WRAP))
        ptog_fault_note(g->fault, PTOG_FAULT_INDEX_NEGATIVE, 1, r, c, index);
    if (zero)
        return 0;
    bool known =
        row ? ptog_mgather_row_place(target, op, mapped, c, &place) : ptog_mgather_elem_place(op, mapped, &place);
    if (!known || !ptog_lane_read(g->run->src, place, size, &bits)) {
        memset(&bits, PTOG_NO_DATA, sizeof bits);
        ptog_fault_note(g->fault, PTOG_FAULT_GM_OUT_OF_BOUNDS, 1, r, c, index);
    } else if (mapped >= g->capacity || (row && c >= ptog_mgather_row_width(target, op))) {
        ptog_fault_note(g->fault, PTOG_FAULT_GM_OUTSIDE_VIEW, 1, r, c, index);
    }
    return bits;
}

void ptog_ref_gather_l1(const struct ptog_known_insn *known, const struct ptog_run *run, struct ptog_fault *fault)
{
    const struct ptog_insn *op = &known->insn;
    const struct ptog_tile *dst = ptog_mgather_dst(op);
    const struct l1_gather g = {known, run, fault, ptog_mgather_capacity(known->target, op)};
    bool scratch = op->of[PTOG_MGATHER_SCRATCH].kind == PTOG_IS_VIEW && !(known->target->as & PTOG_ON_CPU);
    bool all = ptog_mgather_policy(known->target, op) == PTOG_OOB_ZERO || !ptog_mgather_is_row(known->target, op);
    size_t size = ptog_dtype_size(dst->dtype);
    int64_t c0 = ptog_c0(dst->dtype), width = (dst->valid_col + c0 - 1) / c0 * c0;
    fault->capacity = g.capacity;
    fault->index_signed = known->target->signed_index && ptog_dtype_is_signed(ptog_mgather_index_dtype(op));
    if (!ptog_mgather_pitch_fits(known->target, op))
        ptog_fault_note(fault, PTOG_FAULT_PITCH_MISMATCH, (uint64_t)(dst->valid_row * dst->valid_col), 0, 0, 0);
    for (int64_t r = 0; r < dst->rows; r++)
        for (int64_t c = 0; c < dst->cols && (all || (r < dst->valid_row && c < width)); c++) {
            uint64_t at = (uint64_t)ptog_tile_offset(dst, r, c);
            uint64_t bits = r < dst->valid_row && c < dst->valid_col ? lane_bits(&g, r, c) : 0;
            bool fits = ptog_lane_write(run->dst, at, size, &bits);
            if (scratch)
                fits = ptog_lane_write(run->tmp, at, size, &bits) && fits;
            if (!fits)
                ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, at);
        }
}
