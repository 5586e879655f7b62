/* sim: the tmp of reductions. */
#include "sim/families/reduction.h"

#include "model/dtype.h"
#include "model/reduction_tmp.h"
#include "model/tile.h"

/* Sets *part to the part of tmp that is used, as a tile; false: none is. */
static bool used_part(const struct ptog_sim *sim, struct ptog_tile *part)
{
    const struct ptog_insn *insn = &sim->known->insn;
    struct ptog_reduction_tmp use;
    int at = ptog_insn_find(insn, PTOG_AT_TMP);
    if (at < 0 || !ptog_insn_has(insn, sim->known->form, at) ||
        !ptog_reduction_tmp(sim->known->target, insn, sim->known->open, &use))
        return false;
    *part = insn->of[at].tile;
    if (use.rows == 1) /* goes on from row to row */
        part->cols = use.cols;
    part->rows = part->valid_row = use.rows;
    part->valid_col = use.cols;
    return true;
}

void ptog_sim_log_tmp(const struct ptog_sim *sim, enum ptog_access_kind kind)
{
    struct ptog_tile part;
    if (used_part(sim, &part))
        ptog_log_region(sim->log, ptog_sim_access(sim, kind, PTOG_AT_TMP), &part, part.valid_row, part.valid_col);
}

void ptog_sim_use_tmp(const struct ptog_sim *sim)
{
    struct ptog_tile part;
    if (!used_part(sim, &part))
        return;
    uint64_t size = ptog_dtype_size(part.dtype), pitch = (uint64_t)part.cols * size;
    for (int64_t r = 0; r < part.valid_row; r++)
        ptog_ub_fill(sim->memory, part.addr + (uint64_t)r * pitch, PTOG_NO_BYTES, (uint64_t)part.valid_col * size);
    ptog_sim_log_tmp(sim, PTOG_WRITES);
}
