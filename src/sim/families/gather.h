/* sim: what the MGATHER walks share: from an index in UB to a place in GM, as the target computes it. */
#ifndef PTOG_SIM_FAMILIES_GATHER_H
#define PTOG_SIM_FAMILIES_GATHER_H

#include "base/pick.h"
#include "model/dtype.h"
#include "model/fault.h"
#include "model/index_map.h"
#include "model/mgather.h"
#include "sim/insn.h"

struct ptog_gather {
    const struct ptog_sim *sim;
    const struct ptog_insn *op;
    int buffer;              /* of the table, */
    uint64_t offset;         /* and where in it the table starts */
    uint64_t capacity, room; /* indices; bytes of the buffer from the table's base on */
    uint64_t width;          /* columns that the rows of the table have; Elem: one lane has no more */
    size_t size;
    enum ptog_oob policy;
    bool signed_index, remapped;
    bool clamps_negative; /* a negative index becomes 0 */
    uint64_t pitch;       /* of rows whose places are computed in 32 bits; 0: they are not */
    uint64_t cols;        /* that a row of dst gets */
};

/* What all lanes of a gather or scatter share: table, buffer, row width and element size, taken from the instruction
 * and memory of `sim`. */
static inline struct ptog_gather ptog_gather_of(const struct ptog_sim *sim)
{
    const struct ptog_insn *op = &sim->known->insn;
    const struct ptog_target *target = sim->known->target;
    enum ptog_oob policy = ptog_mgather_policy(target, op);
    bool is_signed = ptog_dtype_is_signed(ptog_mgather_idx(op)->dtype);
    bool has_products = target->product_32 && !ptog_mgather_is_l1(op) && ptog_mgather_is_row(target, op);
    return (struct ptog_gather){.sim = sim,
                                .op = op,
                                .buffer = ptog_sim_buffer(sim),
                                .offset = ptog_sim_offset(sim),
                                .capacity = ptog_mgather_capacity(sim->known->target, op),
                                .room = ptog_gm_room(sim->memory, ptog_sim_buffer(sim), ptog_sim_offset(sim)),
                                .width = (uint64_t)ptog_mgather_row_width(sim->known->target, op),
                                .size = ptog_dtype_size(ptog_mgather_dst(op)->dtype),
                                .policy = policy,
                                .signed_index = is_signed,
                                .clamps_negative = ptog_mgather_as(target, op)->clamps_signed && is_signed &&
                                                   policy == PTOG_OOB_CLAMP && !ptog_mgather_is_l1(op),
                                .pitch = has_products ? (uint64_t)ptog_mgather_pitch(target, op) : 0,
                                .cols = (uint64_t)ptog_mgather_cols(target, op),
                                .remapped =
                                    ptog_mgather_oob(op) == PTOG_OOB_CLAMP || ptog_mgather_oob(op) == PTOG_OOB_WRAP};
}

struct ptog_lane_index {
    uint64_t index, mapped;
    bool zero; /* no access, the lane is zero */
};

/* The index at a storage position of the index tile, mapped; what is wrong with the number itself is noted for lane (r,
 * c). */
static inline struct ptog_lane_index ptog_gather_index(const struct ptog_gather *g, int64_t position, int64_t r,
                                                       int64_t c)
{
    struct ptog_lane_index found;
    ptog_ub_get(g->sim->memory, ptog_mgather_idx(g->op)->addr + (uint64_t)position * 4, 4, &found.index);
    found.index = (uint32_t)found.index;
    found.mapped = 0;
    found.zero = false;
    if (!g->clamps_negative || found.index <= INT32_MAX)
        found.mapped = ptog_index_map(g->policy, found.index, g->capacity, &found.zero);
    if (!g->sim->log)
        return found;
    if (g->remapped && g->signed_index && found.index > INT32_MAX)
        ptog_fault_note(&g->sim->log->fault, PTOG_FAULT_INDEX_NEGATIVE, 1, r, c, found.index);
    return found;
}

/* Whether the place of row `index` does not fit in the 32 bits that the target computes it in. */
static inline bool ptog_gather_wraps(const struct ptog_gather *g, uint64_t index)
{
    uint64_t product;
    return g->pitch != 0 && (__builtin_mul_overflow(index, g->pitch, &product) || product > UINT32_MAX);
}

/* Notes the faults of `count` elements of one row of the table: `inside` of them, from the first on, lie in the buffer.
 */
static inline void ptog_gather_judge(const struct ptog_gather *g, const struct ptog_lane_index *found, int64_t r,
                                     int64_t c, uint64_t count, uint64_t inside)
{
    struct ptog_log *log = g->sim->log;
    if (!log)
        return;
    if (inside < count)
        ptog_fault_note(&log->fault, PTOG_FAULT_GM_OUT_OF_BOUNDS, count - inside, r, c + (int64_t)inside, found->index);
    if (inside > 0 && found->mapped >= g->capacity)
        ptog_fault_note(&log->fault, PTOG_FAULT_GM_OUTSIDE_VIEW, inside, r, c, found->index);
    else if (inside > g->width)
        ptog_fault_note(&log->fault, PTOG_FAULT_GM_OUTSIDE_VIEW, inside - g->width, r, (int64_t)g->width, found->index);
}

/* Of `count` elements from `place` on, those that lie in the buffer. */
static inline uint64_t ptog_gather_inside(const struct ptog_gather *g, uint64_t place, uint64_t count)
{
    uint64_t elements = g->room >> __builtin_ctzll(g->size); /* sizes are powers of two */
    uint64_t left = ptog_left(elements, place);
    return ptog_min(left, count);
}

/* Whole-instruction facts: the table's elements are not where its strides put them. */
static inline void ptog_gather_begin(const struct ptog_gather *g, int64_t rows, int64_t cols)
{
    if (g->sim->log && !ptog_mgather_pitch_fits(g->sim->known->target, g->op))
        ptog_fault_note(&g->sim->log->fault, PTOG_FAULT_PITCH_MISMATCH, (uint64_t)(rows * cols), 0, 0, 0);
    if (!g->sim->log)
        return;
    g->sim->log->fault.capacity = g->capacity;
    if (ptog_mgather_oob(g->op) != PTOG_OOB_UNDEFINED) /* a DMA has one index for all of its row */
        g->sim->log->stats.policy_steps += (uint64_t)(g->sim->known->effects->dmas ? rows : rows * cols);
}

#endif
