/* sim: elementwise instructions.   V, or S where spec/effects.def says so, computes dst[r,c] = lane(a, b) over the
 * valid region of dst */
#include "model/elementwise.h"

#include "model/dtype.h"
#include "model/fault.h"
#include "model/tile.h"
#include "sim/cost.h"
#include "sim/insn.h"

static uint64_t place(const struct ptog_tile *tile, int64_t offset)
{
    return tile->addr + (uint64_t)offset * ptog_dtype_size(tile->dtype);
}

static uint64_t read_input(const struct ptog_sim *sim, enum ptog_dtype dtype, int i, int64_t r, int64_t c)
{
    const struct ptog_operand *operand = &sim->known->insn.of[i];
    const struct ptog_tile *tile = &operand->tile;
    uint64_t bits;
    if (operand->kind == PTOG_IS_SCALAR)
        return ptog_elementwise_scalar(dtype, tile->dtype, operand->bits);
    ptog_ub_get(sim->memory, place(tile, ptog_tile_offset(tile, r, c)), ptog_dtype_size(dtype), &bits);
    return bits;
}

static void compute(const struct ptog_sim *sim, const struct ptog_elementwise *e, int64_t r, int64_t c)
{
    uint64_t in[PTOG_ELEMENTWISE_INPUTS] = {0}, number;
    enum ptog_dtype dtype = e->dst->dtype;
    enum ptog_fault_kind kind;
    for (int i = 0; i < e->inputs; i++)
        in[i] = read_input(sim, dtype, i + 1, r, c);
    if (sim->log && ptog_lane_faults(e->lane, dtype, in[0], in[1], &kind, &number))
        ptog_fault_note(&sim->log->fault, kind, 1, r, c, number);
    ptog_ub_put(sim->memory, place(e->dst, ptog_elementwise_place(e, r, c)), ptog_dtype_size(dtype),
                ptog_lane_compute(e->target, e->lane, dtype, in[0], in[1]));
}

/* Sources are read where they are wanted: an element more, for the sake of pairs, decides nothing. */
static void log_reads(const struct ptog_sim *sim, const struct ptog_elementwise *e)
{
    const struct ptog_insn *insn = &sim->known->insn;
    for (int i = 1; i <= e->inputs && e->rows > 0; i++)
        if (insn->of[i].kind == PTOG_IS_TILE)
            ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, ptog_insn_row(insn->opcode)->of[i].name),
                            &insn->of[i].tile, e->dst->valid_row, e->dst->valid_col);
}

static void log_writes(const struct ptog_sim *sim, const struct ptog_elementwise *e)
{
    struct ptog_tile written = *e->dst;
    if (e->packed) {
        written.cols = e->rows * e->cols;
        ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST), &written, 1, written.cols);
    } else if (e->rows > 0) {
        ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST), &written, e->rows, e->cols);
    }
}

/* What the library keeps in tmp is its own business: the bytes are lost. */
static void clobber(const struct ptog_sim *sim)
{
    const struct ptog_insn *insn = &sim->known->insn;
    int64_t bytes = ptog_elementwise_clobbers(sim->known->target, insn);
    int at = ptog_insn_find(insn, PTOG_AT_TMP);
    if (bytes == 0 || !ptog_insn_has(insn, sim->known->form, at))
        return;
    const struct ptog_tile *tmp = &insn->of[at].tile;
    struct ptog_tile written = ptog_tile_at(ptog_tile_vec(PTOG_U8, 1, bytes), tmp->addr);
    ptog_ub_fill(sim->memory, tmp->addr, PTOG_NO_BYTES, (uint64_t)bytes);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_TMP), &written, 1, bytes);
}

static enum ptog_status phase(const struct ptog_sim *sim, int number)
{
    const struct ptog_insn *insn = &sim->known->insn;
    struct ptog_elementwise e;
    (void)number;
    ptog_elementwise_start(&e, sim->known,
                           insn->of[1].kind == PTOG_IS_TILE && insn->of[1].tile.addr == insn->of[0].tile.addr);
    log_reads(sim, &e);
    clobber(sim);
    for (int64_t r = 0; r < e.rows; r++)
        for (int64_t c = 0; c < e.cols; c++)
            compute(sim, &e, r, c);
    log_writes(sim, &e);
    if (sim->log) {
        sim->log->fault.index_signed = ptog_dtype_is_signed(e.dst->dtype);
        sim->log->lanes = (uint64_t)(e.rows * e.cols);
    }
    return PTOG_OK;
}

static double cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                   const struct ptog_log *log)
{
    if (known->effects->phases[number].pipe == PTOG_S) /* every operand of every element */
        return (double)log->lanes * known->insn.count * costs->ub_access;
    return ptog_cost_vector(costs, log->lanes, ptog_elementwise_dst(&known->insn)->dtype);
}

const struct ptog_sim_family ptog_sim_elementwise = {phase, cost, NULL, NULL};
