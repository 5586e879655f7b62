/* sim: instructions that combine elements of several tiles.   V computes them; where S reads scales first, that is a
 * phase of its own */
#include "model/families/combine.h"

#include "model/effects.h"
#include "model/tile.h"
#include "sim/cost.h"
#include "sim/families/elementwise.h"
#include "sim/families/tile_bytes.h"

static bool is_result(enum ptog_operand_name name)
{
    return name == PTOG_AT_DST || name == PTOG_AT_DST1;
}

static void log_part(const struct ptog_sim *sim, enum ptog_access_kind kind, enum ptog_operand_name name)
{
    int at = ptog_combine_find(sim->known, name);
    if (at < 0)
        return;
    const struct ptog_combine_part part = ptog_combine_part_of(sim->known, at);
    ptog_log_region(sim->log, ptog_sim_access(sim, kind, name), &part.tile, part.rows, part.cols);
}

/* The library computes in the place of its sources, and in tmp: what lies there afterwards is its own business. */
static void lose_part(const struct ptog_sim *sim, enum ptog_operand_name name)
{
    int at = ptog_combine_find(sim->known, name);
    if (at < 0)
        return;
    const struct ptog_combine_part part = ptog_combine_part_of(sim->known, at);
    uint64_t bytes = (uint64_t)part.cols * ptog_dtype_size(part.tile.dtype);
    for (int64_t r = 0; r < part.rows; r++)
        ptog_ub_fill(sim->memory, ptog_sim_place(&part.tile, ptog_tile_offset(&part.tile, r, 0)), PTOG_NO_BYTES, bytes);
    log_part(sim, PTOG_WRITES, name);
}

/* One phase of an instruction that combines tiles: computes if the phase writes results, logs what it reads and
 * writes, and loses what the tmp held. */
static enum ptog_status combine_phase(const struct ptog_sim *sim, int number)
{
    const struct ptog_phase *phase = &sim->known->effects->phases[number];
    const struct ptog_tile_bytes bytes = ptog_sim_bytes(sim);
    unsigned results = 0;
    for (int i = 0; i < phase->count; i++) {
        enum ptog_operand_name name = (enum ptog_operand_name)phase->effects[i].operand;
        if (!phase->effects[i].writes)
            log_part(sim, PTOG_READS, name);
        if (phase->effects[i].writes && is_result(name))
            results |= 1u << name;
    }
    if (results)
        ptog_combine_run(sim->known, &bytes, results);
    for (int i = 0; i < phase->count; i++) {
        enum ptog_operand_name name = (enum ptog_operand_name)phase->effects[i].operand;
        if (phase->effects[i].writes && is_result(name))
            log_part(sim, PTOG_WRITES, name);
        else if (phase->effects[i].writes)
            lose_part(sim, name);
    }
    if (sim->log) {
        const struct ptog_combine_part dst = ptog_combine_part_of(sim->known, 0);
        sim->log->lanes = (uint64_t)(results ? dst.rows * dst.cols : dst.rows);
    }
    return PTOG_OK;
}

static double combine_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                           const struct ptog_log *log)
{
    if (known->effects->phases[number].pipe == PTOG_S) /* a scale and an offset for each row */
        return (double)log->lanes * 2 * costs->ub_access;
    return ptog_cost_vector(costs, log->lanes, known->insn.of[0].tile.dtype);
}

const struct ptog_sim_family ptog_sim_combine = {combine_phase, combine_cost, NULL, NULL};
