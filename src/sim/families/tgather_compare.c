/* sim: TGATHER by comparison.   V puts the positions j with src[i,j] cmp k[i] into row i of dst; their count goes to
 * cdst[i], by S on A2/A3 and by V on A5 */
#include "base/pick.h"
#include "base/small_float.h"
#include "model/dtype.h"
#include "model/tgather.h"
#include "model/tile.h"
#include "sim/families/tgather.h"

/* The number that row r is compared with: the scalar of the call, or an element of k in UB. */
static uint64_t k_of(const struct ptog_known_insn *known, const struct ptog_memory *memory, int64_t r)
{
    const struct ptog_tile *k = ptog_tgather_k(&known->insn);
    size_t size = ptog_dtype_size(k->dtype);
    uint64_t bits = 0;
    if (ptog_tgather_k_is_scalar(&known->insn))
        return known->insn.of[PTOG_TGATHER_K].bits;
    int64_t i = ptog_tile_is_list(k, 1) ? 0 : r;
    ptog_ub_get(memory, k->addr + (uint64_t)ptog_tile_list_offset(k, i) * size, size, &bits);
    return ptog_compare_k(&known->insn, bits);
}

/* How the elements of src are compared, and with what in the row at hand. */
struct comparison {
    enum ptog_dtype dtype;
    bool equal;     /* or: greater */
    bool floats;    /* compared as floats */
    bool truncated; /* f32 on A5: as integers */
    uint64_t flip;  /* makes the order of integers that of unsigned ones */
    uint64_t bits;  /* k[i] */
    float number;
    uint32_t whole;
};

/* How elements are compared with k: equal or greater, as floats, as integers, or truncated as a5 does. */
static struct comparison comparison_of(const struct ptog_known_insn *known)
{
    enum ptog_dtype dtype = ptog_tgather_src(&known->insn)->dtype;
    return (struct comparison){.dtype = dtype,
                               .equal = ptog_compares_equal(known->target, &known->insn),
                               .floats = ptog_dtype_is_float(dtype),
                               .truncated = dtype == PTOG_F32 && known->target->compare_a5,
                               .flip = ptog_dtype_is_signed(dtype) ? ptog_dtype_sign_bit(dtype) : 0};
}

/* Sets the number to compare with, in all the ways in which targets read it. */
static void compare_with(struct comparison *with, uint64_t k)
{
    with->bits = k;
    with->number = with->floats ? ptog_dtype_to_float(with->dtype, k) : 0;
    with->whole = with->truncated ? (uint32_t)ptog_f32_to_i32(with->number) : 0;
}

/* Whether an element is kept. */
static inline bool matches(const struct comparison *with, uint64_t bits)
{
    if (with->floats) {
        float number = ptog_dtype_to_float(with->dtype, bits);
        if (!with->truncated)
            return with->equal ? number == with->number : number > with->number;
        uint32_t whole = (uint32_t)ptog_f32_to_i32(number);
        return with->equal ? whole == with->whole : whole > with->whole;
    }
    return with->equal ? bits == with->bits : (bits ^ with->flip) > (with->bits ^ with->flip);
}

/* Counts the matches of row r; with `to`, their positions are written to dst there, as far as a row of dst has room. */
static int64_t row(const struct ptog_known_insn *known, struct ptog_memory *to, const struct ptog_memory *memory,
                   int64_t r)
{
    const struct ptog_insn *op = &known->insn;
    const struct ptog_tile *src = ptog_tgather_src(op), *dst = ptog_tgather_dst(op);
    struct comparison with = comparison_of(known);
    size_t size = ptog_dtype_size(src->dtype);
    uint64_t from = src->addr + (uint64_t)(r * src->cols) * size, bits;
    int64_t count = 0;
    compare_with(&with, k_of(known, memory, r));
    for (int64_t c = 0; c < src->valid_col; c++) {
        ptog_ub_get(memory, from + (uint64_t)c * size, size, &bits);
        if (!matches(&with, bits))
            continue;
        if (to && count < dst->cols)
            ptog_ub_put(to, dst->addr + (uint64_t)(r * dst->cols + count) * 4, 4,
                        ptog_compare_position(known->target, op, r, c));
        count++;
    }
    return count;
}

enum ptog_status ptog_sim_has_room(const struct ptog_known_insn *known, const struct ptog_memory *memory)
{
    for (int64_t r = 0; known->form == PTOG_FORM_COMPARE && r < ptog_tgather_src(&known->insn)->valid_row; r++)
        if (row(known, NULL, memory, r) > ptog_tgather_dst(&known->insn)->cols)
            return PTOG_NO_ROOM;
    return PTOG_OK;
}

/* Logs the reads of the source and, where it is a tile, of k. */
static void log_inputs(const struct ptog_sim *sim)
{
    const struct ptog_insn *op = &sim->known->insn;
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_SRC), ptog_tgather_src(op),
                    ptog_tgather_src(op)->valid_row, ptog_tgather_src(op)->valid_col);
    if (!ptog_tgather_k_is_scalar(op))
        ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_K), ptog_tgather_k(op),
                        ptog_tgather_k(op)->valid_row, ptog_tgather_k(op)->valid_col);
    if (sim->log)
        sim->log->lanes = (uint64_t)(ptog_tgather_src(op)->valid_row * ptog_tgather_src(op)->valid_col);
}

/* Performs tgather by comparison, or one phase of it: writes and logs the positions in dst, the counts in cdst, or
 * both. */
enum ptog_status ptog_sim_by_compare(const struct ptog_sim *sim, bool dst, bool cdst)
{
    const struct ptog_insn *op = &sim->known->insn;
    struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST);
    struct ptog_access counted = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_CDST);
    if (dst)
        log_inputs(sim);
    counted.bytes = 4;
    for (int64_t r = 0; r < ptog_tgather_src(op)->valid_row; r++) {
        int64_t count = row(sim->known, dst ? sim->memory : NULL, sim->memory, r);
        write.at = ptog_tgather_dst(op)->addr + (uint64_t)(r * ptog_tgather_dst(op)->cols) * 4;
        write.bytes = (uint64_t)ptog_min(count, ptog_tgather_dst(op)->cols) * 4;
        counted.at = ptog_tgather_cdst(op)->addr + (uint64_t)ptog_tile_list_offset(ptog_tgather_cdst(op), r) * 4;
        if (cdst)
            ptog_ub_put(sim->memory, counted.at, 4, (uint32_t)count);
        if (dst)
            ptog_log_add(sim->log, &write);
        if (cdst)
            ptog_log_add(sim->log, &counted);
    }
    return PTOG_OK;
}
