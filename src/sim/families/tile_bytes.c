/* sim: elements of tiles by their place in UB. A walk may leave its tile, and then touches whatever lies there. */
#include "sim/families/tile_bytes.h"

#include "base/pick.h"
#include "model/tile.h"

/* The address of a byte of an operand. */
static uint64_t address_of(const struct ptog_sim *sim, int operand, int64_t at)
{
    return sim->known->insn.of[operand].tile.addr + (uint64_t)at;
}

/* Reads an element of an operand from simulated memory. Always true: addresses were checked before. */
static bool get_from_ub(void *where, int operand, int64_t at, size_t size, uint64_t *bits)
{
    const struct ptog_sim *sim = where;
    *bits = 0;
    ptog_ub_get(sim->memory, address_of(sim, operand, at), size, bits);
    return true;
}

/* Writes an element of an operand to simulated memory. Always true, too. */
static bool put_to_ub(void *where, int operand, int64_t at, size_t size, uint64_t bits)
{
    const struct ptog_sim *sim = where;
    ptog_ub_put(sim->memory, address_of(sim, operand, at), size, bits);
    return true;
}

/* What follows depends on no element read so far: the definedness of its results starts anew. */
static void forget_reads(void *where)
{
    const struct ptog_sim *sim = where;
    ptog_ub_makes_constant(sim->memory);
}

/* Access to the bytes of tiles in UB for code that ref and sim share; `sim` must outlive it. */
struct ptog_tile_bytes ptog_sim_bytes(const struct ptog_sim *sim)
{
    return (struct ptog_tile_bytes){.where = (void *)(uintptr_t)sim,
                                    .get = get_from_ub,
                                    .put = put_to_ub,
                                    .forget = forget_reads,
                                    .fault = sim->log ? &sim->log->fault : NULL};
}

/* The name of an operand in the rows. */
static enum ptog_operand_name operand_name_of(const struct ptog_sim *sim, int operand)
{
    return ptog_insn_row(sim->known->insn.opcode)->of[operand].name;
}

/* Logs an access to some bytes of an operand's tile, none if `count` is 0. */
static void log_range(const struct ptog_sim *sim, struct ptog_access access, int operand, int64_t at, int64_t count)
{
    const struct ptog_tile *tile = &sim->known->insn.of[operand].tile;
    access.at = address_of(sim, operand, at);
    access.bytes = (uint64_t)count;
    access.element = (uint8_t)ptog_dtype_size(tile->dtype);
    if (count > 0)
        ptog_log_add(sim->log, &access);
}

void ptog_sim_log_bytes(const struct ptog_sim *sim, enum ptog_access_kind kind, int operand, int64_t at, int64_t count)
{
    int64_t room = ptog_tile_bytes(&sim->known->insn.of[operand].tile), end = at + count;
    struct ptog_access inside = ptog_sim_access(sim, kind, operand_name_of(sim, operand)), past = inside;
    int64_t from = ptog_max(at, (int64_t)0), to = ptog_min(end, room);
    past.kind = PTOG_OVERRUNS;
    past.writes = kind != PTOG_READS;
    if (!sim->log)
        return;
    if (from >= to) {
        log_range(sim, past, operand, at, count);
        return;
    }
    log_range(sim, past, operand, at, from - at);
    log_range(sim, inside, operand, from, to - from);
    log_range(sim, past, operand, to, end - to);
}

void ptog_sim_log_part(const struct ptog_sim *sim, enum ptog_access_kind kind, int operand, int64_t rows, int64_t cols)
{
    ptog_log_region(sim->log, ptog_sim_access(sim, kind, operand_name_of(sim, operand)),
                    &sim->known->insn.of[operand].tile, rows, cols);
}
