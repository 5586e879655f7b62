/* sim: TMRGSORT.   V merges four runs of src into dst, or lists into tmp, from which it copies dst */
#include "sim/families/merges.h"

#include "model/families/merges.h"
#include "model/tile.h"
#include "sim/families/tile_bytes.h"

/* Merges group `g` to element `to` of an operand. Returns how many elements that were. */
static int64_t merge_group(const struct ptog_sim *sim, struct ptog_merge *m, int64_t g, int operand, int64_t to)
{
    const struct ptog_tile_bytes bytes = ptog_sim_bytes(sim);
    int64_t size = (int64_t)ptog_dtype_size(sim->known->insn.of[PTOG_MERGE_DST].tile.dtype), element, count = 0;
    int from;
    ptog_merge_start(m, sim->known, g, &bytes);
    for (; ptog_merge_take(m, &bytes, &from, &element); count += m->pair)
        for (int64_t e = 0; e < m->pair; e++)
            ptog_bytes_move(&bytes, operand, (to + count + e) * size, from, (element + e) * size, (size_t)size);
    return count;
}

/* Merges each group of four sorted runs of the source into dst, and logs the reads and writes of whole rows. */
static void merge_runs(const struct ptog_sim *sim)
{
    const struct ptog_insn *insn = &sim->known->insn;
    int64_t groups = ptog_merge_groups(insn), width = PTOG_MERGE_WAYS * ptog_merge_block(insn);
    struct ptog_merge m;
    ptog_sim_log_part(sim, PTOG_READS, PTOG_MERGE_SRC, 1, insn->of[PTOG_MERGE_SRC].tile.valid_col);
    for (int64_t g = 0; g < groups; g++)
        merge_group(sim, &m, g, PTOG_MERGE_DST, g * width);
    ptog_sim_log_part(sim, PTOG_WRITES, PTOG_MERGE_DST, 1, groups * width);
    if (sim->log)
        sim->log->lanes = (uint64_t)(groups * width);
}

/* Merges up to four lists into tmp, copies the result to dst, and gives the caller how many pairs of each list were
 * used, where the form says so. */
static void merge_lists(const struct ptog_sim *sim)
{
    const struct ptog_tile_bytes bytes = ptog_sim_bytes(sim);
    const struct ptog_insn *insn = &sim->known->insn;
    int64_t size = (int64_t)ptog_dtype_size(insn->of[PTOG_MERGE_DST].tile.dtype),
            copied = ptog_merge_copied(sim->known);
    struct ptog_merge m;
    for (int i = PTOG_MERGE_LIST; i < PTOG_MERGE_TMP; i++)
        if (insn->of[i].kind == PTOG_IS_TILE)
            ptog_sim_log_part(sim, PTOG_READS, i, 1, insn->of[i].tile.valid_col);
    int64_t merged = merge_group(sim, &m, 0, PTOG_MERGE_TMP, 0);
    ptog_sim_log_bytes(sim, PTOG_WRITES, PTOG_MERGE_TMP, 0, merged * size);
    for (int64_t i = 0; i < copied; i++)
        ptog_bytes_move(&bytes, PTOG_MERGE_DST, i * size, PTOG_MERGE_TMP, i * size, (size_t)size);
    ptog_sim_log_bytes(sim, PTOG_WRITES, PTOG_MERGE_DST, 0, copied * size);
    if (sim->log)
        sim->log->lanes = (uint64_t)(merged + copied);
    if (sim->value && ptog_merge_tells(sim->known))
        *sim->value = ptog_merge_counts(&m);
}

/* Performs tmrgsort, of the runs of one tile or of several lists; writes UB and the log. */
enum ptog_status ptog_sim_merge(const struct ptog_sim *sim)
{
    if (ptog_merge_is_runs(&sim->known->insn))
        merge_runs(sim);
    else
        merge_lists(sim);
    return PTOG_OK;
}
