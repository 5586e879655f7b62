/* sim: reductions.   V folds rows or columns. On A2/A3 integers and products of rows go by 32 bytes of tmp, from which
 * S takes the result; other rows go by tmp on V alone, and so does tcolsum in pairs */
#include "model/reduce.h"

#include "model/condition.h"
#include "model/dtype.h"
#include "model/fault.h"
#include "model/reduction_tmp.h"
#include "model/tile.h"
#include "sim/cost.h"
#include "sim/families/reduction.h"
#include "sim/insn.h"

/* The elements of one result, in UB. */
struct ub_elements {
    const struct ptog_sim *sim;
    const struct ptog_reduce *r;
    int64_t result;
    size_t size;
    uint64_t first, step; /* where the first one is, and bytes from one to the next; step 0: they lie otherwise */
};

/* The elements of result n: rows and columns of a tile without blocks lie in equal steps. */
static struct ub_elements line_elements(const struct ptog_sim *sim, const struct ptog_reduce *r, int64_t n)
{
    const struct ptog_insn *insn = &sim->known->insn;
    const struct ptog_tile *src = &insn->of[PTOG_REDUCE_SRC].tile;
    enum ptog_tile_order order = ptog_tile_order(src);
    struct ub_elements e = {.sim = sim, .r = r, .result = n, .size = ptog_dtype_size(r->dtype)};
    if ((order == PTOG_ORDER_ROW || order == PTOG_ORDER_COL) && r->count > 1) {
        int64_t from = ptog_reduce_from(r, insn, n, 0);
        e.first = src->addr + (uint64_t)from * e.size;
        e.step = (uint64_t)(ptog_reduce_from(r, insn, n, 1) - from) * e.size;
    }
    return e;
}

/* Element k of a line that is reduced, read from UB. */
static uint64_t sim_element(const void *where, int64_t k)
{
    const struct ub_elements *e = where;
    const struct ptog_insn *insn = &e->sim->known->insn;
    uint64_t bits, at = e->first + (uint64_t)k * e->step;
    if (e->step == 0)
        at = insn->of[PTOG_REDUCE_SRC].tile.addr + (uint64_t)ptog_reduce_from(e->r, insn, e->result, k) * e->size;
    ptog_ub_get(e->sim->memory, at, e->size, &bits);
    return bits;
}

/* The address of result n in a destination. */
static uint64_t operand_address(const struct ptog_sim *sim, const struct ptog_reduce *r, int operand, int64_t n)
{
    const struct ptog_tile *tile = &sim->known->insn.of[operand].tile;
    return tile->addr + (uint64_t)ptog_reduce_to(r, tile, n) * ptog_dtype_size(tile->dtype);
}

/* The rest of dst's last 32-byte block comes along with the row that is copied: the first one of src, or of tmp. It is
 * done first, since dst may be the first row of src. */
static void fill_last_block(const struct ptog_sim *sim, const struct ptog_reduce *r)
{
    const struct ptog_insn *insn = &sim->known->insn;
    const struct ptog_tile *from = &insn->of[PTOG_REDUCE_SRC].tile;
    int64_t bytes = ptog_reduction_fills(sim->known->target, insn);
    struct ptog_access rest = ptog_sim_access(sim, PTOG_WRITES_PADDING, PTOG_AT_DST);
    if (bytes == 0)
        return;
    if (r->order == PTOG_FOLD_PAIRS && r->count > 1)
        from = &insn->of[PTOG_REDUCE_TMP].tile;
    rest.at = operand_address(sim, r, PTOG_REDUCE_DST, r->results);
    rest.bytes = (uint64_t)bytes;
    for (int64_t i = 0; i < bytes; i++) {
        uint64_t byte, behind = (uint64_t)r->results * ptog_dtype_size(r->dtype) + (uint64_t)i;
        ptog_ub_get(sim->memory, from->addr + behind, 1, &byte);
        ptog_ub_put(sim->memory, rest.at + (uint64_t)i, 1, byte);
    }
    ptog_log_add(sim->log, &rest);
}

/* Logs that one destination of a reduction is written: a column or a row of results. */
static void log_results(const struct ptog_sim *sim, const struct ptog_reduce *r, int operand)
{
    enum ptog_operand_name name = ptog_insn_row(sim->known->insn.opcode)->of[operand].name;
    int64_t rows = 1, cols = r->results;
    if (r->by_row) {
        rows = r->results;
        cols = 1;
    }
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_WRITES, name), &sim->known->insn.of[operand].tile, rows, cols);
}

/* Notes a fault where a maximum, minimum or position is decided among NaN. */
static void note_nan(const struct ptog_sim *sim, const struct ptog_reduce *r, const struct ptog_line *line, int64_t n)
{
    if (!sim->log)
        return;
    int64_t nan = ptog_reduce_nan(r, line);
    if (nan >= 0)
        ptog_fault_note(&sim->log->fault, PTOG_FAULT_NAN_ORDER, 1, r->by_row * n, !r->by_row * n, (uint64_t)nan);
}

/* Folds every line and writes the results into dst, then fills the rest of the last block as the target does. */
static void write_results(const struct ptog_sim *sim, const struct ptog_reduce *r)
{
    for (int64_t n = 0; n < r->results; n++) {
        struct ub_elements e = line_elements(sim, r, n);
        const struct ptog_line line = {sim_element, &e};
        note_nan(sim, r, &line, n);
        ptog_ub_put(sim->memory, operand_address(sim, r, PTOG_REDUCE_DST, n),
                    ptog_dtype_size(sim->known->insn.of[PTOG_REDUCE_DST].tile.dtype), ptog_reduce_fold(r, &line));
    }
    fill_last_block(sim, r);
    log_results(sim, r, PTOG_REDUCE_DST);
}

/* The elements whose positions dst has. */
static void write_values(const struct ptog_sim *sim, const struct ptog_reduce *r)
{
    for (int64_t n = 0; n < r->results; n++) {
        struct ub_elements e = line_elements(sim, r, n);
        ptog_ub_put(sim->memory, operand_address(sim, r, PTOG_REDUCE_VAL, n), ptog_dtype_size(r->dtype),
                    sim_element(&e, ptog_reduce_find(r, &(struct ptog_line){sim_element, &e})));
    }
    log_results(sim, r, PTOG_REDUCE_VAL);
}

/* Whether a phase of a reduction writes an operand: of two phases, the second does; but where a row is short, V writes
 * the results that lie in a column. */
static bool writes(const struct ptog_sim *sim, int number, int operand)
{
    const struct ptog_insn *insn = &sim->known->insn;
    const struct ptog_rule_context c = {.target = sim->known->target, .insn = insn, .written = insn};
    int last = sim->known->effects->phase_count - 1;
    if (last > 0 && sim->known->form == PTOG_FORM_ROW_ARG_VALUE && !ptog_condition_holds(PTOG_WHEN_LONG_ROW, &c) &&
        insn->of[operand].tile.cols == 1)
        return number == 0;
    return number == last;
}

/* One phase of a reduction: the first reads the source and uses tmp, and each writes the destinations that belong to
 * it. */
static enum ptog_status reduce_phase(const struct ptog_sim *sim, int number)
{
    const struct ptog_tile *src = &sim->known->insn.of[PTOG_REDUCE_SRC].tile;
    struct ptog_reduce r;
    ptog_reduce_start(&r, sim->known);
    if (ptog_reduction_is_idle(sim->known->target, &sim->known->insn))
        return PTOG_OK;
    if (number == 0) {
        ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_SRC), src, src->valid_row, src->valid_col);
        ptog_sim_use_tmp(sim);
    }
    if (number > 0)
        ptog_sim_log_tmp(sim, PTOG_READS);
    if (writes(sim, number, PTOG_REDUCE_DST))
        write_results(sim, &r);
    if (ptog_reduce_gives_value(sim->known->form) && writes(sim, number, PTOG_REDUCE_VAL))
        write_values(sim, &r);
    if (sim->log)
        sim->log->lanes = (uint64_t)(r.results * r.count);
    return PTOG_OK;
}

/* S reads a block of each row, and writes one element. */
static double reduce_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                          const struct ptog_log *log)
{
    const struct ptog_tile *src = &known->insn.of[PTOG_REDUCE_SRC].tile;
    if (known->effects->phases[number].pipe == PTOG_S)
        return (double)src->valid_row * (double)(ptog_c0(src->dtype) + 1) * costs->ub_access;
    return ptog_cost_vector(costs, log->lanes, src->dtype);
}

const struct ptog_sim_family ptog_sim_reduce = {reduce_phase, reduce_cost, NULL, NULL};
