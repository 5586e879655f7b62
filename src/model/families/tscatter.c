/* model: TSCATTER: where elements go, what is zero, and lanes that meet. */
#include "model/families/tscatter.h"

#include "base/pick.h"
#include "model/dtype.h"
#include "model/mscatter.h"
#include "model/target.h"
#include "model/tile.h"

#define VECTOR_BYTES 256

enum ptog_form ptog_tscatter_form(const struct ptog_target *target, const struct ptog_insn *insn)
{
    (void)target;
    return insn->attr[PTOG_TSCATTER_BY] == PTOG_BY_MASK ? PTOG_FORM_SCATTER_MASK : PTOG_FORM_SCATTER_INDEX;
}

static const struct ptog_tile *dst_of(const struct ptog_known_insn *known)
{
    return &known->insn.of[PTOG_TSCATTER_DST].tile;
}

static const struct ptog_tile *src_of(const struct ptog_known_insn *known)
{
    return &known->insn.of[PTOG_TSCATTER_SRC].tile;
}

int64_t ptog_tscatter_index(const struct ptog_known_insn *known, uint64_t bits)
{
    enum ptog_dtype dtype = known->insn.of[PTOG_TSCATTER_IDX].tile.dtype;
    unsigned unused = 64 - 8 * (unsigned)ptog_dtype_size(dtype);
    bool is_signed = ptog_dtype_is_signed(dtype) && known->target->machine != PTOG_MACHINE_SIMT;
    bits <<= unused;
    return is_signed ? (int64_t)bits >> unused : (int64_t)(bits >> unused);
}

int64_t ptog_tscatter_step(const struct ptog_known_insn *known)
{
    if (known->target->machine != PTOG_MACHINE_SIMT)
        return 0;
    return VECTOR_BYTES / (int64_t)ptog_dtype_size(known->insn.of[PTOG_TSCATTER_IDX].tile.dtype);
}

enum ptog_zeroed ptog_tscatter_zeroed(const struct ptog_known_insn *known)
{
    bool by_mask = known->form == PTOG_FORM_SCATTER_MASK, cpu = known->target->cpu_threads;
    if (by_mask && ptog_tscatter_pattern(&known->insn) == PTOG_P1111)
        return PTOG_ZEROED_NOTHING;
    if (!cpu)
        return PTOG_ZEROED_ALL;
    return by_mask ? PTOG_ZEROED_VALID : PTOG_ZEROED_NOTHING;
}

void ptog_tscatter_zero(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes)
{
    const struct ptog_tile *dst = dst_of(known);
    enum ptog_zeroed zeroed = ptog_tscatter_zeroed(known);
    size_t size = ptog_dtype_size(dst->dtype);
    int64_t rows = zeroed == PTOG_ZEROED_ALL ? dst->rows : dst->valid_row;
    int64_t cols = zeroed == PTOG_ZEROED_ALL ? dst->cols : dst->valid_col;
    ptog_bytes_forget(bytes);
    for (int64_t i = 0; zeroed != PTOG_ZEROED_NOTHING && i < rows * cols; i++)
        if (!bytes->put(bytes->where, PTOG_TSCATTER_DST,
                        ptog_tile_offset(dst, i / cols, i % cols) * (int64_t)size, size, 0))
            ptog_bytes_note(bytes, PTOG_FAULT_SHORT_BUFFER, i / cols, i % cols, 0);
}

/* ---- by mask */

void ptog_tscatter_places(const struct ptog_known_insn *known, int64_t i, int64_t j, int64_t *to, int64_t *from,
                          bool *wraps)
{
    const struct ptog_tile *dst = dst_of(known), *src = src_of(known);
    struct ptog_kept kept = {0, 1};
    ptog_pattern_kept(ptog_tscatter_pattern(&known->insn), &kept);
    bool all = kept.step == 1, rows = ptog_tscatter_axis(&known->insn) == PTOG_AXIS_COL;
    int64_t r = rows ? kept.first + kept.step * i : i, c = rows ? j : kept.first + kept.step * j;
    *to = ptog_tile_offset(dst, r, c);
    *from = ptog_tile_offset(src, i, j);
    *wraps = false;
    if (known->target->cpu_threads && !rows && !all)
        *from = i * src->valid_col + j;
    if (known->target->machine == PTOG_MACHINE_DMA && rows && !all) {
        *to = (uint16_t)(r * dst->cols) + c;
        *wraps = r * dst->cols > UINT16_MAX;
    }
}

/* Performs TSCATTER by mask on the bytes: each element of src goes to where the pattern keeps one. Notes what lies
 * outside dst. */
static void walk_mask(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes)
{
    const struct ptog_tile *src = src_of(known);
    size_t size = ptog_dtype_size(src->dtype);
    int64_t to, from;
    bool wraps;
    for (int64_t i = 0; i < src->valid_row; i++)
        for (int64_t j = 0; j < src->valid_col; j++) {
            ptog_tscatter_places(known, i, j, &to, &from, &wraps);
            if (wraps && j == 0)
                ptog_bytes_note(bytes, PTOG_FAULT_PRODUCT_OVERFLOW, i, j, (uint64_t)i);
            bool past = to >= dst_of(known)->rows * dst_of(known)->cols; /* a dst that the pattern is too large for */
            if (past)
                ptog_bytes_note(bytes, PTOG_FAULT_TILE_OVERRUN, i, j, (uint64_t)to);
            if (!ptog_bytes_move(bytes, PTOG_TSCATTER_DST, to * (int64_t)size, PTOG_TSCATTER_SRC, from * (int64_t)size,
                                 size) &&
                !past)
                ptog_bytes_note(bytes, PTOG_FAULT_SHORT_BUFFER, i, j, 0);
        }
}

/* ---- by index */

struct scatter_lanes {
    const struct ptog_known_insn *known;
    const struct ptog_tile_bytes *bytes;
    struct ptog_scatter_lanes met; /* lanes of the step at hand */
    int64_t elements;              /* of dst */
};

/* A place outside dst is somewhere else in UB; without UB the lane is dropped. */
static void scatter_element(struct scatter_lanes *s, int64_t i, int64_t j)
{
    const struct ptog_insn *insn = &s->known->insn;
    const struct ptog_tile *src = &insn->of[PTOG_TSCATTER_SRC].tile, *idx = &insn->of[PTOG_TSCATTER_IDX].tile;
    int64_t size = (int64_t)ptog_dtype_size(src->dtype), wide = (int64_t)ptog_dtype_size(idx->dtype);
    uint64_t bits, element;
    ptog_bytes_forget(s->bytes);
    bool had = s->bytes->get(s->bytes->where, PTOG_TSCATTER_IDX, ptog_tile_offset(idx, i, j) * wide, (size_t)wide, &bits);
    had = s->bytes->get(s->bytes->where, PTOG_TSCATTER_SRC, ptog_tile_offset(src, i, j) * size, (size_t)size, &element) && had;
    int64_t index = ptog_tscatter_index(s->known, bits);
    bool inside = index >= 0 && index < s->elements;
    if (!had) {
        ptog_bytes_note(s->bytes, PTOG_FAULT_SHORT_BUFFER, i, j, 0);
        return;
    }
    if (!inside)
        ptog_bytes_note(s->bytes, PTOG_FAULT_UB_OUTSIDE_TILE, i, j, (uint64_t)index);
    if (!inside && s->known->target->machine == PTOG_NO_MACHINE)
        return;
    ptog_scatter_lanes_add(&s->met, (struct ptog_scatter_lane){(uint64_t)index, (uint64_t)index, element, i, j});
    if (!s->bytes->put(s->bytes->where, PTOG_TSCATTER_DST, index * size, (size_t)size, element) && inside)
        ptog_bytes_note(s->bytes, PTOG_FAULT_SHORT_BUFFER, i, j, 0);
}

/* Performs TSCATTER by index on the bytes, in the order of the target's lanes, and notes lanes that meet.
 * PTOG_NO_MEMORY when those cannot be followed. */
static enum ptog_status walk_index(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes)
{
    const struct ptog_tile *idx = &known->insn.of[PTOG_TSCATTER_IDX].tile, *dst = dst_of(known);
    struct scatter_lanes s = {.known = known, .bytes = bytes, .elements = dst->rows * dst->cols};
    int64_t step = ptog_tscatter_step(known);
    if (bytes->fault) {
        bytes->fault->capacity = (uint64_t)s.elements;
        bytes->fault->index_signed = ptog_dtype_is_signed(idx->dtype) && step == 0;
    }
    if (step == 0 || !bytes->fault)
        step = idx->valid_col;
    for (int64_t i = 0; i < idx->valid_row; i++)
        for (int64_t first = 0; first < idx->valid_col; first += step) {
            if (ptog_tscatter_step(known) > 0 && bytes->fault && !ptog_scatter_lanes_open(&s.met, step))
                return PTOG_NO_MEMORY;
            for (int64_t j = first; j < ptog_min(first + step, idx->valid_col); j++)
                scatter_element(&s, i, j);
            if (s.met.of)
                ptog_scatter_lanes_judge(&s.met, bytes->fault);
        }
    return PTOG_OK;
}

enum ptog_status ptog_tscatter_walk(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes)
{
    if (known->form == PTOG_FORM_SCATTER_INDEX)
        return walk_index(known, bytes);
    walk_mask(known, bytes);
    return PTOG_OK;
}
