/* sim: TGATHER by comparison.   V puts the positions j with src[i,j] cmp k[i] into row i of dst; their count goes to
 * cdst[i], by S on A2/A3 and by V on A5 */
#include "base/small_float.h"
#include "model/dtype.h"
#include "model/tgather.h"
#include "model/tile.h"
#include "sim/insn.h"

/* A key whose unsigned order is the order of the elements; floats are compared as floats. */
static bool matches(const struct ptog_insn *insn, uint64_t a, uint64_t b)
{
    enum ptog_dtype dtype = insn->t.src.dtype;
    bool equal = insn->t.cmp == PTOG_CMP_EQ;
    if (dtype == PTOG_F32 && insn->target->compare_a5) {
        uint32_t x = (uint32_t)ptog_f32_to_i32(ptog_dtype_to_float(dtype, a));
        uint32_t y = (uint32_t)ptog_f32_to_i32(ptog_dtype_to_float(dtype, b));
        return equal ? x == y : x > y;
    }
    if (ptog_dtype_is_float(dtype)) {
        float x = ptog_dtype_to_float(dtype, a), y = ptog_dtype_to_float(dtype, b);
        return equal ? x == y : x > y;
    }
    uint64_t flip = ptog_dtype_is_signed(dtype) ? ptog_dtype_sign_bit(dtype) : 0;
    return equal ? a == b : (a ^ flip) > (b ^ flip);
}

static uint64_t k_of(const struct ptog_insn *insn, const struct ptog_memory *memory, int64_t r)
{
    const struct ptog_tile *k = &insn->t.k;
    size_t size = ptog_dtype_size(k->dtype);
    uint64_t bits;
    if (insn->scalar_k)
        return insn->k;
    int64_t i = ptog_tile_is_list(k, 1) ? 0 : r;
    ptog_ub_get(memory, k->addr + (uint64_t)ptog_tile_list_offset(k, i) * size, size, &bits);
    return bits;
}

/* The matches of row r; with `dst`, their positions are written. */
static int64_t row(const struct ptog_insn *insn, struct ptog_memory *dst, const struct ptog_memory *memory, int64_t r)
{
    const struct ptog_tgather *op = &insn->t;
    size_t size = ptog_dtype_size(op->src.dtype);
    uint64_t k = k_of(insn, memory, r), bits;
    int64_t count = 0;
    for (int64_t c = 0; c < op->src.valid_col; c++) {
        ptog_ub_get(memory, op->src.addr + (uint64_t)(r * op->src.cols + c) * size, size, &bits);
        if (!matches(insn, bits, k))
            continue;
        if (dst && count < op->dst.cols)
            ptog_ub_put(dst, op->dst.addr + (uint64_t)(r * op->dst.cols + count) * 4, 4,
                        ptog_compare_position(insn->target, op, r, c));
        count++;
    }
    return count;
}

bool ptog_sim_has_room(const struct ptog_insn *insn, const struct ptog_memory *memory)
{
    for (int64_t r = 0; r < insn->t.src.valid_row; r++)
        if (row(insn, NULL, memory, r) > insn->t.dst.cols)
            return false;
    return true;
}

static void log_inputs(const struct ptog_sim *sim)
{
    const struct ptog_tgather *op = &sim->insn->t;
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_SRC), &op->src, op->src.valid_row,
                    op->src.valid_col);
    if (!sim->insn->scalar_k)
        ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_K), &op->k, op->k.valid_row,
                        op->k.valid_col);
    if (sim->log)
        sim->log->lanes = (uint64_t)(op->src.valid_row * op->src.valid_col);
}

enum ptog_status ptog_sim_by_compare(const struct ptog_sim *sim, bool dst, bool cdst)
{
    const struct ptog_tgather *op = &sim->insn->t;
    struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST);
    struct ptog_access counted = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_CDST);
    if (dst)
        log_inputs(sim);
    counted.bytes = 4;
    for (int64_t r = 0; r < op->src.valid_row; r++) {
        int64_t count = row(sim->insn, dst ? sim->memory : NULL, sim->memory, r);
        write.at = op->dst.addr + (uint64_t)(r * op->dst.cols) * 4;
        write.bytes = (uint64_t)(count < op->dst.cols ? count : op->dst.cols) * 4;
        counted.at = op->cdst.addr + (uint64_t)ptog_tile_list_offset(&op->cdst, r) * 4;
        if (cdst)
            ptog_ub_put(sim->memory, counted.at, 4, (uint32_t)count);
        if (dst)
            ptog_log_add(sim->log, &write);
        if (cdst)
            ptog_log_add(sim->log, &counted);
    }
    return PTOG_OK;
}
