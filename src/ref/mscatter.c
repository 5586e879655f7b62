/* ref: MSCATTER.   Row: table[map(idx[r]), j] op= src[r,j]      Elem: flat(table)[map(idx[r,c])] op= src[r,c]
 * Lanes go one after the other, so the last of those with one index wins. */
#include "model/mscatter.h"

#include "model/fault.h"
#include "ref/lane.h"
#include "ref/ref.h"

struct ref_scatter {
    const struct ptog_known_insn *known;
    const struct ptog_run *run;
    struct ptog_fault *fault;
    uint64_t capacity;
    bool is_row, drops_outside, compares_flat;
    struct ptog_scatter_lanes lanes;
};

/* Reads the index of lane (r, c), and notes what is wrong with the number itself; false when it cannot be read. */
static bool read_index(const struct ref_scatter *s, int64_t r, int64_t c, uint64_t *index)
{
    const struct ptog_insn *op = &s->known->insn;
    enum ptog_dtype dtype = ptog_mgather_idx(op)->dtype;
    enum ptog_oob oob = ptog_mgather_policy(s->known->target, op);
    bool remapped = oob == PTOG_OOB_CLAMP || oob == PTOG_OOB_WRAP, zero;
    int64_t at = ptog_mgather_index_offset(s->known->target, op, r, c);
    bool extends = ptog_mgather_as(s->known->target, op)->signed_index;
    if (!ptog_lane_index(s->run->idx, (uint64_t)at, dtype, extends, index))
        return false;
    if (s->is_row && c > 0)
        return true;
    if (remapped && ptog_dtype_is_signed(dtype) && (*index & ptog_dtype_sign_bit(dtype)))
        ptog_fault_note(s->fault, PTOG_FAULT_INDEX_NEGATIVE, 1, r, c, *index);
    uint64_t mapped = ptog_mgather_map(s->known->target, op, *index, s->capacity, &zero);
    bool dropped = zero || (s->drops_outside && mapped >= s->capacity);
    if (!dropped && ptog_mgather_product_wraps(s->known->target, op, mapped))
        ptog_fault_note(s->fault, PTOG_FAULT_PRODUCT_OVERFLOW, 1, r, c, *index);
    return true;
}

/* Stores one element where the index leads; `mapped` is that index under the policy. */
static void store_lane(struct ref_scatter *s, int64_t r, int64_t c, uint64_t index, uint64_t mapped)
{
    const struct ptog_insn *op = &s->known->insn;
    const struct ptog_tile *src = ptog_mscatter_src(op);
    const struct ptog_cbuf memory = {s->run->dst.data, s->run->dst.bytes};
    size_t size = ptog_dtype_size(src->dtype);
    uint64_t bits = 0, old = 0, place = 0, compared;
    bool known = s->is_row ? ptog_mgather_row_place(s->known->target, op, mapped, c, &place)
                           : ptog_mgather_elem_place(op, mapped, &place);
    if (!ptog_lane_read(s->run->src, (uint64_t)ptog_tile_offset(src, r, c), size, &bits)) {
        ptog_fault_note(s->fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, index);
        return;
    }
    if (!known || !ptog_lane_read(memory, place, size, &old)) {
        ptog_fault_note(s->fault, PTOG_FAULT_GM_OUT_OF_BOUNDS, 1, r, c, index);
        return;
    }
    compared = s->compares_flat ? mapped : place;
    if (!ptog_lane_read(memory, compared, size, &old))
        return;
    if (mapped >= s->capacity)
        ptog_fault_note(s->fault, PTOG_FAULT_GM_OUTSIDE_VIEW, 1, r, c, index);
    ptog_scatter_lanes_add(&s->lanes, (struct ptog_scatter_lane){place, mapped, bits, r, c});
    bits = ptog_mscatter_stored(s->known, old, bits);
    ptog_lane_write(s->run->dst, place, size, &bits);
}

/* One lane of mscatter: its index, the policy, and its store. Faults are noted. */
static void scatter_lane(struct ref_scatter *s, int64_t r, int64_t c)
{
    uint64_t index = 0, mapped;
    bool skipped;
    if (!read_index(s, r, c, &index)) {
        ptog_fault_note(s->fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
        return;
    }
    mapped = ptog_mgather_map(s->known->target, &s->known->insn, index, s->capacity, &skipped);
    if (skipped)
        return;
    if (mapped >= s->capacity && s->drops_outside) {
        ptog_fault_note(s->fault, PTOG_FAULT_SCATTER_DROPPED, 1, r, c, index);
        return;
    }
    store_lane(s, r, c, index, mapped);
}

/* The meaning of mscatter: the lanes one after another, and those noted that meet at one place. */
enum ptog_status ptog_ref_mscatter(const struct ptog_known_insn *known, const struct ptog_run *run,
                                   struct ptog_fault *fault)
{
    const struct ptog_target *target = known->target;
    const struct ptog_insn *op = &known->insn;
    int64_t rows = ptog_mgather_rows(target, op), cols = ptog_mscatter_cols(known), r, c;
    struct ref_scatter s = {.known = known,
                            .run = run,
                            .fault = fault,
                            .capacity = ptog_mgather_capacity(target, op),
                            .is_row = ptog_mgather_is_row(target, op),
                            .drops_outside = ptog_mscatter_drops_outside(known),
                            .compares_flat = ptog_mscatter_compares_flat(known)};
    fault->capacity = s.capacity;
    fault->index_signed =
        ptog_mgather_as(target, op)->signed_index && ptog_dtype_is_signed(ptog_mgather_idx(op)->dtype);
    if (ptog_mscatter_conflicts(known) && !ptog_scatter_lanes_open(&s.lanes, rows * cols))
        return PTOG_NO_MEMORY;
    if (!ptog_mgather_pitch_fits(target, op))
        ptog_fault_note(fault, PTOG_FAULT_PITCH_MISMATCH, (uint64_t)(rows * cols), 0, 0, 0);
    for (int64_t i = 0; i < rows * cols; i++) {
        ptog_mscatter_lane(known, rows, cols, i, &r, &c);
        scatter_lane(&s, r, c);
    }
    ptog_scatter_lanes_judge(&s.lanes, fault);
    return ptog_fault_sum(fault);
}
