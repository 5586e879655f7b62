/* ref: TMRGSORT.   The pairs of sorted lists, the largest of the next ones each time. Lists are read before dst is
 * written: it may lie over one of them. */
#include "model/families/merges.h"

#include <stdlib.h>
#include <string.h>

#include "model/dtype.h"
#include "ref/ref.h"
#include "ref/tile_bytes.h"

/* Merges the sorted runs of a tile, four by four, into dst; notes buffers that are too short. */
static void merge_runs(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes)
{
    int64_t size = (int64_t)ptog_dtype_size(known->insn.of[PTOG_MERGE_DST].tile.dtype), element;
    struct ptog_merge m;
    int operand;
    for (int64_t g = 0; g < ptog_merge_groups(&known->insn); g++) {
        int64_t to = g * PTOG_MERGE_WAYS * ptog_merge_block(&known->insn);
        ptog_merge_start(&m, known, g, bytes);
        for (; ptog_merge_take(&m, bytes, &operand, &element); to += m.pair)
            for (int64_t e = 0; e < m.pair; e++)
                if (!ptog_bytes_move(bytes, PTOG_MERGE_DST, (to + e) * size, operand, (element + e) * size,
                                     (size_t)size))
                    ptog_bytes_note(bytes, PTOG_FAULT_SHORT_BUFFER, 0, to + e, 0);
    }
}

/* Merges the lists into `pairs`, which has room for all of them. Returns how many were taken. */
static int64_t collect_pairs(const struct ptog_known_insn *known, const struct ptog_tile_bytes *bytes, int64_t most,
                             uint64_t *pairs, uint64_t *counts)
{
    int64_t size = (int64_t)ptog_dtype_size(known->insn.of[PTOG_MERGE_DST].tile.dtype), taken = 0, element;
    struct ptog_merge m;
    int operand;
    ptog_merge_start(&m, known, 0, bytes);
    for (; taken < most && ptog_merge_take(&m, bytes, &operand, &element); taken++)
        bytes->get(bytes->where, operand, element * size, PTOG_PAIR_BYTES, &pairs[taken]);
    *counts = ptog_merge_counts(&m);
    return taken;
}

/* Merges two to four lists into dst by way of tmp, as the target copies them, and stores the counts. PTOG_NO_MEMORY
 * when the pairs cannot be kept. */
static enum ptog_status merge_lists(const struct ptog_known_insn *known, const struct ptog_run *run,
                                    const struct ptog_tile_bytes *bytes)
{
    int64_t size = (int64_t)ptog_dtype_size(known->insn.of[PTOG_MERGE_DST].tile.dtype);
    int64_t bytes_of_all = ptog_merge_elements(&known->insn) * size, copied = ptog_merge_copied(known) * size;
    int64_t most = known->target->cpu_threads ? copied / PTOG_PAIR_BYTES : bytes_of_all / PTOG_PAIR_BYTES;
    uint64_t *pairs = malloc((size_t)bytes_of_all + PTOG_PAIR_BYTES), counts;
    if (!pairs)
        return PTOG_NO_MEMORY;
    if (most > bytes_of_all / PTOG_PAIR_BYTES)
        most = bytes_of_all / PTOG_PAIR_BYTES;
    int64_t merged = collect_pairs(known, bytes, most, pairs, &counts) * PTOG_PAIR_BYTES;
    for (int64_t at = 0; at < copied && at < merged; at += size) {
        uint64_t bits = 0;
        memcpy(&bits, (const char *)pairs + at, (size_t)size);
        if (!bytes->put(bytes->where, PTOG_MERGE_DST, at, (size_t)size, bits))
            ptog_bytes_note(bytes, PTOG_FAULT_SHORT_BUFFER, 0, at / size, 0);
    }
    if (ptog_merge_tells(known) && run->cdst.bytes >= sizeof counts)
        memcpy(run->cdst.data, &counts, sizeof counts);
    free(pairs);
    return PTOG_OK;
}

/* The meaning of tmrgsort: sorted runs or lists merged into dst. */
enum ptog_status ptog_ref_merges(const struct ptog_known_insn *known, const struct ptog_run *run,
                                 struct ptog_fault *fault)
{
    struct ptog_ref_tiles tiles = {known, run};
    const struct ptog_tile_bytes bytes = ptog_ref_bytes(&tiles, fault);
    enum ptog_status status = PTOG_OK;
    if (ptog_merge_is_runs(&known->insn))
        merge_runs(known, &bytes);
    else
        status = merge_lists(known, run, &bytes);
    return status == PTOG_OK ? ptog_fault_sum(fault) : status;
}
