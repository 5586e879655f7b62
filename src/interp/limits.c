/* interp: what a run may use: operations, bytes touched, memory. */
#include "interp/limits.h"

#include "base/pick.h"
#include "base/text.h"
#include "model/dtype.h"

/* A limit as the caller gave it, or else the usual one. */
static uint64_t or_default(uint64_t given, uint64_t otherwise)
{
    if (given > 0)
        return given;
    return otherwise;
}

void ptog_limits_set(struct ptog_eval *e, const struct ptog_execution *execution)
{
    e->max_steps = or_default(execution->max_steps, PTOG_DEFAULT_MAX_STEPS);
    e->max_work = or_default(execution->max_work, PTOG_DEFAULT_MAX_WORK);
    e->max_memory = or_default(execution->max_memory, PTOG_DEFAULT_MAX_MEMORY);
}

/* A limit: its id, the message around its number, and how to raise it. */
struct limit {
    const char *id, *before, *after, *fix;
};

/* Reports a limit that is exceeded, and stops the run. */
static void stop_at_limit(struct ptog_eval *e, const struct limit *limit, struct ptog_span span, uint64_t most)
{
    char number[PTOG_GROUPED];
    struct ptog_diag_entry *found = ptog_diag_emit(e->diags, limit->id, span, "%s%s%s; the rest was not checked",
                                                   limit->before, ptog_grouped(most, number), limit->after);
    ptog_diag_add_fix(e->diags, found, limit->fix);
    if (found)
        found->nowhere = span.length == 0;
    e->stopped = true;
}

/* Counts one more operation; false, after a report, when the run has had too many, which ends it. */
bool ptog_limit_steps(struct ptog_eval *e, struct ptog_span span)
{
    static const struct limit steps = {
        "limit-steps", "stopped after ", " operations",
        "if the program is meant to run this long, raise the limit with --max-steps N (in C: ptog_execution.max_steps)"};
    if (e->steps++ < e->max_steps)
        return ptog_limit_cost(e);
    stop_at_limit(e, &steps, span, e->max_steps);
    return false;
}

bool ptog_limit_cost(struct ptog_eval *e)
{
    e->stopped |= e->max_cost > 0 && e->steps + e->effort > e->max_cost;
    return !e->stopped;
}

/* Counts so many bytes of work; false, after a report, when the run has done too much, which ends it. */
bool ptog_limit_work(struct ptog_eval *e, struct ptog_span span, uint64_t bytes)
{
    static const struct limit work = {
        "limit-work", "stopped after touching ", " bytes",
        "if the program is meant to move this much, raise the limit with --max-work BYTES (in C: ptog_execution.max_work)"};
    e->work = bytes < UINT64_MAX - e->work ? e->work + bytes : UINT64_MAX;
    if (e->work <= e->max_work || e->stopped)
        return !e->stopped;
    stop_at_limit(e, &work, span, e->max_work);
    return false;
}

/* Whether the simulation may take so many bytes; else it is stopped, with a report at the span. */
bool ptog_limit_memory(struct ptog_eval *e, struct ptog_span span, uint64_t bytes)
{
    static const struct limit memory = {
        "limit-memory", "stopped: the simulation needs more than ", " bytes of memory",
        "if there is enough memory, raise the limit with --max-memory BYTES (in C: ptog_execution.max_memory)"};
    if (bytes <= e->max_memory || e->stopped)
        return !e->stopped;
    stop_at_limit(e, &memory, span, e->max_memory);
    return false;
}

/* The bytes of a tile's valid region, as far as that is known. */
static uint64_t tile_bytes(const struct ptog_tile *tile)
{
    int64_t rows = tile->valid_row > 0 ? tile->valid_row : tile->rows;
    int64_t cols = tile->valid_col > 0 ? tile->valid_col : tile->cols;
    return (uint64_t)ptog_max(rows, 0) * (uint64_t)ptog_max(cols, 0) * ptog_dtype_size(tile->dtype);
}

/* About how many bytes an instruction touches, for the limit of work. */
static uint64_t bytes_of_insn(const struct ptog_insn *insn)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    uint64_t bytes = 0, largest = 0;
    bool reaches = false;
    for (int i = 0; i < row->count; i++) {
        const struct ptog_operand *operand = &insn->of[i];
        uint64_t own = operand->kind == PTOG_IS_TILE ? tile_bytes(&operand->tile) : 0;
        reaches |= operand->kind == PTOG_IS_VIEW;
        largest = ptog_max(largest, own);
        bytes += own;
    }
    return reaches ? bytes + largest : bytes;
}

#define FAST_ELEMENTS 256u /* that are computed in the time of an operation: in vectors, */
#define SLOW_ELEMENTS 32u  /* or one by one */
#define MOVED_BYTES 16384u

/* Arithmetic on whole rows at once; other instructions, and small floating-point types, go element by element. */
static bool is_fast(const struct ptog_insn_row *row, enum ptog_dtype dtype)
{
    return row->family == PTOG_FAMILY_ELEMENTWISE && (dtype == PTOG_F32 || !ptog_dtype_is_float(dtype));
}

/* About how long the simulation of an instruction takes, in operations, for runs that only try something. */
static uint64_t effort_of_insn(const struct ptog_insn *insn)
{
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    uint64_t effort = 0;
    for (int i = 0; i < row->count; i++) {
        const struct ptog_tile *tile = &insn->of[i].tile;
        if (insn->of[i].kind != PTOG_IS_TILE)
            continue;
        uint64_t bytes = tile_bytes(tile), elements = bytes / ptog_max(ptog_dtype_size(tile->dtype), (size_t)1);
        uint64_t own = elements / (is_fast(row, tile->dtype) ? FAST_ELEMENTS : SLOW_ELEMENTS);
        effort = ptog_max(effort, row->family == PTOG_FAMILY_TRANSFER ? bytes / MOVED_BYTES : own);
    }
    return effort;
}

struct ptog_insn_size ptog_insn_size_of(const struct ptog_insn *insn)
{
    return (struct ptog_insn_size){effort_of_insn(insn), bytes_of_insn(insn)};
}
