/* ref: MGATHER.   Row: dst[r,j] = table[map(idx[r]), j]      Elem: dst[r,c] = flat(table)[map(idx[r,c])] */
#include "model/mgather.h"

#include "model/fault.h"
#include "ref/lane.h"
#include "ref/ref.h"

struct ref_gather {
    const struct ptog_target *target;
    const struct ptog_insn *op;
    const struct ptog_run *run;
    struct ptog_fault *fault;
    enum ptog_oob oob;
    uint64_t capacity;
    int64_t width; /* columns that the rows of the table have */
};

/* What the index of a lane leads to. */
struct source {
    bool known;                   /* the index could be read */
    enum ptog_fault_kind why_not; /* when it could not */
    uint64_t index, mapped;
    bool zero; /* no access: the lane is zero */
};

/* What the index of lane (r, c) leads to; nothing is noted. */
static struct source lane_source(const struct ref_gather *g, int64_t r, int64_t c)
{
    const struct ptog_tile *idx = ptog_mgather_idx(g->op);
    struct source source = {.why_not = PTOG_FAULT_SHORT_BUFFER};
    int64_t at = ptog_mgather_index_offset(g->target, g->op, r, c);
    if (at >= idx->rows * idx->cols)
        source.why_not = PTOG_FAULT_TILE_OVERRUN;
    else
        source.known = ptog_lane_index(g->run->idx, (uint64_t)at, idx->dtype, g->target->signed_index, &source.index);
    if (source.known)
        source.mapped = ptog_mgather_map(g->target, g->op, source.index, g->capacity, &source.zero);
    return source;
}

static bool has_room(const struct ref_gather *g, int64_t r, int64_t c)
{
    const struct ptog_tile *dst = ptog_mgather_dst(g->op);
    return ptog_lane_fits(g->run->dst.bytes, (uint64_t)ptog_tile_offset(dst, r, c), ptog_dtype_size(dst->dtype));
}

/* Once per index: what is wrong with the number itself. */
static void judge_index(const struct ref_gather *g, const struct source *source, int64_t r, int64_t c)
{
    enum ptog_dtype dtype = ptog_mgather_idx(g->op)->dtype;
    bool remapped = g->oob == PTOG_OOB_CLAMP || g->oob == PTOG_OOB_WRAP;
    if (!source->known || !has_room(g, r, c))
        return;
    if (remapped && ptog_dtype_is_signed(dtype) && (source->index & ptog_dtype_sign_bit(dtype)))
        ptog_fault_note(g->fault, PTOG_FAULT_INDEX_NEGATIVE, 1, r, c, source->index);
    if (!source->zero && ptog_mgather_product_wraps(g->target, g->op, source->mapped))
        ptog_fault_note(g->fault, PTOG_FAULT_PRODUCT_OVERFLOW, 1, r, c, source->index);
}

/* Where lane (r, c) is read; false when that is outside every buffer. */
static bool lane_address(const struct ref_gather *g, const struct source *source, int64_t c, uint64_t *place)
{
    if (ptog_mgather_is_row(g->target, g->op))
        return ptog_mgather_row_place(g->target, g->op, source->mapped, c, place);
    return ptog_mgather_elem_place(g->op, source->mapped, place);
}

/* Writes lane (r, c) of dst: the element that its index leads to, zero, or bytes of no data. Notes what is wrong with
 * it. */
static void gather_lane(const struct ref_gather *g, const struct source *source, int64_t r, int64_t c)
{
    const struct ptog_tile *dst = ptog_mgather_dst(g->op);
    size_t size = ptog_dtype_size(dst->dtype);
    uint64_t bits = 0, place, at = (uint64_t)ptog_tile_offset(dst, r, c);
    bool faulty = true;
    enum ptog_fault_kind kind = source->why_not;
    if (!has_room(g, r, c)) {
        ptog_fault_note(g->fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, source->index);
        return;
    }
    if (!source->known) {
        memset(&bits, PTOG_NO_DATA, sizeof bits);
    } else if (source->zero) {
        faulty = false;
    } else if (!lane_address(g, source, c, &place) || !ptog_lane_read(g->run->src, place, size, &bits)) {
        memset(&bits, PTOG_NO_DATA, sizeof bits);
        kind = PTOG_FAULT_GM_OUT_OF_BOUNDS;
    } else {
        faulty = source->mapped >= g->capacity || c >= g->width;
        kind = PTOG_FAULT_GM_OUTSIDE_VIEW;
    }
    if (faulty)
        ptog_fault_note(g->fault, kind, 1, r, c, source->index);
    ptog_lane_write(g->run->dst, at, size, &bits);
}

/* The meaning of mgather: for each lane an index, its policy, and the element or row that it leads to. */
enum ptog_status ptog_ref_mgather(const struct ptog_known_insn *known, const struct ptog_run *run,
                                  struct ptog_fault *fault)
{
    const struct ptog_target *target = known->target;
    const struct ptog_insn *op = &known->insn;
    struct ref_gather g = {.target = target,
                           .op = op,
                           .run = run,
                           .fault = fault,
                           .oob = ptog_mgather_policy(target, op),
                           .capacity = ptog_mgather_capacity(target, op),
                           .width = ptog_mgather_row_width(target, op)};
    int64_t rows = ptog_mgather_rows(target, op), cols = ptog_mgather_cols(target, op);
    bool per_row = ptog_mgather_is_row(target, op);
    struct source source = {0};

    if (known->form == PTOG_FORM_GATHER_L1) {
        ptog_ref_gather_l1(known, run, fault);
        return ptog_fault_sum(fault);
    }
    fault->capacity = g.capacity;
    fault->index_signed = target->signed_index && ptog_dtype_is_signed(ptog_mgather_idx(op)->dtype);
    if (!ptog_mgather_pitch_fits(target, op))
        ptog_fault_note(fault, PTOG_FAULT_PITCH_MISMATCH, (uint64_t)(rows * cols), 0, 0, 0);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++) {
            if (c == 0 || !per_row) {
                source = lane_source(&g, r, c);
                judge_index(&g, &source, r, c);
            }
            gather_lane(&g, &source, r, c);
        }
    return ptog_fault_sum(fault);
}
