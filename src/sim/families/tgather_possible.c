/* sim: what TGATHER could touch with other data: by index, any element of src; by comparison, in each row of dst as
 * many positions as src has columns. What a mask keeps does not depend on data. */
#include "base/pick.h"
#include "model/tgather.h"
#include "model/tile.h"
#include "sim/families/tgather.h"

/* Logs a read of the whole source, since some index leads to each of its elements. */
static void reads_source(const struct ptog_sim *sim)
{
    const struct ptog_tile *src = ptog_tgather_src(&sim->known->insn);
    struct ptog_access read = ptog_sim_access(sim, PTOG_READS, PTOG_AT_SRC);
    read.at = src->addr;
    read.bytes = (uint64_t)ptog_tile_bytes(src);
    ptog_log_add(sim->log, &read);
}

/* Logs all positions that a comparison could write in each row. */
static void writes_positions(const struct ptog_sim *sim)
{
    const struct ptog_tile *src = ptog_tgather_src(&sim->known->insn), *dst = ptog_tgather_dst(&sim->known->insn);
    int64_t most = ptog_min(src->valid_col, dst->cols);
    struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST);
    write.bytes = (uint64_t)most * 4;
    for (int64_t r = 0; r < src->valid_row; r++) {
        write.at = dst->addr + (uint64_t)(r * dst->cols) * 4;
        ptog_log_add(sim->log, &write);
    }
}

void ptog_sim_tgather_possible(const struct ptog_sim *sim)
{
    if (sim->known->form == PTOG_FORM_INDEX)
        reads_source(sim);
    if (sim->known->form == PTOG_FORM_COMPARE)
        writes_positions(sim);
}
